"""A device as the loop holds it: its driver, the way to its port, and what it has said so far."""

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from drivers.contract import DataSheet, Driver
from drivers.events import (
    ErrorCleared,
    ErrorRaised,
    Event,
    Identified,
    LinkLost,
    LinkUp,
    Progress,
    ShufflerChanged,
)

Write = Callable[[bytes], None]
"""Raises `LinkError` when the port does not take the bytes."""


HELD_MOST: Final = 8
"""A shoe says two such things a round; of more the latest count."""


@dataclass(slots=True)
class ConnectedDevice:
    """One device of a running table. Only the loop's thread changes it; `shown` may be called from
    any."""

    name: str
    """Who speaks at the table: shoe or shuffler."""
    driver: Driver
    sheet: DataSheet
    port: str
    write: Write
    numbered: bool = False
    """A loss shows by itself, because its events carry numbers that are followed."""
    link: str = "not open yet"
    counts: Counter[str] = field(default_factory=Counter)
    says: dict[str, Any] = field(default_factory=dict)
    """What it last said about itself: state, progress, identity."""
    unit: Callable[[], str] = str
    """What the unit that is plugged in is known by, taken or refused."""
    in_error: set[int] = field(default_factory=set)
    """Its own error numbers that somebody has to clear."""
    held: deque[Event] = field(default_factory=lambda: deque(maxlen=HELD_MOST))
    """What it said about hands that lie face down: nobody hears of it before they are exposed."""

    def note(self, event: Event) -> None:
        """Keep count, and what a screen shows of the device."""
        self.counts[type(event).__name__] += 1
        match event:
            case ErrorRaised(code, must_clear=True):
                self.in_error.add(code)
            case ErrorCleared(code):
                self.in_error.discard(code)
            case LinkUp():
                self.link = "up"
            case LinkLost(why):
                self.link = f"lost: {why}"
            case ShufflerChanged(state):
                self.says["state"] = state.value
            case Progress(cards_in, cards_out, total):
                self.says["progress"] = {"in": cards_in, "out": cards_out, "total": total}
            case Identified(maker, model, serial, firmware):
                self.says |= {"maker": maker, "model": model}
                self.says |= {"serial": serial, "firmware": firmware}

    def shown(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "driver": self.sheet.name,
            "port": self.port,
            "link": self.link,
            "counts": dict(self.counts),
            "errors": sorted(self.in_error),
            "identity": self.unit(),
            **dict(self.says),
        }
