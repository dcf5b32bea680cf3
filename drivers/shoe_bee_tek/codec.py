"""Bee-Tek's bytes: splits the stream into messages and parses each one.

Format A is text in brackets, `[Game]<Card:4S>`, without a checksum; format B is a short code line,
`*0D21D7`, with one. The names are ours where PROTOCOL.md has none. An error never quotes the
damaged bytes: they may spell a card that is face down.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, TypeAlias

from drivers.cards import Card, NotACard, Rank, Suit
from drivers.errors import FrameError
from drivers.framing import ReceiveBuffer, sum8

MODE_LONGEST: Final = 24
CONTENT_LONGEST: Final = 64
FRAME_LONGEST: Final = MODE_LONGEST + CONTENT_LONGEST + 4
"""The longest known message has 40 bytes; more than this is noise."""
HELD_LONGEST: Final = 2 * FRAME_LONGEST
JUNK_KEPT: Final = 96
JUNK_TOLD: Final = 4096
"""A run of noise is reported when it ends, or each time it has grown by this number of bytes."""


class Form(Enum):
    # Members are looked up at every card; an enum computes the hash of its name each time.
    __hash__ = object.__hash__

    A = "A"
    B = "B"


class LabelOrder(Enum):
    AUTO = "auto"
    RANK_FIRST = "rank_first"
    SUIT_FIRST = "suit_first"


# --- messages ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CardSeen:
    card: Card = field(repr=False)
    burn: bool
    frame: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Alarm:
    number: int | None
    """The number in `E3`; None if the alarm starts with something else."""
    text: str = field(repr=False)
    frame: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class GameWord:
    """`<Game>`: a card that was not read, or only the name of a mode. No source documents it."""

    mode: str
    frame: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Warned:
    number: int


@dataclass(frozen=True, slots=True)
class UnreadableText:
    """Bytes that are no message: the reason, the first of them, and their number."""

    why: str
    data: bytes = field(repr=False)
    count: int


Message: TypeAlias = CardSeen | Alarm | GameWord | Warned


@dataclass(frozen=True, slots=True)
class TextRules:
    """How the bytes are read where sources or firmwares differ."""

    form: Form | None = None
    """None: the form of the first whole message."""
    order: LabelOrder = LabelOrder.AUTO
    short_form: bool = False
    checksum: bool = True
    echo: bool = True


# --- format A ---------------------------------------------------------------------------------

_SUIT_LETTERS: Final = "".join(suit.value for suit in Suit)
_MODES: Final = {"game": False, "manual burn cards": True}
_CONTENT: Final = re.compile(
    r"(?:Card:(?P<card>.+))|(?:Alarm:(?P<alarm>.*))|(?P<game>Game)|(?:W0x(?P<warned>[0-9A-F]{1,4}))"
    r"|(?P<short>\w{2,3})",
    re.IGNORECASE,
)
_ALARM_NUMBER: Final = re.compile(r"E(\d{1,4})\b", re.IGNORECASE)


def message_a(frame: bytes, reading: TextRules) -> Message:
    """Parse `[mode]<content>` or `<content>`; raises `FrameError`."""
    mode, _, content = frame.decode("ascii").rpartition("<")
    match = _CONTENT.fullmatch(content[:-1])
    if match is None:
        raise FrameError("a message with unknown content")
    if (warned := match["warned"]) is not None:
        return Warned(int(warned, 16))
    if not mode:
        raise FrameError("a message whose mode is missing")
    if (alarm := match["alarm"]) is not None:
        number = _ALARM_NUMBER.match(alarm)
        return Alarm(int(number[1]) if number else None, alarm, frame)
    burn = _MODES.get(mode[1:-1].lower())
    if burn is None:
        raise FrameError("a message in an unknown mode")
    if match["game"]:
        return GameWord(mode[1:-1], frame)
    if match["short"] and not reading.short_form:
        raise FrameError("a card in the short form, which the settings do not allow")
    text = match["card"] or match["short"]
    return CardSeen(card_a(text, reading.order), burn, frame)


def card_a(text: str, order: LabelOrder) -> Card:
    """Parse `4S`, `10S`, `TS` or, suit first, `S4`; raises `FrameError`.

    No rank is written like a suit, so the two orders cannot be confused. Mixed case in one card is
    refused: one flipped bit turns `4` into `t`.
    """
    if not text.isalnum() or text not in (text.upper(), text.lower()):
        raise FrameError("a card that is not written like one")
    suit_first = text[0].upper() in _SUIT_LETTERS
    if order is not LabelOrder.AUTO and suit_first != (order is LabelOrder.SUIT_FIRST):
        raise FrameError("a card whose rank and suit stand in the other order")
    try:
        return Card.parse(text[1:] + text[0] if suit_first else text)
    except NotACard:
        raise FrameError("a message that names no card") from None


def spellings(card: Card) -> tuple[bytes, ...]:
    """Return how the card may be echoed; none is a prefix of another."""
    ranks = ("T", "10") if card.rank is Rank.TEN else (card.rank.value,)
    suit = card.suit.value
    return tuple(text.encode() for rank in ranks for text in (rank + suit, suit + rank))


# --- format B ---------------------------------------------------------------------------------

_SUITS_B: Final = {"0": Suit.HEARTS, "1": Suit.DIAMONDS, "2": Suit.CLUBS, "3": Suit.SPADES}
_RANKS_B: Final = dict(zip("123456789ABCD", "A23456789TJQK", strict=True))


def message_b(frame: bytes, reading: TextRules) -> CardSeen:
    """Parse `*0Dsrcc`; raises `FrameError`."""
    text = frame.decode("ascii")
    constant, suit, rank = text[1:3], _SUITS_B.get(text[3]), _RANKS_B.get(text[4])
    if reading.checksum and int(text[5:], 16) != sum8(frame[1:5]):
        raise FrameError("a code line whose sum is wrong")
    if constant != "0D" or suit is None or rank is None:
        raise FrameError("a code line that names no card")
    return CardSeen(Card(rank + suit.value), False, frame)


# --- the stream -------------------------------------------------------------------------------

_TEXT: Final = rb"[^\x00-\x1f\x7f-\xff\[\]<>*]"
_BLANK: Final = b" \r\n"
_OPENS: Final = {None: b"[<*", Form.A: b"[<", Form.B: b"*"}
_WHOLE: Final = {
    Form.A: re.compile(
        rb"(?:\[%b{1,%d}\])?<%b{1,%d}>" % (_TEXT, MODE_LONGEST, _TEXT, CONTENT_LONGEST)
    ),
    Form.B: re.compile(rb"\*[0-9A-F]{6}"),
}
_BEGUN: Final = {
    Form.A: re.compile(
        rb"(?:\[%b{0,%d}(?:\](?:<%b{0,%d})?)?|<%b{0,%d})"
        % (_TEXT, MODE_LONGEST, _TEXT, CONTENT_LONGEST, _TEXT, CONTENT_LONGEST)
    ),
    Form.B: re.compile(rb"\*[0-9A-F]{0,5}"),
}
_UP_TO_NEXT: Final = re.compile(rb".[^\[<*]*", re.DOTALL)


NO_MESSAGE: Final = "bytes that are no message"
BREAKS_OFF: Final = "a message that breaks off"


class Stream:
    """A decoder from any cut of the line to messages and junk. It stores at most one incomplete
    message."""

    def __init__(self, reading: TextRules) -> None:
        self._reading = reading
        self._form = reading.form
        self._buffer = ReceiveBuffer(HELD_LONGEST)
        self._echo: tuple[bytes, ...] = ()
        self._junk = bytearray()
        self._junk_count = 0
        self._why = ""

    @property
    def pending(self) -> bool:
        """Something has begun that is not reported yet."""
        return len(self._buffer) > 0 or self._junk_count > 0

    def feed(self, data: bytes) -> Iterator[Message | UnreadableText]:
        for _ in self._buffer.pour(data):
            while (held := self._buffer.peek(HELD_LONGEST)) and not self._begun(held):
                yield from self._first(held)

    def silence(self) -> Iterator[UnreadableText]:
        """End what has begun, because nothing follows: it is junk, and no echo is due any more."""
        self._echo = ()
        yield from self._throw(len(self._buffer), BREAKS_OFF)
        yield from self._told()

    def restart(self) -> Iterator[UnreadableText]:
        """Forget the state after a lost link: another shoe may be connected now."""
        yield from self.silence()
        self._form = self._reading.form

    def _begun(self, held: bytes) -> bool:
        """Return whether all stored bytes may become a message or the echo of the last card."""
        if self._opens(held):
            return _BEGUN[_form(held)].fullmatch(held) is not None
        begin = held.upper()
        return not self._junk_count and any(
            begin != echo and echo.startswith(begin) for echo in self._echo
        )

    def _first(self, held: bytes) -> Iterator[Message | UnreadableText]:
        """Take the front of the stored bytes: a message, bytes without meaning, or junk."""
        if self._opens(held) and (whole := _WHOLE[_form(held)].match(held)):
            try:
                message = self._read(whole[0])
            except FrameError as error:
                yield from self._throw(whole.end(), str(error))
            else:
                rest = held[whole.end() :].lstrip(_BLANK)  # blanks behind a message have no meaning
                self._buffer.take(len(held) - len(rest))
                yield from self._told()
                yield message
        elif passed := self._passed(held):
            self._buffer.take(passed)
        else:
            junk = _UP_TO_NEXT.match(held)
            assert junk is not None
            yield from self._throw(junk.end(), NO_MESSAGE)

    def _opens(self, held: bytes) -> bool:
        return held[0] in _OPENS[self._form]

    def _read(self, frame: bytes) -> Message:
        form = _form(frame)
        message = (
            message_a(frame, self._reading) if form is Form.A else message_b(frame, self._reading)
        )
        self._form, self._echo = form, ()
        if form is Form.A and isinstance(message, CardSeen) and self._reading.echo:
            self._echo = spellings(message.card)
        return message

    def _passed(self, held: bytes) -> int:
        """Return how many bytes have no meaning here: blanks, and the echo of the last card."""
        if self._junk_count:
            return 0  # all that follows junk is junk until a message opens
        if blanks := len(held) - len(held.lstrip(_BLANK)):
            return blanks
        for echo in self._echo:
            if held[: len(echo)].upper() == echo:
                self._echo = ()
                return len(echo)
        return 0

    def _throw(self, count: int, why: str) -> Iterator[UnreadableText]:
        """Take the first `count` bytes as junk."""
        self._why = self._why or why
        while count:
            part = self._buffer.take(min(count, JUNK_TOLD - self._junk_count))
            self._junk += part[: JUNK_KEPT - len(self._junk)]
            self._junk_count += len(part)
            count -= len(part)
            if self._junk_count == JUNK_TOLD:
                yield from self._told()

    def _told(self) -> Iterator[UnreadableText]:
        if self._junk_count:
            yield UnreadableText(self._why, bytes(self._junk), self._junk_count)
            self._junk.clear()
            self._junk_count = 0
        self._why = ""


def _form(frame: bytes) -> Form:
    return Form.B if frame.startswith(b"*") else Form.A
