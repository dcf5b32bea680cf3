from pathlib import Path

import pytest

from support.journal.journals import checkpoint, opened, step


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    """A closed journal: its keys, nine records of a shoe, ten of the next."""
    with opened(tmp_path) as journal:
        journal.append(checkpoint(1), *map(step, range(2, 10)))
        journal.append(checkpoint(10, shoe=2), *(step(n, shoe=2) for n in range(11, 20)))
        journal.round_ended()
    return tmp_path
