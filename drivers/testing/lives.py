"""A driver's life in memory: its input, the times and its results; it can be replayed."""

import random
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Final

from drivers import registry
from drivers.commands import DeviceCommand, Home, StartShuffle
from drivers.contract import Driver, Settings, Step
from drivers.errors import UnsupportedCommand
from drivers.events import (
    BadFrame,
    CardRead,
    Event,
    EventsLost,
    ExcessCard,
    ExcessNamed,
    ReadFailed,
)
from simulators import registry as emulators
from simulators.wire.unit import Unit as EmulatedUnit

SWIFT: Final = {
    "burn": "no",
    "result_s": "0",
    "spacing_s": "0",
    "card_s": "0.001",
    "motors": "0.01",
    "report_ms": "0",
    "answer": "when_done",
}
"""For emulators that have such settings: no waiting, and a shoe that only deals."""
LONG: Final = 60.0
"""Longer than any silence that a driver waits for."""
TICK_S: Final = 0.05
MAX_TICKS: Final = 200
"""The limit at one moment: a driver that is always due blocks the loop."""
CARDS: Final = ("9S", "KD", "9S", "TC", "2H", "AD", "AD", "7C")
FACES: Final = (CardRead, ExcessCard, ExcessNamed)


@dataclass(frozen=True)
class Happened:
    at: float
    what: str
    """One of hello, in, ask, tick."""
    data: bytes = field(default=b"", repr=False)
    command: DeviceCommand | None = None


@dataclass
class Life:
    driver: Driver
    packets: bool
    name: str = ""
    at: float = 0.0
    happened: list[Happened] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    sent: list[bytes] = field(default_factory=list)

    def hello(self) -> None:
        self._let(Happened(self.at, "hello"))

    def hear(self, data: bytes) -> None:
        size = 8 if self.packets else max(1, len(data))
        for start in range(0, len(data), size):
            self._let(Happened(self.at, "in", data[start : start + size]))

    def ask(self, command: DeviceCommand) -> None:
        self._let(Happened(self.at, "ask", command=command))

    def wait(self, seconds: float) -> None:
        """Let time pass in silence: the driver is woken exactly at its deadlines."""
        until = self.at + seconds
        while (due := self.driver.deadline()) is not None and due <= until:
            before, self.at = self.at, max(self.at, due)
            self._let(Happened(self.at, "tick"))
            again = self.driver.deadline()
            assert again is None or again > before, "the deadline does not move on"
            assert self._ticks_now() < MAX_TICKS, "always due at one moment"
        self.at = until

    def again(self, driver: Driver, cut: Callable[[bytes], Iterable[bytes]]) -> "Life":
        """Replay the same life with another driver, its bytes cut another way."""
        other = Life(driver, self.packets, self.name)
        for each in self.happened:
            other.at = each.at
            pieces = cut(each.data) if each.what == "in" else (b"",)
            for piece in pieces:
                other._let(Happened(each.at, each.what, piece, each.command))
        return other

    def _let(self, happened: Happened) -> None:
        step = self._step(happened)
        self.happened.append(happened)
        self.events += step.events
        if step.send:
            self.sent.append(step.send)

    def _step(self, happened: Happened) -> Step:
        if happened.what == "in":
            return self.driver.feed(happened.data, happened.at)
        if happened.command is not None:
            return self.driver.ask(happened.command, happened.at)
        call = self.driver.hello if happened.what == "hello" else self.driver.tick
        return call(happened.at)

    def _ticks_now(self) -> int:
        latest = self.happened[-MAX_TICKS:]
        return sum(each.what == "tick" and each.at == self.at for each in latest)


def born(name: str, settings: Settings | None = None) -> Life:
    """Return a driver whose port has just opened."""
    found = registry.find(name)
    life = Life(found.with_settings(settings), found.sheet.packets, name)
    life.hello()
    return life


class WithDevice:
    """A life with the emulated device at the other end; only bytes pass between them."""

    def __init__(self, life: Life) -> None:
        self.life = life
        known = emulators.settings_of(life.name)
        swift = {key: value for key, value in SWIFT.items() if key in known}
        self.device = EmulatedUnit(emulators.make(life.name, swift, seed=5), seed=5)
        self.device.step(1.0)  # it has been on for a while
        self._answered = len(life.sent)

    def run(self, seconds: float) -> None:
        life, until = self.life, self.life.at + seconds
        while life.at < until:
            for data in life.sent[self._answered :]:
                self.device.hear(data)
            self._answered = len(life.sent)
            life.wait(TICK_S)
            data = self.device.step(TICK_S)
            if data:
                life.hear(data)

    def draw(self, card: str) -> None:
        self.device.do("draw", card=card)
        self.run(1.5)

    def busy(self) -> None:
        """Let the device work: some cards and one that cannot be read, or a deck shuffled."""
        if "draw" in self.device.words:
            for card in CARDS:
                self.draw(card)
            self.device.do("unreadable")
            self.run(3.0)
            return
        self.device.do("load", decks=1)
        self.run(8.0)
        for command in (Home(), StartShuffle("shuffle", 1), StartShuffle("shuffle_verify", 1)):
            with suppress(UnsupportedCommand):
                self.life.ask(command)
                self.run(20.0)


def noise(life: Life, size: int, seed: int = 1) -> None:
    """Feed this number of random bytes, with some seconds of silence among them."""
    chance = random.Random(seed)
    while size > 0:
        life.hear(chance.randbytes(min(size, 512)))
        life.wait(chance.choice((0.0, 0.01, 0.3, 4.0)))
        size -= 512
    life.wait(60.0)


def cards(events: Iterable[Event]) -> list[str | None]:
    """Return what left the shoe, in order; None is a card that could not be read."""
    return [
        None if isinstance(event, ReadFailed) or event.card is None else event.card.code
        for event in events
        if isinstance(event, CardRead | ReadFailed | ExcessCard)
    ]


Piece = tuple[float, bytes]
"""An indivisible piece with its time: a byte of a line, a packet of a bus."""


def torn(life: Life) -> Iterator[Piece]:
    """Yield all input in the smallest pieces into which a wire can cut it."""
    for each in life.happened:
        if each.what == "in":
            size = len(each.data) if life.packets else 1
            for start in range(0, len(each.data), size):
                yield each.at, each.data[start : start + size]


def listen(life: Life, pieces: Iterable[Piece]) -> None:
    """Feed the pieces; those of the same time are joined, except packets."""
    for at, together in groupby(pieces, lambda piece: piece[0]):
        life.wait(max(0.0, at - life.at))
        data = [piece for _, piece in together]
        for each in data if life.packets else (b"".join(data),):
            life.hear(each)


def is_part_of(told: list[str | None], truth: list[str | None]) -> bool:
    """Return whether each is there at most once and in order; an unread one may be any card."""
    left = iter(truth)
    return all(any(card in (None, each) for each in left) for card in told)


def is_doubt(event: Event) -> bool:
    return isinstance(event, EventsLost) or (isinstance(event, BadFrame) and event.may_be_card)


def weight(thing: Any, seen: set[int] | None = None) -> int:
    """Return how many bytes a driver occupies, with everything it refers to."""
    seen = set() if seen is None else seen
    if id(thing) in seen or isinstance(thing, type) or callable(thing):
        return 0
    seen.add(id(thing))
    inner: list[Any] = list(getattr(thing, "__dict__", {}).values())
    for kind in type(thing).__mro__:
        slots = getattr(kind, "__slots__", ())
        names = (slots,) if isinstance(slots, str) else slots
        inner += [getattr(thing, name, None) for name in names]
    if isinstance(thing, dict):
        inner += [*thing.keys(), *thing.values()]
    elif isinstance(thing, str | bytes | bytearray):
        inner = []
    elif isinstance(thing, Iterable) and hasattr(thing, "__len__"):
        inner += list(thing)
    return sys.getsizeof(thing) + sum(weight(each, seen) for each in inner)
