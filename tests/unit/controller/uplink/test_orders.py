"""Orders from the floor: taken as a person's word, once, in time, for this table, or not at all."""

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.config import floor as config
from controller.journal import audit
from controller.journal.records import Record, canonical
from controller.protocol.orders import (
    LIVES_S,
    Order,
    OrderAnswer,
    OrderOutcome,
    SignedOrder,
    signed,
)
from controller.runtime.build import running_table
from controller.runtime.loop import Clock, Loop
from controller.runtime.open_table import JournalPlaces, open_table
from controller.table.commands.message import staff_message
from controller.uplink.notes import NOTES_AT_ONCE, Notes
from controller.uplink.orders import AnsweredOrders, OrderReceiver, OrderRules
from controller.views.structs.encoding import plain
from support.floor.model_floor import FLOOR, NAME, STRANGER
from support.limits import MAX_WAIT_S
from support.table.bench import rules_of

LIMIT_S = MAX_WAIT_S
NOW = 1_790_000_000.0


class AtTable:
    """A running table with a desk for orders."""

    def __init__(self, loop: Loop, journal: Path) -> None:
        self.loop = loop
        self.journal = journal
        self.now = NOW
        self.desk = self.new_desk()

    def new_desk(self) -> OrderReceiver:
        """As after a restart: it knows what the journal has heard."""
        answered = AnsweredOrders()
        answered.recall(audit.read(self.journal))
        rules = OrderRules(NAME, FLOOR.public, frozenset(config.USUAL))
        notes = Notes(self.loop, lambda: self.now, lambda: self.now)
        return OrderReceiver(rules, self.loop, lambda: self.now, answered, notes)

    def order(self, order_id: str, word: str, who: str = "paul", **more: Any) -> Order:
        made = more.pop("made", self.now)
        given = more.pop("given", {})
        fields: dict[str, Any] = {
            "site": NAME.site,
            "table": NAME.table,
            "role": "pit_supervisor",
            "seen": self.seq,
            "expires": made + LIVES_S,
            **more,
        }
        return Order(order_id, word=word, who=who, made=made, given=given, **fields)

    def send(self, order: Order) -> OrderAnswer:
        return self.send_signed(signed(order, FLOOR))

    def send_signed(self, order: SignedOrder | None) -> OrderAnswer:
        return asyncio.run(self.desk.answer(order))

    def say(self, verb: str, who: str = "pia", role: str = "pit_supervisor", **given: Any) -> Any:
        told = plain(self.loop.ask(staff_message(verb, who, role, **given)).result(LIMIT_S))
        assert told["accepted"], told["reason"]
        return told

    @property
    def seq(self) -> int:
        latest = self.loop.snapshots.latest
        return 0 if latest is None else latest.seq

    def records(self) -> list[Record]:
        return list(audit.read(self.journal))

    def noted(self) -> list[str]:
        found = [msgspec.json.decode(each.body) for each in self.records() if each.kind == "step"]
        return [each["in"]["with"]["says"] for each in found if each["in"].get("event") == "noted"]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[AtTable]:
    places = JournalPlaces.next_to(tmp_path / "journal.db")
    with (
        open_table(rules_of(), places) as session,
        running_table(session, [], Clock(time.monotonic, time.time)) as at_work,
    ):
        found = AtTable(at_work.loop, places.journal)
        found.say("open_table")
        yield found


def test_word_is_taken_as_that_persons_and_stands_in_the_journal_as_from_the_floor(
    table: AtTable,
) -> None:
    answer = table.send(table.order("order-1", "limits", given={"minimum": 500}))
    assert answer.outcome is OrderOutcome.ACCEPTED
    body = msgspec.json.decode(table.records()[answer.seq - 1].body)
    said = {name: body["in"][name] for name in ("do", "who", "role", "via", "key", "with")}
    assert said == {
        "do": "limits", "who": "paul", "role": "pit_supervisor", "via": "floor",
        "key": "order-1", "with": {"minimum": 500},
    }  # fmt: skip


def test_word_said_at_the_table_says_nothing_of_the_floor_in_its_record(table: AtTable) -> None:
    told = table.say("limits", minimum=500)
    assert b"via" not in table.records()[told["seq"] - 1].body


def test_tables_own_rows_judge_who_may(table: AtTable) -> None:
    answer = table.send(table.order("order-1", "limits", role="dealer", given={"minimum": 500}))
    assert (answer.outcome, answer.code) == (OrderOutcome.REFUSED, "takes_role")
    assert answer.seq == table.seq
    assert answer.text


def test_floor_approves_what_takes_a_second_person_and_not_what_has_to_be_looked_at(
    table: AtTable,
) -> None:
    table.say("load_shoe", deck_set="a", verified_by="paul", cut=True)
    vouch = table.send(table.order("order-1", "approve"))
    assert (vouch.outcome, vouch.code) == (OrderOutcome.REFUSED, "takes_somebody_at_the_table")
    table.say("approve", who="paul")
    table.say("swap_device", device="shoe", identity="x", asset="SHOE-2", reason="worn")
    same = table.send(table.order("order-2", "approve", who="pia"))
    assert (same.outcome, same.code) == (OrderOutcome.REFUSED, "takes_two")
    assert table.send(table.order("order-3", "approve")).outcome is OrderOutcome.ACCEPTED


def test_a_close_that_was_said_from_the_floor_is_taken_back_from_there(table: AtTable) -> None:
    table.say("load_shoe", deck_set="a", verified_by="paul", cut=True)
    table.say("approve", who="paul")
    table.say("open_betting")
    assert table.send(table.order("order-1", "close_table")).outcome is OrderOutcome.ACCEPTED
    assert table.send(table.order("order-2", "stay_open")).outcome is OrderOutcome.ACCEPTED
    again = table.send(table.order("order-3", "stay_open"))
    assert (again.outcome, again.code) == (OrderOutcome.REFUSED, "not_about_to_close")


def test_forged_order_names_nobody_and_is_noted(table: AtTable) -> None:
    order = signed(table.order("order-1", "limits", given={"minimum": 500}), STRANGER)
    assert table.send_signed(order).outcome is OrderOutcome.FORGED
    edited = msgspec.structs.replace(
        signed(table.order("order-1", "limits"), FLOOR), order=order.order
    )
    assert table.send_signed(edited).outcome is OrderOutcome.FORGED
    assert table.send_signed(None).outcome is OrderOutcome.FORGED
    table.say("limits", minimum=100)  # by now the notes are down
    assert table.noted() == ["forged", "forged", "forged"]
    assert not any(b'"paul"' in each.body for each in table.records())


def test_order_is_answered_once_also_after_a_restart(table: AtTable) -> None:
    order = table.order("order-1", "limits", given={"minimum": 500})
    first = table.send(order)
    again = table.send(order)
    assert (again.outcome, again.seq) == (OrderOutcome.REPLAYED, first.seq)
    table.desk = table.new_desk()
    once_more = table.send(order)
    assert (once_more.outcome, once_more.seq) == (OrderOutcome.REPLAYED, first.seq)
    steps = [each for each in table.records() if b'"order-1"' in each.body]
    assert len(steps) == 1


def test_order_that_comes_twice_at_once_is_taken_once(table: AtTable) -> None:
    order = signed(table.order("order-1", "limits", given={"minimum": 500}), FLOOR)

    async def both() -> tuple[OrderAnswer, OrderAnswer]:
        return await asyncio.gather(table.desk.answer(order), table.desk.answer(order))

    outcomes = [each.outcome for each in asyncio.run(both())]
    assert outcomes == [OrderOutcome.ACCEPTED, OrderOutcome.REPLAYED]


@pytest.mark.parametrize(
    ("made", "expires", "outcome"),
    [
        (NOW - 61, NOW - 1, OrderOutcome.EXPIRED),
        (NOW - 1, NOW + 60, OrderOutcome.EXPIRED),  # good for more than a minute
        (NOW + 30, NOW + 90, OrderOutcome.EXPIRED),  # from the future
        (NOW - 59, NOW + 1, OrderOutcome.ACCEPTED),
        (NOW + 2, NOW + 62, OrderOutcome.ACCEPTED),  # a clock that is a little ahead
    ],
)
def test_order_is_good_for_a_minute(
    table: AtTable, made: float, expires: float, outcome: OrderOutcome
) -> None:
    order = table.order("o-1", "limits", given={"minimum": 500}, made=made, expires=expires)
    assert table.send(order).outcome is outcome


def test_a_clock_that_is_put_back_makes_no_order_good_again(table: AtTable) -> None:
    late = table.order("late", "limits", given={"minimum": 500}, made=NOW - 120)
    taken = table.order("taken", "limits", given={"minimum": 600})
    assert table.send(late).outcome is OrderOutcome.EXPIRED
    assert table.send(taken).outcome is OrderOutcome.ACCEPTED
    table.now -= 100
    assert table.send(late).outcome is OrderOutcome.REPLAYED
    assert table.send(taken).outcome is OrderOutcome.REPLAYED


def test_order_for_another_table_is_not_taken(table: AtTable) -> None:
    for elsewhere in ({"table": "t2"}, {"site": "cove"}):
        order = table.order("order-1", "limits", given={"minimum": 500}, **elsewhere)
        assert table.send(order).outcome is OrderOutcome.WRONG_TABLE


@pytest.mark.parametrize("word", ["enter_card", "count", "correct", "expose", "place", "resume"])
def test_what_only_somebody_there_can_say_is_not_taken(table: AtTable, word: str) -> None:
    before = table.seq
    assert table.send(table.order("order-1", word)).outcome is OrderOutcome.NOT_FROM_FLOOR
    table.say("limits", minimum=100)
    assert table.seq == before + 2  # the note, and the word just said


def test_what_is_no_word_is_not_taken(table: AtTable) -> None:
    for word in ("dance", "card"):
        outcome = table.send(table.order(f"order-{word}", word)).outcome
        assert outcome in (OrderOutcome.NOT_A_WORD, OrderOutcome.NOT_FROM_FLOOR)
    said = b'{"id":"x"}'
    wrong = SignedOrder(said, FLOOR.sign(b"sabot floor order 1\0" + said))
    assert table.send_signed(wrong).outcome is OrderOutcome.NOT_A_WORD


def test_name_or_field_that_nobody_can_read_is_not_taken(table: AtTable) -> None:
    who = table.order("order-1", "limits", who="pa\x00ul", given={"minimum": 500})
    given = table.order("order-2", "method", given={"method": "A\x07"})
    for order in (who, given):
        assert table.send(order).outcome is OrderOutcome.NOT_A_WORD
    table.say("limits", minimum=100)
    assert not any(b"u0000" in each.body for each in table.records())


def test_table_that_moved_on_since_does_not_take_it(table: AtTable) -> None:
    order = table.order("order-1", "approve", seen=table.seq)
    table.say("load_shoe", deck_set="a", verified_by="paul", cut=True)
    assert table.send(order).outcome is OrderOutcome.MOVED_ON


def test_a_word_about_one_thing_is_taken_though_the_table_went_on(table: AtTable) -> None:
    """Unless that very thing is another one now."""
    lower = table.order("order-1", "limits", given={"minimum": 500}, seen=table.seq)
    other = table.order("order-2", "limits", given={"minimum": 900}, seen=table.seq)
    table.say("load_shoe", deck_set="a", verified_by="paul", cut=True)
    assert table.send(lower).outcome is OrderOutcome.ACCEPTED
    assert table.send(other).outcome is OrderOutcome.MOVED_ON
    ahead = table.order("order-3", "stay_open", seen=2**53)
    assert table.send(ahead).outcome is OrderOutcome.MOVED_ON


def test_flood_of_forged_orders_is_not_written_down_one_by_one(table: AtTable) -> None:
    before = table.seq
    for _ in range(500):
        assert table.send_signed(None).outcome is OrderOutcome.FORGED
    table.say("limits", minimum=100)
    assert table.seq - before == NOTES_AT_ONCE + 1


def test_stale_clicks_and_forged_orders_hide_no_replayed_one(table: AtTable) -> None:
    order = table.order("order-1", "limits", given={"minimum": 500})
    table.send(order)
    for number in range(50):
        table.send(table.order(f"stale-{number}", "limits", given={"minimum": 500}, seen=2**53))
        table.send_signed(None)
    assert table.send(order).outcome is OrderOutcome.REPLAYED
    table.say("limits", minimum=100)
    assert table.noted()[-1] == OrderOutcome.REPLAYED


def test_order_for_a_record_that_is_not_there_yet_is_not_taken(table: AtTable) -> None:
    ahead = table.order("order-1", "limits", given={"minimum": 500}, seen=2**53)
    assert table.send(ahead).outcome is OrderOutcome.MOVED_ON
    assert not any(b'"via":"floor"' in each.body for each in table.records())


def test_signed_order_that_nobody_can_read_is_answered(table: AtTable) -> None:
    good = canonical(table.order("order-1", "limits", given={"minimum": 500}))
    for said in (
        good.replace(b"paul", b"pa\xffl"),
        good.replace(b"500", b"[" * 5000 + b"]" * 5000),
    ):
        carried = SignedOrder(said, FLOOR.sign(b"sabot floor order 1\0" + said))
        assert table.send_signed(carried).outcome is OrderOutcome.NOT_A_WORD
