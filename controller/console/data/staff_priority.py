"""Staff first: while a word of theirs is carried out, the public and strangers wait a moment."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

HELD_BACK_S: Final = 0.002
MAX_HELD_BACK: Final = 20
"""So often is a word of staff waited for: nobody else is kept longer than this, whatever becomes
of the word."""


class StaffPriority:
    """Whether words of staff are on their way; lives on the web's loop."""

    def __init__(self) -> None:
        self._words = 0

    @property
    def speaking(self) -> bool:
        return self._words > 0

    @contextmanager
    def word(self) -> Iterator[None]:
        """From when it is asked until it is answered."""
        self._words += 1
        try:
            yield
        finally:
            self._words -= 1
