from contextlib import closing
from pathlib import Path

from controller.journal.database import Database
from controller.journal.opening.valid_part import valid_part
from support.journal.journals import run


def found(folder: Path, upto: int | None = None) -> tuple[int, list[int], int, bool]:
    with closing(Database.read(folder / "journal.db")) as database:
        start, records, head, fault = valid_part(database, upto)
        return start, [record.seq for record in records], head.seq, fault is None


def test_it_begins_with_the_last_checkpoint(filled: Path) -> None:
    assert found(filled) == (11, list(range(11, 21)), 20, True)


def test_a_checkpoint_that_does_not_hold_is_no_place_to_begin(filled: Path) -> None:
    run(filled, "UPDATE records SET body = x'7b7d' WHERE seq = 11")
    assert found(filled) == (2, list(range(2, 11)), 10, False)
    run(filled, "UPDATE records SET body = x'7b7d' WHERE seq = 2")
    assert found(filled) == (1, [1], 1, False)


def test_it_ends_where_it_is_told_to(filled: Path) -> None:
    assert found(filled, 15) == (11, list(range(11, 16)), 15, True)
    assert found(filled, 8) == (2, list(range(2, 9)), 8, True)
