"""A shoe that only talks: what its machine has to say goes onto the line, nothing comes back."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar

from simulators.kit.contract import Action
from simulators.kit.shoe_exit import if_room

Said = TypeVar("Said")


class Shown(Protocol):
    def shown(self) -> dict[str, Any]:
        """Its state, for whoever looks at the bench."""


class OneWay:
    """Machine and line together, as the wire and the bench know an emulator."""

    def __init__(
        self,
        machine: Shown,
        answer: list[Said],
        bytes_of: Callable[[Said], bytes],
        words: Mapping[str, Action],
    ) -> None:
        """`said` is the machine's own list of what it has yet to say."""

        def taken() -> bytes:
            out = b"".join(map(bytes_of, answer))
            answer.clear()
            return out

        self._taken = taken
        self._said = answer
        self._shown = machine.shown
        self._words = if_room(words, lambda: len(answer))

    def hear(self, data: bytes) -> None:
        """It has no ears."""

    def step(self, dt: float) -> bytes:  # noqa: ARG002
        return self._taken()

    @property
    def at_rest(self) -> bool:
        return not self._said

    def plugged(self) -> None:
        """RS-232 tells it nothing of a host."""

    @property
    def words(self) -> Mapping[str, Action]:
        return self._words

    def shown(self) -> dict[str, Any]:
        return self._shown()
