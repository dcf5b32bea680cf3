"""What every emulated device is: behaviour that time moves, and bytes.

A device has two files. `device.py` is the machine: what lies in it, what it does when somebody
pulls a card or opens a lid, how long its motors take; it knows no bytes. `interface.py` is its
protocol, written from PROTOCOL facts and never from a driver. Time is stepped: nothing here reads a
clock, so a test can play an hour at once and the program on a wire steps by the real clock.

The package of a device (`simulators/shoe_.../__init__.py`) exports

    SETTINGS: Mapping[str, Choice]          the disputed facts, see `simulators.kit.settings`
    def make(settings: Given, seed: int) -> Emulator
    ABOUT: About                            a maker's own: what it is, and what it is reached by

and `python -m simulators NAME` finds it by the device's name in `simulators.registry`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

Given: TypeAlias = Mapping[str, object]
"""Settings as somebody gave them: text from the command line, or values from a test."""


@dataclass(frozen=True, slots=True)
class About:
    """What must be known of a device before it is made."""

    description: str
    """In a line, for `python -m simulators --help`."""
    kind: Literal["shoe", "shuffler"]
    over_usbip: bool = False
    """It has no line: a USB/IP server is the only way to it, and it is `Conversing`."""


class Refused(Exception):
    """The back door was asked for something this device cannot do now; says why.

    The sentence and what stands in its gaps are kept apart, for pages in other languages.
    """

    def __init__(self, sentence: str, **params: object) -> None:
        super().__init__(sentence.format(**params) if params else sentence)
        self.sentence = sentence
        self.params = params


@dataclass(frozen=True, slots=True)
class Action:
    """One thing a hand can do to the device, for the back door, its command and its page."""

    description: str
    do: Callable[..., object]
    """Called with the given fields by name, as JSON values or, from the command, as text. Raises
    `Refused`. What it returns is shown, so it is a JSON value or None."""
    fields: Mapping[str, str] = field(default_factory=dict)
    """Each argument with what it means. All may be left out unless `do` has no default for it.
    Written as `yes (default) or no` or `exit: the last card; midway: the next`, the first words
    are all there is to choose from, and the page offers them."""

    def choices(self, field: str) -> list[str]:
        """What there is to choose from; empty where anything may be written."""
        text = self.fields[field]
        parts = text.split(";") if ";" in text else text.replace(" or ", ",").split(",")
        names = [part.partition(":")[0].replace("(default)", "").strip() for part in parts]
        return names if len(names) > 1 and all(name.isidentifier() for name in names) else []


class Emulator(Protocol):
    """A whole device as the wire and the back door see it."""

    name: str
    """As on the command line; the same name as the driver's."""
    baud: int | None
    """Of its line at the real pace, ten bits a byte; None for a device without such a line."""

    def hear(self, data: bytes) -> None:
        """Bytes from the host, cut anywhere."""

    def step(self, dt: float) -> bytes:
        """Time moves on by `dt` seconds; the bytes that leave the device in it, in order."""

    def plugged(self) -> None:
        """A host has connected: what the device reports by itself then is given by the next
        step."""

    @property
    def words(self) -> Mapping[str, Action]:
        """What a hand can do: draw, draw_two, unreadable, push_back, lid, jam, restart ...

        The words of the line (hang, resume, unplug, plug, cut, drop, double, reorder, delay, flip)
        are not the device's: `simulators.wire.unit` adds them. A device that is a server of its own
        may have a cable behind the server, and words of the same name for it."""

    def shown(self) -> dict[str, Any]:
        """Everything there is to see of the machine, for the bench page. It shows all cards: an
        emulator is no live table."""


class Conversation(Protocol):
    """One connection to a device that talks to each connection apart."""

    finished: bool
    """The device wants the connection closed once everything said has left."""

    def hear(self, data: bytes) -> None: ...

    def step(self, dt: float) -> bytes: ...

    def ended(self) -> None:
        """The host is gone."""


@runtime_checkable
class Conversing(Protocol):
    """An emulator that is a server of its own, as a USB/IP host is: TCP only, and every connection
    has its own conversation. Its `step` still moves time, once for all, and gives no bytes; a
    conversation's `step` follows it."""

    def conversation(self) -> Conversation: ...

    def url(self, host: str, port: int) -> str:
        """How a host names it, when it is served there."""


@runtime_checkable
class Resting(Protocol):
    """An emulator that says when time alone changes nothing of it. The program on a wire then
    sleeps until somebody does something; all others are stepped a hundred times a second."""

    @property
    def at_rest(self) -> bool:
        """However long it is stepped now, it would say nothing and do nothing by itself."""


class Make(Protocol):
    """What the package of a device exports as `make`. Raises `WrongSetting`."""

    def __call__(self, settings: Given, seed: int) -> Emulator: ...
