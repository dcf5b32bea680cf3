import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.journal import store
from support.journal.forging import moved
from support.journal.real_table import played

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
def small_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fold the log often, so that a short run folds too and a fault can strike there."""
    monkeypatch.setattr(store, "LOG_PAGES_AT_ROUND_END", 3)
    monkeypatch.setattr(store, "MAX_LOG_PAGES", 7)


@pytest.fixture(scope="session")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The journal of a real table; nobody writes to it."""
    return played(tmp_path_factory.mktemp("table"))


@pytest.fixture
def forged(original: Path, tmp_path: Path) -> Path:
    """A copy of all its files, to do harm to."""
    return moved(original, tmp_path / "forged")
