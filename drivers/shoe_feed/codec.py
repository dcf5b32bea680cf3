"""The feed's lines: a text, `*`, its CRC-32 in hexadecimal, LF. PROTOCOL.md is the specification.

    17 CARD 9H 0.993*26122A14

No error quotes a line: it may name a card.
"""

import re
from dataclasses import dataclass, field
from typing import Final, TypeAlias
from zlib import crc32

from drivers.cards import Card
from drivers.error_meaning import ErrorMeaning
from drivers.errors import FrameError

VERSION: Final = 1
LINE_LONGEST: Final = 128
MAX_NUMBER: Final = 999_999_999
MEANINGS: Final = frozenset(
    {
        ErrorMeaning.SEVERAL_AT_ONCE,
        ErrorMeaning.DOES_NOT_BELONG,
        ErrorMeaning.NOTICE,
        ErrorMeaning.SERVICE,
        ErrorMeaning.OTHER,
    }
)
"""The meanings of an error of a program that sees cards; a card it could not read is `UNREAD`."""


@dataclass(frozen=True, slots=True)
class Hello:
    version: int
    session: str = ""
    first: int = 0
    """The oldest unacknowledged event, or the next one."""
    sent: int = 0
    """The last event that was ever sent."""


@dataclass(frozen=True, slots=True)
class FeedCard:
    card: Card = field(repr=False)
    confidence: float


@dataclass(frozen=True, slots=True)
class CardUnread:
    pass


@dataclass(frozen=True, slots=True)
class CutSeen:
    pass


@dataclass(frozen=True, slots=True)
class MayHaveMissed:
    pass


@dataclass(frozen=True, slots=True)
class ErrorSaid:
    number: int
    means: ErrorMeaning


@dataclass(frozen=True, slots=True)
class ErrorOver:
    number: int


Said: TypeAlias = FeedCard | CardUnread | CutSeen | MayHaveMissed | ErrorSaid | ErrorOver


@dataclass(frozen=True, slots=True)
class Numbered:
    number: int
    message: Said | None = field(repr=False)
    """None: the checksum is right, and the text is not in the grammar."""


_LINE: Final = re.compile(rb"([ -)+-~]+)\*([0-9A-F]{8})\r?")
_HELLO: Final = re.compile(r"HELLO ([0-9]{1,4})(?: (.*))?")
_SESSION: Final = re.compile(r"([A-Za-z0-9-]{1,32}) ([0-9]{1,9}) ([0-9]{1,9})")
_NUMBERED: Final = re.compile(r"([1-9][0-9]{0,8}) (.*)")
_CARD: Final = re.compile(r"CARD ([A2-9TJQK][SHDC]) (0(?:\.[0-9]{1,6})?|1(?:\.0{1,6})?)")
_ERROR: Final = re.compile(r"ERROR ([0-9]{1,4}) ([a-z_]+)")
_CLEAR: Final = re.compile(r"CLEAR ([0-9]{1,4})")
_PLAIN: Final[dict[str, Said]] = {
    "UNREAD": CardUnread(),
    "CUT": CutSeen(),
    "LOST": MayHaveMissed(),
}

DAMAGED: Final = "a damaged line: it is asked for again"


def written(text: str) -> bytes:
    body = text.encode("ascii")
    return b"%s*%08X\n" % (body, crc32(body))


def read(line: bytes) -> Hello | Numbered:
    """Parse a line without its LF; raises `FrameError` if it is damaged."""
    found = _LINE.fullmatch(line)
    if found is None or crc32(found[1]) != int(found[2], 16):
        raise FrameError(DAMAGED)
    text = found[1].decode("ascii")
    if (hello := _HELLO.fullmatch(text)) is not None:
        return _hello(int(hello[1]), hello[2] or "")
    numbered = _NUMBERED.fullmatch(text)
    if numbered is None:
        raise FrameError(DAMAGED)
    return Numbered(int(numbered[1]), _said(numbered[2]))


def _hello(version: int, rest: str) -> Hello:
    """Parse a hello; of another version only the version number is used."""
    if version != VERSION:
        return Hello(version)
    found = _SESSION.fullmatch(rest)
    if found is None or not 1 <= int(found[2]) <= int(found[3]) + 1:
        raise FrameError(DAMAGED)
    return Hello(VERSION, found[1], int(found[2]), int(found[3]))


def _said(text: str) -> Said | None:
    if text in _PLAIN:
        return _PLAIN[text]
    if (card := _CARD.fullmatch(text)) is not None:
        return FeedCard(Card(card[1]), float(card[2]))
    if (over := _CLEAR.fullmatch(text)) is not None:
        return ErrorOver(int(over[1]))
    if (error := _ERROR.fullmatch(text)) is not None:
        known = [each for each in MEANINGS if each.value == error[2]]
        return ErrorSaid(int(error[1]), known[0]) if known else None
    return None
