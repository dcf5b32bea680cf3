"""A shoe for tests of the loop: one text line is one event, `9H` a card, `??` a card unread.

It acknowledges every card with its number, so that a test sees what left and when.
"""

from collections.abc import Callable

from drivers.cards import Card
from drivers.commands import DeviceCommand
from drivers.contract import NOTHING, DataSheet, Setting, Step
from drivers.errors import UnsupportedCommand
from drivers.events import (
    BadFrame,
    CardRead,
    CommandTimedOut,
    CutCard,
    DeviceResult,
    ErrorCleared,
    ErrorRaised,
    Event,
    EventsLost,
    ExcessCard,
    ExcessNamed,
    LidChanged,
    Notice,
    ReadFailed,
    StandBy,
    Started,
    Winner,
)

SHEET = DataSheet(
    name="line_shoe",
    kind="shoe",
    maker="tests",
    model="one line, one event",
    link="serial",
    numbered=False,
    checked="not at all",
    serial_number=False,
    settings={"answers": Setting(True, (True, False), "whether it obeys commands")},
)


class Driver:
    def __init__(self, settings: dict[str, object] | None = None) -> None:
        self._obeys = (settings or {}).get("answers", True)
        self._buffer = b""
        self._due: float | None = None
        self.asked: list[DeviceCommand] = []
        self.hellos = 0

    def hello(self, _at: float) -> Step:
        self._buffer = b""
        self.hellos += 1
        return Step(send=b"hello\n")

    def feed(self, data: bytes, at: float) -> Step:
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        events = tuple(_event(line.decode()) for line in lines)
        if b"wait" in lines:
            self._due = at + 3
        return Step(events, b"ok\n" * len(lines)) if lines else NOTHING

    def ask(self, command: DeviceCommand, _at: float) -> Step:
        if not self._obeys:
            raise UnsupportedCommand("line_shoe: it is read-only")
        self.asked.append(command)
        return Step(send=type(command).__name__.encode() + b"\n")

    def tick(self, _at: float) -> Step:
        self._due = None
        return Step((CommandTimedOut("wait"),))

    def deadline(self) -> float | None:
        return self._due


def _event(line: str) -> Event:
    word, _, rest = line.partition(" ")
    frame = line.encode()
    simple: dict[str, Event] = {
        "??": ReadFailed(frame),
        "cut": CutCard(),
        "started": Started(),
        "lid_open": LidChanged(open=True),
        "lid_closed": LidChanged(open=False),
        "lost": EventsLost("a gap in the sequence"),
        "noise": BadFrame("no frame", frame),
        "torn": BadFrame("a torn frame", frame, may_be_card=True),
        "gave_up": DeviceResult(Winner.GIVEN_UP),
        "wait": Notice("it waits"),
        "stand_by": StandBy(),
    }
    if word in simple:
        return simple[word]
    make: dict[str, Callable[[], Event]] = {
        "notice": lambda: Notice(rest),
        "error": lambda: ErrorRaised(int(rest), "as it says", must_clear=True),
        "cleared": lambda: ErrorCleared(int(rest)),
        "excess": lambda: ExcessCard(Card.parse(rest) if rest else None, frame=frame),
        "named": lambda: ExcessNamed(Card.parse(rest), frame=frame),
        "result": lambda: DeviceResult(Winner(rest)),
    }
    return make.get(word, lambda: CardRead(Card.parse(word), frame=frame))()
