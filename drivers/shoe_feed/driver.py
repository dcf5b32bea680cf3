"""The driver of the feed. It reports each event once and acknowledges it when it is on disk.

The program resends what was not acknowledged, so a damaged line and a lost link cost nothing. What
it cannot resend is reported as lost, and the table asks for the count.
"""

from typing import Final
from zlib import crc32

from drivers.commands import DeviceCommand
from drivers.contract import NOTHING, Settings, Step
from drivers.error_meaning import ErrorMeaning
from drivers.errors import FrameError, UnsupportedCommand
from drivers.events import (
    BadFrame,
    CardRead,
    CutCard,
    ErrorCleared,
    ErrorRaised,
    Event,
    EventsLost,
    ReadFailed,
)
from drivers.lines import Lines
from drivers.shoe_feed.codec import (
    DAMAGED,
    LINE_LONGEST,
    VERSION,
    CardUnread,
    CutSeen,
    ErrorOver,
    ErrorSaid,
    FeedCard,
    Hello,
    MayHaveMissed,
    Numbered,
    Said,
    read,
    written,
)

MAX_ASKED: Final = 3
REMEMBERED: Final = 256
"""How many reported events are remembered: a program has fewer unacknowledged ones."""
OTHER_VERSION: Final = 10_001
"""Greater than every number that a program can give an error of its own."""

NOT_SENT_AGAIN: Final = "the program does not send again what was damaged: a card may be missing"
ANOTHER: Final = "another program, or one that has started anew: a card may be missing"
IN_FLIGHT: Final = "what was sent before the program's hello may be known to the table or not"
FORGOTTEN: Final = "the program no longer has what was not acknowledged"
UNKNOWN_WORD: Final = "a line that the protocol does not have: a card may have been in it"
OTHER_TEXT: Final = "a number that was another event, or of long ago: a card may have been in it"
ITS_ERROR: Final = "an error of the program that sees the cards: see its own screen"
MISSED: Final = "the program says that it may have missed a card"


class Feed:
    def __init__(self, settings: Settings) -> None:
        self._least = float(str(settings["confidence_least"]))
        self._again_s = float(str(settings["again_s"]))
        self._lines = Lines(b"\n", LINE_LONGEST)
        self._session = ""
        self._due = 1
        """The number of the next event."""
        self._counted = 0
        """The last event that people count: it was sent before this driver met the session."""
        self._told: dict[int, int] = {}
        """The last events of this session: from number to the checksum of the line."""
        self._welcomed = False
        """The program has sent hello since the link opened."""
        self._opened = False
        self._count_is_stale = False
        """A link was lost, or something arrived before hello: a card may have left after the count
        that a start asks for."""
        self._refused = False
        self._asked = 0
        self._ask_at: float | None = None
        """When the missing events are requested again."""

    def hello(self, at: float) -> Step:
        self._lines.forget()
        self._welcomed = False
        self._count_is_stale |= self._opened
        self._opened = True
        self._has_come()
        return NOTHING

    def feed(self, data: bytes, at: float) -> Step:
        events: list[Event] = []
        send = b""
        if self._ask_at is not None and at >= self._ask_at:
            late = self.tick(at)
            events, send = list(late.events), late.send
        for line in self._lines.feed(data):
            step = self._line(line, at)
            events += step.events
            send += step.send
        return Step(tuple(events), send) if events or send else NOTHING

    def ask(self, command: DeviceCommand, at: float) -> Step:
        raise UnsupportedCommand(f"a feed takes no commands, so no {type(command).__name__}")

    def tick(self, at: float) -> Step:
        if self._ask_at is None or at < self._ask_at:
            return NOTHING
        if self._asked < MAX_ASKED:
            return Step(send=self._asking(at))
        self._has_come()
        return Step((EventsLost(NOT_SENT_AGAIN),))

    def deadline(self) -> float | None:
        return self._ask_at

    def _line(self, line: bytes | None, at: float) -> Step:
        if line is not None and not line.strip():
            return NOTHING
        try:
            if line is None:
                raise FrameError(DAMAGED)
            answer = read(line)
        except FrameError as error:
            self._count_is_stale |= not self._welcomed
            damaged = BadFrame(str(error), line or b"")
            return Step((damaged,), self._again(at))
        if isinstance(answer, Hello):
            return self._greeted(answer)
        return self._numbered(answer, line or b"", at)

    # --- the program's hello ----------------------------------------------------------------------

    def _greeted(self, hello: Hello) -> Step:
        if hello.version != VERSION:
            return self._refuses()
        self._has_come()
        events = self._in_step(hello)
        if self._refused:
            self._refused = False
            events = (ErrorCleared(OTHER_VERSION), *events)
        self._welcomed = True
        # COUNTED until the program drops these events: people count them.
        word = "COUNTED" if hello.first <= self._counted else "WELCOME"
        return Step(events, written(f"{word} {VERSION} {self._due}"))

    def _refuses(self) -> Step:
        text = f"the program speaks another version of the feed; this table speaks {VERSION}"
        reported = ErrorRaised(OTHER_VERSION, text, means=ErrorMeaning.SERVICE)
        events = () if self._refused else (reported,)
        self._refused = True
        return Step(events, written(f"REFUSED {VERSION}"))

    def _in_step(self, hello: Hello) -> tuple[Event, ...]:
        """Return the events for a hello, and set the number that is due next. In a known session
        the numbers show what was lost. Unacknowledged events of another session, or from before the
        table started, may be on disk or not: they are counted, never reported twice.

        A table that starts, or replaces a failed driver, asks for the count once. Events of an
        earlier link are in that count even if the dealer was quicker than this hello; an event that
        came on this link before hello may have left the shoe after the count.
        """
        was, first = self._session, hello.first
        # A program that denies having sent an acknowledged event counts again under an old name.
        known = hello.session == was and hello.sent >= self._due - 1
        self._session = hello.session
        if known:
            lost, self._due = max(0, first - self._due), max(first, self._due)
            return (EventsLost(FORGOTTEN, lost),) if lost else ()
        self._counted, self._due = hello.sent, hello.sent + 1
        self._told.clear()
        if was:
            return (EventsLost(ANOTHER),)
        return (EventsLost(IN_FLIGHT),) if self._count_is_stale and hello.sent >= first else ()

    # --- events -----------------------------------------------------------------------------------

    def _numbered(self, line: Numbered, raw: bytes, at: float) -> Step:
        self._count_is_stale |= not self._welcomed
        if not self._welcomed or line.number > self._due:
            return Step(send=self._again(at))
        if line.number < self._due:
            return self._again_or_anew(line.number, raw, at)
        self._has_come()
        self._due += 1
        self._told[line.number] = _check(raw)
        self._told.pop(line.number - REMEMBERED, None)
        return Step((self._event(line.message, raw),), self._acknowledged())

    def _again_or_anew(self, number: int, raw: bytes, at: float) -> Step:
        """Handle a line with an old number. The same line is a repetition and is acknowledged.
        Another line is from a program that restarted its numbers, by mistake or after the last one:
        if it were acknowledged, its card would be lost."""
        before_the_table_started = number <= self._counted == self._due - 1
        if before_the_table_started or self._told.get(number) == _check(raw):
            return Step(send=self._acknowledged())
        self._welcomed = False
        return Step((BadFrame(OTHER_TEXT, raw, may_be_card=True),), self._again(at))

    def _acknowledged(self) -> bytes:
        """Return the acknowledgement. It is sent after the events of this step are on disk."""
        return written(f"ACK {self._due - 1}")

    def _event(self, answer: Said | None, raw: bytes) -> Event:
        event: Event = BadFrame(UNKNOWN_WORD, raw, may_be_card=True)
        match answer:
            case FeedCard(card, confidence) if confidence >= self._least:
                event = CardRead(card, frame=raw)
            case FeedCard() | CardUnread():
                event = ReadFailed(raw)
            case CutSeen():
                event = CutCard()
            case MayHaveMissed():
                event = EventsLost(MISSED)
            case ErrorSaid(number, means):
                event = ErrorRaised(number, ITS_ERROR, means=means)
            case ErrorOver(number):
                event = ErrorCleared(number)
        return event

    # --- asking again -----------------------------------------------------------------------------

    def _again(self, at: float) -> bytes:
        """Return one request for everything that is damaged or missing now."""
        return self._asking(at) if self._ask_at is None else b""

    def _asking(self, at: float) -> bytes:
        self._asked += 1
        self._ask_at = at + self._again_s
        return written(f"AGAIN {self._due}" if self._welcomed else "WHO")

    def _has_come(self) -> None:
        self._asked, self._ask_at = 0, None


def _check(raw: bytes) -> int:
    """Return the checksum of a line without its CR."""
    return crc32(raw.rstrip(b"\r"))
