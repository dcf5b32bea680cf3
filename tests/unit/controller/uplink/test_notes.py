"""Notes of orders that were not taken: a few of each outcome, and a number that is never lost."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import msgspec
import pytest

from controller.floor.embedded.nats import nats
from controller.journal import audit
from controller.protocol.orders import UNWRITTEN, OrderOutcome, SignedOrder
from controller.runtime.inbox import Inbox
from controller.runtime.loop import Clock, Loop
from controller.runtime.open_table import JournalPlaces, open_table
from controller.uplink.notes import COUNT_EVERY_S, NOTE_EVERY_S, NOTES_AT_ONCE, QUIET_S, Notes
from support.floor.nats_floor import NatsFloor
from support.floor.table_at_floor import table_at_floor
from support.table.bench import rules_of

ROOM = 8


class AtTable:
    """A table that takes nothing out of its inbox, which has little room, before `work`."""

    def __init__(self, loop: Loop, journal: Path) -> None:
        self.loop = loop
        self.journal = journal
        self.now = 1000.0
        self.notes = Notes(loop, time.time, lambda: self.now)

    def note(self, outcome: OrderOutcome, times: int = 1) -> None:
        for _ in range(times):
            self.notes.note(outcome, "paul")

    @contextmanager
    def working(self) -> Iterator[None]:
        """Until the block ends; by then everything that was handed in is on disk."""
        thread = Thread(target=self.loop.run)
        thread.start()
        try:
            yield
        finally:
            self.loop.stop()
            thread.join()

    def noted(self) -> list[tuple[str, str]]:
        return noted_in(self.journal)


def noted_in(journal: Path) -> list[tuple[str, str]]:
    steps = [msgspec.json.decode(e.body)["in"] for e in audit.read(journal) if e.kind == "step"]
    said = [each["with"] for each in steps if each.get("event") == "noted"]
    return [(each["what"], each["says"]) for each in said]


def told_in(journal: Path) -> int:
    return sum(int(says) for what, says in noted_in(journal) if what == UNWRITTEN)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[AtTable]:
    places = JournalPlaces.next_to(tmp_path / "journal.db")
    with open_table(rules_of(), places) as session:
        loop = Loop(session, [], Clock(time.monotonic, time.time), Inbox(people_most=ROOM))
        yield AtTable(loop, places.journal)


def test_number_of_those_not_written_down_is_told_when_it_got_quiet(table: AtTable) -> None:
    with table.working():
        table.note(OrderOutcome.FORGED, NOTES_AT_ONCE + 7)
        table.now += QUIET_S - 1
        assert not table.notes.is_due()
        table.now += 1
        assert table.notes.is_due()
        asyncio.run(table.notes.tell_unwritten())
        assert not table.notes.is_due()
        asyncio.run(table.notes.tell_unwritten())
    assert table.noted()[NOTES_AT_ONCE:] == [(UNWRITTEN, "7")]


def test_where_it_never_gets_quiet_the_number_is_told_all_the_same(table: AtTable) -> None:
    with table.working():
        table.note(OrderOutcome.FORGED, NOTES_AT_ONCE)
        began = table.now
        while not table.notes.is_due():
            table.note(OrderOutcome.FORGED)
            table.now += QUIET_S / 4
        assert COUNT_EVERY_S <= table.now - began <= COUNT_EVERY_S + QUIET_S


def test_an_outcome_regains_a_note_after_a_while(table: AtTable) -> None:
    with table.working():
        table.note(OrderOutcome.FORGED, NOTES_AT_ONCE)
        table.now += NOTE_EVERY_S
        table.note(OrderOutcome.FORGED, 2)
    assert len(table.noted()) == NOTES_AT_ONCE + 1


def test_what_a_busy_table_does_not_take_is_counted_and_the_number_is_kept(table: AtTable) -> None:
    for outcome in (OrderOutcome.FORGED, OrderOutcome.EXPIRED):
        table.note(outcome, NOTES_AT_ONCE)  # two more than there is room for
    asyncio.run(table.notes.tell_unwritten())
    assert not table.notes.is_due()  # it is not asked again at once
    table.now += QUIET_S
    assert table.notes.is_due()
    with table.working():
        asyncio.run(table.notes.tell_unwritten())
    assert len(table.noted()) == ROOM + 1
    assert table.noted()[-1] == (UNWRITTEN, str(2 * NOTES_AT_ONCE - ROOM))


def test_number_that_a_stopped_table_did_not_write_is_kept(table: AtTable) -> None:
    table.note(OrderOutcome.FORGED, NOTES_AT_ONCE + 7)
    with table.working():
        pass
    asyncio.run(table.notes.tell_unwritten())
    table.now += QUIET_S
    assert table.notes.is_due()
    assert len(table.noted()) == NOTES_AT_ONCE


def test_number_is_told_when_the_uplink_stops(tmp_path: Path) -> None:
    with nats(tmp_path / "broker") as broker, NatsFloor(broker.url) as floor:
        with table_at_floor(tmp_path, broker.url) as table:
            for _ in range(NOTES_AT_ONCE + 3):
                assert floor.send(SignedOrder(b"", b"")).outcome is OrderOutcome.FORGED
        assert noted_in(table.places.journal)[-1] == (UNWRITTEN, "3")


def test_number_is_told_while_the_uplink_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.uplink.notes.QUIET_S", 0.0)
    with (
        nats(tmp_path / "broker") as broker,
        NatsFloor(broker.url) as floor,
        table_at_floor(tmp_path, broker.url) as table,
    ):
        for _ in range(NOTES_AT_ONCE + 3):
            assert floor.send(SignedOrder(b"", b"")).outcome is OrderOutcome.FORGED
        floor.until(lambda: told_in(table.places.journal) == 3)
