"""The outbox against floors that lose, double, reorder, lie and come back from old backups."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from controller.journal.records import Head
from controller.protocol.records import (
    MAX_BYTES,
    MAX_RECORDS,
    BatchVerdict,
    Refusal,
    Watermark,
    watermark,
)
from controller.uplink.outbox import Heard, Outbox, OutboxState, Speaker
from support.floor.model_floor import FLOOR, NAME, STRANGER, ModelFloor, Shelf


def outbox_of(shelf: Shelf) -> Outbox:
    return Outbox(Speaker(NAME, "boot-1", b"k" * 32, FLOOR.public), shelf)


def filled(records: int) -> Shelf:
    shelf = Shelf()
    for _ in range(records):
        shelf.add()
    return shelf


def drain(outbox: Outbox, floor: ModelFloor) -> list[bool]:
    """Until the floor has everything; for each batch whether it was called old."""
    replayed = []
    while (batch := outbox.next_batch()) is not None:
        if batch.records:
            replayed.append(batch.replayed)
        if outbox.replied(floor.judge(batch)) is not Heard.TAKEN:
            break
    return replayed


def test_first_it_asks_where_the_floor_stands_and_sends_what_follows() -> None:
    outbox, floor = outbox_of(filled(5)), ModelFloor()
    hello = outbox.next_batch()
    assert hello is not None
    assert (hello.epoch, hello.records) == (0, [])
    assert outbox.replied(floor.judge(hello)) is Heard.TAKEN
    batch = outbox.next_batch()
    assert batch is not None
    assert (batch.epoch, batch.after, [each.seq for each in batch.records]) == (
        1,
        0,
        [*range(1, 6)],
    )


def test_batch_has_no_more_records_and_bytes_than_one_may_have() -> None:
    shelf = filled(MAX_RECORDS + 1)
    for _ in range(3):
        shelf.add(b"x" * (MAX_BYTES // 2 + 1))
    outbox, floor = outbox_of(shelf), ModelFloor()
    sizes = []
    while (batch := outbox.next_batch()) is not None:
        sizes.append(len(batch.records))
        outbox.replied(floor.judge(batch))
    assert sizes == [0, MAX_RECORDS, 2, 1, 1]


def test_nothing_is_in_flight_beside_what_nobody_has_answered() -> None:
    shelf, floor = filled(2), ModelFloor()
    outbox = outbox_of(shelf)
    drain(outbox, floor)
    shelf.add()
    first = outbox.next_batch()
    shelf.add()
    outbox.timed_out()
    assert outbox.next_batch() is first
    assert outbox.sent_again == 1


def test_what_was_there_before_the_floor_answered_is_sent_as_old_and_the_rest_as_news() -> None:
    shelf, floor = filled(300), ModelFloor()
    outbox = outbox_of(shelf)
    assert drain(outbox, floor) == [True, True]
    shelf.add()
    assert drain(outbox, floor) == [False]


def test_floor_from_an_old_backup_is_sent_everything_again_as_old() -> None:
    shelf, floor = filled(10), ModelFloor()
    outbox = outbox_of(shelf)
    drain(outbox, floor)
    del floor.rows[4:]
    shelf.add()
    assert drain(outbox, floor)[1:] == [True]
    assert [each.seq for each in floor.rows] == [*range(1, 12)]
    assert outbox.unsent == 0


def test_table_that_stands_still_finds_out_that_the_floor_was_wiped() -> None:
    outbox, floor = outbox_of(filled(5)), ModelFloor()
    drain(outbox, floor)
    wiped = ModelFloor()
    assert outbox.next_batch() is None, "nothing is new"
    outbox.make_sure()
    assert drain(outbox, wiped) == [True]
    assert wiped.head() == floor.head()
    outbox.make_sure()
    assert drain(outbox, wiped) == []


def test_floor_that_has_more_than_the_table_stops_it_from_sending() -> None:
    shelf, floor = filled(10), ModelFloor()
    drain(outbox_of(shelf), floor)
    del shelf.rows[7:]  # an old disk
    outbox = outbox_of(shelf)
    drain(outbox, floor)
    assert outbox.state is OutboxState.DIVERGED
    shelf.add()
    question = outbox.next_batch()
    assert question is not None
    assert question.records == []


def test_floor_that_has_another_record_there_stops_it_from_sending() -> None:
    shelf, other, floor = filled(10), Shelf(), ModelFloor()
    drain(outbox_of(shelf), floor)
    for _ in range(12):
        other.add(b'{"other":1}')
    outbox = outbox_of(other)
    drain(outbox, floor)
    assert outbox.state is OutboxState.DIVERGED
    assert len(floor.rows) == 10


def test_signed_diverged_counts_even_where_the_digest_fits() -> None:
    shelf = filled(3)
    outbox = outbox_of(shelf)
    outbox.next_batch()
    said = watermark(FLOOR, NAME, 1, shelf.head(), BatchVerdict.DIVERGED)
    assert outbox.replied(said) is Heard.DIVERGED


def test_new_epoch_ends_a_divergence_and_everything_is_sent_anew() -> None:
    shelf, floor = filled(10), ModelFloor()
    drain(outbox_of(shelf), floor)
    del shelf.rows[7:]
    outbox = outbox_of(shelf)
    drain(outbox, floor)
    begun = ModelFloor(epoch=2)
    outbox.ask_again()
    assert drain(outbox, begun) == [True]
    assert len(begun.rows) == 7


def test_answer_of_nobody_or_of_another_is_counted_and_changes_nothing() -> None:
    shelf = filled(3)
    outbox = outbox_of(shelf)
    asked = outbox.next_batch()
    forged = watermark(STRANGER, NAME, 1, Head(99, bytes(32)), BatchVerdict.DIVERGED)
    bare = Watermark("bay", "t1", 1, 99, bytes(32), BatchVerdict.DIVERGED)
    elsewhere = watermark(FLOOR, NAME._replace(table="t2"), 1, shelf.head())
    for answer in (forged, bare, elsewhere):
        assert outbox.replied(answer) is Heard.NOT_SIGNED
    assert outbox.ignored == 3
    assert outbox.state is OutboxState.ASKING
    assert outbox.next_batch() is asked


def test_refused_table_says_why_and_only_asks() -> None:
    outbox = outbox_of(filled(3))
    outbox.next_batch()
    said = watermark(FLOOR, NAME, 0, verdict=BatchVerdict.REFUSED, why=Refusal.CLONED)
    assert outbox.replied(said) is Heard.REFUSED
    assert outbox.why is Refusal.CLONED
    asked = outbox.next_batch()
    assert asked is not None
    assert asked.records == []


def test_sealed_card_leaves_as_its_hash() -> None:
    shelf, floor = Shelf(), ModelFloor()
    shelf.add(sealed=b"a blob that nobody may have")
    drain(outbox_of(shelf), floor)
    assert floor.rows[0].sealed is not None
    assert len(floor.rows[0].sealed) == 32


class BadWeather(RuleBasedStateMachine):
    """Any order of losses, doubles, late answers, restores and forgeries ends in equal copies."""

    def __init__(self) -> None:
        super().__init__()
        self.shelf, self.floor = Shelf(), ModelFloor()
        self.outbox = outbox_of(self.shelf)
        self.late: list[Watermark] = []

    @rule(count=st.integers(1, 300))
    def table_plays(self, count: int) -> None:
        for _ in range(count):
            self.shelf.add()

    @rule(reaches=st.booleans(), answered=st.booleans(), twice=st.booleans())
    def sends(self, reaches: bool, answered: bool, twice: bool) -> None:
        batch = self.outbox.next_batch()
        if batch is None:
            return
        if not reaches:
            self.outbox.timed_out()
            return
        answer = self.floor.judge(batch)
        if twice:
            answer = self.floor.judge(batch)
        if answered:
            assert self.outbox.replied(answer) is Heard.TAKEN
        else:
            self.late.append(answer)
            self.outbox.timed_out()

    @precondition(lambda self: bool(self.late))
    @rule(which=st.integers(0, 10))
    def late_answer_comes(self, which: int) -> None:
        assert self.outbox.replied(self.late[which % len(self.late)]) is Heard.TAKEN

    @rule()
    def table_makes_sure(self) -> None:
        self.outbox.make_sure()

    @rule(kept=st.integers(0, 400))
    def floor_is_restored(self, kept: int) -> None:
        del self.floor.rows[kept:]

    @rule()
    def floor_is_wiped(self) -> None:
        self.floor = ModelFloor(self.floor.epoch)

    @rule()
    def link_is_new(self) -> None:
        self.outbox.ask_again()

    @rule()
    def table_starts_again(self) -> None:
        self.outbox = outbox_of(self.shelf)

    @rule(seq=st.integers(0, 500))
    def somebody_lies(self, seq: int) -> None:
        said = watermark(STRANGER, NAME, 1, Head(seq, b"?" * 32), BatchVerdict.DIVERGED)
        assert self.outbox.replied(said) is Heard.NOT_SIGNED

    @invariant()
    def floor_has_a_beginning_of_the_journal(self) -> None:
        assert [each.digest for each in self.floor.rows] == [
            each.digest for each in self.shelf.rows[: len(self.floor.rows)]
        ]

    @invariant()
    def unsent_is_what_nobody_acknowledged(self) -> None:
        assert self.outbox.unsent == len(self.shelf.rows) - self.outbox.acknowledged.seq

    def teardown(self) -> None:
        self.outbox.ask_again()
        drain(self.outbox, self.floor)
        assert len(self.floor.rows) == len(self.shelf.rows)
        assert self.outbox.unsent == 0


TestBadWeather = BadWeather.TestCase
TestBadWeather.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
