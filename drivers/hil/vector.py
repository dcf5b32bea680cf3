"""Conversion of a capture of a unit on a bench to vectors: each message of the device with the
events that a driver must make of it, without confidential data.

Removed are the numbers of the unit (plate, serial, adapter), its socket, every time and date, what
was sent to the device, and messages that contain such a number or the cards of a pack. The faces
that stay are those of a test deck, whose order is public: a capture with another order of cards
could be of a table in play and is refused; so is a sealed one.
"""

import json
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Any, Final

from drivers.cards import Card
from drivers.contract import Driver, Settings
from drivers.errors import DeviceError
from drivers.events import (
    CardFault,
    ErrorRaised,
    Event,
    Identified,
    OrderDropped,
    ShufflerFault,
    ShuffleVerified,
)
from drivers.hil.deck import cards_of
from drivers.io.capture import Moment, Recording, plain
from drivers.io.deck_check import MAX_CARDS, compare
from drivers.registry import RegisteredDriver

PACKET_BYTES: Final = 8
SILENCE_S: Final = 60.0
"""Longer than any silence that a driver waits for."""
MAX_TICKS: Final = 1000
MAX_WRONG_SHARE: Final = 0.1
"""Of the cards of a test deck on a slightly defective unit; the cards of a table are nearly all in
another order."""
_BYTES: Final = ("frame", "data")


SEALED: Final = (
    "this capture is sealed, as those of a table in play are: its cards belong to that table. "
    "Capture a test deck on a bench, without a key"
)


class NotForOthers(DeviceError):
    """A capture that contains, or may contain, confidential data."""


class LeftOut(Enum):
    """The reason why a message is in no vector."""

    NUMBER = "it holds a number of the unit"
    PACK = "it tells cards of a pack"
    CONTEXT = "it means the same only after what came before it, or to a question"
    AGAIN = "it came before, byte for byte"


@dataclass(frozen=True)
class Scrubbed:
    vectors: list[dict[str, Any]]
    left_out: Counter[LeftOut]
    settings: Settings
    """Kept, because the bytes mean something else without them."""

    def written(self) -> str:
        lines = (json.dumps(each, ensure_ascii=False) for each in self.vectors)
        return "[\n " + ",\n ".join(lines) + "\n]\n"


@dataclass(frozen=True)
class _Message:
    data: bytes
    events: tuple[Event, ...]


def scrubbed(recording: Recording, found: RegisteredDriver, order: Sequence[Card]) -> Scrubbed:
    """Return the capture without confidential data; raises `NotForOthers`. `order` is that of the
    test deck."""
    if recording.about.get("sealed"):
        raise NotForOthers(SEALED)
    settings = _own_settings(recording.about, found)
    messages = _messages(recording, found, settings)
    _check_order(messages, order)
    origin = _origin(recording.about, found)
    numbers = _numbers(recording.about, messages)
    left_out: Counter[LeftOut] = Counter()
    vectors: dict[bytes, dict[str, Any]] = {}
    for message in messages:
        why = _left_out(message, numbers, vectors.keys())
        if why is None and not _stands_alone(message, found, settings):
            why = LeftOut.CONTEXT
        if why is None:
            vectors[message.data] = _vector(message, origin, settings)
        else:
            left_out[why] += 1
    return Scrubbed(list(vectors.values()), left_out, settings)


def _own_settings(about: Mapping[str, Any], found: RegisteredDriver) -> dict[str, Any]:
    """Return the driver's own settings; those of the line describe the wiring and change no
    byte."""
    given = about.get("settings") or {}
    return {key: given[key] for key in given if key in found.sheet.settings}


class _Cutter:
    """A splitter of the device's bytes into messages. A message is the bytes for which a new driver
    reports the same events. What follows it without new events (a line's end, a key's release, the
    repeated message) belongs to it."""

    def __init__(self, found: RegisteredDriver, settings: Settings) -> None:
        self._alone = partial(_stands_alone, found=found, settings=settings)
        self._heard = b""
        self.messages: list[_Message] = []

    def hear(self, piece: bytes) -> None:
        self._heard += piece

    def tell(self, events: tuple[Event, ...]) -> None:
        heard, self._heard = self._heard, b""
        if not heard:
            return  # a time-out made the events: no bytes came
        cut = next((at for at in range(len(heard)) if self._may_cut(heard, at, events)), 0)
        self._more(heard[:cut])
        self.messages.append(_Message(heard[cut:], events))

    def pause(self) -> None:
        """Handle a pause: nothing more came at once."""
        if self.messages and self._heard and self._alone(self._and(self._heard)):
            self._more(self._heard)
            self._heard = b""

    def new_link(self) -> None:
        self._heard = b""

    def _may_cut(self, heard: bytes, at: int, events: tuple[Event, ...]) -> bool:
        if at and not (self.messages and self._alone(self._and(heard[:at]))):
            return False
        return self._alone(_Message(heard[at:], events))

    def _and(self, more: bytes) -> _Message:
        return _Message(self.messages[-1].data + more, self.messages[-1].events)

    def _more(self, data: bytes) -> None:
        if data:
            self.messages[-1] = self._and(data)


def _messages(recording: Recording, found: RegisteredDriver, settings: Settings) -> list[_Message]:
    driver, cutter = found.with_settings(settings), _Cutter(found, settings)
    for moment in recording.moments:
        for events in _ticks(driver, moment.at):
            cutter.tell(events)
        if moment.kind == "up":
            driver.hello(moment.at)
            cutter.new_link()
        for piece in _pieces(moment, found.sheet.packets):
            cutter.hear(piece)
            if events := driver.feed(piece, moment.at).events:
                cutter.tell(events)
        cutter.pause()
    if events := tuple(_rest(driver, SILENCE_S)):
        cutter.tell(events)
    return cutter.messages


def _pieces(moment: Moment, packets: bool) -> Iterator[bytes]:
    if moment.kind == "in":
        size = len(moment.data) if packets else 1
        for start in range(0, len(moment.data), size):
            yield moment.data[start : start + size]


def _ticks(driver: Driver, until: float) -> Iterator[tuple[Event, ...]]:
    for _ in range(MAX_TICKS):
        due = driver.deadline()
        if due is None or due > until:
            return
        if events := driver.tick(due).events:
            yield events


def _rest(driver: Driver, seconds: float) -> Iterator[Event]:
    due = driver.deadline()
    for events in _ticks(driver, (due or 0.0) + seconds):
        yield from events


def _check_order(messages: Sequence[_Message], order: Sequence[Card]) -> None:
    reported = [card for m in messages for event in m.events for card in cards_of(event)]
    passes = min(len(reported) // len(order) + 1, MAX_CARDS // len(order))
    if len(reported) > passes * len(order):
        raise NotForOthers(f"{len(reported)} cards are too many for one capture of a test deck")
    found = compare(list(order) * passes, reported, reached=0)
    wrong = len(found.met) - found.right - len(found.not_reached)
    if wrong > MAX_WRONG_SHARE * len(reported):
        raise NotForOthers(
            f"the {len(reported)} cards of this capture do not lie in the order of the test deck, "
            "so they may be those of a table: capture a test deck from its first card on, or give "
            "its order with --order"
        )


def _origin(about: Mapping[str, Any], found: RegisteredDriver) -> str:
    firmware = str(about.get("firmware") or "")
    known = f", firmware {firmware}" if firmware not in ("", "unknown") else ""
    return f"a unit on a bench: {found.sheet.maker} {found.sheet.model}{known}"


def _numbers(about: Mapping[str, Any], messages: Sequence[_Message]) -> list[bytes]:
    """Return the numbers that identify the unit and its adapter."""
    reported = [e.serial for m in messages for e in m.events if isinstance(e, Identified)]
    adapter = str(about.get("identity") or "").rpartition(":")[2]
    known = [*reported, adapter, str(about.get("asset") or ""), str(about.get("serial") or "")]
    return [each.encode() for each in known if each.strip()]


def _left_out(
    message: _Message, numbers: Sequence[bytes], before: Container[bytes]
) -> LeftOut | None:
    if any(isinstance(event, Identified) for event in message.events) or any(
        number in message.data for number in numbers
    ):
        return LeftOut.NUMBER
    if any(map(_tells_a_pack, message.events)):
        return LeftOut.PACK
    return LeftOut.AGAIN if message.data in before else None


def _tells_a_pack(event: Event) -> bool:
    if isinstance(event, ShuffleVerified):
        return bool(event.missing or event.extra)
    return isinstance(event, OrderDropped | CardFault)


def _stands_alone(message: _Message, found: RegisteredDriver, settings: Settings) -> bool:
    """Return whether a new driver reports the same."""
    driver = found.with_settings(settings)
    events = list(driver.hello(0.0).events)
    size = PACKET_BYTES if found.sheet.packets else max(1, len(message.data))
    for start in range(0, len(message.data), size):
        events += driver.feed(message.data[start : start + size], 1.0).events
    events += _rest(driver, SILENCE_S)
    return list(map(_tells, events)) == list(map(_tells, message.events))


def _tells(event: Event) -> dict[str, Any]:
    """Return the event's name and its fields with content, without the bytes that carried it."""
    reported = plain(event)
    return {
        key: each
        for key, each in reported.items()
        if key not in _BYTES and each is not None and each is not False and each not in ("", [])
    }


def _vector(message: _Message, origin: str, settings: Settings) -> dict[str, Any]:
    tells = [_tells(event) for event in message.events]
    errors = [each for each in message.events if isinstance(each, ErrorRaised | ShufflerFault)]
    return {
        "meaning": ", ".join(_said(each) for each in tells),
        "origin": origin,
        **({"settings": dict(settings)} if settings else {}),
        "hex": message.data.hex().upper(),
        "tells": tells,
        **({"means": [[each.code, each.means.value] for each in errors]} if errors else {}),
    }


def _said(tells: Mapping[str, Any]) -> str:
    facts = [str(value) for key, value in tells.items() if key != "event"]
    return " ".join([str(tells["event"]), *facts])
