"""A connected device in the loop: its driver, the write function of its port, its last reports."""

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from msgspec.structs import asdict, replace

from controller.views.structs.devices import DeviceErrorView, DeviceView, OwnWords, ProgressView
from drivers.commands import DeviceCommand, Lock, Unlock
from drivers.contract import DataSheet, Driver
from drivers.error_meaning import ErrorMeaning
from drivers.events import (
    CardRead,
    CommandRefused,
    CommandTimedOut,
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


MAX_HELD: Final = 8
"""A shoe sends two deferred events a round; beyond the limit the latest are kept."""


_NOTHING_YET: Final = OwnWords()


@dataclass(slots=True)
class ConnectedDevice:
    """One device of a running table. Only the loop's thread changes it; any thread may call
    `shown`."""

    name: str
    """The device's role at the table: shoe or shuffler."""
    driver: Driver
    sheet: DataSheet
    port: str
    write: Write
    numbered: bool = False
    """Its events carry sequence numbers that are checked, so a loss is detected."""
    takes: tuple[type[DeviceCommand], ...] = ()
    """The commands that it accepts with its settings."""
    reads_cards: bool = True
    """It reads faces with its settings."""
    link: str = "not open yet"
    counts: Counter[str] = field(default_factory=Counter)
    says: OwnWords = _NOTHING_YET
    unit: Callable[[], str] = str
    """Returns the identity of the connected unit, accepted or refused."""
    errors: dict[int, ErrorRaised] = field(default_factory=dict)
    """Errors raised and not cleared, by the maker's number. An error that needs no clearing ends
    when the next card arrives."""
    held: deque[Event] = field(default_factory=lambda: deque(maxlen=MAX_HELD))
    """Events about face-down hands, withheld until the cards are exposed."""
    asked_to_lock: bool | None = None
    """The last request to lock or unlock, unless refused; None: none since its link came up."""
    make: Callable[[], Driver] | None = None
    """Creates a new driver with the same settings, to replace one that failed."""
    stopped: str = ""
    """The kind of error its driver failed with: it receives nothing until a person renews it."""
    untold: set[int] = field(default_factory=set)
    """Errors that would have revealed unseen cards: they were withheld, so their end is withheld
    too."""

    def note(self, event: Event) -> None:
        """Count the event, and store what screens show of the device."""
        self.counts[type(event).__name__] += 1
        match event:
            case CardRead():  # first: it is the most frequent, and the table waits for it
                self.errors = self.errors and _to_be_cleared(self.errors)
            case ErrorRaised(code) if event.must_clear or code not in self.errors:
                self.errors[code] = event
            case ErrorCleared(code):
                self.errors.pop(code, None)
            case LinkUp():
                self.link, self.asked_to_lock = "up", None
            case CommandRefused(name) | CommandTimedOut(name) if name in _OF_THE_LOCK:
                self.asked_to_lock = None
            case LinkLost(why):
                self.link = f"lost: {why}"
            case ShufflerChanged(state):
                self.says = replace(self.says, state=state.value)
            case Progress(cards_in, cards_out, total):
                self.says = replace(self.says, progress=ProgressView(cards_in, cards_out, total))
            case Identified(maker, model, serial, firmware):
                self.says = replace(
                    self.says, maker=maker, model=model, serial=serial, firmware=firmware
                )

    def in_error(self) -> set[ErrorMeaning]:
        """The meanings of its errors that a person has to clear."""
        return {each.means for each in self.errors.values() if each.must_clear}

    def shown(self) -> DeviceView:
        return DeviceView(
            name=self.name,
            driver=self.sheet.name,
            port=self.port,
            link=self.link,
            counts=dict(self.counts),
            errors=[_shown(each) for _, each in sorted(self.errors.items())],
            identity=self.unit(),
            stopped=self.stopped,
            takes=[command.__name__ for command in self.takes],
            **asdict(self.says),
        )


_OF_THE_LOCK: Final = frozenset({Lock.__name__, Unlock.__name__})


def _to_be_cleared(errors: dict[int, ErrorRaised]) -> dict[int, ErrorRaised]:
    return {code: each for code, each in errors.items() if each.must_clear}


def _shown(error: ErrorRaised) -> DeviceErrorView:
    return DeviceErrorView(error.code, error.means, error.says, error.must_clear)
