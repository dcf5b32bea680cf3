"""In which order files of tests are begun when several processes share them: what takes long first.

With what takes long at the head, what is left for the end is quick, and nobody waits for the one
process that found a minute's work at last.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Final, Protocol, TypeVar

LONG: Final = (
    "tests/gate/test_lone_adversary.py",
    "tests/gate/test_makers_kit.py",
    "tests/browser/",
    "tests/unit/controller/game/test_every_hand.py",
    "tests/unit/controller/journal/test_killed.py",
    "tests/gate/test_broken_rows.py",
    "tests/unit/controller/console/http/test_openapi.py",
    "tests/floor/",
    "tests/scenario/",
    "tests/hil/",
    "tests/unit/deploy/",
    "tests/unit/house/",
    "tests/gate/",
)
"""Beginnings of paths, the longest first; `make slowest` shows what takes how long."""


class Named(Protocol):
    """A test, of which only the name counts."""

    @property
    def nodeid(self) -> str: ...


Test = TypeVar("Test", bound=Named)


def long_files_first(items: Sequence[Test]) -> list[list[Test]]:
    """By file: one that keeps a browser or a database for all of its tests starts it once."""
    files = groupby(items, key=lambda item: item.nodeid.partition("::")[0])
    return sorted((list(tests) for _, tests in files), key=lambda file: _rank(file[0]))


def _rank(item: Named) -> int:
    fits = (rank for rank, begins in enumerate(LONG) if item.nodeid.startswith(begins))
    return next(fits, len(LONG))
