"""Short readable commands for a table in a terminal, and their messages.

`open betting`, `bet ann 2000 banker 1`, `report simultaneous`, `answer no`, `approve pia`. A name
at the end, or before a colon, is the speaker; the default is the person of the last `i am`.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from controller.game.roles import Role
from controller.journal.bodies import Given
from controller.table.commands.message import Message, typed_payload
from controller.table.commands.names import is_same_name
from controller.table.commands.registry import NOT_A_PERSON, REGISTRY, Payload

PLAYER: Final = "player"


class NotUnderstood(Exception):
    """The error for an unknown phrase, with the phrases that are possible."""


@dataclass(frozen=True)
class Phrase:
    """One phrase for a command. A group of the pattern is a field, `FIELD__KIND` one of `_KINDS`; a
    group `who` names the speaker."""

    how: str
    """The phrase as `help` shows it."""
    pattern: str
    word: str
    given: Given = field(default_factory=dict)
    """Fixed fields of the phrase."""

    def read(self, match: re.Match[str]) -> Given:
        given = dict(self.given)
        for name, text in match.groupdict().items():
            key, _, kind = name.partition("__")
            if text is not None and key != "who":
                given[key] = _KINDS[kind](text)
        return given


_KINDS: Final[Mapping[str, Callable[[str], Any]]] = {
    "": str,
    "number": int,
    "numbers": lambda text: [int(each) for each in text.split()],
    "words": str.split,
    "yes": lambda text: text == "yes",
    "letter": str.upper,
    "choice": lambda text: text.replace(" ", "_"),
}
_BY: Final = r"(?: (?P<who>\w+))?"
_HAND: Final = r"(?P<hand>player|banker)"
_AMOUNT: Final = r"(?P<amount__number>\d+)"

PHRASES: Final[tuple[Phrase, ...]] = (
    Phrase("open table [PIA]", rf"open table{_BY}", "open_table"),
    Phrase("close table [PIA]", rf"close table{_BY}", "close_table"),
    Phrase("stay open [PIA]", rf"stay open{_BY}", "stay_open"),
    Phrase(
        "load shoe BLUE by PIA [8 decks]",
        r"load shoe (?P<deck_set>\w+) by (?P<verified_by>\w+)"
        r"(?: (?P<decks__number>\d+) decks)?",
        "load_shoe",
        {"cut": True},
    ),
    Phrase(
        "method A [drawer ANN]",
        r"method (?P<method__letter>\w+)(?: drawer (?P<drawer>\w+))?",
        "method",
    ),
    Phrase("open betting", "open betting", "open_betting"),
    Phrase(
        "bet ANN 2000 banker 1",
        rf"bet (?P<player>\w+) {_AMOUNT} (?P<wager>\w+) (?P<position__number>\d+)",
        "place",
    ),
    Phrase("raise w1 500", rf"raise (?P<id>\S+) {_AMOUNT}", "raise"),
    Phrase("decrease w1 500", rf"decrease (?P<id>\S+) {_AMOUNT}", "decrease"),
    Phrase("withdraw w1", r"withdraw (?P<id>\S+)", "withdraw"),
    Phrase("close betting", "close betting", "close_betting"),
    Phrase("close betting anyway", "close betting anyway", "close_betting", {"anyway": True}),
    Phrase("give banker ANN", rf"give {_HAND} (?P<player>\w+)", "accept_cards"),
    Phrase("no banker ANN", rf"no {_HAND} (?P<player>\w+)", "refuse_cards"),
    Phrase("first banker", rf"first {_HAND}", "reveal_first"),
    Phrase("expose banker [2]", rf"expose {_HAND}(?: (?P<card__number>\d))?", "expose"),
    Phrase("announce", "announce", "announce"),
    Phrase("settle", "settle", "settle"),
    Phrase("answer yes", rf"answer (?P<value__yes>yes|no){_BY}", "answer"),
    Phrase("answer order 2 1", r"answer order (?P<order__numbers>[\d ]+)", "answer"),
    Phrase(
        "option ANN play|withdraw [w1 ...]",
        r"option (?P<player>\S+) (?P<choice>play|withdraw)(?: (?P<wagers__words>.+))?",
        "option",
    ),
    Phrase("close offer [PIA]", rf"close offer{_BY}", "close_offer"),
    Phrase("approve [PIA]", rf"approve{_BY}", "approve"),
    Phrase("refuse [PIA]", rf"refuse{_BY}", "refuse"),
    Phrase("resume [PIA]", rf"resume{_BY}", "resume"),
    Phrase("count 3", r"count (?P<cards__number>\d+)", "count"),
    Phrase(
        "enter 9H [as 5]",
        r"enter (?P<card>\w+)(?: as (?P<n__number>\d+))?",
        "enter_card",
        {"reason": "read from the table"},
    ),
    Phrase(
        "correct 3 to 9H: MISREAD",
        r"correct (?P<n__number>\d+) to (?P<card>\w+): (?P<reason>.+)",
        "correct",
    ),
    Phrase(
        "decide go on|void|reconstruct|remove [w1 ...]: WHY",
        r"decide (?P<outcome__choice>go on|void|reconstruct|remove)"
        r"(?: (?P<remove__words>[\w. ]+))?: (?P<text>.+)",
        "decide",
    ),
)
REPORT: Final = "report WHAT [cards=1,2] [hand=banker] [round=7]"
ANY: Final = "any command of --help-words with its fields: COMMAND key=value key=value"


@dataclass
class Speech:
    """The current speaker, and the known people with their roles."""

    speaker: str = "dealer"
    roles: dict[str, str] = field(default_factory=lambda: {"dealer": Role.DEALER.value})

    def understand(self, line: str) -> Message[Payload]:
        """The message of a line; raises `NotUnderstood`."""
        who, _, rest = line.partition(":")
        if re.fullmatch(r"\w+", who) and rest and who in self.roles:
            return self._said(rest.strip(), who)
        return self._said(line.strip(), self.speaker)

    def introduce(self, line: str) -> str | None:
        """Handles `i am pia pit_supervisor` and `pia is pit_supervisor`; None for any other
        line."""
        match = re.fullmatch(
            r"(?:i am (?P<me>\w+)|(?P<other>\w+) is)(?: an?)? (?P<role>[\w ]+)", line
        )
        if match is None:
            return None
        role = match["role"].strip().replace(" ", "_")
        known = [each.value for each in Role]
        if role not in known:
            raise NotUnderstood(f"{role!r} is not a role; use one of: {', '.join(known)}")
        name = match["me"] or match["other"]
        self._can_be_told_apart(name)
        self.roles[name] = role
        if match["me"]:
            self.speaker = name
        return f"{name} is {role.replace('_', ' ')}"

    def _can_be_told_apart(self, name: str) -> None:
        """Checks that a name is neither another person's in other spelling nor a device's."""
        if any(is_same_name(name, each) for each in NOT_A_PERSON):
            raise NotUnderstood(f"the name {name} is reserved: use another")
        same = [each for each in self.roles if is_same_name(each, name)]
        if same not in ([], [name]):
            raise NotUnderstood(f"{name} looks like {same[0]}, already known: use one spelling")

    def _said(self, line: str, who: str) -> Message[Payload]:
        for phrase in PHRASES:
            match = re.fullmatch(phrase.pattern, line)
            if match is not None:
                named = match.groupdict().get("who")
                return self.message(phrase.word, phrase.read(match), named or who)
        word, given = _anything(line)
        return self.message(word, given, who)

    def message(self, word: str, given: Given, who: str) -> Message[Payload]:
        if who not in self.roles:
            raise NotUnderstood(f"who is {who}? Type `{who} is pit_supervisor`, or their role")
        role = self.roles[who]
        if role == PLAYER:
            return Message("player", typed_payload(word, given), who=who)
        return Message("staff", typed_payload(word, given), who=who, role=role)


def _anything(line: str) -> tuple[str, Given]:
    """Parses `report simultaneous cards=3,4`, or any command with its fields."""
    word, *parts = line.split()
    if word not in REGISTRY or "staff" not in REGISTRY[word].speakers:
        raise NotUnderstood(f"unknown command {line!r}; type `help` for the commands")
    given: Given = {}
    if word == "report" and parts and "=" not in parts[0]:
        given["what"] = parts.pop(0)
    for part in parts:
        key, equals, value = part.partition("=")
        if not equals:
            raise NotUnderstood(f"{part!r} is not a field: use key=value")
        given[key] = _value(key, value)
    return word, given


def _value(key: str, text: str) -> Any:
    if key in ("cards", "order") and "," in text:
        return _KINDS["numbers"](text.replace(",", " "))
    known: Mapping[str, Any] = {"yes": True, "no": False}
    if text in known:
        return known[text]
    return int(text) if re.fullmatch(r"-?\d+", text) else text


def help_lines() -> list[str]:
    """The help: all phrases, one line each."""
    return [
        "i am PIA pit_supervisor      act as PIA from now on",
        "pia is pit_supervisor        make PIA known, to approve",
        "pia: resume                  one command as PIA",
        *(phrase.how for phrase in PHRASES),
        REPORT,
        ANY,
        "devices                      connected devices and their messages",
        "quit",
    ]
