"""Plays a story: plain text that a dealer could read, one step or one expectation a line.

A line that begins with `#` or is empty is for the reader. `Book:` and `House:` come first. What
people and devices do moves the table; every step must be accepted unless the line ends with
`(refused)`. What the table must then say stands in lines that begin with `Table`, `Player has`,
`Banker has`, `Aside:`, a name with money, `Decided by` or `Next:`. A story reports what happened
and never a clause: the clause must come out. `Book:` may name several books, divided by commas: the
story is then played under each.

    The shoe is ready.                      Ann bets 2000 on banker at 1.
    Bets are open.                          Dealer reports simultaneous.
    Cards: 2H KC 3D 6S                      Dealer answers no.
    Sue the pit supervisor approves.        Table refers to 5.8.2.1.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from scenario import shows

Send = Callable[[dict[str, Any]], dict[str, Any]]
Open = Callable[[str, dict[str, Any]], "Link"]

ROLES = (
    "dealer|pit supervisor|pit manager|assistant casino manager|gaming shift manager"
    "|table game shift manager"
)


@dataclass
class Link:
    """A table to talk to: a line in, its answer, and a look at what the pit sees."""

    send: Send
    pit: Callable[[], dict[str, Any]]
    where: Callable[[], dict[str, list[str]]]
    restart: Callable[[list[str]], dict[str, Any]]
    """Cards that leave the shoe meanwhile."""


@dataclass
class Story:
    open: Open
    book: str
    house: dict[str, Any] = field(default_factory=lambda: {"burn": "none"})
    link: Link | None = None
    last: dict[str, Any] = field(default_factory=dict)
    roles: dict[str, str] = field(default_factory=dict)
    at: float = 0.0
    line: str = ""
    books: list[str] = field(default_factory=list)
    expects: set[str] = field(default_factory=set)
    named_after: str | None = None
    """The irregularity it has to show."""
    told: list[shows.Told] = field(default_factory=list)

    def play(self, text: str) -> None:
        self.tell(text)
        missing = {"cards", "next"} - self.expects
        assert not missing, f"a story ends by saying {' and '.join(sorted(missing))}"
        if self.named_after is not None:
            lacks = shows.missing(self.named_after, self.book, self.told)
            assert lacks is None, f"named after {self.named_after}, it does not show {lacks}"

    def tell(self, text: str) -> None:
        """A part of a story, for tests that look at more than it can say."""
        for number, raw in enumerate(text.splitlines(), start=1):
            self.line = f"line {number}: {raw.strip()}"
            line = raw.partition("#")[0].strip().rstrip(".")
            if line:
                self._line(line)

    def _line(self, line: str) -> None:
        refused = line.endswith("(refused)")
        understood = _understood(line.removesuffix("(refused)").strip().rstrip("."))
        assert understood is not None, f"nobody understands {self.line}"
        act, given = understood
        act(self, **given)
        if act in _MOVES:
            accepted = self.last.get("accepted")
            assert accepted is not refused, f"{self.line}\n{self.last}"

    # --- talking to the table ----------------------------------------------------------------

    def _send(self, **message: Any) -> None:
        if self.link is None:
            self.link = self.open(self.book, self.house)
        self.at += 1
        self.last = self.link.send({"at": self.at, **message})
        assert "error" not in self.last, f"{self.line}\n{self.last}"
        if self.named_after is not None:
            self._seen(message)

    def _seen(self, said: dict[str, Any]) -> None:
        assert self.link is not None
        before = self.told[-1].after if self.told else {}
        aside, taken = bool(self.link.where()["aside"]), self.last["accepted"]
        self.told.append(shows.Told(said, taken, before, self.link.pit(), aside))

    def say(self, who: str, do: str, **given: Any) -> None:
        """A member of staff if a role is known for the name, else a player."""
        name = who.lower()
        role = "dealer" if name == "dealer" else self.roles.get(name)
        if role is None:
            self._send(**{"from": "player", "who": name, "do": do, "with": given})
        else:
            self._send(**{"from": "staff", "who": name, "role": role, "do": do, "with": given})

    def device(self, event: str, **more: Any) -> None:
        self._send(**{"from": "shoe", "event": event, **more})

    def pit(self) -> dict[str, Any]:
        assert self.link is not None
        return self.link.pit()


# --- what happens -----------------------------------------------------------------------------


def _book(story: Story, book: str) -> None:
    story.books = [each.strip() for each in book.split(",")]
    assert story.book in story.books


def _of_book(story: Story, clause: str) -> str:
    """`3.8.2 / 3.9.2`: where the books of a story number a clause differently, one for each."""
    numbers = clause.split(" / ")
    return numbers[story.books.index(story.book)] if len(numbers) > 1 else clause


def _house(story: Story, settings: str) -> None:
    for setting in settings.split(","):
        name, _, value = setting.strip().partition(" ")
        story.house[name] = _value(value or "yes")


def _value(text: str) -> Any:
    if text in ("yes", "no"):
        return text == "yes"
    return int(text) if text.isdigit() else text


def _ready(story: Story) -> None:
    story.roles["pia"] = "pit_supervisor"
    story.say("Pia", "open_table")
    story._send(**{"from": "shuffler", "event": "verified"})
    story.say("Dealer", "load_shoe", deck_set="blue", verified_by="shuffler", cut=True)


def _opens(story: Story, who: str) -> None:
    story.say(who, "open_table")


def _cutting_card(story: Story, who: str) -> None:
    """By hand: not every shoe tells of it."""
    story.say(who, "cut_card")


def _loads(story: Story, who: str, vouches: str = "pia", cut: str = "cut") -> None:
    story.say(who, "load_shoe", deck_set="blue", verified_by=vouches.lower(), cut=cut == "cut")


def _is(story: Story, who: str, role: str) -> None:
    story.roles[who.lower()] = role.replace(" ", "_")


def _method(story: Story, who: str, method: str, drawer: str = "", leave: str = "") -> None:
    given: dict[str, Any] = {"drawer": drawer.lower()} if drawer else {}
    story.say(who, "method", method=method, **given, **({"leave": True} if leave else {}))


def _hands_shoe(story: Story, who: str, drawer: str, leave: str = "") -> None:
    given = {"leave": True} if leave else {}
    story.say(who, "method", method="C", drawer=drawer.lower(), **given)


def _gives_up_shoe(story: Story, who: str) -> None:
    assert story.pit()["drawer"] == who.lower(), f"{story.line}: {who} does not have it"
    story.say("Dealer", "method", method="C", drawer="")


def _bets_open(story: Story) -> None:
    story.say("Dealer", "open_betting")


def _bets_close(story: Story, anyway: str = "") -> None:
    story.say("Dealer", "close_betting", **({"anyway": True} if anyway else {}))


def _bets(
    story: Story,
    who: str,
    amount: str,
    wager: str,
    position: str,
    again: str = "",
    standing: str = "",
) -> None:
    """`again`: a second stake on the same wager."""
    more = {"seated": False} if standing else {}
    story.say(
        who,
        "place",
        wager=wager,
        amount=int(amount),
        position=int(position),
        id=_id(who, wager) + (".2" if again else ""),
        **more,
    )


def _id(who: str, wager: str) -> str:
    return f"{who.lower()}.{wager}"


def _places_for(story: Story, staff: str, who: str, amount: str, wager: str, position: str) -> None:
    story.say(
        staff,
        "place",
        player=who.lower(),
        wager=wager,
        amount=int(amount),
        position=int(position),
        id=_id(who, wager),
    )


def _raises(story: Story, who: str, wager: str, amount: str) -> None:
    story.say(who, "raise", id=_id(who, wager), amount=int(amount))


def _decreases(story: Story, who: str, wager: str, amount: str) -> None:
    story.say(who, "decrease", id=_id(who, wager), amount=int(amount))


def _per_area(story: Story, who: str, most: str) -> None:
    story.say(who, "limits", per_area=int(most))


def _limits_of(story: Story, who: str, wager: str, least: str, most: str) -> None:
    story.say(who, "limits", wager=wager, minimum=int(least), maximum=int(most))


def _takes_back(story: Story, who: str, wager: str) -> None:
    story.say(who, "withdraw", id=_id(who, wager))


def _cards(story: Story, cards: str) -> None:
    for card in cards.split():
        if card == "??":
            story.device("read_failed")
        elif card == "cut":
            story.device("cut_card")
        else:
            story.device("card", card=card)
        assert story.last["accepted"], f"{story.line}: {card} was not taken\n{story.last}"


def _burned(story: Story, number: str) -> None:
    """Nobody sees them, so any card will do; a suit after the other keeps the decks possible."""
    deck = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]
    for place in range(int(number)):
        story.device("card", card=deck[place % len(deck)])


def _device_says(story: Story, card: str, hand: str) -> None:
    story.device("card", card=card, hand=hand)


def _device_excess(story: Story, card: str) -> None:
    story.device("excess", card=card)


def _excess_unnamed(story: Story) -> None:
    story.device("excess")


def _names_excess(story: Story, card: str) -> None:
    story.device("excess_named", card=card)


def _loses(story: Story, card: str) -> None:  # noqa: ARG001
    """A card leaves it that nobody hears of; only whoever stands at the shoe knows which."""
    story.device("events_lost")


def _listened_again(story: Story) -> None:
    """The link is back, and nobody knows what was said meanwhile."""
    story.device("link_up", **{"with": {"count": True}})


def _shuffler_again(story: Story) -> None:
    story._send(**{"from": "shuffler", "event": "link_up", "with": {"count": True}})


def _shuffler(story: Story, event: str, cards: str = "") -> None:
    given = {"with": {"cards": int(cards)}} if cards else {}
    story._send(**{"from": "shuffler", "event": event, **given})


def _counts_cards(story: Story, who: str, number: str) -> None:
    story.say(who, "count", cards=int(number))


def _device(story: Story, event: str) -> None:
    word, _, code = event.partition(" ")
    if word == "result":
        story.device(word, winner=code)
    else:
        story.device(word, **({"code": int(code)} if code else {}))


def _hand(story: Story, who: str, does: str, hand: str) -> None:
    story.say(who, {"takes": "accept_cards", "refuses": "refuse_cards"}[does], hand=hand.lower())


def _passes(story: Story, who: str, hand: str, to: str) -> None:
    story.say(who, "accept_cards", hand=hand.lower(), player=to.lower())


def _declines(story: Story, who: str, hand: str, to: str) -> None:
    story.say(who, "refuse_cards", hand=hand.lower(), player=to.lower())


def _lets_squeeze(story: Story, who: str, to: str, hand: str) -> None:
    story.say(who, "accept_cards", hand=hand.lower(), player=to.lower(), leave=True)


def _first(story: Story, hand: str) -> None:
    story.say("Dealer", "reveal_first", hand=hand.lower())


def _exposed(story: Story, hand: str, card: str = "") -> None:
    story.say("Dealer", "expose", hand=hand.lower(), **({"card": int(card)} if card else {}))


def _plain(story: Story, who: str, does: str) -> None:
    word = {
        "announces": "announce",
        "settles": "settle",
        "approves": "approve",
        "refuses": "refuse",
        "closes the offer": "close_offer",
        "resumes": "resume",
        "closes the table": "close_table",
    }[does]
    story.say(who, word)


def _reports(story: Story, who: str, what: str, more: str = "") -> None:
    given: dict[str, Any] = {"what": what}
    for part in filter(None, (each.strip() for each in more.split(","))):
        name, _, value = part.partition(" ")
        if name == "cards":
            given["cards"] = [int(n) for n in value.split()]
        elif name == "wagers":
            given["wagers"] = [_part(each) for each in value.split()]
        elif name in ("player", "banker"):
            given.setdefault("lies", {})[name] = [int(n) for n in value.split()]
        else:
            given[name] = value.lower() if not value.isdigit() else int(value)
    story.say(who, "report", **given)


def _part(wager: str) -> str | dict[str, Any]:
    """`ann.player`, or `ann.player=500` for so much of it."""
    name, _, amount = wager.partition("=")
    return {"id": name, "amount": int(amount)} if amount else name


def _answers(story: Story, who: str, answer: str) -> None:
    story.say(who, "answer", value=answer == "yes")


def _orders(story: Story, who: str, order: str) -> None:
    story.say(who, "answer", order=[int(n) for n in order.split()])


def _says_lies(story: Story, who: str, lies: str) -> None:
    given: dict[str, list[int]] = {}
    for part in lies.split(","):
        hand, *numbers = part.split()
        given[hand] = [int(n) for n in numbers]
    story.say(who, "answer", lies=given)


def _chooses(story: Story, who: str, choice: str, wagers: str = "") -> None:
    word = {"plays on": "play", "withdraws": "withdraw"}[choice]
    named = {"wagers": [_id(who, w) for w in wagers.split()]} if wagers else {}
    player = {"player": "*"} if who == "Dealer" else {}
    story.say(who, "option", choice=word, **named, **player)


def _decides(story: Story, who: str, outcome: str, text: str, wagers: str = "") -> None:
    given: dict[str, Any] = {"outcome": outcome.replace(" ", "_"), "text": text}
    if wagers:
        given["remove"] = [_off(each) for each in wagers.split()]
    story.say(who, "decide", **given)


def _off(wager: str) -> str | dict[str, Any]:
    """`bob.banker`, or `300:bob.banker` where so much of it comes off."""
    amount, part, name = wager.rpartition(":")
    return {"id": name, "amount": int(amount)} if part else wager


def _enters(story: Story, who: str, card: str, number: str = "") -> None:
    given = {"n": int(number)} if number else {}
    story.say(who, "enter_card", card=card, reason="read from the table", **given)


def _corrects(story: Story, who: str, number: str, card: str, reason: str) -> None:
    story.say(who, "correct", n=int(number), card=card, reason=reason)


def _puts_aside(story: Story, who: str, reason: str) -> None:
    story.say(who, "put_aside", reason=reason)


def _ended_by_hand(story: Story, who: str) -> None:
    story.say(who, "shoe_ended")


def _counts(story: Story, who: str, decks: str, less: str, more: str = "") -> None:
    """What is left of full decks: all of them less the cards named, and more of others."""
    left = {rank + suit: int(decks) for rank in "A23456789TJQK" for suit in "SHDC"}
    for card in less.split():
        left[card] -= 1
    for card in more.split():
        left[card] += 1
    story.say(who, "answer", left=left)


def _waits(story: Story, seconds: str) -> None:
    story.at += float(seconds)


def _burns(story: Story, number: str) -> None:
    for _ in range(int(number)):
        story.device("card", card="2C")


def _restarts(story: Story, cards: str = "") -> None:
    assert story.link is not None
    story.last = {**story.link.restart(cards.split()), "accepted": True}


# --- what the table must say ------------------------------------------------------------------


def _check(story: Story, found: object, wanted: object) -> None:
    assert found == wanted, f"{story.line}\nfound {found!r}\n{story.last}"


def _state(story: Story, state: str) -> None:
    _check(story, story.last["state"], state.replace(" ", "_"))


def _held_in(story: Story, phase: str) -> None:
    """The phase underneath what holds the table."""
    _check(story, story.pit()["state"], "halted")
    _check(story, story.pit()["phase"], phase.replace(" ", "_"))


def _clause(story: Story, clause: str) -> None:
    _check(story, story.last["clause"], None if clause == "no clause" else _of_book(story, clause))


def _asks(story: Story, what: str) -> None:
    _check(story, [ask["ask"] for ask in story.last["asks"]], [what])


def _asks_whom(story: Story, what: str, role: str) -> None:
    _asks(story, what)
    _check(story, story.last["asks"][0]["role"], role.replace(" ", "_"))


def _offers(story: Story, who: str) -> None:
    named = [name.strip().lower() for name in who.replace(" and ", ",").split(",")]
    everybody = ["*"] if named == ["everybody"] else sorted(named)
    _check(story, sorted(offer["to"] for offer in story.last["offers"]), everybody)


def _offers_nobody(story: Story) -> None:
    _check(story, story.last["offers"], [])


def _reason(story: Story, text: str) -> None:
    assert text in (story.last["reason"] or ""), f"{story.line}\n{story.last}"


def _has(story: Story, hand: str, cards: str) -> None:
    wanted = [] if cards == "nothing" else [None if c == "--" else c for c in cards.split()]
    _check(story, story.last["hands"][hand.lower()], wanted)
    story.expects.add("cards")


def _aside(story: Story, cards: str) -> None:
    assert story.link is not None
    found = story.link.where()["aside"]
    _check(story, found, [] if cards == "nothing" else cards.split())


def _money(story: Story, who: str, wager: str, won: str, back: str, clause: str = "") -> None:
    paid = {p["id"]: p for p in story.last["settlements"]}
    one = paid.get(_id(who, wager))
    assert one is not None, f"{story.line}\nno such wager in {story.last}"
    _check(story, (one["pays"], one["returned"]), (int(won), int(back)))
    if clause:
        _check(story, one["clause"], _of_book(story, clause))


def _part_back(story: Story, who: str, wager: str, amount: str, clause: str) -> None:
    rows = {each["id"]: each["parts_back"] for each in story.pit()["wagers"]}
    wanted = {"amount": int(amount), "clause": _of_book(story, clause)}
    found = rows.get(_id(who, wager), [])
    assert wanted in found, f"{story.line}\nfound {found}"


def _no_money(story: Story) -> None:
    _check(story, story.last["settlements"], [])


def _void(story: Story, clause: str) -> None:
    _check(story, story.pit()["void"], clause)


def _decided(story: Story, who: str) -> None:
    ruled = story.pit()["rulings"]
    assert ruled, f"{story.line}: nothing was ruled"
    _check(story, ruled[-1]["decided_by"], who.lower())


def _next(story: Story, do: str) -> None:
    found = story.last["prompt"]["do"]
    shorter = re.sub(r" \([^)]*\)", "", found)  # what a device said in its own words
    assert found.startswith(do) or shorter.startswith(do), f"{story.line}\nfound {found!r}"
    story.expects.add("next")


def _says(story: Story, words: str) -> None:
    _check(story, story.last["prompt"]["say"], words)


def _prompt_clause(story: Story, clause: str) -> None:
    _check(story, story.last["prompt"]["clause"], _of_book(story, clause))


def _goes(story: Story, number: str, was: str, now: str) -> None:
    moved = {each["n"]: (each["was"], each["now"]) for each in story.pit()["moved"]}
    _check(story, moved.get(int(number)), (was, now))


def _road(story: Story, tokens: str) -> None:
    _check(story, story.pit()["results"], tokens.split() if tokens != "empty" else [])


def _queue(story: Story, names: str) -> None:
    _check(story, story.pit()["queue"], [] if names == "nothing" else names.split())


def _notes(story: Story, text: str) -> None:
    notes = [note["text"] for note in story.pit()["notes"]]
    assert any(text in note for note in notes), f"{story.line}\nfound {notes!r}"


def _handles(story: Story, who: str, hand: str) -> None:
    found = story.pit()["handlers"].get(hand.lower(), "dealer")
    _check(story, found, who.lower())


def _has_shoe(story: Story, who: str) -> None:
    _check(story, story.pit()["drawer"], None if who == "Dealer" else who.lower())


def _difference(story: Story, who: str, wager: str, sign: str, amount: str) -> None:
    changed = {each["id"]: each["difference"] for each in story.pit()["differences"]}
    wanted = int(amount) if sign == "more" else -int(amount)
    _check(story, changed.get(_id(who, wager), 0), wanted)


_WHO = r"(?P<who>[A-Z]\w*)"
_WAGER = r"(?P<wager>[a-z_]+[0-9]?)"
_HAND = r"(?P<hand>Player|Banker)"
_STEPS: list[tuple[str, Any]] = [
    (r"Book: (?P<book>.+)", _book),
    (r"House: (?P<settings>.+)", _house),
    (rf"{_WHO} is the (?P<role>{ROLES})", _is),
    (r"The shoe is ready", _ready),
    (rf"{_WHO} opens the table", _opens),
    (rf"{_WHO} takes the cutting card out", _cutting_card),
    (rf"{_WHO} loads a shoe(?: on (?P<vouches>\w+)'s word)?(?: (?P<cut>uncut))?", _loads),
    (
        rf"{_WHO} chooses Method (?P<method>\w+)(?: and hands (?P<drawer>\w+) the shoe)?"
        r"(?P<leave> without a wager)?",
        _method,
    ),
    (rf"{_WHO} hands (?P<drawer>\w+) the shoe(?P<leave> without a wager)?", _hands_shoe),
    (rf"{_WHO} gives up the shoe", _gives_up_shoe),
    (r"Bets are open", _bets_open),
    (r"Bets are closed(?P<anyway> anyway)?", _bets_close),
    (
        rf"{_WHO} bets (?P<amount>\d+) on {_WAGER} at (?P<position>\d+)(?P<again> again)?"
        r"(?P<standing> standing)?",
        _bets,
    ),
    (
        rf"(?P<staff>[A-Z]\w*) places (?P<amount>\d+) on {_WAGER} at (?P<position>\d+)"
        r" for (?P<who>\w+)",
        _places_for,
    ),
    (rf"{_WHO} raises {_WAGER} by (?P<amount>\d+)", _raises),
    (rf"{_WHO} decreases {_WAGER} by (?P<amount>\d+)", _decreases),
    (rf"{_WHO} takes back {_WAGER}", _takes_back),
    (rf"{_WHO} allows (?P<most>\d+) wagers on an area", _per_area),
    (rf"{_WHO} limits {_WAGER} to (?P<least>\d+) and (?P<most>\d+)", _limits_of),
    (r"Cards?: (?P<cards>.+)", _cards),
    (r"(?P<number>\d+) cards are burned", _burns),
    (r"The shoe calls a card one too many", _excess_unnamed),
    (r"The shoe calls (?P<card>\w+) one too many", _device_excess),
    (r"The shoe names (?P<card>\w+)", _names_excess),
    (r"The shoe loses (?P<card>\w+)", _loses),
    (r"The shoe is listened to again", _listened_again),
    (r"The shuffler is listened to again", _shuffler_again),
    (r"The shuffler reports (?P<event>[a-z_]+)(?: of (?P<cards>\d+) cards)?", _shuffler),
    (rf"{_WHO} counts (?P<number>\d+) cards", _counts_cards),
    (r"The shoe says (?P<card>\w+) for the (?P<hand>player|banker)", _device_says),
    (r"The shoe reports (?P<event>.+)", _device),
    (rf"{_WHO} (?P<does>takes|refuses) the {_HAND} hand", _hand),
    (rf"{_WHO} declines (?P<to>\w+) the {_HAND} hand", _declines),
    (rf"{_WHO} passes the {_HAND} hand to (?P<to>\w+)", _passes),
    (rf"{_WHO} names (?P<to>\w+) for the {_HAND} hand", _passes),
    (rf"{_WHO} lets (?P<to>\w+) squeeze the {_HAND} hand", _lets_squeeze),
    (rf"The {_HAND} hand is revealed first", _first),
    (rf"The {_HAND} hand is exposed", _exposed),
    (rf"Card (?P<card>\d) of the {_HAND} hand is exposed", _exposed),
    (
        rf"{_WHO} (?P<does>announces|settles|approves|refuses|closes the offer|resumes"
        r"|closes the table)",
        _plain,
    ),
    (rf"{_WHO} reports (?P<what>[a-z_]+)(?: \((?P<more>.+)\))?", _reports),
    (rf"{_WHO} answers (?P<answer>yes|no)", _answers),
    (rf"{_WHO} says the order is (?P<order>[\d ]+)", _orders),
    (rf"{_WHO} says cards lie (?P<lies>[\w ,]+)", _says_lies),
    (
        rf"{_WHO} (?P<choice>plays on|withdraws)(?: (?P<wagers>[a-z_0-9 ]+))?",
        _chooses,
    ),
    (
        rf"{_WHO} decides (?P<outcome>go on|void|reconstruct|remove)"
        r"(?: of (?P<wagers>[\w.:]+(?: [\w.:]+)*))?: (?P<text>.+)",
        _decides,
    ),
    (rf"{_WHO} enters (?P<card>\w+)(?: as card (?P<number>\d+))?", _enters),
    (rf"{_WHO} corrects card (?P<number>\d+) to (?P<card>\w+): (?P<reason>.+)", _corrects),
    (rf"{_WHO} puts the shoe's round aside: (?P<reason>.+)", _puts_aside),
    (rf"{_WHO} has ended the shoe's round", _ended_by_hand),
    (
        rf"{_WHO} counts (?P<decks>\d+) decks less (?P<less>[\w ]+?)"
        r"(?: and (?P<more>\w+) too many)?",
        _counts,
    ),
    (r"(?P<seconds>\d+) seconds pass", _waits),
    (r"The process restarts(?: while (?P<cards>[\w ]+) leaves? the shoe)?", _restarts),
]
_QUIET = {_book, _house, _is, _waits, _cards, _burns}
_MOVES = {act for _, act in _STEPS} - _QUIET
_EXPECTATIONS: list[tuple[str, Any]] = [
    (r"Table is held in (?P<phase>[a-z ]+)", _held_in),
    (r"Table is (?P<state>[a-z ]+)", _state),
    (r"Table refers to (?P<clause>no clause|[\d. /]+)", _clause),
    (rf"Table asks (?P<what>[a-z_]+) of the (?P<role>{ROLES})", _asks_whom),
    (r"Table asks (?P<what>[a-z_]+)", _asks),
    (r"Table offers nothing", _offers_nobody),
    (r"Table offers (?P<who>.+)", _offers),
    (r"Table explains: (?P<text>.+)", _reason),
    (r"Table notes: (?P<text>.+)", _notes),
    (r"Table queues (?P<names>.+)", _queue),
    (r"(?P<hand>Player|Banker) has (?P<cards>.+)", _has),
    (rf"{_WHO} handles the {_HAND} hand", _handles),
    (rf"{_WHO} has the shoe", _has_shoe),
    (
        rf"{_WHO}'s {_WAGER} gets (?P<amount>\d+) (?P<sign>more|less) than was settled",
        _difference,
    ),
    (r"Aside: (?P<cards>.+)", _aside),
    (
        rf"{_WHO}'s {_WAGER} wins (?P<won>\d+) and gets back (?P<back>\d+)"
        r"(?: by (?P<clause>[\d. /]+))?",
        _money,
    ),
    (rf"{_WHO}'s {_WAGER} had (?P<amount>\d+) rejected by (?P<clause>[\d. /]+)", _part_back),
    (r"Nobody has a wager", _no_money),
    (r"Table notes that (?P<text>.+)", _notes),
    (r"The round is void by (?P<clause>[\d.]+|void)", _void),
    (rf"Decided by {_WHO}", _decided),
    (r"Next: (?P<do>.+)", _next),
    (r"Dealer says: (?P<words>.+)", _says),
    (r"The prompt refers to (?P<clause>[\d. /]+)", _prompt_clause),
    (r"The road is (?P<tokens>.+)", _road),
    (r"Card (?P<number>\d+) goes from (?P<was>player|banker) to (?P<now>player|banker)", _goes),
]


@cache
def _understood(words: str) -> tuple[Any, dict[str, str]] | None:
    """What a line does, and what it names. The same lines stand in hundreds of stories."""
    for pattern, act in _STEPS + _EXPECTATIONS:
        match = re.fullmatch(pattern, words)
        if match:
            return act, {k: v for k, v in match.groupdict().items() if v is not None}
    return None


@cache
def stories() -> tuple[tuple[Path, str], ...]:
    """Every story with every book it is to be played under."""
    found: list[tuple[Path, str]] = []
    for path in sorted(Path(__file__).with_name("stories").rglob("*.txt")):
        named = re.search(r"^Book: (.+)$", path.read_text("utf-8"), re.MULTILINE)
        assert named, f"{path} names no book"
        found += [(path, book.strip()) for book in named[1].split(",")]
    return tuple(found)


def clauses(path: Path, book: str) -> list[str]:
    """The clauses a story expects to come out under this book, in its order."""
    text = path.read_text("utf-8")
    listed = re.search(r"^Book: (.+)$", text, re.MULTILINE)
    place = [each.strip() for each in listed[1].split(",")].index(book) if listed else 0
    named: dict[str, None] = {}
    for line in text.splitlines():
        said = line.partition("#")[0].strip().rstrip(".")
        for pattern in _NAMES_CLAUSE:
            if found := re.search(pattern, said):
                numbers = found[1].split(" / ")
                named[numbers[place] if len(numbers) > 1 else numbers[0]] = None
    return list(named)


_NUMBERS = r"(\d[\d.]*(?: / \d[\d.]*)*)"
_NAMES_CLAUSE = (
    rf"^Table refers to {_NUMBERS}",
    rf"^The round is void by {_NUMBERS}",
    rf"^The prompt refers to {_NUMBERS}",
    rf" gets back \d+ by {_NUMBERS}",
)
