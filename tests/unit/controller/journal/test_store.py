from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.journal.errors import JournalDamaged, JournalUnwritable
from controller.journal.head import read_head
from controller.journal.loss import LossKind
from controller.journal.records import EMPTY, Head
from controller.journal.store import LOG_PAGES_AT_ROUND_END, LOG_PAGES_MAX, Journal
from support.journal.journals import JournalContract, assert_chained, opened, run, step


class TestJournal(JournalContract):
    @pytest.fixture
    def journal(self, tmp_path: Path) -> Iterator[Journal]:
        with opened(tmp_path) as journal:
            yield journal


def test_records_survive_closing_and_opening(filled: Path) -> None:
    with opened(filled) as journal:
        assert journal.loss is None
        assert journal.head.seq == 20
        assert_chained(list(journal.records()))
        assert [record.seq for record in journal.since_checkpoint()] == list(range(11, 21))
        assert journal.append(step(20))[0].seq == 21


def test_a_second_writer_is_refused_with_the_holder_named(tmp_path: Path) -> None:
    with opened(tmp_path), pytest.raises(JournalUnwritable, match="already open for writing by"):
        opened(tmp_path)
    opened(tmp_path).close()


def test_the_file_is_in_wal_mode_and_says_whose_it_is(filled: Path) -> None:
    assert run(filled, "PRAGMA journal_mode") == [("wal",)]
    assert run(filled, "PRAGMA application_id") == [(0x5AB07,)]


def test_opening_uses_the_checkpoint_index_and_reads_no_history(filled: Path) -> None:
    """The index holds checkpoints only, and an edit in an old shoe is not looked at."""
    plan = run(
        filled,
        "EXPLAIN QUERY PLAN SELECT seq FROM records INDEXED BY checkpoints "
        "WHERE kind = 'checkpoint' AND seq < 99 ORDER BY seq DESC LIMIT 1",
    )
    assert "SEARCH records USING INDEX checkpoints" in str(plan)
    run(filled, "UPDATE records SET body = x'7b7d' WHERE seq = 5")
    with opened(filled) as journal:
        assert journal.loss is None
        with pytest.raises(JournalDamaged, match="record 5 does not follow") as caught:
            list(journal.records())
    assert caught.value.seq == 5
    assert caught.value.expected != caught.value.found


def test_keep_head_writes_the_second_copy(tmp_path: Path) -> None:
    with opened(tmp_path) as journal:
        assert read_head(tmp_path / "head.json") == EMPTY
        journal.append(step(1))
        assert read_head(tmp_path / "head.json") == EMPTY
        journal.keep_head()
        assert read_head(tmp_path / "head.json") == journal.head


def test_a_head_that_cannot_be_kept_stops_the_journal(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    journal = Journal.open(tmp_path / "journal.db", head_path=tmp_path / "other" / "head.json")
    (tmp_path / "other" / "head.json").unlink()
    (tmp_path / "other").rmdir()
    with journal:
        with pytest.raises(JournalUnwritable, match="cannot be kept"):
            journal.keep_head()
        with pytest.raises(JournalUnwritable, match="earlier error"):
            journal.append(step(1))


@pytest.mark.parametrize(
    "text", [b"", b"{", b'{"seq": 1}', b'{"seq": -1, "digest": ""}', b"\xff", b"[]"]
)
def test_a_damaged_head_is_not_taken_for_none(filled: Path, text: bytes) -> None:
    (filled / "head.json").write_bytes(text)
    with pytest.raises(JournalDamaged, match="kept head"):
        opened(filled)
    (filled / "head.json").unlink()
    opened(filled).close()


def test_a_lost_end_is_found_against_the_head(filled: Path) -> None:
    kept = read_head(filled / "head.json")
    run(filled, "DELETE FROM records WHERE seq > 17")
    with opened(filled) as journal:
        assert journal.loss is not None
        assert journal.loss.kind is LossKind.MISSING
        assert journal.loss.expected == kept
        assert journal.loss.found == journal.head
        assert journal.head.seq == 17
        assert "record 20 had been written" in str(journal.loss)
        journal.keep_head()
    with opened(filled) as journal:
        assert journal.loss is None, "keeping the head accepts what is there"


def test_a_lost_journal_is_found_against_the_head(filled: Path) -> None:
    (filled / "journal.db").unlink()
    with opened(filled) as journal:
        assert journal.loss is not None
        assert (journal.loss.kind, journal.loss.found) == (LossKind.MISSING, EMPTY)
    assert read_head(filled / "head.json") != EMPTY


def test_another_history_is_found_against_the_head(filled: Path, tmp_path: Path) -> None:
    (tmp_path / "twin").mkdir()
    with opened(tmp_path / "twin") as journal:
        journal.append(*(step(n, shoe=9) for n in range(25)))
        journal.keep_head()
    (filled / "journal.db").write_bytes((tmp_path / "twin" / "journal.db").read_bytes())
    with opened(filled) as journal:
        assert journal.loss is not None
        assert journal.loss.kind is LossKind.FOREIGN
        assert journal.loss.expected is not None
        assert journal.loss.expected.seq == journal.loss.found.seq == 20


def test_records_without_a_kept_head_are_a_loss(filled: Path) -> None:
    (filled / "head.json").unlink()
    with opened(filled) as journal:
        assert journal.loss is not None
        assert (journal.loss.kind, journal.loss.expected) == (LossKind.NO_HEAD, None)


@pytest.mark.parametrize(
    ("edit", "good"),
    [
        ("UPDATE records SET body = x'7b7d' WHERE seq = 15", 14),
        ("UPDATE records SET digest = zeroblob(32) WHERE seq = 20", 19),
        ("DELETE FROM records WHERE seq = 15", 14),
        ("UPDATE records SET seq = 99 WHERE seq = 20", 19),
        ("INSERT INTO records SELECT 21, kind, version, at, 2, 4, body, sealed, digest "
         "FROM records WHERE seq = 20", 20),
        ("UPDATE records SET body = x'7b7d' WHERE seq = 11", 10),
        ("DELETE FROM records WHERE seq = 11", 10),
        ("DELETE FROM records WHERE seq = 10", 9),
        ("UPDATE records SET kind = 'step' WHERE seq = 11", 10),
        ("UPDATE records SET at = at + 1 WHERE kind = 'checkpoint'", 0),
        ("UPDATE records SET kind = CAST(x'ff' AS TEXT) WHERE seq = 13", 12),
    ],
)  # fmt: skip
def test_a_damaged_tail_opens_up_to_it_and_is_set_aside(filled: Path, edit: str, good: int) -> None:
    run(filled, edit)
    left = run(filled, "SELECT count(*) FROM records WHERE seq > ?", good)[0][0]
    with opened(filled) as journal:
        assert journal.loss is not None
        assert journal.loss.kind is LossKind.DAMAGED
        assert journal.loss.damaged_rows == left
        assert journal.loss.expected == read_head(filled / "head.json")
        assert journal.head.seq == journal.loss.found.seq == good
        assert_chained(list(journal.records()))
    assert run(filled, "SELECT count(*) FROM damaged") == [(0,)], "opening changes nothing"
    with opened(filled) as journal:
        assert journal.append(step(99), step(98))[0].seq == good + 1
        assert_chained(list(journal.records()))
    aside = run(filled, "SELECT DISTINCT set_aside_after, count(*) FROM damaged")
    assert aside == [(good, left)]
    assert run(filled, "SELECT count(*) FROM records") == [(good + 2,)]


def test_a_file_that_is_no_journal_is_refused_and_left_alone(tmp_path: Path) -> None:
    run(tmp_path, "CREATE TABLE accounts (id)")
    before = (tmp_path / "journal.db").read_bytes()
    with pytest.raises(JournalDamaged, match="not a journal of Sabot's"):
        opened(tmp_path)
    assert run(tmp_path, "SELECT name FROM sqlite_schema") == [("accounts",)]
    (tmp_path / "journal.db").write_bytes(b"no database at all" * 100)
    with pytest.raises(JournalDamaged):
        opened(tmp_path)
    assert before[:6] == b"SQLite"


def test_a_journal_of_a_later_layout_is_refused(filled: Path) -> None:
    run(filled, "PRAGMA user_version = 2")
    with pytest.raises(JournalDamaged, match="use the Sabot that wrote it"):
        opened(filled)


def test_tables_that_are_not_ours_are_refused(filled: Path) -> None:
    run(filled, "ALTER TABLE records RENAME COLUMN at TO zt")
    with pytest.raises(JournalDamaged, match="tables are not the ones we made"):
        opened(filled)


def test_a_missing_folder_is_said(tmp_path: Path) -> None:
    with pytest.raises(JournalUnwritable, match="check that the folder exists"):
        opened(tmp_path / "nowhere")


def test_the_log_is_folded_between_rounds_and_bounded_without_them(tmp_path: Path) -> None:
    log = tmp_path / "journal.db-wal"
    with opened(tmp_path) as journal:
        for number in range(400):
            journal.append(step(number))
        grown = log.stat().st_size
        assert grown > LOG_PAGES_AT_ROUND_END * 4096
        journal.keep_head()
        for number in range(400, 500):
            journal.append(step(number))
        assert log.stat().st_size == grown, "a folded log is written anew from its beginning"
        big = b'"' + b"x" * 1_000_000 + b'"'
        for number in range(500, 540):
            journal.append(step(number).__class__("step", 1, 0.0, 1, 1, big))
        assert log.stat().st_size < 2 * LOG_PAGES_MAX * 4096
        assert journal.head == Head(540, journal.head.digest)
        assert_chained(list(journal.records()))
