"""A shuffler's driver and its emulator with nothing between them but bytes, time stepped."""

from collections.abc import Callable
from dataclasses import dataclass, field

from drivers import registry
from drivers.commands import DeviceCommand
from drivers.contract import Driver, Settings, Step
from drivers.events import Event
from simulators import registry as emulators
from simulators.kit.contract import Given
from simulators.wire.unit import Unit

TICK_S = 0.05


@dataclass
class Link:
    """Bytes go both ways once a tick; `events` is all the driver has told."""

    driver: Driver
    unit: Unit
    at: float = 0.0
    events: list[Event] = field(default_factory=list)
    cut: bool = False
    """The cable is out: what either side says is lost."""

    def plug(self) -> None:
        self.cut = False
        self.unit.plugged()
        self._take(self.driver.hello(self.at))

    def ask(self, command: DeviceCommand) -> None:
        self._take(self.driver.ask(command, self.at))

    def run(self, seconds: float) -> None:
        until = self.at + seconds
        while self.at < until:
            self._tick()

    def until(self, seen: Callable[[], bool], limit_s: float = 3600.0) -> None:
        """Let time pass until something is so; stepped time, so the limit costs nothing."""
        until = self.at + limit_s
        while not seen():
            assert self.at < until, f"it did not happen within {limit_s} s: {self.events[-5:]}"
            self._tick()

    def told(self) -> list[Event]:
        """What was told since last asked."""
        told, self.events = self.events, []
        return told

    def hand(self, word: str, **fields: object) -> object:
        return self.unit.do(word, **fields)

    def _tick(self) -> None:
        self.at += TICK_S
        said = self.unit.step(TICK_S)
        if said and not self.cut:
            self._take(self.driver.feed(said, self.at))
        deadline = self.driver.deadline()
        if deadline is not None and deadline <= self.at:
            self._take(self.driver.tick(self.at))

    def _take(self, step: Step) -> None:
        self.events += step.events
        if step.send and not self.cut:
            self.unit.hear(step.send)


def link(name: str, settings: Settings | None = None, emulated: Given | None = None) -> Link:
    unit = Unit(emulators.make(name, emulated, seed=11), seed=11)
    made = Link(registry.find(name).with_settings(settings), unit)
    made.plug()
    return made
