"""A table that begins a new history: what its subscribers are told then, and under which ids."""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import psycopg
import pytest

from controller.floor.sink.writer import Writer
from controller.floor.store import database_reset
from controller.floor.webhooks import delivery, jobs, subscribers
from controller.floor.webhooks.delivery import Delivering
from controller.floor.webhooks.events import History
from controller.floor.webhooks.http_sender import EgressPolicy
from controller.journal.records import RECORD_FORMAT, SUMMARY, Entry
from controller.protocol.names import TableName
from controller.protocol.records import SentRecord
from support.floor.receiver import Receiver, receiving
from support.floor.records import summary_body
from support.floor.servers import FloorDatabase
from support.floor.tables import AT, FLOOR_SIGNER, MadeJournal, Sender

NAME = TableName("sands", "bac-01")
HOUSE = EgressPolicy(allowed=("127.0.0.0/8",), whole_s=5.0)


def journal_of(rounds: int) -> MadeJournal:
    """Its keys are record 1, each round one record more."""
    journal = MadeJournal("bac-01")
    play(journal, rounds)
    return journal


def play(journal: MadeJournal, rounds: int, says: str = "") -> None:
    for _ in range(rounds):
        _sum_up(journal, journal.head.seq, says)


def correct(journal: MadeJournal, record: int) -> None:
    _sum_up(journal, record - 1, "corrected", record)


def _sum_up(journal: MadeJournal, round_: int, ref: str, supersedes: int | None = None) -> None:
    body = summary_body(round_, AT, ref=ref, supersedes=supersedes)
    journal.append(Entry(SUMMARY, RECORD_FORMAT, AT + round_, 1, round_, body))


class Floor:
    """The sink, people's words and the hooks' own work, each when a test says so."""

    def __init__(self, database: FloorDatabase) -> None:
        self.owner = psycopg.connect(database.as_(), autocommit=True)
        self._hooks = psycopg.connect(database.as_("floor_hooks"), autocommit=True)
        self._writer = Writer(database.as_("floor_sink"), FLOOR_SIGNER, enrols_itself=True)
        self._delivering = Delivering(HOUSE, time.time, lambda: 0.0)
        self._calls = 0

    def close(self) -> None:
        self._writer.close()
        self._hooks.close()
        self.owner.close()

    def hear(self, journal: MadeJournal) -> None:
        self._calls += 1
        sender = Sender(NAME, journal, f"i{self._calls}")
        sender.send_all(self._writer.write)
        assert sender.is_done

    def reset(self) -> int:
        return database_reset.reset(self.owner, NAME, "carla", "dora", "disk lost")

    def subscribe(self, url: str, id_: str = "studio", *, from_start: bool = True) -> None:
        subscribers.add(self.owner, id_, url, HOUSE, os.urandom, from_start=from_start)

    def replay(self, record: int, epoch: int | None = None) -> None:
        subscribers.replay(self.owner, "studio", *NAME, record, epoch)

    def work(self, epoch: int) -> None:
        """A job of this history that is under way, whatever has come since it was made."""
        self._delivering.deliver(self._hooks, "studio", History(*NAME, epoch))

    def tell(self) -> None:
        """All there is, or until somebody does not take it."""
        failed: set[tuple[Any, ...]] = set()
        while found := [each for each in jobs.due(self._hooks) if each not in failed]:
            for job in found:
                subscriber, history = job[0], History(*job[1:])
                if self._delivering.deliver(self._hooks, subscriber, history) is not None:
                    failed.add(job)


@pytest.fixture
def floor(database: FloorDatabase) -> Iterator[Floor]:
    made = Floor(database)
    yield made
    made.close()


def told(receiver: Receiver) -> list[str]:
    """Epoch and record of each that was taken."""
    return [f"{each['data']['epoch']}.{each['data']['record']}" for each in receiver.taken]


def refusing(*ids: str) -> Callable[[dict[str, Any]], tuple[int, dict[str, str]]]:
    """Answers of somebody who does not take these."""

    def answer(said: dict[str, Any]) -> tuple[int, dict[str, str]]:
        data = said["data"]
        return (500 if f"{data['epoch']}.{data['record']}" in ids else 204), {}

    return answer


def branched(floor: Floor, rounds: int = 5, common: int = 3) -> MadeJournal:
    """A table of some rounds; its old disk, which has fewer, is to go on in a new history."""
    journal = journal_of(rounds)
    floor.hear(journal)
    old = journal.cut(1 + common)
    floor.tell()
    floor.reset()
    return old


def test_what_both_histories_have_is_told_once_and_corrected_by_the_id_it_had(
    floor: Floor,
) -> None:
    with receiving() as receiver:
        floor.subscribe(receiver.url)
        old = branched(floor)
        assert told(receiver) == ["1.2", "1.3", "1.4", "1.5", "1.6"]
        correct(old, 3)
        play(old, 1, "anew")
        correct(old, 6)
        floor.hear(old)
        floor.tell()
    assert told(receiver)[5:] == ["2.5", "2.6", "2.7"]
    first, _, second = (each["data"] for each in receiver.taken[5:])
    assert first["supersedes"] == {"id": receiver.headers[1]["webhook-id"], "record": 3}
    assert receiver.headers[1]["webhook-id"] == "msg_sands.bac-01.1.3"
    assert second["supersedes"] == {"id": "msg_sands.bac-01.2.6", "record": 6}


def test_a_history_of_its_own_from_the_first_record_on_is_told_from_there(floor: Floor) -> None:
    with receiving() as receiver:
        floor.subscribe(receiver.url)
        branched(floor)
        fresh = MadeJournal("bac-01", AT + 60)
        play(fresh, 2)
        floor.hear(fresh)
        floor.tell()
    assert told(receiver)[5:] == ["2.2", "2.3"]


def test_a_journal_that_comes_in_pieces_is_told_from_where_it_is_new(floor: Floor) -> None:
    with receiving() as receiver, receiving() as late:
        floor.subscribe(receiver.url)
        old = branched(floor)
        play(old, 1, "anew")
        for seq in range(1, old.head.seq + 1):
            floor.hear(old.cut(seq))
            if seq == 2:
                floor.subscribe(late.url, "late", from_start=False)
            floor.tell()
    assert told(receiver)[5:] == ["2.5"]
    assert told(late) == ["2.5"]


def test_who_was_behind_at_the_reset_gets_the_rest_in_order_and_once(floor: Floor) -> None:
    with receiving(refusing("1.3")) as receiver:
        floor.subscribe(receiver.url)
        old = branched(floor)
        play(old, 2, "anew")
        floor.hear(old)
        floor.tell()
        assert told(receiver) == ["1.2"], "what comes later waits"
        receiver.answers = refusing("1.6")
        floor.tell()
        assert told(receiver)[1:] == ["1.3", "1.4", "1.5"]
        receiver.answers = refusing()
        floor.tell()
        floor.tell()
    assert told(receiver)[4:] == ["1.6", "2.5", "2.6"]


def test_a_long_common_part_is_not_looked_through_with_every_try(floor: Floor) -> None:
    with receiving(refusing("2.302")) as receiver:
        floor.hear(journal_of(301))
        floor.subscribe(receiver.url, from_start=False)
        old = journal_of(300)
        floor.reset()
        play(old, 1, "anew")
        floor.hear(old)
        floor.tell()
        (held,) = subscribers.undelivered(floor.owner)
        assert (held.epoch, held.seq, held.tries) == (2, 301, 1)
        floor.tell()
        (held,) = subscribers.undelivered(floor.owner)
        assert (held.seq, held.tries) == (301, 2)
        receiver.answers = refusing()
        floor.tell()
    assert told(receiver) == ["2.302"]


def test_one_who_was_put_back_during_a_long_search_is_told_nothing_from_the_old_place(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = delivery._records

    def moved_meanwhile(*given: Any) -> Sequence[SentRecord]:
        found = looked(*given)
        monkeypatch.setattr(delivery, "_records", looked)
        floor.replay(302, 1)
        return found

    with receiving() as receiver:
        floor.hear(journal_of(301))
        floor.subscribe(receiver.url, from_start=False)
        old = journal_of(300)
        floor.reset()
        play(old, 1, "anew")
        floor.hear(old)
        jobs.due(floor.owner)
        monkeypatch.setattr(delivery, "_records", moved_meanwhile)
        floor.work(2)
        assert told(receiver) == []
        floor.tell()
    assert told(receiver) == ["1.302", "2.302"]


def test_a_job_under_way_waits_for_the_earlier_history_too(floor: Floor) -> None:
    with receiving() as receiver:
        floor.subscribe(receiver.url)
        old = branched(floor)
        play(old, 1, "anew")
        floor.hear(old)
        floor.tell()
        before = len(receiver.taken)
        floor.replay(6, 1)
        floor.work(2)
        assert len(receiver.taken) == before
        floor.tell()
    assert told(receiver)[before:] == ["1.6", "2.5"]


def test_three_histories_to_somebody_who_was_there_and_to_somebody_new(floor: Floor) -> None:
    """The third goes on from the first: its disk was found again."""
    with receiving() as receiver, receiving() as new:
        floor.subscribe(receiver.url)
        old = branched(floor)
        play(old, 2, "anew")
        floor.hear(old)
        floor.tell()
        floor.reset()
        found = journal_of(5)
        correct(found, 5)
        floor.hear(found)
        floor.tell()
        floor.subscribe(new.url, "new")
        floor.tell()
        floor.reset()
        correct(old, 6)
        floor.hear(old)
        floor.tell()
    expected = ["1.2", "1.3", "1.4", "1.5", "1.6", "2.5", "2.6", "3.7", "4.7"]
    assert told(receiver) == told(new) == expected
    assert new.taken[7]["data"]["supersedes"]["id"] == "msg_sands.bac-01.1.5"
    assert new.taken[8]["data"]["supersedes"]["id"] == "msg_sands.bac-01.2.6"


@pytest.mark.parametrize(
    ("record", "epoch", "again"),
    [
        (4, None, ["1.4", "1.5", "1.6", "2.5", "2.6"]),  # both have it: as it was told
        (5, None, ["2.5", "2.6"]),
        (6, None, ["2.6"]),
        (7, None, []),
        (6, 1, ["1.6", "2.5", "2.6"]),
        (1, None, ["1.2", "1.3", "1.4", "1.5", "1.6", "2.5", "2.6"]),
    ],
)
def test_replayed_from_a_record_as_it_was_told(
    floor: Floor, record: int, epoch: int | None, again: Sequence[str]
) -> None:
    with receiving() as receiver:
        floor.subscribe(receiver.url)
        old = branched(floor)
        play(old, 2, "anew")
        floor.hear(old)
        floor.tell()
        before = len(receiver.taken)
        floor.replay(record, epoch)
        floor.tell()
    assert told(receiver)[before:] == again
    assert set(receiver.bodies[before:]) <= set(receiver.bodies[:before])


def test_one_of_an_earlier_history_that_is_never_taken_is_gone_past(floor: Floor) -> None:
    with receiving(refusing("1.5")) as receiver:
        floor.subscribe(receiver.url)
        old = branched(floor)
        play(old, 1, "anew")
        floor.hear(old)
        floor.tell()
        held, waits = subscribers.undelivered(floor.owner)
        assert (held.epoch, held.seq + 1, held.waits_for) == (1, 5, None)
        assert (waits.epoch, waits.since, waits.waits_for) == (2, None, 1)
        floor.replay(6, held.epoch)
        floor.tell()
        assert subscribers.undelivered(floor.owner) == []
    assert told(receiver) == ["1.2", "1.3", "1.4", "1.6", "2.5"]


def test_what_an_earlier_history_has_not_told_is_not_left_out_unsaid(floor: Floor) -> None:
    with receiving(refusing("1.5")) as receiver:
        floor.subscribe(receiver.url)
        old = branched(floor)
        play(old, 1, "anew")
        floor.hear(old)
        floor.tell()
        with pytest.raises(subscribers.SubscriberError) as refused:
            floor.replay(5)
        said = str(refused.value)
        assert "not been told records 5 to 6 of epoch 1" in said
        assert "`sabot floor webhook replay studio bac-01 --epoch 1 --from 6`" in said
        assert "`sabot floor webhook replay studio bac-01 --epoch 2 --from 5`" in said
        floor.tell()
        assert told(receiver) == ["1.2", "1.3", "1.4"], "nothing was moved"
        floor.replay(5, 2)
        floor.tell()
    assert told(receiver)[3:] == ["2.5"]


def test_a_history_or_a_record_that_is_not_there_is_not_replayed(floor: Floor) -> None:
    """A place beyond the end would silence the table until its records come there."""
    with receiving() as receiver:
        floor.subscribe(receiver.url)
        journal = journal_of(1)
        floor.hear(journal)
        floor.tell()
        with pytest.raises(subscribers.SubscriberError, match="no epoch 2: the newest is 1"):
            floor.replay(1, 2)
        with pytest.raises(subscribers.SubscriberError, match="in epoch 1 is 2"):
            floor.replay(4)
        floor.replay(3)
        play(journal, 1)
        floor.hear(journal)
        floor.tell()
    assert told(receiver) == ["1.2", "1.3"]


def test_months_in_archive_files_are_not_told_again(floor: Floor) -> None:
    """The table sends its whole journal; of the first history only the last month is here."""
    with receiving() as receiver:
        floor.subscribe(receiver.url)
        old = branched(floor)
        floor.owner.execute("DELETE FROM floor.record WHERE epoch = 1 AND seq < 4")
        floor.owner.execute(
            "UPDATE floor.head SET received = to_timestamp(%s) WHERE epoch = 1", [AT + 30]
        )
        correct(old, 3)
        for seq in (3, 5):
            floor.hear(old.cut(seq))
            floor.tell()
        assert told(receiver)[5:] == ["2.5"]
        assert receiver.taken[5]["data"]["supersedes"]["id"] == "msg_sands.bac-01.1.3"
        floor.reset()
        fresh = MadeJournal("bac-01", AT + 60)
        fresh.append(Entry(SUMMARY, RECORD_FORMAT, AT + 61, 1, 1, old.records[1].body))
        floor.hear(fresh)
        floor.tell()
    assert told(receiver)[6:] == ["3.2"], "one that began after it is another, whatever is here"
