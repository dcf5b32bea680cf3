"""Every driver for a moment, with a fixed seed; `make fuzz` runs them for long with new ones."""

import pytest

from drivers.registry import OURS
from drivers.testing.fuzz import run


@pytest.mark.parametrize("name", OURS)
def test_target(name: str) -> None:
    run(name, examples=20, seed_=4800)
