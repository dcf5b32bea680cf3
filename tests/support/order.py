"""In which order the tests run when several processes share them: what takes long comes first.

`--dist worksteal` deals the list out in equal parts, and who has none left takes from the end of
another's part. With what takes long at the head of every part, what is left for the end is quick,
and nobody waits for the one process that found a minute's work at last. Every second part has it
the other way round, so that not all of them are at their browsers at once. Files stay whole: one
that keeps a browser or a database for all its tests starts it once.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Final, Protocol, TypeVar

LONG: Final = (
    "tests/gate/test_lone_adversary.py",
    "tests/gate/test_makers_kit.py",
    "tests/gate/test_broken_rows.py",
    "tests/unit/controller/game/test_every_hand.py",
    "tests/unit/controller/console/http/test_openapi.py",
    "tests/unit/controller/journal/test_killed.py",
    "tests/unit/deploy/",
    "tests/unit/house/",
    "tests/browser/",
    "tests/floor/",
    "tests/gate/",
    "tests/scenario/",
    "tests/hil/",
)
"""Beginnings of paths, the longest first; `make slowest` shows what takes how long."""


class Named(Protocol):
    """A test, of which only the name counts."""

    @property
    def nodeid(self) -> str: ...


Test = TypeVar("Test", bound=Named)


def long_first(items: Sequence[Test], parts: int) -> list[Test]:
    """Every one of so many equal parts begins with its share of what takes long."""
    files = [
        list(tests) for _, tests in groupby(items, key=lambda item: item.nodeid.split("::")[0])
    ]
    slow = sorted((each for each in files if _rank(each[0]) < len(LONG)), key=lambda f: _rank(f[0]))
    quick = [item for each in files if _rank(each[0]) == len(LONG) for item in each]
    hands = [slow[part::parts] for part in range(parts)]
    for hand in hands[1::2]:
        hand.reverse()
    return _filled([[item for file in hand for item in file] for hand in hands], quick, len(items))


def _filled(hands: list[list[Test]], quick: list[Test], total: int) -> list[Test]:
    """Parts of the size that xdist deals; what is over of one goes before what is quick."""
    sizes = [(total + part) // len(hands) for part in range(len(hands))]
    over = [item for hand, size in zip(hands, sizes, strict=True) for item in hand[size:]]
    rest = iter([*over, *quick])
    found: list[Test] = []
    for hand, size in zip(hands, sizes, strict=True):
        found += hand[:size]
        found += (next(rest) for _ in range(size - len(hand)))
    return found


def _rank(item: Named) -> int:
    fits = (rank for rank, begins in enumerate(LONG) if item.nodeid.startswith(begins))
    return next(fits, len(LONG))
