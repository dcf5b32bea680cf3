"""The link of a story, by one parameter: memory, a shoe on a wire, or the unit of a rig."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from drivers.testing.bench.rigged import RUN
from scenario.links import opened
from scenario.story import Open


@pytest.fixture
def open_table(request: pytest.FixtureRequest, path: Path, tmp_path: Path) -> Iterator[Open]:
    run = request.config.stash.get(RUN, None)
    with opened(request.param, tmp_path, path, run) as how:
        yield how
