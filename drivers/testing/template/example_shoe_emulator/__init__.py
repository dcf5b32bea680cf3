"""The emulated shoe. `machine.py` has its behaviour, `interface.py` its bytes."""

from collections.abc import Mapping
from typing import Any, Final

from simulators.kit import fields
from simulators.kit.contract import About, Action, Emulator, Given
from simulators.kit.pile import PILE_SETTINGS, Pile
from simulators.kit.settings import Choice, settled
from simulators.kit.shoe_exit import Hands, if_room

from .interface import line_of
from .machine import Machine

NAME: Final = "example_shoe"
ABOUT: Final = About("Example One shoe, RS-232 at 9600 baud", "shoe")
SETTINGS: Final[Mapping[str, Choice]] = {
    "baud": Choice(9600, "of the line"),
    **PILE_SETTINGS,
}


def make(settings: Given, seed: int) -> Emulator:
    return Shoe(settings, seed)


class Shoe:
    """Machine and line together, with the actions of a person."""

    name = NAME

    def __init__(self, settings: Given, seed: int) -> None:
        chosen = settled(NAME, SETTINGS, settings)
        self.baud: int | None = chosen["baud"]
        self.machine = Machine(Pile.at_first(NAME, chosen, seed))
        words = {
            **Hands(self.machine, chosen, seed).words(),
            "error": Action("show an error", self._error, {"number": "1-9 (1)"}),
            "clear": Action("clear the error", self.machine.clear),
        }
        self._words = if_room(words, lambda: len(self.machine.said))

    def hear(self, data: bytes) -> None:
        """Ignore the input: the shoe accepts none."""

    def step(self, dt: float) -> bytes:  # noqa: ARG002
        """Return the bytes to send; nothing in this shoe takes time."""
        out = b"".join(map(line_of, self.machine.said))
        self.machine.said.clear()
        return out

    def plugged(self) -> None:
        """Ignore the link: RS-232 does not show the shoe whether a host is connected."""

    @property
    def words(self) -> Mapping[str, Action]:
        return self._words

    def shown(self) -> dict[str, Any]:
        return self.machine.shown()

    def _error(self, number: object = 1) -> None:
        self.machine.fail(fields.whole(number, "number", 1, 9))
