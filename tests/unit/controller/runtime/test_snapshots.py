"""What is kept of past steps: for a page that comes back, and for a word about what was seen."""

from controller.runtime.snapshots import KEPT, Snapshot, SnapshotLog
from controller.table.state import PlacedWager
from support.rows import each_row
from support.table.snapshots import snapshot


def posted(seq: int, state: str = "betting", wagers: int = 0) -> Snapshot:
    placed = tuple(PlacedWager(f"w{n}", "ann", 1, "tie", 100) for n in range(wagers))
    return snapshot(seq, "place", state=state, wagers=placed)


def log_of(*snapshots: Snapshot) -> SnapshotLog:
    log = SnapshotLog()
    for each in snapshots:
        log.post(each)
    return log


def test_a_word_is_about_what_was_seen_however_many_wagers_came_since() -> None:
    log = log_of(posted(1, "ready"), *(posted(n, wagers=n % 7) for n in range(2, 3 * KEPT)))
    assert not log.has_moved_on(2)
    assert not log.has_moved_on(3 * KEPT - 1)
    assert log.has_moved_on(1), "betting was not open then"


def test_what_was_seen_before_anything_was_kept_is_the_past() -> None:
    log = log_of(posted(5), posted(6))
    assert log.has_moved_on(4)
    assert not log.has_moved_on(5)
    assert not SnapshotLog().has_moved_on(5)


def test_a_table_that_stands_again_as_it_did_has_moved_on() -> None:
    """What was meant for betting before the table was held is not said of betting after it."""
    log = log_of(posted(1, "betting"), posted(2, "halted"), posted(3, "betting"), posted(4))
    assert log.has_moved_on(1)
    assert log.has_moved_on(2)
    assert not log.has_moved_on(3)


@each_row("seen, missed", [(4, [5, 6, 7]), (6, [7]), (7, []), (9, [])])
def test_a_page_that_comes_back_is_given_what_it_missed(seen: int, missed: list[int]) -> None:
    news = log_of(*(posted(n) for n in range(5, 8))).after(seen)
    assert news is not None
    assert [each.seq for each in news] == missed


def test_a_page_that_missed_more_than_is_kept_is_told_so() -> None:
    log = log_of(*(posted(n) for n in range(1, KEPT + 11)))
    assert log.after(9) is None
    news = log.after(10)
    assert news is not None
    assert len(news) == KEPT


def test_a_reader_from_the_first_snapshot_on_gets_all_of_them_while_all_are_kept() -> None:
    assert SnapshotLog().after(None) == []
    news = log_of(*(posted(n) for n in range(5, 8))).after(None)
    assert news is not None
    assert [each.seq for each in news] == [5, 6, 7]
    assert log_of(*(posted(n) for n in range(5, KEPT + 6))).after(None) is None
