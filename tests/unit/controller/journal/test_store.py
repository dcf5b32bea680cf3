import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.journal import store
from controller.journal.database import Database
from controller.journal.errors import JournalDamaged, JournalUnwritable, KeyRefused
from controller.journal.head import SECTOR, HeadFile, HeadRole, read_head, signed_by
from controller.journal.keys.signing import Signer, read_public
from controller.journal.loss import LossKind
from controller.journal.records import (
    EMPTY,
    KEYS,
    RECORD_FORMAT,
    Entry,
    Head,
    canonical,
    chain_entry,
)
from controller.journal.store import LOG_PAGES_AT_ROUND_END, MAX_LOG_PAGES, Journal
from support.journal.journals import (
    SIGNER,
    JournalContract,
    assert_chained,
    checkpoint,
    kept,
    opened,
    run,
    step,
)


class TestJournal(JournalContract):
    first = 2

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


def test_every_append_is_in_the_signed_head_before_it_returns(tmp_path: Path) -> None:
    with opened(tmp_path) as journal:
        for number in range(4):
            journal.append(step(number), step(number))
            found = read_head(tmp_path / "head.json")
            assert found is not None
            assert found.is_by(SIGNER.public)
            assert (found.head, found.after) == (journal.head, journal.head.seq - 2)
            assert len((tmp_path / "head.json").read_bytes()) == SECTOR
            assert json.loads((tmp_path / "head.json").read_text())["seq"] == journal.head.seq


def test_the_end_of_a_round_is_kept_beside_the_head(tmp_path: Path) -> None:
    with opened(tmp_path) as journal:
        journal.append(step(1))
        journal.round_ended()
        ended = journal.head
        journal.append(step(2))
        found = read_head(tmp_path / "head.json.last", HeadRole.LAST)
        assert found is not None
        assert found.head == ended
        assert found.is_by(SIGNER.public)


@pytest.mark.parametrize("moved", [False, True], ids=["removed", "moved away"])
def test_a_head_that_cannot_be_kept_stops_the_journal(tmp_path: Path, moved: bool) -> None:
    with opened(tmp_path) as journal:
        if moved:
            (tmp_path / "head.json").rename(tmp_path / "elsewhere")
        else:
            (tmp_path / "head.json").unlink()
        with pytest.raises(JournalUnwritable, match="cannot be kept"):
            journal.round_ended()
        with pytest.raises(JournalUnwritable, match="earlier error"):
            journal.append(step(1))


def test_an_append_whose_head_is_gone_is_not_acknowledged(tmp_path: Path) -> None:
    with opened(tmp_path) as journal:
        (tmp_path / "head.json").unlink()
        with pytest.raises(JournalUnwritable, match="removed or replaced"):
            journal.append(step(1))


@pytest.mark.parametrize(
    "text", [b"", b"{", b'{"seq": 1}', b'{"seq": -1, "digest": ""}', b"\xff", b"[]"]
)
def test_a_damaged_head_is_told_and_locks_nobody_out(filled: Path, text: bytes) -> None:
    (filled / "head.json").write_bytes(text)
    with opened(filled) as journal:
        assert journal.loss is not None
        assert journal.loss.kind is LossKind.HEAD_DAMAGED
        assert journal.loss.expected == journal.head, "its copy of the round's end"
        journal.append(step(20))
        journal.mark_loss_recorded()
    assert (filled / "head.json.lost-20").read_bytes() == text
    with opened(filled) as journal:
        assert journal.loss is None


def test_a_head_torn_at_any_byte_is_told_and_hides_no_loss(filled: Path) -> None:
    """The new line over the old one up to some byte: what a torn sector would leave."""
    before = (filled / "head.json").read_bytes()
    with opened(filled) as journal:
        journal.append(step(20))
    after = (filled / "head.json").read_bytes()
    whole = (filled / "journal.db").read_bytes()
    for at in range(SECTOR + 1):
        torn = after[:at] + before[at:]
        (filled / "head.json").write_bytes(torn)
        with opened(filled) as journal:
            if torn in (before, after):
                assert journal.loss is None
            else:
                assert journal.loss is not None
                damaged = (LossKind.HEAD_DAMAGED, LossKind.HEAD_FOREIGN, LossKind.FOREIGN)
                assert journal.loss.kind in (*damaged, LossKind.MISSING)
            assert journal.head.seq == 21
    (filled / "head.json").write_bytes(after[:200] + before[200:])
    (filled / "journal.db").write_bytes(whole)
    run(filled, "DELETE FROM records WHERE seq > 17")
    with opened(filled) as journal:
        assert journal.loss is not None, "a cut end shows behind a torn head too"


def test_a_lost_end_is_found_against_the_head(filled: Path) -> None:
    then, line = kept(filled), (filled / "head.json").read_bytes()
    run(filled, "DELETE FROM records WHERE seq > 17")
    with opened(filled) as journal:
        assert journal.loss is not None
        assert journal.loss.kind is LossKind.MISSING
        assert journal.loss.expected == then
        assert journal.loss.found == journal.head
        assert journal.head.seq == 17
        assert "record 20 had been written" in str(journal.loss)
        journal.append(step(18))
    assert (filled / "head.json.lost-20").read_bytes() == line, "the evidence is kept"
    with opened(filled) as journal:
        assert journal.loss is not None, "killed before anybody recorded it, it is told again"
        assert (journal.loss.kind, journal.loss.expected) == (LossKind.MISSING, then)
        journal.append(step(19))
        journal.mark_loss_recorded()
    with opened(filled) as journal:
        assert journal.loss is None


@pytest.mark.parametrize("cut", [20, 15, 3, 2])
def test_an_end_cut_off_in_the_open_round_is_found(filled: Path, cut: int) -> None:
    with opened(filled) as journal:
        for number in range(21, 26):
            journal.append(step(number))
    run(filled, "DELETE FROM records WHERE seq > ?", cut)
    with opened(filled) as journal:
        assert journal.loss is not None
        assert journal.loss.kind is LossKind.MISSING


def test_one_append_ahead_of_the_head_is_a_power_cut_and_good(filled: Path) -> None:
    line = (filled / "head.json").read_bytes()
    with opened(filled) as journal:
        journal.append(step(20), step(21), step(22))
    (filled / "head.json").write_bytes(line)
    with opened(filled) as journal:
        assert journal.loss is None
        assert journal.head.seq == 23
        journal.append(step(23))
    (filled / "head.json").write_bytes(line)
    with opened(filled) as journal:
        assert journal.loss is not None
        assert journal.loss.kind is LossKind.HEAD_BEHIND


def test_two_power_cuts_in_a_row_are_no_loss(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in (20, 21, 22):
        with opened(filled) as journal:
            assert journal.loss is None
            with monkeypatch.context() as broken:
                broken.setattr(HeadFile, "write", lambda *_: 1 / 0)
                with pytest.raises(ZeroDivisionError):
                    journal.append(step(number))
    with opened(filled) as journal:
        assert (journal.loss, journal.head.seq) == (None, 23)


def test_rows_that_somebody_appended_are_set_aside(filled: Path) -> None:
    with opened(filled) as journal:
        last = journal.head
    forged = chain_entry(last, step(20))
    run(
        filled,
        "INSERT INTO records VALUES (?,?,?,?,?,?,?,?,?)",
        forged.seq, forged.kind, forged.version, forged.at, forged.shoe, forged.round, forged.body,
        forged.sealed, forged.digest,
    )  # fmt: skip
    with opened(filled) as journal:
        assert journal.loss is not None
        assert (journal.loss.kind, journal.loss.damaged_rows) == (LossKind.DAMAGED, 1)
        assert journal.head == last
        assert [record.seq for record in journal.since_checkpoint()] == list(range(11, 21))


@pytest.mark.parametrize("who", ["nobody", "somebody else"])
def test_a_head_that_the_table_did_not_sign_is_a_loss(filled: Path, who: str) -> None:
    head = kept(filled)
    assert head is not None
    foreign = signed_by(Signer(bytes(32)), head, head.seq)
    unsigned = canonical({"seq": head.seq, "digest": head.digest.hex()})
    (filled / "head.json").write_bytes(foreign.line() if who == "somebody else" else unsigned)
    with opened(filled) as journal:
        assert journal.loss is not None
        wanted = LossKind.HEAD_FOREIGN if who == "somebody else" else LossKind.HEAD_DAMAGED
        assert journal.loss.kind is wanted


def test_another_key_is_refused(filled: Path) -> None:
    with pytest.raises(KeyRefused, match="put the journal's own key back"):
        Journal.open(
            filled / "journal.db", head_path=filled / "head.json", signer=Signer(bytes(32))
        )


def test_the_public_half_lies_beside_and_a_swapped_one_is_put_right(filled: Path) -> None:
    public = filled / "journal.db.pub"
    assert read_public(public) == SIGNER.public
    public.write_text("swapped\n")
    opened(filled).close()
    assert read_public(public) == SIGNER.public
    assert (filled / "journal.db.pub.before-20").read_text() == "swapped\n"


def test_what_opening_has_walked_is_handed_out_without_reading_again(filled: Path) -> None:
    with opened(filled) as journal:
        run(filled, "UPDATE records SET body = x'7b7d' WHERE seq = 15")
        assert [record.seq for record in journal.since_checkpoint()] == list(range(11, 21))
        journal.append(step(20))
        assert [record.seq for record in journal.since_checkpoint()] == list(range(11, 22))
        journal.append(step(21), checkpoint(22), step(23))
        assert [record.seq for record in journal.since_checkpoint()] == [23, 24]


def test_a_shoe_that_grows_too_long_is_read_from_disk(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "MAX_HELD", 12)
    with opened(filled) as journal:
        for number in range(20, 25):
            journal.append(step(number))
        assert [record.seq for record in journal.since_checkpoint()] == list(range(11, 26))


def test_a_lost_journal_is_found_against_the_head(filled: Path) -> None:
    line = (filled / "head.json").read_bytes()
    (filled / "journal.db").unlink()
    with opened(filled) as journal:
        assert journal.loss is not None
        assert (journal.loss.kind, journal.loss.found) == (LossKind.MISSING, EMPTY)
    assert (filled / "head.json.lost-20").read_bytes() == line


def test_a_lost_journal_without_its_head_is_found_by_the_key_beside_it(filled: Path) -> None:
    (filled / "journal.db").unlink()
    (filled / "head.json").unlink()
    with opened(filled) as journal:
        assert journal.loss is not None
        assert journal.loss.kind is LossKind.NO_HEAD


@pytest.mark.parametrize("fails", ["head", "insert", "head again"])
def test_a_journal_whose_first_record_was_stopped_gets_it_at_the_next_opening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    with monkeypatch.context() as broken:
        count = 0

        def stop(*_: object, **__: object) -> None:
            raise KeyboardInterrupt

        def second(self: HeadFile, line: bytes) -> None:
            nonlocal count
            count += 1
            if count == 2:
                raise KeyboardInterrupt
            write(self, line)

        write = HeadFile.write
        if fails == "insert":
            broken.setattr(Database, "insert", stop)
        else:
            broken.setattr(HeadFile, "write", stop if fails == "head" else second)
        with pytest.raises(KeyboardInterrupt):
            opened(tmp_path)
    with opened(tmp_path) as journal:
        assert journal.loss is None
        assert journal.append(step(1))[0].seq == 2
        assert [each.seq for each in journal.records() if each.kind == KEYS] == [1]
    with opened(tmp_path) as journal:
        assert journal.loss is None


def test_another_history_is_found_against_the_head(filled: Path, tmp_path: Path) -> None:
    (tmp_path / "twin").mkdir()
    with opened(tmp_path / "twin") as journal:
        journal.append(*(step(n, shoe=9) for n in range(25)))
        journal.round_ended()
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
        ("UPDATE records SET at = at + 1 WHERE kind = 'checkpoint'", 1),
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
        assert journal.loss.expected == kept(filled)
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


PLANTED = {
    "a trigger": ["CREATE TRIGGER t AFTER INSERT ON records BEGIN DELETE FROM damaged; END"],
    "a trigger with the name of an index": [
        "CREATE TRIGGER keys AFTER INSERT ON records BEGIN DELETE FROM damaged; END",
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_schema SET rowid = rowid + 100 WHERE name = 'keys' AND type = 'index'",
    ],
    "a view": ["CREATE VIEW w AS SELECT * FROM records"],
    "a view in its table's place": [
        "ALTER TABLE damaged RENAME TO hidden",
        "CREATE VIEW damaged AS SELECT * FROM hidden",
    ],
}


@pytest.mark.parametrize("planted", PLANTED)
def test_a_journal_in_which_something_was_planted_is_refused(filled: Path, planted: str) -> None:
    """A trigger would act with every append of ours."""
    connection = sqlite3.connect(filled / "journal.db", isolation_level=None)
    for each in PLANTED[planted]:
        connection.execute(each)
    connection.close()
    with pytest.raises(JournalDamaged, match="its tables are not the ones we made"):
        opened(filled)
    with pytest.raises(JournalDamaged, match="its tables are not the ones we made"):
        Database.read(filled / "journal.db")


def test_a_journal_of_a_later_layout_is_refused(filled: Path) -> None:
    run(filled, "PRAGMA user_version = 3")
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
        journal.round_ended()
        for number in range(400, 500):
            journal.append(step(number))
        assert log.stat().st_size == grown, "a folded log is written anew from its beginning"
        big = b'"' + b"x" * 1_000_000 + b'"'
        for _ in range(40):
            journal.append(Entry("step", RECORD_FORMAT, 0.0, 1, 1, big))
        assert log.stat().st_size < 2 * MAX_LOG_PAGES * 4096
        assert journal.head == Head(541, journal.head.digest)
        assert_chained(list(journal.records()))
