"""Boot-keyboard reports: which keys were pressed, in which order.

A report is a state, not a stroke: modifiers, one byte without meaning, and the usages of up to six
keys that are down. A key is pressed when a report has it and the one before had not; a repeated
report presses nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final

from drivers.errors import FrameError

REPORT_BYTES: Final = 8

_SHIFT: Final = 0x22
"""Left and right shift: a letter is the same with them, anything else is not."""
_NO_KEY: Final = 0x00
_TROUBLE: Final = (0x01, 0x02, 0x03)
"""The keyboard cannot determine which keys are down: too many, its self-test failed, or unknown."""
_ENTER: Final = 0x28
_LETTERS: Final = {0x04 + n: chr(ord("A") + n) for n in range(26)}
_OTHERS: Final = {
    **{0x1E + n: str(n + 1) for n in range(9)},
    0x27: "0",
    0x2D: "-",
    0x37: ".",
    0x38: "/",
}
CHARACTERS: Final = frozenset([*_LETTERS.values(), *_OTHERS.values()])
"""The characters of which a label may consist."""


class Key(Enum):
    ENTER = "enter"
    OTHER = "other"
    """A key that is in no label: F1, Escape, Shift and a digit."""


@dataclass(frozen=True, slots=True)
class KeyboardReport:
    modifiers: int
    keys: tuple[int, ...]

    @classmethod
    def from_bytes(cls, data: bytes) -> "KeyboardReport":
        """Parse a report; raises `FrameError`. The second byte is the maker's own and is
        ignored."""
        if len(data) != REPORT_BYTES:
            raise FrameError("a report that is not eight bytes long")
        keys = tuple(usage for usage in data[2:] if usage != _NO_KEY)
        if any(usage in _TROUBLE for usage in keys):
            raise FrameError("a report in which the reader cannot tell its keys")
        if len(set(keys)) != len(keys):
            raise FrameError("a report with one key twice")
        return cls(data[0], keys)


class Keyboard:
    """The state of the keys."""

    def __init__(self) -> None:
        self._down: frozenset[int] = frozenset()

    def pressed(self, report: KeyboardReport) -> Iterator[str | Key]:
        """Yield the keys that are down now and were not before; several at once in the report's
        order."""
        new = [usage for usage in report.keys if usage not in self._down]
        self._down = frozenset(report.keys)
        for usage in new:
            yield _meaning(usage, report.modifiers)

    def release(self) -> None:
        self._down = frozenset()


def _meaning(usage: int, modifiers: int) -> str | Key:
    if modifiers & ~_SHIFT:
        return Key.OTHER
    if usage in _LETTERS:
        return _LETTERS[usage]
    if usage == _ENTER:
        return Key.ENTER
    return Key.OTHER if modifiers else _OTHERS.get(usage, Key.OTHER)
