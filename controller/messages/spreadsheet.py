"""Makes text safe for a spreadsheet cell.

A program that opens a CSV file executes a cell that begins like a formula, and people type names,
reasons and notes. Such text gets a leading apostrophe, which every spreadsheet reads as "this is
text"; numbers are not changed.
"""

import csv
from collections.abc import Iterable
from typing import Final, Protocol

_BEGINS: Final = tuple("=+-@＝＋－＠|%")  # noqa: RUF001  # full width forms are read alike
_CONTROL: Final = dict.fromkeys((*range(32), *range(127, 160)), " ")
"""A carriage return that Python's writer does not quote would begin a new row in other programs."""


class TakesText(Protocol):
    """A file, or text in memory."""

    def write(self, text: str, /) -> object: ...


class Sheet:
    """Writes rows as CSV; the only place that does."""

    def __init__(self, out: TakesText) -> None:
        self._writer = csv.writer(out, lineterminator="\n")

    def row(self, cells: Iterable[object]) -> None:
        self._writer.writerow([cell(each) for each in cells])


def cell(value: object) -> object:
    """Convert `value` to a safe cell, text on one line."""
    if not isinstance(value, str):
        return value
    line = value.translate(_CONTROL)
    return f"'{line}" if line.lstrip()[:1] in _BEGINS else line
