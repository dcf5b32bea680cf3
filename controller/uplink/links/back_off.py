"""How long to wait before the floor is tried again: longer each time, and never all at once."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

FIRST_S: Final = 0.5
MAX_PAUSE_S: Final = 30.0


@dataclass
class BackOff:
    """`chance` gives a number from 0 to 1: a thousand tables whose broker came back must not come
    back in the same moment."""

    chance: Callable[[], float]
    first_s: float = FIRST_S
    most_s: float = MAX_PAUSE_S
    _tries: int = field(default=0, init=False)

    def again_in(self) -> float:
        """Half of it is certain, the other half is chance."""
        whole = min(self.most_s, self.first_s * 2.0 ** min(self._tries, 30))
        self._tries += 1
        return whole / 2 + self.chance() * whole / 2

    def well(self) -> None:
        """It went well: the next trouble begins again."""
        self._tries = 0
