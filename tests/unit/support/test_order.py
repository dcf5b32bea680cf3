"""The order of the gate: everything once, and what takes long at the head of every part."""

from dataclasses import dataclass

import pytest

from support.order import LONG, long_first


@dataclass(frozen=True)
class Named:
    nodeid: str


QUICK = [
    Named(f"tests/unit/drivers/test_{file}.py::test_{n}") for file in range(9) for n in range(7)
]
SLOW = [Named(f"tests/browser/test_{file}.py::test_{n}") for file in range(8) for n in range(3)]


@pytest.mark.parametrize("parts", [2, 3, 4, 5])
@pytest.mark.parametrize("items", [[*QUICK, *SLOW], SLOW, QUICK, SLOW[:1]])
def test_every_test_is_there_once_and_every_part_begins_with_what_takes_long(
    items: list[Named], parts: int
) -> None:
    found = long_first(items, parts)
    assert sorted(found, key=str) == sorted(items, key=str)
    if len(items) > len(SLOW) > 0 and SLOW[0] in items:
        for part in range(parts):  # as xdist deals them
            first = sum((len(items) + each) // parts for each in range(part))
            assert found[first] in SLOW


def test_a_file_stays_whole_where_its_part_has_room_for_it() -> None:
    found = long_first([*QUICK, *SLOW], 4)
    for file in range(8):
        places = [found.index(each) for each in SLOW[3 * file : 3 * file + 3]]
        assert places == list(range(places[0], places[0] + 3))


def test_whatever_is_named_as_long_is_there(pytestconfig: pytest.Config) -> None:
    assert all((pytestconfig.rootpath / begins).exists() for begins in LONG)
