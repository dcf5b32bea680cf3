"""The order of the gate: everything once, by file, and what takes long first."""

from dataclasses import dataclass
from itertools import chain

import pytest

from support.order import LONG, long_files_first


@dataclass(frozen=True)
class Named:
    nodeid: str


QUICK = [
    Named(f"tests/unit/drivers/test_{file}.py::test_{n}") for file in range(9) for n in range(7)
]
SLOW = [Named(f"tests/browser/test_{file}.py::test_{n}") for file in range(8) for n in range(3)]


def test_every_test_is_there_once_and_what_takes_long_is_first() -> None:
    found = long_files_first([*QUICK, *SLOW])
    assert list(chain.from_iterable(found)) == [*SLOW, *QUICK]
    assert [len(file) for file in found] == [3] * 8 + [7] * 9


def test_whatever_is_named_as_long_is_there(pytestconfig: pytest.Config) -> None:
    assert all((pytestconfig.rootpath / begins).exists() for begins in LONG)
