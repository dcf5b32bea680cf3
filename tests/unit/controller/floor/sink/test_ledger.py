"""A batch held against a head: kept, known, a gap, another history, or nothing a table writes."""

from collections.abc import Iterable

from msgspec.structs import replace

from controller.floor.sink import ledger
from controller.floor.sink.instances import QUIET_S, Instances
from controller.floor.sink.ledger import (
    Accepted,
    Diverges,
    RefusedBatch,
    Stands,
    TableHead,
    Unsound,
)
from controller.journal.keys.record import first_entry, keys_entry
from controller.journal.records import EMPTY, Head
from controller.protocol.names import TableName
from controller.protocol.records import Batch, Refusal
from support.floor.tables import MadeJournal, Sender, signer_of
from support.rows import each_row

NAME = TableName("site", "t1")


def table(count: int = 20) -> Sender:
    journal = MadeJournal("t1")
    journal.grow(count)
    return Sender(NAME, journal, epoch=1)


def standing(journal: MadeJournal, seq: int) -> TableHead:
    head = Head(seq, journal.records[seq - 1].digest) if seq else EMPTY
    return TableHead(1, head, journal.signer.public if seq else None)


def judged(
    batch: Batch, at: TableHead | None, has: MadeJournal, gone: Iterable[int] = ()
) -> ledger.Judgement:
    """By a floor that has the first records of `has`, but for some that have gone into files."""
    most = at.head.seq if at else 0

    def digest_at(seq: int) -> bytes | None:
        return has.records[seq - 1].digest if 0 < seq <= most and seq not in gone else None

    return ledger.judge(batch, at, digest_at)


def test_what_follows_is_accepted() -> None:
    one = table()
    found = judged(one.batch(0, 9), standing(one.journal, 0), one.journal)
    assert isinstance(found, Accepted)
    assert (len(found.records), found.head.seq, found.key) == (9, 9, one.journal.signer.public)


def test_overlap_is_cut_off_and_what_is_known_is_not_kept_again() -> None:
    one = table()
    found = judged(one.batch(4, 10), standing(one.journal, 9), one.journal)
    assert isinstance(found, Accepted)
    assert [each.seq for each in found.records] == [10, 11, 12, 13, 14]
    assert judged(one.batch(2, 5), standing(one.journal, 9), one.journal) == Stands()


@each_row("after, count", [(9, 0), (3, 0), (15, 0), (15, 3)])
def test_asking_and_a_gap_are_answered_with_where_the_floor_stands(after: int, count: int) -> None:
    one = table()
    assert judged(one.batch(after, count), standing(one.journal, 9), one.journal) == Stands()


def test_another_epoch_is_answered_with_this_one() -> None:
    one = table()
    one.epoch = 2
    assert judged(one.batch(0, 5), standing(one.journal, 9), one.journal) == Stands()
    one.epoch = 0
    assert judged(one.batch(9, 0), standing(one.journal, 9), one.journal) == Stands()


@each_row("old", [3, 8, 9])
@each_row("after", [0, 2, 7])
def test_old_disk_that_goes_on_otherwise_has_diverged(old: int, after: int) -> None:
    one = table()
    other = Sender(NAME, one.journal.cut(old), epoch=1)
    other.journal.grow(8, "otherwise")
    found = judged(other.batch(after, 20), standing(one.journal, 12), one.journal)
    assert found == Diverges(max(old, after) + 1 if after <= old else after)


@each_row("after, count", [(2, 0), (2, 3), (5, 2), (0, 7)])
def test_what_has_gone_into_files_and_cannot_be_told_is_no_silence(after: int, count: int) -> None:
    """An old disk from before the month that went, whether it went on by itself or not. The file
    ends with record 8, which the floor knows."""
    one = table()
    for journal in (one.journal, one.journal.cut(3)):
        old = Sender(NAME, journal, epoch=1)
        old.journal.grow(8, "otherwise")
        found = judged(old.batch(after, count), standing(one.journal, 12), one.journal, range(1, 8))
        assert found == Diverges(max(after, 1))


@each_row("after, count", [(2, 6), (0, 8), (5, 7), (7, 12), (12, 3)])
def test_what_is_sent_again_up_to_a_record_that_is_known_is_the_floors(
    after: int, count: int
) -> None:
    one = table()
    found = judged(one.batch(after, count), standing(one.journal, 12), one.journal, range(1, 8))
    fresh = after + count - 12
    if fresh > 0:
        assert isinstance(found, Accepted)
        assert len(found.records) == fresh
    else:
        assert found == Stands()


def test_asking_with_another_history_is_found_before_anything_is_sent() -> None:
    one = table()
    other = Sender(NAME, one.journal.cut(5), epoch=0)
    other.journal.grow(3, "otherwise")
    assert judged(other.batch(8, 0), standing(one.journal, 12), one.journal) == Diverges(8)
    assert judged(other.batch(8, 0), standing(one.journal, 8), one.journal) == Diverges(8)


def test_old_disk_that_only_asks_is_told_how_far_the_floor_is() -> None:
    """It sees for itself that it lost records: nobody is accused for a message that was slow."""
    one = table()
    assert judged(one.batch(5, 0), standing(one.journal, 12), one.journal) == Stands()


@each_row(
    "change",
    [
        {"body": b"{}"},
        {"kind": "other"},
        {"shoe": 9},
        {"round": 9},
        {"at": 1.0},
        {"version": 5},
        {"digest": bytes(32)},
        {"sealed": bytes(32)},
    ],
)
def test_one_changed_field_does_not_follow(change: dict[str, object]) -> None:
    one = table()
    batch = one.batch(5, 10)
    records = [*batch.records]
    records[4] = replace(records[4], **change)
    found = judged(replace(batch, records=records), standing(one.journal, 5), one.journal)
    assert isinstance(found, Unsound)
    assert found.seq == 10


@each_row(
    "change",
    [
        {"seq": 99},
        {"digest": b"short"},
        {"sealed": b"a card, in the open"},
        {"at": float("nan")},
        {"at": float("inf")},
        {"kind": "a\0b"},
        {"kind": ""},
        {"kind": "k" * 65},
        {"version": 2**40},
        {"shoe": 2**63},
        {"round": -(2**64)},
    ],
)
def test_what_no_journal_has_is_no_batch(change: dict[str, object]) -> None:
    one = table()
    batch = one.batch(5, 3)
    records = [*batch.records[:2], replace(batch.records[2], **change)]
    found = judged(replace(batch, records=records), standing(one.journal, 5), one.journal)
    assert found == RefusedBatch(Refusal.NOT_A_BATCH)


@each_row(
    "change",
    [
        {"v": 2},
        {"after": -1},
        {"prev": b""},
        {"after": 0},
        {"records": [1] * 257},
        {"instance": "a\0b"},
        {"instance": "x" * 1000},
        {"key": b"short"},
    ],
)
def test_other_forms_of_a_batch_are_none(change: dict[str, object]) -> None:
    one = table()
    found = judged(replace(one.batch(5, 0), **change), standing(one.journal, 5), one.journal)
    assert found == RefusedBatch(Refusal.NOT_A_BATCH)


def test_unknown_and_revoked_are_told_apart() -> None:
    one = table()
    assert judged(one.batch(0, 1), None, one.journal) == RefusedBatch(Refusal.UNKNOWN_TABLE)
    revoked = standing(one.journal, 5)._replace(revoked=True)
    assert judged(one.batch(5, 1), revoked, one.journal) == RefusedBatch(Refusal.REVOKED)


# --- whose it is ---------------------------------------------------------------------------------


def test_key_that_is_handed_on_is_the_journals_from_there_on() -> None:
    one = table(5)
    before = one.journal.signer.public
    one.journal.rotate("t1 anew")
    one.journal.grow(3)
    at = standing(one.journal, 4)._replace(key=before)
    found = judged(one.batch(4, 20), at, one.journal)
    assert isinstance(found, Accepted)
    assert found.key == signer_of("t1 anew").public != before


def test_key_that_nobody_handed_on_is_unsound() -> None:
    one = table(5)
    thief = MadeJournal("thief")
    body = first_entry(thief.signer, "sealing")
    one.journal.append(keys_entry(body, one.journal.records[-1], one.journal.at))
    found = judged(one.batch(4, 20), standing(one.journal, 4), one.journal)
    assert isinstance(found, Unsound)
    assert found.seq == 7


def test_records_sent_under_another_key_are_refused_once_they_are_news() -> None:
    one = table()
    batch = replace(one.batch(5, 20), key=signer_of("another PC").public)
    assert not batch.replayed
    found = judged(batch, standing(one.journal, 5), one.journal)
    assert found == RefusedBatch(Refusal.CLONED)


def test_a_record_before_any_key_is_unsound() -> None:
    one = table(3)
    found = judged(one.batch(2, 9), standing(one.journal, 2)._replace(key=None), one.journal)
    assert isinstance(found, Unsound)
    assert found.seq == 3


def test_a_first_key_after_other_records_is_unsound() -> None:
    one = table(3)
    one.journal.append(keys_entry(first_entry(one.journal.signer, ""), one.journal.records[-1]))
    found = judged(one.batch(4, 9), standing(one.journal, 4)._replace(key=None), one.journal)
    assert isinstance(found, Unsound)
    assert found.seq == 5


# --- two under one name --------------------------------------------------------------------------


def test_two_that_speak_in_turn_are_found_and_a_restart_is_not() -> None:
    heard = Instances()
    assert not any(heard.hear(NAME, each, 0.0) for each in "aaabbbccc")
    assert not heard.hear(NAME, "a", 1.0), "something slow of an instance that is gone"
    found = [heard.hear(NAME, each, 2.0 + n) for n, each in enumerate("cacaca")]
    assert found[-1]
    assert not heard.hear(NAME, "c", 10.0 + QUIET_S), "the other has been quiet for long"
    assert not heard.hear(TableName("site", "t2"), "a", 10.0)
