"""The dealer: plays by the judge's table of play and holds the product to it."""

from dataclasses import replace
from random import Random
from typing import Any

from judge import money
from judge.erring.bench import Bench
from judge.erring.found import Difference, TableIsStuck, Tally
from judge.erring.staff import (
    ASSISTANT,
    DEALER,
    PLAYERS,
    SUPERVISOR,
    Line,
    Person,
    player_says,
    somebody,
)
from judge.erring.ways import Way
from judge.money import Wager
from judge.play import BANKER, PLAYER, Card, Layout, lay
from judge.situation import Situation, When
from judge.wagers import OFFERED, RWS, odds

SIDES = (PLAYER, BANKER)
NEW_DECK = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]
CUT = "cutting card"
SHOE_ENDS = 14
"""Cards behind the cutting card."""


class Dealer:
    """One table and what is true at it."""

    def __init__(self, way: Way, random: Random, tally: Tally, table: Bench) -> None:
        self.placed = 0
        self.way, self.random, self.tally, self.table = way, random, tally, table
        self.when = When.OVER
        self.round = 0
        self.cards: list[Card] = []
        self.lies: Layout | None = None
        self.wagers: list[Wager] = []
        self.carried: list[Card] = []
        self.under_before: set[str] = set()
        self.under_then: set[str] = set()
        """Likewise, before the last settlement."""
        self.void = self.after_void = False
        self.pile: list[str] = []
        self.drawn = 0
        self.handlers: dict[str, str] = {}
        self.decided: list[tuple[str, tuple[int, ...]]] = []
        self.must_replace = False
        self.drawer: str | None = None
        """Who draws in this round (Method C)."""
        self.laid_anew = False
        """Cards of this round have changed places once: nobody errs about them again."""
        self.unread: int | None = None
        """A card whose face the table does not know."""

    # --- saying ---------------------------------------------------------------------------------

    def say(self, line: Line) -> bool:
        self.tally.words += 1
        return self.table.say(line)

    def must(self, line: Line, kind: str = "") -> None:
        if not self.say(line):
            word = kind or f"{line.get('do') or line.get('event')} is refused"
            raise TableIsStuck(f"{word}: {self.table.code}", "accepted", self.table.code)

    def must_not(self, line: Line, kind: str) -> None:
        """Something nobody may do here."""
        if self.say(line):
            raise Difference(kind, "refused", "accepted")

    # --- the day --------------------------------------------------------------------------------

    def opens(self) -> None:
        self.must(SUPERVISOR.says("open_table"))
        if self.way.method == "A":
            self.must(somebody(self.random, "pit_manager").says("method", method="A"))

    def loads(self) -> None:
        """A shoe that the shuffler has verified; one in four has no cutting card and is played to
        its last card."""
        self.pile = NEW_DECK * 4
        self.random.shuffle(self.pile)
        if self.random.random() < 0.75:
            self.pile.insert(SHOE_ENDS, CUT)
        self.drawn, self.carried, self.must_replace = 0, [], False
        self.must({"from": "shuffler", "event": "verified"})
        given = {"deck_set": f"set {len(self.table.said)}", "verified_by": "shuffler", "cut": True}
        self.must(DEALER.says("load_shoe", decks=4, **given))

    # --- a round --------------------------------------------------------------------------------

    @property
    def is_betting(self) -> bool:
        return self.when is When.BETTING

    def calls(self) -> None:
        if self.way.method == "C" and self.table.view["drawer"] is None:
            drawer = self.random.choice(PLAYERS)
            self.must(ASSISTANT.says("method", method="C", drawer=drawer))
        self.must(DEALER.says("open_betting"))
        self.when, self.round = When.BETTING, self.round + 1
        self.after_void, self.void = self.void, False
        self.cards, self.lies, self.wagers, self.handlers = [], None, [], {}
        self.decided = []
        self.unread, self.laid_anew = None, False

    def takes_wagers(self) -> None:
        offered = OFFERED[self.way.book]
        for position, name in enumerate(PLAYERS, start=1):
            must = self.way.method == "C"
            for _ in range(self.random.choice((1, 1, 2, 3) if must else (0, 1, 2, 3))):
                main = self.random.random() < 0.6
                kind = self.random.choice(("player", "banker") if main else offered)
                if not any((w.player, w.kind) == (name, kind) for w in self.wagers):
                    self.places(name, position, kind)
            if self.way.limits.differential and self.random.random() < 0.15:
                self.places(name, position % len(PLAYERS) + 1, "banker", seated=False)

    def places(self, name: str, position: int, kind: str, seated: bool = True) -> None:
        chance, units = self.random.random(), self.random.randint(5, 50)
        limits = self.way.limits
        if limits.minimum is not None and chance < 0.03:
            units = self.random.randint(1, 4)
        elif limits.maximum is not None and chance > 0.97:
            units = self.random.randint(51, 70)
        self.placed += 1  # a wager that was taken back leaves its name to nobody
        made = Wager(f"w{self.round}-{self.placed}", name, position, kind, units * 100, seated)
        given: dict[str, Any] = {"wager": kind, "amount": made.amount, "position": position}
        if not seated:
            given["seated"] = False
        if self.say(player_says(name, "place", id=made.id, **given)):
            self.wagers.append(made)

    def closes(self) -> None:
        """ "No more bets", once what must be put right is right (reading 19)."""
        self.drawer_has_a_wager()
        line = DEALER.says("close_betting")
        anyway = DEALER.says("close_betting", anyway=True)
        if self.exceeded():
            self.must_not(line, "the call over an exceeded differential")
            if self.way.book.startswith("mbs"):
                self.must_not(anyway, "anyway over an exceeded differential")
                self.lightens()
            elif self.random.random() < 0.5:
                self.lightens()
        if not self.say(line):
            self.must(anyway)
            if self.exceeded():
                self._second_for_anyway()
        if self.table.view["phase"] == "betting":
            raise TableIsStuck("bets do not close", "dealing", self.table.view["phase"])
        self.when, self.drawer = When.IN_PLAY, self.table.view["drawer"]
        if self.after_void:  # whether a card that lay aside is used on is the table's word
            lying = {each["n"] for each in self.table.view["cards"]}
            self.carried = [card for card in self.carried if card.n in lying]
        # By which number a card that was carried over is called is the table's word too.
        numbers = [each["n"] for each in self.table.view["cards"]]
        carried = [
            replace(card, n=n, out_since="an earlier round")
            for card, n in zip(self.carried, numbers, strict=False)
        ]
        self.cards = [*carried, *self.cards]
        self.carried = []
        self.check_hands("after the call")
        if self.way.book == RWS and not self.cards:
            self.permits_squeezing()

    def _second_for_anyway(self) -> None:
        asks = self.table.view["asks"]
        if not asks:
            raise Difference("RWS 5.1 anyway without a second person", "an approval", "none")
        self.must_not(DEALER.says("approve"), "the dealer approves their own anyway")
        self.must(somebody(self.random, "pit_supervisor", DEALER.name).says("approve"))

    def exceeded(self) -> bool:
        return money.exceeded(self.way.book, self.wagers, self.way.limits.differential)

    def lightens(self) -> None:
        """Players take wagers back until the differential is met."""
        while self.exceeded():
            main = [w for w in self.wagers if w.kind in ("player", "banker") and not w.given_back]
            most = max(main, key=lambda wager: wager.amount)
            self.must(player_says(most.player, "withdraw", id=most.id))
            self.wagers.remove(most)
        self.drawer_has_a_wager()

    def drawer_has_a_wager(self) -> None:
        """Method C: whoever draws has one."""
        drawer = self.table.view["drawer"]
        live = [wager.player for wager in self.wagers if not wager.given_back]
        sides = [kind for kind in OFFERED[self.way.book] if kind not in ("player", "banker")]
        for kind in sides:  # which exceed no differential
            if drawer is not None and drawer not in live:
                self.places(drawer, PLAYERS.index(drawer) + 1, kind)
                live = [wager.player for wager in self.wagers if not wager.given_back]

    def draws(self) -> None:
        """One card leaves the shoe; the table hears of it, but not always its face."""
        card = self.takes()
        unread = self.way.method == "A" and len(self.cards) < 4 and self.random.random() < 0.02
        if unread and self.unread is None:
            self.unread = card.n
            self.must({"from": "shoe", "event": "read_failed"})
        else:
            self.must(card_line(card))
        self.cards.append(card)

    def takes(self) -> Card:
        """The next card, of which the table has not heard yet."""
        face = self.pile.pop()
        if face == CUT:
            self.must({"from": "shoe", "event": "cut_card"})
            self._no_withdrawal_on_a_first_cutting_card()
            face = self.pile.pop()
        self.drawn += 1
        since = "bets were open" if self.is_betting else "call"
        return Card(self.drawn, face, not self.way.face_down, out_since=since)

    def _no_withdrawal_on_a_first_cutting_card(self) -> None:
        """3.17.1: in the HLGA the dealer may let players withdraw, and need not."""
        if any(ask["ask"] == "may_withdraw" for ask in self.table.view["asks"]):
            self.must(DEALER.says("answer", value=False))

    def steps(self) -> bool:
        """What the table of play asks for next is done; False: the hands are complete."""
        asked = self.layout.due
        if asked is None:
            return False
        if asked in SIDES:
            if not self.pile:
                return False
            self.draws()
        else:
            self._exposes()
        self.check_hands("in play")
        return True

    def _exposes(self) -> None:
        hidden = [side for side in SIDES if not all(c.exposed for c in self.layout.hand(side))]
        side = self.random.choice(hidden)
        if self.way.method == "A" and self._passes(side):
            return
        self.must(DEALER.says("expose", hand=side))
        self.enters()
        shown = set(self.layout.numbers(side))
        self.cards = [replace(c, exposed=True) if c.n in shown else c for c in self.cards]

    def enters(self) -> None:
        """A card that nobody has read is entered when it lies open, and seen by two."""
        card = next((card for card in self.cards if card.n == self.unread), None)
        for _ in range(2):
            asks = self.table.view["asks"]
            if card is None or not asks:
                return
            if asks[0]["do"] == "enter_card":
                self.must(DEALER.says("enter_card", card=card.face))
            else:
                self.must_not(
                    DEALER.says("approve"), "an entered card approved by one person alone"
                )
                self.must(somebody(self.random, "pit_supervisor").says("approve"))
        self.unread = None

    def permits_squeezing(self) -> None:
        """RWS 3.9: the seated player with the highest bet asks, a pit employee permits."""
        side = self.random.choice(SIDES)
        whose = money.highest(self.wagers)
        if not (self.way.face_down and whose) or self.random.random() < 0.6:
            return
        if not self.say(player_says(whose, "accept_cards", hand=side)):
            raise Difference("RWS 3.9: the highest bet may ask to squeeze", whose, self.table.code)
        if side in self.table.view["handlers"]:
            raise Difference("RWS 3.9: a squeeze without permission", "asked", "squeezes")
        self.must(DEALER.says("accept_cards", hand=side, player=whose))
        if self.table.view["handlers"].get(side) != whose:
            raise Difference("RWS 3.9: who squeezes", whose, self.table.view["handlers"])
        self.handlers[side] = whose

    def _passes(self, side: str) -> bool:
        """Method A: to the highest amount on that hand (reading 25). Whether somebody took it."""
        passing = self.table.view["passing"].get(side)
        if passing is None or side in self.handlers or len(self.layout.hand(side)) != 2:
            return False
        whose = money.handler(self.wagers, side)
        if passing["to"] != whose:
            raise Difference("Method A: whose hand it is", whose, passing["to"])
        if whose is not None and self.random.random() < 0.7:
            self.must(player_says(whose, "accept_cards", hand=side))
            self.handlers[side] = whose
            return True
        return False

    def ends(self) -> None:
        """Announced and settled; every payment is compared."""
        self.must(DEALER.says("announce"))
        self.must(DEALER.says("settle"))
        self.under_then = set(self.under_before)
        keeps = self.keeps_device()
        self.settled_anew()
        if self.table.view["drawer"] != keeps:
            raise Difference("reading 35: who has the device", keeps, self.table.view["drawer"])
        self.carried = [replace(card, kept_out=False) for card in self.layout.aside]
        self.when = When.OVER
        self.tally.settled += 1

    def keeps_device(self) -> str | None:
        """Method C: control ends when the player's wager on a hand loses; without one, when all of
        that player's wagers have lost (reading 35)."""
        drawer = self.drawer
        own = [w for w in self.wagers if w.player == drawer and not w.given_back]
        main = [wager for wager in own if wager.kind in ("player", "banker")]
        hands = [self.layout.faces(side) for side in SIDES]
        returned = drawer in self.under_before  # 5.14: what is under the minimum again goes back
        lost = [
            odds(self.way.book, wager.kind, *hands) == 0
            and not (returned and self.way.limits.under(wager))
            for wager in main or own
        ]
        ends = any(lost) if main else bool(lost) and all(lost)
        return None if ends else drawer

    def settled_anew(self) -> None:
        """By the hands as they are known now."""
        hands = [self.layout.faces(side) for side in SIDES]
        self.under_before = set(self.under_then)
        self.check_money(hands)
        # 5.14: paid once, collected once; a wager that pushed was neither.
        under = [w for w in self.wagers if self.way.limits.under(w) and not w.given_back]
        done = [w for w in under if odds(self.way.book, w.kind, *hands) is not None]
        self.under_before |= {wager.player for wager in done}

    # --- comparing ------------------------------------------------------------------------------

    @property
    def layout(self) -> Layout:
        return lay(self.cards, self.lies)

    def situation(self, cards: list[Card] | None = None) -> Situation:
        cards = self.cards if cards is None else cards
        return Situation(
            self.way.book,
            self.when,
            self.way.method,
            self.way.face_down,
            self.round,
            lay(cards, self.lies),
            tuple(cards),
            tuple(self.wagers),
            self.way.limits,
            self.void,
            tuple(self.handlers),
            tuple(self.decided),
        )

    def check_hands(self, when: str) -> None:
        shown, now = self.table.view["hands"], self.layout
        for side in SIDES:
            if shown[side] != now.shown(side):
                raise Difference(f"hands {when}", now.shown(side), shown[side], side)

    def check_money(self, hands: list[list[str]]) -> None:
        player, banker = hands
        due = money.settled(
            self.way.book, self.wagers, player, banker, self.way.limits, self.under_before
        )
        rows = self.table.view["settlements"]
        paid = {row["id"]: money.Paid(row["pays"], row["returned"]) for row in rows}
        for wager in self.wagers:
            if paid.get(wager.id) != due[wager.id]:
                raise Difference("money", due[wager.id], paid.get(wager.id), str(wager))

    def check_void_money(self) -> None:
        """RWS 5.15: every bet of that round goes back; so it does in every book."""
        for row in self.table.view["settlements"]:
            stake = next(wager.amount for wager in self.wagers if wager.id == row["id"])
            if (row["pays"], row["returned"]) != (0, stake):
                raise Difference("money of a void round", stake, row)

    def says_as(self, person: Person, word: str, **given: object) -> bool:
        return self.say(person.says(word, **given))


def card_line(card: Card) -> Line:
    return {"from": "shoe", "event": "card", "card": card.face}
