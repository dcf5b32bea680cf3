"""Every driver for a moment, with a fixed seed; `make test-all ONLY=fuzz` tries new ones."""

import pytest

from drivers.registry import OURS
from drivers.testing.fuzz import run


@pytest.mark.parametrize("name", OURS)
def test_target(name: str) -> None:
    run(name, examples=20, seed_=4800)
