"""A shoe that only sends: the machine's events go onto the line, and no input is read."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar

from simulators.kit.contract import Action
from simulators.kit.shoe_exit import if_room

Said = TypeVar("Said")


class Shown(Protocol):
    def shown(self) -> dict[str, Any]:
        """Return the state for the bench page."""


class OneWay:
    """Machine and line together, as an emulator."""

    def __init__(
        self,
        machine: Shown,
        answer: list[Said],
        bytes_of: Callable[[Said], bytes],
        words: Mapping[str, Action],
    ) -> None:
        """`answer` is the machine's own list of unsent events."""

        def taken() -> bytes:
            out = b"".join(map(bytes_of, answer))
            answer.clear()
            return out

        self._taken = taken
        self._said = answer
        self._shown = machine.shown
        self._words = if_room(words, lambda: len(answer))

    def hear(self, data: bytes) -> None:
        """Ignore all input: the shoe does not receive."""

    def step(self, dt: float) -> bytes:  # noqa: ARG002
        return self._taken()

    @property
    def at_rest(self) -> bool:
        return not self._said

    def plugged(self) -> None:
        """Do nothing: RS-232 does not signal a host."""

    @property
    def words(self) -> Mapping[str, Action]:
        return self._words

    def shown(self) -> dict[str, Any]:
        return self._shown()
