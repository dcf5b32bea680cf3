"""The table as a value: it is its own JSON, notices and holds are kept within bounds."""

from typing import Final

import msgspec
import pytest

from controller.messages.codes import Code
from controller.table import state
from controller.table.agenda.order import is_busy
from controller.table.case import Case
from controller.table.holds import Hold, HoldReason
from controller.table.phases import RoundEvent
from controller.table.state import (
    MAX_NOTICES,
    Round,
    Table,
    add_hold,
    emit,
    notify,
    queue_case,
)
from support.state_diagram import PAGE, section
from support.table.bench import BOTH_DRAW, Bench


def busy() -> Table:
    """A table with as much on it as there can be."""
    bench = Bench(deal_face="down").deal(*BOTH_DRAW, wagers=(("ann", "tie", 100),))
    bench.say("report", what="simultaneous", cards=[1, 2])
    bench.say("report", what="uncovered")
    bench.say("answer", order=[2, 1])
    bench.device("lid_open")
    bench.device("events_lost")
    bench.card("9H")
    bench.say("count", cards=6)
    return bench.table


def test_a_table_written_as_json_and_read_is_the_same() -> None:
    table = busy()
    assert table.case is not None
    assert table.count_check is not None
    assert table.request is not None
    assert msgspec.json.decode(msgspec.json.encode(table), type=Table) == table


def test_a_table_never_changes_in_place() -> None:
    with pytest.raises(AttributeError):
        busy().day.is_open = False  # type: ignore[misc]


def test_a_notice_said_twice_in_a_row_is_one_and_later_again_another() -> None:
    table = notify(notify(Table(), Code.SHOE_STARTED), Code.SHOE_STARTED)
    assert len(table.notices) == 1
    table = notify(notify(table, Code.JOURNAL_LOST), Code.SHOE_STARTED)
    assert [each.code for each in table.notices] == ["shoe_started", "journal_lost", "shoe_started"]


def test_a_device_that_chatters_pushes_out_the_oldest() -> None:
    table = Table()
    for n in range(MAX_NOTICES + 5):
        table = notify(table, Code.CARD_WHILE_HELD, n=n)
    assert len(table.notices) == MAX_NOTICES
    assert table.notices[0].params == {"n": 5}


def test_what_holds_a_table_already_holds_it_since_then() -> None:
    first = Hold(HoldReason.LID_OPEN, 1.0, "shoe")
    table = add_hold(Table(), first)
    assert add_hold(table, Hold(HoldReason.LID_OPEN, 9.0, "shoe")) is table
    both = add_hold(table, Hold(HoldReason.PAUSED, 2.0, "pia"))
    assert [each.kind for each in both.latches] == [HoldReason.LID_OPEN, HoldReason.PAUSED]


def test_an_irregularity_is_queued_with_the_time_it_was_found() -> None:
    table = queue_case(Table(at=5.0), Case("uncovered", "dan"))
    assert [(case.id, case.since) for case in table.queue] == [("uncovered", 5.0)]
    assert table.case is None
    assert is_busy(table)


def test_what_happened_is_kept_in_order() -> None:
    table = emit(emit(Table(), RoundEvent.CARD_LAID), RoundEvent.CARDS_SHOWN)
    assert table.happened == (RoundEvent.CARD_LAID, RoundEvent.CARDS_SHOWN)


def test_a_latch_alone_does_not_keep_cards_from_their_places() -> None:
    assert not is_busy(add_hold(Table(), Hold(HoldReason.LID_OPEN)))


# --- the shape of the state ---------------------------------------------------------------------

MAX_FIELDS: Final = 20
"""A struct with more hides which of its fields belong together."""


def test_no_struct_of_the_state_has_many_fields() -> None:
    structs = [each for each in vars(state).values() if hasattr(each, "__struct_fields__")]
    assert {Table, Round} <= set(structs)
    for struct in structs:
        assert len(struct.__struct_fields__) <= MAX_FIELDS, struct


def test_the_picture_of_the_state_is_made_from_its_structs() -> None:
    assert section() in PAGE.read_text("utf-8"), "run `make generate ONLY=state-diagram`"
