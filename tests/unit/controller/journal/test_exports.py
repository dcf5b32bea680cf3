import csv
import hashlib
import io
import json
from pathlib import Path

import pytest

from controller.journal import audit, exports
from controller.journal.errors import JournalDamaged, JournalUnwritable
from controller.journal.loss import LossKind
from controller.journal.records import RECORD_FORMAT, Entry
from support.journal.journals import assert_chained, opened, run, step


def test_exports_carry_every_record_and_no_blob(tmp_path: Path) -> None:
    with opened(tmp_path) as journal:
        journal.append(
            step(1), step(2, sealed=b"\x01secret"), Entry("odd", RECORD_FORMAT, 0.5, 1, 1, b"\xff")
        )
        heads = [record.digest.hex() for record in journal.records()]
    lines, table = io.StringIO(), io.StringIO()
    assert exports.export_jsonl(tmp_path / "journal.db", lines) == 4
    assert exports.export_csv(tmp_path / "journal.db", table) == 4
    by_line = [json.loads(line) for line in lines.getvalue().splitlines()]
    by_row = list(csv.DictReader(io.StringIO(table.getvalue())))
    assert [each["digest"] for each in by_line] == [each["digest"] for each in by_row] == heads
    hashed = hashlib.sha256(b"\x01secret").hexdigest()
    assert [each["sealed"] for each in by_line] == [None, None, hashed, None]
    assert [each["sealed"] for each in by_row] == ["", "", hashed, ""]
    copy, of_copy = tmp_path / "copy.db", io.StringIO()
    exports.export_copy(tmp_path / "journal.db", tmp_path / "head.json", copy)
    exports.export_jsonl(copy, of_copy)
    assert of_copy.getvalue() == lines.getvalue()
    assert json.loads(by_row[0]["body"]) == by_line[0]["body"]
    assert by_line[3]["body"] == "ff"
    assert tuple(by_row[0]) == audit.FIELDS


def test_an_export_stops_where_the_chain_does(filled: Path) -> None:
    run(filled, "DELETE FROM records WHERE seq = 4")
    out = io.StringIO()
    with pytest.raises(JournalDamaged, match="record 4"):
        exports.export_jsonl(filled / "journal.db", out)
    assert len(out.getvalue().splitlines()) == 3


def test_recover_takes_over_the_good_part_and_the_head_shows_the_rest(filled: Path) -> None:
    run(filled, "DELETE FROM records WHERE seq = 18")
    found = exports.recover(filled / "journal.db", filled / "new.db")
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
        exports.recover(filled / "journal.db", filled / "head.json")
