from pathlib import Path

import apsw
import pytest

from controller.journal import database
from controller.journal.errors import JournalUnwritable


def test_a_sqlite_that_can_corrupt_a_journal_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(database, "SQLITE_AT_LEAST", (99, 0, 0))
    for opening in (database.Database.write, database.Database.read):
        with pytest.raises(JournalUnwritable, match="install the apsw wheel"):
            opening(tmp_path / "journal.db")


def test_this_sqlite_has_the_fix() -> None:
    assert tuple(map(int, apsw.sqlite_lib_version().split("."))) >= (3, 51, 3)
    assert database.SQLITE_AT_LEAST == (3, 51, 3)
