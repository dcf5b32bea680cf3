"""The contract of an emulated device: behaviour driven by stepped time, and bytes.

A device has two files. `device.py` is the machine: its content, its reaction to a drawn card or an
open lid, the times of its motors; it has no bytes. `interface.py` is its protocol, written from
PROTOCOL facts and never from a driver. Time is stepped: nothing here reads a clock, so a test can
play an hour at once, and the program on a wire steps by the real clock.

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
"""Settings as given: text from the command line, or values from a test."""


@dataclass(frozen=True, slots=True)
class About:
    """Properties of a device that are needed before it is made."""

    description: str
    """One line for `python -m simulators --help`."""
    kind: Literal["shoe", "shuffler"]
    over_usbip: bool = False
    """The device has no line: a USB/IP server is the only way to it, and it is `Conversing`."""


class Refused(Exception):
    """A back-door command that the device cannot execute now, with the reason.

    The sentence and its parameters are separate, for pages in other languages.
    """

    def __init__(self, sentence: str, **params: object) -> None:
        super().__init__(sentence.format(**params) if params else sentence)
        self.sentence = sentence
        self.params = params


@dataclass(frozen=True, slots=True)
class Action:
    """One back-door command: an action that a person can do to the device by hand."""

    description: str
    do: Callable[..., object]
    """Called with the given fields by name, as JSON values or, from the command line, as text.
    Raises `Refused`. The result is shown, so it is a JSON value or None."""
    fields: Mapping[str, str] = field(default_factory=dict)
    """Each argument with its meaning. An argument is optional unless `do` has no default for it. A
    text such as `yes (default) or no` or `exit: the last card; midway: the next` lists all choices,
    which the page offers."""

    def choices(self, field: str) -> list[str]:
        """Return the choices of a field; empty for free text."""
        text = self.fields[field]
        parts = text.split(";") if ";" in text else text.replace(" or ", ",").split(",")
        names = [part.partition(":")[0].replace("(default)", "").strip() for part in parts]
        return names if len(names) > 1 and all(name.isidentifier() for name in names) else []


class Emulator(Protocol):
    """A whole device as the wire and the back door use it."""

    name: str
    """The name on the command line; the same as the driver's."""
    baud: int | None
    """Rate of the line at the real pace, ten bits a byte; None for a device without such a line."""

    def hear(self, data: bytes) -> None:
        """Receive bytes from the host, split anywhere."""

    def step(self, dt: float) -> bytes:
        """Advance time by `dt` seconds and return the bytes that the device sends in it, in
        order."""

    def plugged(self) -> None:
        """Handle a new host connection; the next step returns what the device sends on it."""

    @property
    def words(self) -> Mapping[str, Action]:
        """The device's back-door commands: draw, draw_two, unreadable, push_back, lid, jam, restart
        ...

        `simulators.wire.unit` adds the commands of the line (hang, resume, unplug, plug, cut, drop,
        double, reorder, delay, flip). A device that is a server of its own may have a cable behind
        the server, and commands of the same name for it.
        """

    def shown(self) -> dict[str, Any]:
        """Return the machine's whole visible state, for the bench page. It contains all cards,
        because an emulator is not a live table."""


class Conversation(Protocol):
    """One connection to a device that has separate state for each connection."""

    finished: bool
    """Whether the device wants the connection closed after its last bytes."""

    def hear(self, data: bytes) -> None: ...

    def step(self, dt: float) -> bytes: ...

    def ended(self) -> None:
        """Handle the loss of the host."""


@runtime_checkable
class Conversing(Protocol):
    """An emulator that is its own server, as a USB/IP host is: TCP only, one conversation for each
    connection. Its `step` advances time once for all and returns no bytes; each conversation's
    `step` follows it."""

    def conversation(self) -> Conversation: ...

    def url(self, host: str, port: int) -> str:
        """Return the device's URL for a host, when served at this address."""


@runtime_checkable
class Resting(Protocol):
    """An emulator that reports when time alone changes nothing. The program on a wire then sleeps
    until the next action; it steps all others a hundred times a second."""

    @property
    def at_rest(self) -> bool:
        """Whether a step of any length would send nothing and change nothing."""


class Make(Protocol):
    """The type of `make` in a device's package. Raises `WrongSetting`."""

    def __call__(self, settings: Given, seed: int) -> Emulator: ...
