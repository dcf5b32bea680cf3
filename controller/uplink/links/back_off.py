"""Delay before the next connection attempt: exponential, with jitter."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

FIRST_S: Final = 0.5
MAX_PAUSE_S: Final = 30.0


@dataclass
class BackOff:
    """`chance` returns a number from 0 to 1: a thousand tables must not reconnect at the same
    moment after a broker restart."""

    chance: Callable[[], float]
    first_s: float = FIRST_S
    most_s: float = MAX_PAUSE_S
    _tries: int = field(default=0, init=False)

    def again_in(self) -> float:
        """The delay in seconds; half of it is fixed, the other half is random."""
        whole = min(self.most_s, self.first_s * 2.0 ** min(self._tries, 30))
        self._tries += 1
        return whole / 2 + self.chance() * whole / 2

    def well(self) -> None:
        """Reset the delay after a success."""
        self._tries = 0
