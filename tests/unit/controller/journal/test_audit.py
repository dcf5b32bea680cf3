import hashlib
import os
import subprocess
import sys
import threading
from pathlib import Path

import msgspec
import pytest

from controller.journal import audit, exports
from controller.journal.errors import JournalDamaged
from controller.journal.keys.signing import fingerprint
from controller.journal.records import RECORD_FORMAT, SUMMARY, Entry, digest_of
from controller.journal.tampering import Reason
from support.journal.journals import SIGNER, opened, run, step

COLUMNS = "kind, version, at, shoe, round, body, sealed, digest"
SHIFT_UP = "UPDATE records SET seq = -seq - 1 WHERE seq >= 7"
SHIFT_DOWN = "UPDATE records SET seq = -seq + 1 WHERE seq > 7"
TURN = "UPDATE records SET seq = -seq WHERE seq < 0"


def copy(source: int, target: int) -> str:
    return f"INSERT INTO records SELECT {target}, {COLUMNS} FROM records WHERE seq = {source}"


def move(source: int, target: int) -> str:
    return f"UPDATE records SET seq = {target} WHERE seq = {source}"


def verdict(folder: Path) -> audit.AuditVerdict:
    return audit.verify(folder / "journal.db", folder / "head.json")


def test_a_whole_journal_is_good_and_its_length_is_said(filled: Path) -> None:
    found = verdict(filled)
    assert found.good
    assert found.head.seq == 20
    name = fingerprint(SIGNER.public)
    says = f"20 records, every one follows from the one before; signed by key {name}"
    assert (str(found), found.key) == (says, SIGNER.public)


@pytest.mark.parametrize(
    ("edits", "reason", "seq"),
    [
        (["UPDATE records SET body = x'7b7d' WHERE seq = 7"], Reason.EDITED, 7),
        (["UPDATE records SET round = 99 WHERE seq = 1"], Reason.EDITED, 1),
        (["UPDATE records SET sealed = x'00' WHERE seq = 20"], Reason.EDITED, 20),
        (["DELETE FROM records WHERE seq = 7"], Reason.REMOVED, 7),
        (["DELETE FROM records WHERE seq BETWEEN 1 AND 3"], Reason.REMOVED, 1),
        (["DELETE FROM records WHERE seq = 7", SHIFT_DOWN, TURN], Reason.REMOVED, 7),
        (["DELETE FROM records WHERE seq = 20"], Reason.HEAD, 20),
        ([copy(3, 21)], Reason.FOREIGN, 21),
        ([copy(3, 0)], Reason.FOREIGN, 0),
        ([copy(3, -4)], Reason.FOREIGN, -4),
        ([SHIFT_UP, TURN, copy(3, 7)], Reason.FOREIGN, 7),
        (["UPDATE records SET digest = zeroblob(32) WHERE seq = 7"], Reason.FOREIGN, 7),
        ([move(7, -7), move(8, 7), move(-7, 8)], Reason.ORDER, 7),
        ([move(4, -4), move(18, 4), move(-4, 18)], Reason.ORDER, 4),
        ([move(7, 99)], Reason.ORDER, 7),
    ],
)  # fmt: skip
def test_tampering_is_named_with_the_first_bad_record(
    filled: Path, edits: list[str], reason: Reason, seq: int
) -> None:
    for edit in edits:
        run(filled, edit)
    found = verdict(filled)
    assert found.fault is not None
    assert (found.fault.reason, found.fault.seq) == (reason, seq), str(found)
    assert f"record {seq}: {reason.value}" in str(found)


def test_a_record_written_anew_with_a_fitting_digest_shows_in_the_next(filled: Path) -> None:
    with opened(filled) as journal:
        six, seven, *_ = journal.records(after=5)
    forged = Entry(seven.kind, RECORD_FORMAT, seven.at, 1, seven.round, b'{"card":"swapped"}')
    digest = digest_of(six.digest, 7, forged)
    run(filled, "UPDATE records SET body = ?, digest = ? WHERE seq = 7", forged.body, digest)
    found = verdict(filled)
    assert found.fault is not None
    assert (found.fault.reason, found.fault.seq) == (Reason.EDITED, 8)


def test_an_auditor_works_beside_the_writer(tmp_path: Path) -> None:
    with opened(tmp_path) as journal:
        for number in range(1, 30):
            journal.append(step(number))
            journal.round_ended()
            found = verdict(tmp_path)
            assert found.good
            assert found.head == journal.head
        assert [record.seq for record in audit.read(tmp_path / "journal.db", after=28)] == [29, 30]


def test_an_auditor_changes_no_byte_of_a_stopped_journal(filled: Path) -> None:
    before = (filled / "journal.db").read_bytes()
    assert verdict(filled).good
    assert (filled / "journal.db").read_bytes() == before


def test_rows_set_aside_are_told(filled: Path) -> None:
    run(filled, "DELETE FROM records WHERE seq = 15")
    with opened(filled) as journal:
        journal.append(step(1))
        journal.round_ended()
    found = verdict(filled)
    assert found.good
    assert found.set_aside == 5
    assert "5 damaged rows set aside" in str(found)


def test_show_gives_one_round_in_order_and_no_sealed_card(tmp_path: Path) -> None:
    with opened(tmp_path) as journal:
        journal.append(*(step(n, sealed=b"\x01secret" if n == 7 else None) for n in range(14)))
    found = audit.show(tmp_path / "journal.db", 2)
    assert [each.seq for each in found] == [8, 9, 10, 11, 12, 13]
    hashed = hashlib.sha256(b"\x01secret").hexdigest()
    assert [each.sealed for each in found] == [None, hashed, None, None, None, None]
    assert all(each.fits for each in found)
    assert found[1].body == {"card": 7, "says": "gezogen, tiré, 抽"}
    written = msgspec.json.encode(found)
    assert b"secret" not in written
    assert b"\x01secret".hex().encode() not in written


def test_show_tells_shoes_apart_and_marks_what_does_not_fit(filled: Path) -> None:
    file = filled / "journal.db"
    run(filled, "UPDATE records SET round = 1 WHERE seq = 15")
    assert {each.shoe for each in audit.show(file, 1)} == {1, 2}
    (edited,) = audit.show(file, 1, shoe=2)
    assert (edited.seq, edited.fits) == (15, False)
    assert audit.show(file, 77) == []


def test_what_is_no_journal_is_said(tmp_path: Path) -> None:
    with pytest.raises(JournalDamaged, match="is a directory"):
        audit.verify(tmp_path)
    with pytest.raises(JournalDamaged, match="is not there"):
        audit.verify(tmp_path / "journal.db")
    (tmp_path / "journal.db").write_bytes(b"")
    with pytest.raises(JournalDamaged, match="not a journal"):
        audit.verify(tmp_path / "journal.db")
    (tmp_path / "journal.db").write_bytes(b"x" * 5000)
    with pytest.raises(JournalDamaged, match="damaged"):
        audit.verify(tmp_path / "journal.db")


def test_summaries_come_from_their_own_index_within_bounds(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with opened(tmp_path) as journal:
        for number in range(1, 1300):
            journal.append(step(2 * number), step(2 * number + 1, kind=SUMMARY))
    every = [each.seq for each in audit.summaries(path)]
    assert every == list(range(3, 2600, 2))
    assert [each.seq for each in audit.summaries(path, newest_first=True)] == every[::-1]
    some = audit.summaries(path, after=9, before=17)
    assert [each.seq for each in some] == [11, 13, 15]
    some = audit.summaries(path, after=9, before=17, newest_first=True)
    assert [each.seq for each in some] == [15, 13, 11]
    third = next(audit.summaries(path, after=5))
    some = audit.summaries(path, since=third.at, until=third.at + 0.6)
    assert [each.seq for each in some] == [7, 9, 11]
    plan = run(
        tmp_path,
        "EXPLAIN QUERY PLAN SELECT seq FROM records INDEXED BY summaries "
        "WHERE kind = 'summary' AND seq > 5 AND at >= 2 ORDER BY seq",
    )
    assert "INDEX summaries (seq>?)" in str(plan)


def test_an_edited_summary_is_not_handed_out(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with opened(tmp_path) as journal:
        journal.append(step(1), step(2, kind=SUMMARY))
        journal.append(step(3), step(4, kind=SUMMARY))
    run(tmp_path, "UPDATE records SET body = x'7b7d' WHERE seq = 5")
    found = audit.summaries(path)
    assert next(found).seq == 3
    with pytest.raises(JournalDamaged, match="summary 5"):
        next(found)
    assert verdict(tmp_path).fault is not None


def test_an_auditor_beside_a_busy_writer_raises_no_false_alarm(tmp_path: Path) -> None:
    """Another process appends as fast as it can; heads are overwritten while they are read."""
    tests = Path(__file__).parents[3]
    script = tests / "support/journal/journal_writer.py"
    with subprocess.Popen(
        [sys.executable, script, tmp_path, str(10**6)],
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(tests)},
    ) as writer:
        assert writer.stdout is not None
        try:
            for _ in range(20):
                writer.stdout.readline()
            threading.Thread(target=writer.stdout.read, daemon=True).start()
            seen = []
            for _ in range(8):
                found = verdict(tmp_path)
                assert found.good, found
                seen.append(found.head.seq)
            out = tmp_path / "copy.db"
            exports.export_copy(tmp_path / "journal.db", tmp_path / "head.json", out)
        finally:
            writer.kill()
    assert seen[-1] > seen[0] + 8
    assert audit.verify(tmp_path / "copy.db").good


def test_behind_a_damaged_head_its_other_copy_is_looked_at(filled: Path) -> None:
    (filled / "head.json").write_bytes(b"torn")
    found = verdict(filled)
    assert found.fault is not None
    assert found.fault.reason is Reason.HEAD_DAMAGED
    assert "its copy of the last round's end fits record 20" in str(found)
    run(filled, "DELETE FROM records WHERE seq > 18")
    found = verdict(filled)
    assert found.fault is not None
    assert found.fault.reason is Reason.HEAD
    assert "record 20 had been written" in str(found)
    (filled / "head.json.last").unlink()
    assert not verdict(filled).good
