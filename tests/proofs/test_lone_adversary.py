"""The short form of the lone adversary: `make test-all ONLY=adversary` the long one.

A failure tells each kind of violation as a script of JSON lines; the lines with an arrow are the
adversary's.
"""

from functools import cache

import pytest

from adversary import cells, plants
from adversary.plants import PLANTS, Plant
from adversary.search import Found, Tally, search, taken
from adversary.setting import LAYOUTS, ROLES

EVERY_ROLE_EVERYWHERE = len(ROLES) * len(LAYOUTS)


@cache
def alone() -> tuple[Tally, dict[str, Found]]:
    return search(range(EVERY_ROLE_EVERYWHERE), forks=25)


@cache
def together() -> tuple[Tally, dict[str, Found]]:
    return search(range(EVERY_ROLE_EVERYWHERE), forks=13, pair=True)


def told(kinds: dict[str, Found]) -> str:
    scripts = "\n\n".join(each.told() for each in kinds.values())
    return "\n".join([*sorted(kinds), "", scripts])


def test_one_person_alone_changes_nothing() -> None:
    tally, kinds = alone()
    assert tally.episodes > 2000
    assert not kinds, told(kinds)


@pytest.mark.second_tier
def test_two_people_do_what_an_approval_row_says() -> None:
    tally, kinds = together()
    assert tally.episodes > 1000
    assert not kinds, told(kinds)


@pytest.mark.second_tier
def test_every_role_gets_every_word_accepted_that_it_may_say() -> None:
    """Else what the search does not find would say little. What is rare is looked for longer."""
    tally = Tally()
    tally.add(alone()[0])
    tally.add(together()[0])
    for turn in range(1, 40):
        said = cells.words_of(set(tally.accepted))
        never = frozenset(each for each in cells.legal() if each[:2] not in said)
        if not never:
            return
        seeds = range(turn * EVERY_ROLE_EVERYWHERE, (turn + 1) * EVERY_ROLE_EVERYWHERE)
        of_them = [seed for seed in seeds if ROLES[seed % len(ROLES)] in {r for r, _, _ in never}]
        tally.add(taken(of_them, forks=4, pair=turn % 2 == 1, favours=never))
    pytest.fail(f"never accepted: {sorted(never)}")


@pytest.mark.second_tier
@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.name)
def test_a_planted_fault_is_found(plant: Plant) -> None:
    assert plants.found(plant) is not None
