"""The driver: lines to events. It reports every card once, with a face or without."""

from drivers.cards import Card, NotACard
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
    ReadFailed,
)
from drivers.registry import checked

from .codec import Decoder, read
from .sheet import SHEET


class Driver:
    def __init__(self, settings: Settings) -> None:
        self._silence_s = float(str(checked(SHEET, settings)["silence_s"]))
        self._decoder = Decoder()
        self._due: float | None = None

    def hello(self, at: float) -> Step:
        """Start a link: half a line from before a lost link is not the start of the next one."""
        self._decoder.forget()
        self._due = None
        return NOTHING

    def feed(self, data: bytes, at: float) -> Step:
        if not data:
            return NOTHING
        reported = tuple(_event(line) for line in self._decoder.feed(data))
        self._due = at + self._silence_s if self._decoder.under_way else None
        return Step(reported) if reported else NOTHING

    def ask(self, command: DeviceCommand, at: float) -> Step:
        raise UnsupportedCommand(f"{SHEET.name} takes no commands: do it at the shoe")

    def tick(self, at: float) -> Step:
        if self._due is None or at < self._due:
            return NOTHING
        self._decoder.forget()
        self._due = None
        return Step((BadFrame("a line that did not end", may_be_card=True),))

    def deadline(self) -> float | None:
        return self._due


def _event(line: bytes | None) -> Event:
    """Return the event of a line. An unknown line may have been a card: the table asks for the
    count."""
    if line is None:
        return BadFrame("a line that is too long", may_be_card=True)
    try:
        word, *rest = read(line).split(" ")
        return _said(word, rest, line)
    except (FrameError, NotACard, ValueError):
        return BadFrame("no line of this shoe", line, may_be_card=True)


def _said(word: str, rest: list[str], line: bytes) -> Event:
    match word, rest:
        case "CARD", [card]:
            return CardRead(Card.parse(card), frame=line)
        case "UNREAD", []:
            return ReadFailed(line)
        case "CUT", []:
            return CutCard()
        case "ERROR", [number]:
            # Give each number its meaning: the table decides by that, and has no table of numbers.
            return ErrorRaised(int(number), f"error {int(number)}", means=ErrorMeaning.OTHER)
        case "OVER", [number]:
            return ErrorCleared(int(number))
    raise ValueError("no line of this shoe")
