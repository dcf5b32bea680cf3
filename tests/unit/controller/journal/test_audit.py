import csv
import io
import json
from pathlib import Path

import pytest

from controller.journal import audit
from controller.journal.errors import JournalDamaged, JournalUnwritable
from controller.journal.loss import LossKind
from controller.journal.records import Entry, digest_of
from controller.journal.tampering import Reason
from support.journal.journals import assert_chained, opened, run, step

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
    assert str(found) == "20 records, every one follows from the one before"


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
    forged = Entry(seven.kind, 1, seven.at, 1, seven.round, b'{"card":"swapped"}')
    digest = digest_of(six.digest, 7, forged)
    run(filled, "UPDATE records SET body = ?, digest = ? WHERE seq = 7", forged.body, digest)
    found = verdict(filled)
    assert found.fault is not None
    assert (found.fault.reason, found.fault.seq) == (Reason.EDITED, 8)


def test_a_whole_history_written_anew_shows_against_the_head_only(
    filled: Path, tmp_path: Path
) -> None:
    (tmp_path / "forged").mkdir()
    with opened(tmp_path / "forged") as journal:
        journal.append(*(step(n, shoe=3) for n in range(20)))
    forged = tmp_path / "forged" / "journal.db"
    assert audit.verify(forged).good
    found = audit.verify(forged, filled / "head.json")
    assert found.fault is not None
    assert (found.fault.reason, found.fault.seq) == (Reason.HEAD, 20)
    found = audit.verify(forged, tmp_path / "no such head")
    assert found.fault is not None
    assert found.fault.reason is Reason.HEAD


def test_an_auditor_works_beside_the_writer(tmp_path: Path) -> None:
    with opened(tmp_path) as journal:
        for number in range(1, 30):
            journal.append(step(number))
            journal.keep_head()
            found = verdict(tmp_path)
            assert found.good
            assert found.head == journal.head
        assert [record.seq for record in audit.read(tmp_path / "journal.db", after=27)] == [28, 29]


def test_an_auditor_changes_no_byte_of_a_stopped_journal(filled: Path) -> None:
    before = (filled / "journal.db").read_bytes()
    assert verdict(filled).good
    assert (filled / "journal.db").read_bytes() == before


def test_rows_set_aside_are_told(filled: Path) -> None:
    run(filled, "DELETE FROM records WHERE seq = 15")
    with opened(filled) as journal:
        journal.append(step(1))
        journal.keep_head()
    found = verdict(filled)
    assert found.good
    assert found.set_aside == 5
    assert "5 damaged rows set aside" in str(found)


def test_show_gives_one_round_in_order_and_no_sealed_card(tmp_path: Path) -> None:
    with opened(tmp_path) as journal:
        journal.append(*(step(n, sealed=b"\x01secret" if n == 7 else None) for n in range(14)))
    found = audit.show(tmp_path / "journal.db", 2)
    assert [each["seq"] for each in found] == [7, 8, 9, 10, 11, 12]
    assert [each["sealed"] for each in found] == [None, "sealed", None, None, None, None]
    assert all(each["fits"] for each in found)
    assert found[1]["body"] == {"card": 7, "says": "gezogen, tiré, 抽"}
    assert "secret" not in json.dumps(found)
    assert b"\x01secret".hex() not in json.dumps(found)


def test_show_tells_shoes_apart_and_marks_what_does_not_fit(filled: Path) -> None:
    file = filled / "journal.db"
    run(filled, "UPDATE records SET round = 1 WHERE seq = 15")
    assert {each["shoe"] for each in audit.show(file, 1)} == {1, 2}
    (edited,) = audit.show(file, 1, shoe=2)
    assert (edited["seq"], edited["fits"]) == (15, False)
    assert audit.show(file, 77) == []


def test_exports_carry_every_record_and_no_blob(tmp_path: Path) -> None:
    with opened(tmp_path) as journal:
        journal.append(step(1), step(2, sealed=b"\x01secret"), Entry("odd", 1, 0.5, 1, 1, b"\xff"))
        heads = [record.digest.hex() for record in journal.records()]
    lines, table = io.StringIO(), io.StringIO()
    assert audit.export_jsonl(tmp_path / "journal.db", lines) == 3
    assert audit.export_csv(tmp_path / "journal.db", table) == 3
    by_line = [json.loads(line) for line in lines.getvalue().splitlines()]
    by_row = list(csv.DictReader(io.StringIO(table.getvalue())))
    assert [each["digest"] for each in by_line] == [each["digest"] for each in by_row] == heads
    assert [each["sealed"] for each in by_line] == [None, "sealed", None]
    assert [each["sealed"] for each in by_row] == ["", "sealed", ""]
    assert json.loads(by_row[0]["body"]) == by_line[0]["body"]
    assert by_line[2]["body"] == "ff"
    assert tuple(by_row[0]) == audit.FIELDS


def test_an_export_stops_where_the_chain_does(filled: Path) -> None:
    run(filled, "DELETE FROM records WHERE seq = 4")
    out = io.StringIO()
    with pytest.raises(JournalDamaged, match="record 4"):
        audit.export_jsonl(filled / "journal.db", out)
    assert len(out.getvalue().splitlines()) == 3


def test_recover_takes_over_the_good_part_and_the_head_shows_the_rest(filled: Path) -> None:
    run(filled, "DELETE FROM records WHERE seq = 18")
    found = audit.recover(filled / "journal.db", filled / "new.db")
    assert found.head.seq == 17
    assert found.fault is not None
    (filled / "new.db").replace(filled / "journal.db")
    with opened(filled) as journal:
        assert journal.loss is not None
        assert journal.loss.kind is LossKind.MISSING
        assert_chained(list(journal.records()))
        assert journal.head.seq == 17


def test_recover_overwrites_nothing(filled: Path) -> None:
    with pytest.raises(JournalUnwritable, match="exists"):
        audit.recover(filled / "journal.db", filled / "head.json")


def test_what_is_no_journal_is_said(tmp_path: Path) -> None:
    with pytest.raises(JournalDamaged, match="is not there"):
        audit.verify(tmp_path / "journal.db")
    (tmp_path / "journal.db").write_bytes(b"")
    with pytest.raises(JournalDamaged, match="not a journal"):
        audit.verify(tmp_path / "journal.db")
    (tmp_path / "journal.db").write_bytes(b"x" * 5000)
    with pytest.raises(JournalDamaged, match="damaged"):
        audit.verify(tmp_path / "journal.db")
