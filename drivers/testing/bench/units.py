"""The unit under test: its port, its driver and the person or program that operates it."""

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event as Flag
from typing import NamedTuple

from drivers import registry
from drivers.commands import DeviceCommand
from drivers.contract import DataSheet, Settings
from drivers.events import Event, LinkUp
from drivers.hil.results import in_words
from drivers.io.bench import Bench, BenchMoment
from drivers.io.capture import Capture
from drivers.io.identity import Identity
from drivers.registry import RegisteredDriver
from drivers.testing.bench.emulated import emulated
from drivers.testing.bench.hands import AtTheEmulator, Hands
from drivers.testing.lives import SWIFT
from simulators import registry as emulators


class DidNotCome(AssertionError):
    """An expected event did not arrive; the text is for a technician."""

    def __init__(self, what: str, seconds: float, said: list[Event]) -> None:
        text = ", ".join(dict.fromkeys(map(in_words, kinds(said)))) or "nothing"
        super().__init__(f"{what} within {seconds:.0f} seconds; meanwhile it told: {text}.")


class Unit:
    """A unit. `until` waits for an event; all its events are in `events`."""

    def __init__(
        self,
        found: RegisteredDriver,
        url: str,
        hands: Hands,
        settings: Settings | None = None,
        *,
        enrolled: str = "",
        capture: Capture | None = None,
    ) -> None:
        self.sheet: DataSheet = found.sheet
        self.hands = hands
        self.events: list[Event] = []
        self.failed: Exception | None = None
        """What the driver raised; it reports nothing afterwards."""
        self._waiting: deque[Event] = deque()
        self._bench = Bench(found, url, settings or {}, capture, enrolled=enrolled)
        self._stop = Flag()
        self._moments = self._bench.moments(self._stop)
        self.hello = self.until(lambda event: isinstance(event, LinkUp))

    def until(
        self, wanted: Callable[[Event], bool], missed: str = "What had to come did not come"
    ) -> list[Event]:
        """Return the events up to the expected one, which is the last. `missed` begins the sentence
        if it does not come."""
        limit = time.monotonic() + self.hands.wait_s
        answer: list[Event] = []
        while True:
            while self._waiting:
                answer.append(self._waiting.popleft())
                if wanted(answer[-1]):
                    return answer
            if time.monotonic() >= limit:
                raise DidNotCome(missed, self.hands.wait_s, answer)
            self._take(self._next())

    def comes(self, wanted: Callable[[Event], bool]) -> list[Event] | None:
        """Return the same as `until`, or None if it did not come in time."""
        try:
            return self.until(wanted)
        except DidNotCome:
            return None

    def hands_off(self) -> list[Event]:
        """Return the events of the untouched unit."""
        until = time.monotonic() + self.hands.quiet_s
        moment = self._next()
        while moment.data or time.monotonic() < until:
            self._take(moment)
            moment = self._next()
        self._take(moment)
        answer = list(self._waiting)
        self._waiting.clear()
        return answer

    def ask(self, command: DeviceCommand) -> None:
        """Send a command; raises `UnsupportedCommand`."""
        self._take(self._bench.ask(command))

    @property
    def identity(self) -> Identity:
        """Return what can be read from the port."""
        found = self._bench.identity
        assert found is not None, "the port has not been open"
        return found

    def close(self) -> None:
        self._stop.set()
        self._moments.close()

    def _next(self) -> BenchMoment:
        try:
            return next(self._moments)
        except Exception as error:
            self.failed = error
            raise

    def _take(self, moment: BenchMoment) -> None:
        self.events += moment.events
        self._waiting += moment.events


def kinds(events: list[Event]) -> list[str]:
    """Return names only: an event may contain a card, and a report has many readers."""
    return [type(event).__name__ for event in events]


class Place(NamedTuple):
    """A driver, and the port of its emulator."""

    driver: str
    port: str

    def __str__(self) -> str:
        return f"{self.driver}-{self.port}"


def places(drivers: Iterable[str]) -> list[Place]:
    """Return these drivers' emulators, on every kind of port that each can have here."""
    there = emulators.names()
    return [
        Place(name, port)
        for name in drivers
        if name in there
        for port in (("usbip",) if emulators.find(name).about.over_usbip else ("pty", "tcp"))
    ]


@contextmanager
def emulated_unit(place: Place, folder: Path) -> Iterator[Unit]:
    """Start the emulator as its own program, with the driver on its port."""
    where = folder / "unit" if place.port == "pty" else "127.0.0.1:0"
    known = emulators.settings_of(place.driver)
    chosen = [f"--set={key}={value}" for key, value in SWIFT.items() if key in known]
    options = [f"--{place.port}", where, "--pace", "none", *chosen]
    with emulated(place.driver, *options) as emulator:
        unit = Unit(registry.find(place.driver), emulator.port, AtTheEmulator(emulator))
        try:
            yield unit
        finally:
            unit.close()
