"""Random lives of a driver. The rules for each, whatever its device and its link do:

* It raises only `UnsupportedCommand`, and only for a command.
* It reports only what its device can report, in a number that fits the bytes and moments, and shows
  no card's face in a `repr`.
* The same bytes produce the same events with every cut, except for packet devices.
* Its deadlines come to an end: a driver that is always due blocks the table's loop.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, get_args

from hypothesis import HealthCheck, Phase, given, reject, seed, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from drivers.commands import DeviceCommand
from drivers.contract import DataSheet, Driver
from drivers.errors import BadSetting, UnsupportedCommand
from drivers.events import CardRead, Event, ExcessCard, ExcessNamed
from drivers.registry import find
from drivers.testing.vectors import vectors_of

MAX_TICKS = 200
PER_BYTE, PER_STEP = 2, 20
FACED = (CardRead, ExcessCard, ExcessNamed)


@dataclass(frozen=True)
class Hear:
    data: bytes


@dataclass(frozen=True)
class Wait:
    seconds: float


@dataclass(frozen=True)
class Reconnect:
    pass


@dataclass(frozen=True)
class AskCommand:
    command: DeviceCommand


Happens = Hear | Wait | Reconnect | AskCommand


def steps(sheet: DataSheet, pieces: SearchStrategy[bytes]) -> SearchStrategy[list[Happens]]:
    asks = [st.builds(AskCommand, st.from_type(command)) for command in sheet.commands]
    hears = pieces.map(Hear)
    waits = st.sampled_from([0.01, 0.05, 0.5, 1.5, 5.0, 40.0]).map(Wait)
    return st.lists(st.one_of(hears, hears, waits, st.just(Reconnect()), *asks), max_size=40)


def choices(sheet: DataSheet) -> SearchStrategy[dict[str, Any]]:
    """Some of the settings that have a list of values, with one of them."""
    listed = {key: st.sampled_from(s.choices) for key, s in sheet.settings.items() if s.choices}
    return st.fixed_dictionaries({}, optional=listed)


class Player:
    def __init__(self, driver: Driver, byte_by_byte: bool) -> None:
        self._driver = driver
        self._byte_by_byte = byte_by_byte
        self._at = 0.0
        self.events: list[Event] = []

    def play(self, happens: list[Happens]) -> None:
        self._said(self._driver.hello(self._at).events)
        for each in [*happens, Wait(100.0)]:
            match each:
                case Hear(data):
                    for piece in self._pieces(data):
                        self._said(self._driver.feed(piece, self._at).events)
                case Wait(seconds):
                    self._wait(seconds)
                case Reconnect():
                    self._said(self._driver.hello(self._at).events)
                case AskCommand(command):
                    self._ask(command)

    def _pieces(self, data: bytes) -> Iterator[bytes]:
        if not self._byte_by_byte:
            yield data
        else:
            yield from (data[i : i + 1] for i in range(len(data)))

    def _wait(self, seconds: float) -> None:
        until = self._at + seconds
        for _ in range(MAX_TICKS):
            due = self._driver.deadline()
            if due is None or due > until:
                break
            self._at = max(self._at, due)
            self._said(self._driver.tick(self._at).events)
        else:
            raise AssertionError(f"always due: {MAX_TICKS} ticks in {seconds} s")
        self._at = until

    def _ask(self, command: DeviceCommand) -> None:
        with suppress(UnsupportedCommand):
            self._said(self._driver.ask(command, self._at).events)

    def _said(self, events: tuple[Event, ...]) -> None:
        for event in events:
            assert isinstance(event, get_args(Event))
            if isinstance(event, FACED) and event.card is not None:
                assert "card=" not in repr(event)
        self.events += events


def check(name: str, given_settings: dict[str, Any], happens: list[Happens]) -> None:
    registered = find(name)
    try:
        whole = Player(registered.with_settings(given_settings), byte_by_byte=False)
    except BadSetting:
        reject()  # settings that do not go together
    whole.play(happens)
    size = sum(len(each.data) for each in happens if isinstance(each, Hear))
    assert len(whole.events) <= PER_BYTE * size + PER_STEP * (len(happens) + 1)
    if not registered.sheet.packets:
        cut = Player(registered.with_settings(given_settings), byte_by_byte=True)
        cut.play(happens)
        assert cut.events == whole.events


def shaped_like(whole: Sequence[bytes]) -> SearchStrategy[bytes]:
    """Messages unchanged, cut, with a byte changed, joined; and noise."""
    as_is = st.sampled_from(whole)
    cut = st.builds(lambda raw, end: raw[: end % (len(raw) + 1)], as_is, st.integers(0, 99))
    changed = st.builds(_changed, as_is, st.integers(0, 99), st.integers(0, 255))
    return st.one_of(as_is, cut, changed, st.builds(bytes.__add__, cut, as_is), st.binary())


def _changed(raw: bytes, at: int, byte: int) -> bytes:
    at %= max(1, len(raw))
    return raw[:at] + bytes((byte,)) + raw[at + 1 :]


def run(name: str, examples: int, seed_: int) -> None:
    """Run random lives of one driver, with bytes like its vectors'; raises with the smallest one
    that breaks a rule."""
    sheet = find(name).sheet
    pieces = shaped_like([bytes.fromhex(each["hex"]) for each in vectors_of(name)] or [b""])

    @seed(seed_)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(choices(sheet), steps(sheet, pieces))
    def lives(given_settings: dict[str, Any], happens: list[Happens]) -> None:
        check(name, given_settings, happens)

    lives()
