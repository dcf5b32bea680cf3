"""Priority of staff: the public and strangers yield while a staff command is carried out."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

HELD_BACK_S: Final = 0.002
MAX_HELD_BACK: Final = 20
"""Maximum yields to a pending staff request, so that a stuck one delays others only this long."""


class StaffPriority:
    """Counts the pending commands of staff; used only from the event loop."""

    def __init__(self) -> None:
        self._words = 0

    @property
    def speaking(self) -> bool:
        return self._words > 0

    @contextmanager
    def word(self) -> Iterator[None]:
        """Marks a command as pending until it is answered."""
        self._words += 1
        try:
            yield
        finally:
            self._words -= 1
