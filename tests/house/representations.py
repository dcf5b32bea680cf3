"""The representations of a card on its way from the wire to the screens, and how it is encoded.

A card is dealt from an emulated shoe to a table in this process, and every value that a function of
the product holds on the way is looked into: a form is a type that has the face as a field or as an
item of its own.
"""

import dataclasses
import sys
from collections import Counter
from collections.abc import Iterator
from types import FrameType
from typing import Any, Final, NamedTuple

import msgspec

from controller.runtime.inbox import Inbox
from controller.runtime.loop import Clock, Loop
from drivers import registry
from drivers.cards import Card
from drivers.testing.lives import SWIFT
from house.source import ROOT
from simulators import registry as emulators
from support.table.loop_bench import Bench

SHOE: Final = "shoe_angel_eye"
CARD: Final = Card.parse("9H")
CODING: Final = ("Encoder.encode", "Decoder.decode", "to_builtins", "convert")
"""What msgspec makes text or plain data with, and reads it by."""
DEPTH_MOST: Final = 8
_CODE: Final = f'"{CARD.code}"'.encode()
_PRODUCT: Final = (f"{ROOT}/controller/", f"{ROOT}/drivers/")


REPRESENTATIONS: Final = {
    "bytes": "the device's own bytes",
    "CardRead": "the driver's event",
    "CardDrawnWord": "the table's word",
    "Drawn": "the card in the table's state",
    "list": "a hand in the views",
}
RECORD: Final = frozenset({"dict", "JsonLine", "OpenedCard", "JSON"})
"""The record of the step, made of the word and the state, and encoded once."""


class OneCard(NamedTuple):
    forms: Counter[str]
    """How many objects of each type hold the face."""
    encodings: Counter[str]
    """Calls of msgspec, by the name of the function."""

    @property
    def representations(self) -> set[str]:
        return set(self.forms) - RECORD


class _Watch:
    """What the functions of the product hold when they return, and what they call of msgspec."""

    def __init__(self, wire: bytes) -> None:
        self._wire = wire
        self.holders: dict[int, Any] = {}
        """By identity: kept, so that no other object takes the place of one that is gone."""
        self.calls: Counter[str] = Counter()

    def trace(self, frame: FrameType, event: str, told: Any) -> Any:
        if not frame.f_code.co_filename.startswith(_PRODUCT):
            return None
        if event == "return":
            for value in (*frame.f_locals.values(), told):
                self._look(value, set(), DEPTH_MOST)
        return self.trace

    def profile(self, _frame: FrameType, event: str, told: Any) -> None:
        if event == "c_call" and told.__qualname__ in CODING:
            self.calls[told.__qualname__] += 1

    def _look(self, value: Any, seen: set[int], depth: int) -> None:
        if id(value) in seen or depth == 0:
            return
        seen.add(id(value))
        for part in _parts(value):
            if part is CARD or part == CARD.code:
                self.holders[id(value)] = value
            elif isinstance(part, bytes) and (self._wire in part or _CODE in part):
                self.holders[id(part)] = part
            else:
                self._look(part, seen, depth - 1)


def _parts(value: Any) -> Iterator[Any]:
    if isinstance(value, msgspec.Struct):
        yield from msgspec.structs.astuple(value)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        yield from (getattr(value, each.name) for each in dataclasses.fields(value))
    elif isinstance(value, dict):
        yield from value.values()
    elif isinstance(value, list | tuple):
        yield from value


def of_a_card() -> OneCard:
    """The first card of a round."""
    driver = registry.find(SHOE)
    bench = Bench(driver=driver.with_settings(None), sheet=driver.sheet)
    known = emulators.settings_of(SHOE)
    emulator = emulators.make(SHOE, {k: v for k, v in SWIFT.items() if k in known}, seed=5)
    emulator.step(1.0)
    with bench.running():
        bench.open()
    emulator.words["draw"].do(card=CARD.code)
    wire = emulator.step(0.05)
    inbox, watch = Inbox(), _Watch(wire)
    loop = Loop(bench.session, [bench.shoe], Clock(lambda: bench.now, lambda: bench.now), inbox)
    loop.hear("shoe", wire, bench.now)
    loop.stop()
    sys.settrace(watch.trace)
    sys.setprofile(watch.profile)
    try:
        loop.run()
    finally:
        sys.setprofile(None)
        sys.settrace(None)
    assert bench.drawn == 1
    holders = (each for each in watch.holders.values() if type(each) is not tuple)  # arguments
    return OneCard(Counter(map(_form, holders)), watch.calls)


def _form(holder: Any) -> str:
    if isinstance(holder, bytes):
        return "JSON" if _CODE in holder else "bytes"
    return type(holder).__name__
