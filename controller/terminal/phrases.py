"""Short readable commands for a table in a terminal, as the messages they stand for.

`open betting`, `bet ann 2000 banker 1`, `report simultaneous`, `answer no`, `approve pia`. Whoever
is named at the end, or before a colon, speaks; otherwise whoever said `i am`.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from controller.game.roles import Role
from controller.journal.bodies import Given
from controller.table.words.message import Message, typed
from controller.table.words.names import same_name
from controller.table.words.vocabulary import NOT_A_PERSON, SPECS, Word

PLAYER: Final = "player"


class NotUnderstood(Exception):
    """What was said, and what could be said instead."""


Read = Callable[[re.Match[str]], Given]


@dataclass(frozen=True)
class Phrase:
    """One way of saying a word. A group `who` names the speaker."""

    how: str
    """As `help` shows it."""
    pattern: str
    word: str
    given: Read = field(default=lambda _: {})


def _named(*keys: str) -> Read:
    return lambda match: {key: match[key] for key in keys if match[key] is not None}


def _numbers(text: str) -> list[int]:
    return [int(each) for each in text.split()]


def _bet(match: re.Match[str]) -> Given:
    return {
        "player": match["player"],
        "amount": int(match["amount"]),
        "wager": match["wager"],
        "position": int(match["position"]),
    }


def _shoe(match: re.Match[str]) -> Given:
    given: Given = {"deck_set": match["set"], "verified_by": match["by"], "cut": True}
    return given | ({"decks": int(match["decks"])} if match["decks"] else {})


def _expose(match: re.Match[str]) -> Given:
    return {"hand": match["hand"]} | ({"card": int(match["card"])} if match["card"] else {})


def _enter(match: re.Match[str]) -> Given:
    number = {"n": int(match["n"])} if match["n"] else {}
    return {"card": match["card"], "reason": "read from the table", **number}


def _decide(match: re.Match[str]) -> Given:
    remove = {"remove": match["wagers"].split()} if match["wagers"] else {}
    return {"outcome": match["outcome"].replace(" ", "_"), "text": match["text"], **remove}


def _option(match: re.Match[str]) -> Given:
    wagers = {"wagers": match["wagers"].split()} if match["wagers"] else {}
    return {"player": match["player"], "choice": match["choice"], **wagers}


def _method(match: re.Match[str]) -> Given:
    return {"method": match["method"].upper()} | _named("drawer")(match)


_BY: Final = r"(?: (?P<who>\w+))?"
_HAND: Final = r"(?P<hand>player|banker)"

PHRASES: Final[tuple[Phrase, ...]] = (
    Phrase("open table [PIA]", rf"open table{_BY}", "open_table"),
    Phrase("close table [PIA]", rf"close table{_BY}", "close_table"),
    Phrase("stay open [PIA]", rf"stay open{_BY}", "stay_open"),
    Phrase(
        "load shoe BLUE by PIA [8 decks]",
        r"load shoe (?P<set>\w+) by (?P<by>\w+)(?: (?P<decks>\d+) decks)?",
        "load_shoe",
        _shoe,
    ),
    Phrase(
        "method A [drawer ANN]",
        r"method (?P<method>\w+)(?: drawer (?P<drawer>\w+))?",
        "method",
        _method,
    ),
    Phrase("open betting", "open betting", "open_betting"),
    Phrase(
        "bet ANN 2000 banker 1",
        r"bet (?P<player>\w+) (?P<amount>\d+) (?P<wager>\w+) (?P<position>\d+)",
        "place",
        _bet,
    ),
    Phrase(
        "raise w1 500",
        r"raise (?P<id>\S+) (?P<amount>\d+)",
        "raise",
        lambda match: {"id": match["id"], "amount": int(match["amount"])},
    ),
    Phrase(
        "decrease w1 500",
        r"decrease (?P<id>\S+) (?P<amount>\d+)",
        "decrease",
        lambda match: {"id": match["id"], "amount": int(match["amount"])},
    ),
    Phrase("withdraw w1", r"withdraw (?P<id>\S+)", "withdraw", _named("id")),
    Phrase("close betting", "close betting", "close_betting"),
    Phrase(
        "close betting anyway", "close betting anyway", "close_betting", lambda _: {"anyway": True}
    ),
    Phrase(
        "give banker ANN",
        rf"give {_HAND} (?P<player>\w+)",
        "accept_cards",
        _named("hand", "player"),
    ),
    Phrase(
        "no banker ANN", rf"no {_HAND} (?P<player>\w+)", "refuse_cards", _named("hand", "player")
    ),
    Phrase("first banker", rf"first {_HAND}", "reveal_first", _named("hand")),
    Phrase("expose banker [2]", rf"expose {_HAND}(?: (?P<card>\d))?", "expose", _expose),
    Phrase("announce", "announce", "announce"),
    Phrase("settle", "settle", "settle"),
    Phrase(
        "answer yes",
        "answer (?P<value>yes|no)" + _BY,
        "answer",
        lambda match: {"value": match["value"] == "yes"},
    ),
    Phrase(
        "answer order 2 1",
        r"answer order (?P<order>[\d ]+)",
        "answer",
        lambda match: {"order": _numbers(match["order"])},
    ),
    Phrase(
        "option ANN play|withdraw [w1 ...]",
        r"option (?P<player>\S+) (?P<choice>play|withdraw)(?: (?P<wagers>.+))?",
        "option",
        _option,
    ),
    Phrase("close offer [PIA]", rf"close offer{_BY}", "close_offer"),
    Phrase("approve [PIA]", rf"approve{_BY}", "approve"),
    Phrase("refuse [PIA]", rf"refuse{_BY}", "refuse"),
    Phrase("resume [PIA]", rf"resume{_BY}", "resume"),
    Phrase(
        "count 3", r"count (?P<cards>\d+)", "count", lambda match: {"cards": int(match["cards"])}
    ),
    Phrase("enter 9H [as 5]", r"enter (?P<card>\w+)(?: as (?P<n>\d+))?", "enter_card", _enter),
    Phrase(
        "correct 3 to 9H: MISREAD",
        r"correct (?P<n>\d+) to (?P<card>\w+): (?P<reason>.+)",
        "correct",
        lambda match: {"n": int(match["n"]), "card": match["card"], "reason": match["reason"]},
    ),
    Phrase(
        "decide go on|void|reconstruct|remove [w1 ...]: WHY",
        r"decide (?P<outcome>go on|void|reconstruct|remove)(?: (?P<wagers>[\w. ]+))?:"
        r" (?P<text>.+)",
        "decide",
        _decide,
    ),
)
REPORT: Final = "report WHAT [cards=1,2] [hand=banker] [round=7]"
ANY: Final = "any word of --help-words with its fields: WORD key=value key=value"


@dataclass
class Speech:
    """Who is speaking, and who is known by which role."""

    speaker: str = "dealer"
    roles: dict[str, str] = field(default_factory=lambda: {"dealer": Role.DEALER.value})

    def understand(self, line: str) -> Message[Word]:
        """Raises `NotUnderstood`."""
        who, _, rest = line.partition(":")
        if re.fullmatch(r"\w+", who) and rest and who in self.roles:
            return self._said(rest.strip(), who)
        return self._said(line.strip(), self.speaker)

    def introduce(self, line: str) -> str | None:
        """`i am pia pit_supervisor`, `pia is pit_supervisor`; None when it is no introduction."""
        match = re.fullmatch(
            r"(?:i am (?P<me>\w+)|(?P<other>\w+) is)(?: an?)? (?P<role>[\w ]+)", line
        )
        if match is None:
            return None
        role = match["role"].strip().replace(" ", "_")
        known = [each.value for each in Role]
        if role not in known:
            raise NotUnderstood(f"{role!r} is not a role; there are: {', '.join(known)}")
        name = match["me"] or match["other"]
        self._can_be_told_apart(name)
        self.roles[name] = role
        if match["me"]:
            self.speaker = name
        return f"{name} is {role.replace('_', ' ')}"

    def _can_be_told_apart(self, name: str) -> None:
        """Two people are two names: not one name typed twice, and not a device's."""
        if any(same_name(name, each) for each in NOT_A_PERSON):
            raise NotUnderstood(f"nobody can be called {name}: the table itself uses that name")
        same = [each for each in self.roles if same_name(each, name)]
        if same not in ([], [name]):
            raise NotUnderstood(f"{name} looks like {same[0]}, who is known already: the same?")

    def _said(self, line: str, who: str) -> Message[Word]:
        for phrase in PHRASES:
            match = re.fullmatch(phrase.pattern, line)
            if match is not None:
                named = match.groupdict().get("who")
                return self.message(phrase.word, phrase.given(match), named or who)
        word, given = _anything(line)
        return self.message(word, given, who)

    def message(self, word: str, given: Given, who: str) -> Message[Word]:
        if who not in self.roles:
            raise NotUnderstood(f"who is {who}? Say `{who} is pit_supervisor`, or what they are")
        role = self.roles[who]
        if role == PLAYER:
            return Message("player", typed(word, given), who=who)
        return Message("staff", typed(word, given), who=who, role=role)


def _anything(line: str) -> tuple[str, Given]:
    """`report simultaneous cards=3,4`, or any word with its fields."""
    word, *parts = line.split()
    if word not in SPECS or "staff" not in SPECS[word].speakers:
        raise NotUnderstood(f"nobody understands {line!r}; `help` lists what can be said")
    given: Given = {}
    if word == "report" and parts and "=" not in parts[0]:
        given["what"] = parts.pop(0)
    for part in parts:
        key, equals, value = part.partition("=")
        if not equals:
            raise NotUnderstood(f"{part!r} says nothing; fields are key=value")
        given[key] = _value(key, value)
    return word, given


def _value(key: str, text: str) -> Any:
    if key in ("cards", "order") and "," in text:
        return _numbers(text.replace(",", " "))
    known: Mapping[str, Any] = {"yes": True, "no": False}
    if text in known:
        return known[text]
    return int(text) if re.fullmatch(r"-?\d+", text) else text


def help_lines() -> list[str]:
    """What can be said, one line each."""
    return [
        "i am PIA pit_supervisor      from now on PIA speaks",
        "pia is pit_supervisor        so that she can approve",
        "pia: resume                  PIA says this one thing",
        *(phrase.how for phrase in PHRASES),
        REPORT,
        ANY,
        "devices                      what is plugged in and what it said",
        "quit",
    ]
