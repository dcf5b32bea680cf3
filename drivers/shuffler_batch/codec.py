"""The line protocol of the batch shuffler: its frame and its grammar, which excludes an order of
cards.

    E0042 VERIFIED 7 8 WRONG 416 9H:1 KC:1 0 0*08F00A73 LF

Every field of every word is a number, a name out of a closed list, or a count of cards: each card
at most once, in new-deck order, so that two packs with the same cards produce the same text. The
four texts of an identity are the only free ones, and they come only on request.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias
from zlib import crc32

from drivers.cards import DECK, Card
from drivers.errors import FrameError
from drivers.events import FaultClass, ShufflerState, Verdict

MAX_LINE_BYTES: Final = 768
"""Two lists that name all 52 cards need less than 700."""
MAX_NUMBER: Final = 9999
BOOT_NUMBER: Final = 0
AT_THE_MACHINE: Final = 10_000
"""Instead of a request's number: somebody pressed the machine's own button."""
PROTOCOL: Final = 1
MAX_DECKS: Final = 10

MODES: Final = ("SHUFFLE_VERIFY", "SHUFFLE", "VERIFY", "SORT")
REASONS: Final = ("BUSY", "STATE", "DOOR", "NO_CARDS", "UNVERIFIED", "SERVICE", "BAD")

Count: TypeAlias = tuple[tuple[Card, int], ...]
Field: TypeAlias = int | str | Count


class OrderTold(FrameError):
    """A line that tries to carry the order of cards. Nothing of the line is kept."""


class UnknownLine(FrameError):
    """A line with a right checksum that is not in the grammar. Nothing of the line is kept."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the grammar. `kind`: Q a request, A its answer, E an event."""

    kind: str
    number: int
    word: str
    fields: tuple[Any, ...] = ()
    """Each a `Field` of the kind that the grammar has in this place."""

    def to_bytes(self) -> bytes:
        parts = [f"{self.kind}{self.number:04d}", self.word, *map(_written, self.fields)]
        text = " ".join(parts).encode("ascii")
        return b"%s*%08X\n" % (text, crc32(text))


@dataclass(frozen=True, slots=True)
class Sound:
    """A line with a right checksum, parsed only up to its number."""

    kind: str
    number: int
    rest: str

    def read(self) -> Line:
        """Parse the line; raises `OrderTold` or `UnknownLine`, which contain nothing of the
        line."""
        word, *texts = self.rest.split(" ")
        if word in _ORDER_WORDS:
            raise OrderTold("a line with the order of cards")
        grammar = GRAMMAR.get((self.kind, word))
        if grammar is None or len(grammar) != len(texts):
            raise UnknownLine("a line that the protocol does not have")
        fields = tuple(read(text) for read, text in zip(grammar, texts, strict=True))
        return Line(self.kind, self.number, word, fields)


_LINE: Final = re.compile(rb"([QAE])([0-9]{4}) ([ -)+-~]+)\*([0-9A-F]{8})")
_CARD: Final = rb"(?:10|[A2-9TJQK])[SHDCshdc]"
_CARDS_IN_A_ROW: Final = re.compile(rb"%s(?:[ ,;|/-]*%s){2,}" % (_CARD, _CARD))
_ORDER_WORDS: Final = frozenset({"ORDER", "CARDS", "SEQUENCE", "PACK", "DECK", "NEXT"})


def opened(line: bytes) -> Sound:
    """Check a line without its end; raises `OrderTold` or `FrameError`, which quote nothing of
    it."""
    found = _LINE.fullmatch(line)
    if found is None:
        if _CARDS_IN_A_ROW.search(line):
            raise OrderTold("cards in a row")
        raise FrameError("no line of this protocol")
    kind, number, rest, crc = found.groups()
    if int(crc, 16) != crc32(line[:-9]):
        raise FrameError("the checksum does not fit")
    return Sound(kind.decode(), int(number), rest.decode("ascii"))


def _written(field: Field) -> str:
    if isinstance(field, tuple):
        return ",".join(f"{card.code}:{copies}" for card, copies in field) or "-"
    return str(field)


# --- the fields -------------------------------------------------------------------------------

Read: TypeAlias = Callable[[str], Field]


def _number(most: int) -> Read:
    plain = re.compile(r"0|[1-9][0-9]{0,5}")

    def read(text: str) -> int:
        if plain.fullmatch(text) is None or int(text) > most:
            raise UnknownLine(f"a field that must be a number up to {most}")
        return int(text)

    return read


def _name(*names: str) -> Read:
    def read(text: str) -> str:
        if text not in names:
            raise UnknownLine(f"a field that must be one of {', '.join(names)}")
        return text

    return read


def _text(text: str) -> str:
    if re.fullmatch(r"[A-Za-z0-9._-]{1,24}", text) is None:
        raise UnknownLine("a field that must be 1 to 24 letters, digits, dots or dashes")
    return text


def _cards(text: str) -> Count:
    """Parse each card once, with its count; in new-deck order. Anything else could hide an
    order."""
    if text == "-":
        return ()
    count: list[tuple[Card, int]] = []
    for part in text.split(","):
        found = re.fullmatch(r"([A2-9TJQK][SHDC]):([1-9][0-9]?)", part)
        if found is None:
            raise OrderTold("a list of cards that is no count")
        card = Card(found.group(1))
        if count and card.number <= count[-1][0].number:
            raise OrderTold("a list of cards in an order of its own")
        count.append((card, int(found.group(2))))
    return tuple(count)


_upper = [state.name for state in ShufflerState if state is not ShufflerState.OFFLINE]
_state: Final = _name(*_upper)
_many: Final = _number(9999)
_report: Final = (
    _number(MAX_NUMBER),  # run
    _number(MAX_DECKS),
    _name(*(verdict.name for verdict in Verdict)),
    _many,  # cards
    _cards,  # missing
    _cards,  # extra
    _many,  # unreadable
    _many,  # foreign
)
_where: Final = _name("INFEED", "READER", "ELEVATOR", "COMPARTMENT", "EXIT")
_content: Final = _name("EMPTY", "COUNTED", "UNKNOWN")
_fault: Final = _number(99)
_request: Final = _number(AT_THE_MACHINE)
_decks: Final = _number(MAX_DECKS)

GRAMMAR: Final[Mapping[tuple[str, str], tuple[Read, ...]]] = {
    ("Q", "IDENTIFY"): (),
    ("Q", "STATUS"): (),
    ("Q", "START"): (_name(*MODES), _decks),
    ("Q", "PAUSE"): (),
    ("Q", "RESUME"): (),
    ("Q", "ABORT"): (),
    ("Q", "OPEN"): (),
    ("Q", "DEAL"): (_number(20), _number(20)),
    ("Q", "EMPTY"): (),
    ("Q", "CLEAR"): (_fault,),
    ("Q", "HOME"): (),
    ("Q", "REPORT"): (),
    ("A", "OK"): (),
    ("A", "NO"): (_name(*REASONS),),
    ("A", "ID"): (_number(99), _text, _text, _text, _text),
    # state, in, out, total, run, verified, content, fault, motion, last event
    ("A", "ST"): (
        *(_state, _many, _many, _many, _number(MAX_NUMBER), _number(1)),
        *(_content, _fault, _request, _number(MAX_NUMBER)),
    ),
    ("A", "RP"): _report,
    ("E", "BOOT"): (_content,),
    ("E", "STATE"): (_state,),
    ("E", "PROGRESS"): (_many, _many, _many),
    ("E", "CARD_FAULT"): (_name("UNREADABLE", "WRONG_SET", "DUPLICATE"),),
    ("E", "VERIFIED"): _report,
    ("E", "JAM"): (_where, _number(99)),
    ("E", "JAM_CLEARED"): (_where,),
    ("E", "DOOR"): (_name("LID", "OUTPUT"), _name("OPEN", "CLOSED")),
    ("E", "TAKEN"): (),
    ("E", "FAULT"): (_fault, _name(*(kind.name for kind in FaultClass))),
    ("E", "CUT_CARD"): (),
    ("E", "READY"): (_number(MAX_NUMBER), _many),
    ("E", "DONE"): (_request,),
}


# --- a verification for the table
# -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ShuffleReport:
    """The fields of RP and VERIFIED with their names; `sane` when they agree with each other."""

    run: int
    decks: int
    verdict: Verdict
    cards: int
    missing: tuple[Card, ...]
    extra: tuple[Card, ...]
    unreadable: int
    foreign: int

    @staticmethod
    def of(
        run: int,
        decks: int,
        verdict: str,
        cards: int,
        missing: Count,
        extra: Count,
        unreadable: int,
        foreign: int,
    ) -> "ShuffleReport":
        lists = _spread(missing), _spread(extra)
        return ShuffleReport(run, decks, Verdict[verdict], cards, *lists, unreadable, foreign)

    @property
    def sane(self) -> bool:
        whole = len(DECK) * self.decks
        known = whole - len(self.missing) + len(self.extra)
        faults = len(self.missing) + len(self.extra) + self.unreadable + self.foreign
        match self.verdict:
            case Verdict.OK:
                return self.run > 0 and whole > 0 and self.cards == whole and faults == 0
            case Verdict.WRONG:
                counted = self.cards == known + self.unreadable + self.foreign
                return (counted and faults > 0) or (faults == 0 and self.cards != whole)
            case _:
                return faults == 0


def _spread(count: Count) -> tuple[Card, ...]:
    return tuple(card for card, copies in count for _ in range(copies))
