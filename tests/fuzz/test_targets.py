"""Every target for a moment, with a fixed seed; `make fuzz` runs them for long with new ones."""

import pytest

from drivers.registry import OURS
from tests.fuzz.harness import run
from tests.fuzz.targets import TARGETS


def test_every_driver_of_ours_is_a_target() -> None:
    assert set(TARGETS) == set(OURS)


@pytest.mark.parametrize("name", TARGETS)
def test_target(name: str) -> None:
    run(name, examples=40, seed_=4800)
