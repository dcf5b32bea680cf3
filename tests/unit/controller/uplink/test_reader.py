"""The uplink's own connection: it sees what is durable and stands in nobody's way."""

from pathlib import Path

import pytest

from controller.journal import exports
from controller.journal.errors import JournalDamaged
from controller.journal.records import EMPTY, Head
from controller.journal.store import LOG_PAGES_AT_ROUND_END
from controller.uplink import reader
from support.journal.journals import opened, step

NO_END = 1 << 62


def journal_in(folder: Path) -> Path:
    return next(folder.glob("*.db"))


def test_it_reads_what_was_appended_since_and_no_more_than_asked(tmp_path: Path) -> None:
    with opened(tmp_path) as journal, reader.opened(journal_in(tmp_path)) as reading:
        start = reading.head()
        wrote = [journal.append(step(n))[0] for n in range(5)]
        assert reading.head() == journal.head
        assert reading.after(start, journal.head.seq) == wrote
        assert reading.after(start, journal.head.seq, most=2) == wrote[:2]
        assert reading.after(start, start.seq + 3) == wrote[:3]
        assert reading.after(journal.head, NO_END) == []
        assert reading.digest_at(0) == EMPTY.digest
        assert reading.digest_at(journal.head.seq + 1) is None


def test_log_is_folded_and_begun_anew_beside_it(tmp_path: Path) -> None:
    """A reader that kept a statement open would hold the log's pages for as long as it lives."""
    log = tmp_path / f"{journal_in_new(tmp_path).name}-wal"
    with opened(tmp_path) as journal, reader.opened(journal_in(tmp_path)) as reading:
        for n in range(3 * LOG_PAGES_AT_ROUND_END):
            reading.after(journal.head, NO_END)
            journal.append(step(n))
            assert len(reading.after(reading.head(), NO_END)) == 0
            journal.round_ended()
        assert log.stat().st_size < 2 * LOG_PAGES_AT_ROUND_END * 4096


def journal_in_new(folder: Path) -> Path:
    opened(folder).close()
    return journal_in(folder)


def test_start_that_is_not_the_journals_is_not_read_over(tmp_path: Path) -> None:
    with opened(tmp_path) as journal, reader.opened(journal_in(tmp_path)) as reading:
        journal.append(step(1))
        with pytest.raises(JournalDamaged, match="does not follow"):
            reading.after(Head(0, b"?" * 32), 5)


def test_copy_of_a_journal_is_nobodys_to_send(tmp_path: Path) -> None:
    path = journal_in_new(tmp_path)
    copy = tmp_path / "copy"
    exports.export_copy(path, tmp_path / "head.json", copy)
    with pytest.raises(JournalDamaged, match="is a copy"), reader.opened(copy):
        pass
