import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.journal import store
from journals import checkpoint, opened, step

MEMORY = Path("/dev/shm")


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """A folder in memory where there is one.

    A killed process leaves the system's cache as it was, and power cuts are modelled: a real disk
    would prove nothing more here, and on a busy one thousands of syncs take minutes.
    """
    place = MEMORY if os.access(MEMORY, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="sabot-journal-", dir=place) as name:
        yield Path(name)


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    """A closed journal of two shoes, ten records each, its head kept."""
    with opened(tmp_path) as journal:
        journal.append(checkpoint(0), *map(step, range(1, 10)))
        journal.append(checkpoint(10, shoe=2), *(step(n, shoe=2) for n in range(11, 20)))
        journal.keep_head()
    return tmp_path


@pytest.fixture
def small_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fold the log often, so that a short run folds too and a fault can strike there."""
    monkeypatch.setattr(store, "LOG_PAGES_AT_ROUND_END", 3)
    monkeypatch.setattr(store, "LOG_PAGES_MAX", 7)
