"""The codec of the Angel Eye II-EX: bytes to frames and back.

The shoe sends:

    event    05 seq data(1..7) 03 bcc bcc      by itself
    reply    02 text 03 bcc bcc                to a read command; its content is not public
    answer   06                                to a command: done
             15 code                           to a command: refused

and receives `02 O P type type data data 03 bcc bcc`.

The stream is cut anywhere, has holes and carries noise. A start byte inside a frame starts a new
one; after a frame that failed, the search continues right behind its start byte, so that a torn
frame never removes a good one. 06 and 15 are answers only while a command waits, and never inside a
frame that failed: there they are more likely a damaged byte.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final, NamedTuple, TypeAlias

from drivers.errors import FrameError
from drivers.framing import ReceiveBuffer, hex2, hex_digit, xor8


class ControlCode(IntEnum):
    STX = 0x02
    ETX = 0x03
    ENQ = 0x05
    ACK = 0x06
    NAK = 0x15


class EventCode(IntEnum):
    """The first byte of an event's data."""

    START = 0x53
    STAND_BY = 0x50
    CUT_CARD = 0x43
    RESULT = 0x47
    CARD = 0x44
    CARD_OUTSIDE = 0x64
    CARRIED = 0x52
    ERROR = 0x45
    ERROR_OVER = 0x65
    LOCK = 0x4C
    PRESET = 0x4D


FOLLOWS: Final[Mapping[int, int]] = {
    EventCode.START: 0,
    EventCode.STAND_BY: 0,
    EventCode.CUT_CARD: 0,
    EventCode.RESULT: 1,
    EventCode.CARD: 2,
    EventCode.CARD_OUTSIDE: 2,
    EventCode.CARRIED: 2,
    EventCode.ERROR: 1,
    EventCode.ERROR_OVER: 1,
    EventCode.LOCK: 1,
    EventCode.PRESET: 6,
}
"""How many bytes of data follow each code."""

MAX_DATA: Final = 7
MAX_REPLY_BYTES: Final = 64
"""The maximum length of a reply is not documented. The sources give up at 64 and at 128 bytes."""
BUFFER_BYTES: Final = 4096
SAMPLE_BYTES: Final = 96
"""How many bytes of noise are stored for inspection."""

REFUSALS: Final = {
    0x01: "it received a damaged byte (overrun, framing or parity)",
    0x02: "the checksum was wrong for it: the setting command_bcc may have to change",
    0x03: "it found no end of the command",
    0x11: "format or length of the command",
    0x12: "address",
    0x13: "it does not know the command",
    0x14: "it does not know the type of the command",
    0x21: "it is busy",
    0x22: "it is writing its settings",
    0xFF: "another reason, which it does not name",
}
"""The byte after 15. A 15 followed by anything else is noise: the command then times out."""


@dataclass(frozen=True, slots=True)
class FrameRules:
    """The strictness of the frame checks; see the data sheet."""

    check_bcc: bool = True
    any_case: bool = True
    need_bit7: bool = False


class EventFrame(NamedTuple):
    """One undamaged event."""

    seq: int
    code: int
    """The first byte of its data."""
    data: bytes
    raw: bytes

    def __repr__(self) -> str:
        return f"EventFrame({self.seq}, ...)"  # the bytes may spell a card

    @staticmethod
    def from_bytes(raw: bytes, reading: FrameRules) -> "EventFrame":
        """A whole frame from 05 to its second checksum digit; raises `FrameError`."""
        data = raw[2:-3]
        if not data:
            raise FrameError("an event without data")
        follows = FOLLOWS.get(data[0])
        if follows is not None and follows != len(data) - 1:
            raise FrameError(f"event {data[0]:02X} with {len(data) - 1} bytes instead of {follows}")
        if reading.check_bcc:
            _check_bcc(raw[1:-2], raw[-2:], reading)
        if reading.need_bit7 and data[0] != EventCode.PRESET and any(b < 0x80 for b in data[1:]):
            raise FrameError("a byte of data has bit 7 clear")
        return EventFrame(raw[1], data[0], data, raw)


@dataclass(frozen=True, slots=True)
class Reply:
    """An undamaged reply to a read command; we send none, so only its length is stored."""

    size: int


@dataclass(frozen=True, slots=True)
class Done:
    pass


@dataclass(frozen=True, slots=True)
class RefusedFrame:
    code: int


@dataclass(frozen=True, slots=True)
class Junk:
    """Bytes that are no frame: how many, and the first of them."""

    size: int
    sample: bytes = field(repr=False)


Found: TypeAlias = EventFrame | Reply | Done | RefusedFrame | Junk


def _check_bcc(body: bytes, digits: bytes, reading: FrameRules) -> None:
    high, low = hex_digit(digits[0]), hex_digit(digits[1])
    if high is None or low is None or high << 4 | low != xor8(body):
        raise FrameError("the checksum is wrong")
    if not reading.any_case and digits != digits.upper():
        raise FrameError("the checksum is in lower case")


def command(letters: str, *, with_stx: bool) -> bytes:
    """Return a command such as `OPLK02` as ten bytes."""
    body = letters.encode("ascii") + bytes([ControlCode.ETX])
    stx = bytes([ControlCode.STX])
    return stx + body + hex2(xor8(stx + body if with_stx else body))


_LINE_END: Final = b"\r\n"
"""Device servers and terminal programs add it after a frame. No byte of a frame is one of these."""
_START: Final = re.compile(rb"[\x02\x05]")
_START_OR_ANSWER: Final = re.compile(rb"[\x02\x05\x06\x15]")
_MARK: Final = re.compile(rb"[\x02\x03\x05]")
_ONE_EVENT: Final = re.compile(
    rb"\x05[^\x02\x03\x05]{2,%d}\x03[0-9A-Fa-f]{2}" % (1 + MAX_DATA), re.DOTALL
)


class Decoder:
    """A decoder from stream to frames. Set `answer_due` while a command waits for its answer."""

    def __init__(self, reading: FrameRules) -> None:
        self.answer_due = False
        self._reading = reading
        self._buffer = ReceiveBuffer(BUFFER_BYTES)
        self._junk = bytearray()
        self._junk_size = 0
        self._end_left = 0
        """How many bytes of a line end may follow the last frame."""

    def __len__(self) -> int:
        """How many bytes belong to an incomplete frame."""
        return len(self._buffer)

    def feed(self, data: bytes) -> Iterable[Found]:
        """Decode any cut of the stream. Noise is returned in one piece, before the next frame."""
        one = self._one_event(data)
        return self._frames(data) if one is None else (one,)

    def _frames(self, data: bytes) -> Iterator[Found]:
        for _ in self._buffer.pour(data):
            while (found := self._next()) is not None:
                if self._junk_size:
                    yield self._swept()
                yield found
        if self._junk_size:
            yield self._swept()

    def flush(self) -> Junk | None:
        """Drop an incomplete frame: the line was cut or is silent."""
        self._drop(len(self._buffer))
        return self._swept() if self._junk_size else None

    def _one_event(self, data: bytes) -> EventFrame | None:
        """Return the event if `data` is exactly one, as nearly always: a fast path, because a table
        waits."""
        if len(self._buffer) or _ONE_EVENT.fullmatch(data) is None:
            return None
        try:
            event = EventFrame.from_bytes(data, self._reading)
        except FrameError:
            return None
        self._end_left = len(_LINE_END)
        return event

    def _next(self) -> EventFrame | Reply | Done | RefusedFrame | None:
        """Return the next frame or answer, or None when more bytes are needed."""
        while True:
            self._skip_line_end()
            start = self._buffer.find(_START_OR_ANSWER if self.answer_due else _START)
            self._drop(len(self._buffer) if start is None else start)
            if start is None:
                return None
            if self._buffer[0] in (ControlCode.ACK, ControlCode.NAK):
                if self._buffer[0] == ControlCode.NAK and len(self._buffer) < 2:
                    return None
                answer = self._answer()
                if answer is not None:
                    return answer
                continue
            whole = self._frame_length()
            if whole is None:
                return None
            if whole and (frame := self._checked(whole)) is not None:
                return frame

    def _skip_line_end(self) -> None:
        while self._end_left and len(self._buffer) and self._buffer[0] in _LINE_END:
            self._buffer.take(1)
            self._end_left -= 1
        if len(self._buffer):
            self._end_left = 0

    def _answer(self) -> Done | RefusedFrame | None:
        """Return an answer. Its code is identified by its place: it may be 02 or 03 and starts
        nothing."""
        if self._buffer[0] == ControlCode.ACK:
            self._buffer.take(1)
            return Done()
        if self._buffer[1] in REFUSALS:
            return RefusedFrame(self._buffer.take(2)[1])
        self._drop(1)
        return None

    def _frame_length(self) -> int | None:
        """Return the length of the current frame; None: it is incomplete; 0: it failed and was
        removed."""
        is_event = self._buffer[0] == ControlCode.ENQ
        last = 2 + MAX_DATA if is_event else MAX_REPLY_BYTES - 3
        mark = self._buffer.find(_MARK, 1, last + 1)
        if mark is None:
            return self._fail(last + 1) if len(self._buffer) > last else None
        if self._buffer[mark] != ControlCode.ETX:
            return self._fail(mark)
        for place in (mark + 1, mark + 2):
            if place == len(self._buffer):
                return None
            if not self._may_be_digit(self._buffer[place]):
                return self._fail(place + 1)
        return mark + 3

    def _may_be_digit(self, byte: int) -> bool:
        if self._reading.check_bcc:
            return hex_digit(byte) is not None
        return byte not in (ControlCode.STX, ControlCode.ENQ)

    def _checked(self, whole: int) -> EventFrame | Reply | None:
        raw = self._buffer.peek(whole)
        try:
            if raw[0] == ControlCode.ENQ:
                frame: EventFrame | Reply = EventFrame.from_bytes(raw, self._reading)
            else:
                _check_bcc(raw[1:-2], raw[-2:], self._reading)
                frame = Reply(whole - 4)
        except FrameError:
            self._fail(whole)
            return None
        self._buffer.take(whole)
        self._end_left = len(_LINE_END)
        return frame

    def _fail(self, span: int) -> int:
        """Reject the current frame of `span` bytes; continue at the next start byte in it."""
        again = self._buffer.find(_START, 1, span)
        self._drop(span if again is None else again)
        return 0

    def _drop(self, count: int) -> None:
        if count:
            self._junk_size += count
            self._junk += self._buffer.take(count)[: SAMPLE_BYTES - len(self._junk)]

    def _swept(self) -> Junk:
        junk = Junk(self._junk_size, bytes(self._junk))
        self._junk.clear()
        self._junk_size = 0
        return junk
