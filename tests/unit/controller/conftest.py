from pathlib import Path

import pytest

from support.journal.journals import checkpoint, opened, step


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    """A closed journal of two shoes, ten records each, its head kept."""
    with opened(tmp_path) as journal:
        journal.append(checkpoint(0), *map(step, range(1, 10)))
        journal.append(checkpoint(10, shoe=2), *(step(n, shoe=2) for n in range(11, 20)))
        journal.keep_head()
    return tmp_path
