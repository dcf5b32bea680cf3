"""Exceptions first: one row a stopped table, the longest first, and what no table says itself."""

import msgspec
from msgspec.structs import replace

from controller.floor.web.live.board import Ask, LiveSentence, Stop, Tile
from controller.floor.web.live.exceptions import StoredException, rows

STOP = Stop(
    "case",
    "held_reported",
    {"by": "anna"},
    "anna reports: two at once",
    50.0,
    role="pit_supervisor",
    clause="5.8",
    remedy=LiveSentence("held_for_an_answer", {}, "Answer what is asked"),
)
ASK = Ask("approve", "void round 7?", "ask_void", {}, role="pit_manager", clause="5.8.2.1")
TILE = Tile("b-07", "B 07", "B", state="halted", phase="dealing", seq=41)
STOPPED = replace(TILE, stops=(STOP,), asks=(ASK,))


def test_a_stopped_table_is_one_row_with_what_it_waits_for() -> None:
    (row,) = rows([STOPPED], [])
    assert (row.text, row.clause, row.waits_for) == ("void round 7?", "5.8.2.1", "approve")
    assert (row.role, row.since, row.seq) == ("pit_manager", 50.0, 41)
    assert row.then_code == "held_for_an_answer"


def test_nothing_to_decide_yet_names_the_hold_itself() -> None:
    (row,) = rows([replace(STOPPED, asks=())], [])
    assert (row.text, row.waits_for) == ("anna reports: two at once", None)


def test_the_longest_wait_stands_above_and_silence_below_what_stopped() -> None:
    earlier = replace(STOPPED, table="a-01", stops=(replace(STOP, since=10.0),))
    away = StoredException(3, "c-01", "away", "not heard for 00:10", 5.0)
    found = rows([STOPPED, earlier, replace(TILE, table="c-01", away=True)], [away])
    assert [row.table for row in found] == ["a-01", "b-07", "c-01"]


def test_a_broker_that_is_away_stands_above_what_stopped_and_that_above_who_is_silent() -> None:
    """All that came through it is silent at once; a table that sends by HTTPS is still heard."""
    silent = [replace(TILE, table=f"c-{n:02}", away=True, heard=1.0) for n in range(12)]
    kept = [
        *(
            StoredException(20 + n, each.table, "away", "not heard", 5.0)
            for n, each in enumerate(silent)
        ),
        StoredException(3, "c-07", "held", "two at once", 40.0),
        StoredException(1, "", "no_broker", "the broker does not answer", 60.0),
        StoredException(2, "", "fault", "a part has failed", 70.0),
    ]
    found = [(row.table, row.kind) for row in rows([*silent, STOPPED], kept)]
    assert found[:4] == [("", "no_broker"), ("", "fault"), ("b-07", "case"), ("c-07", "held")]
    assert [kind for _, kind in found[4:]] == ["away"] * 12


def test_a_kept_hold_lends_its_number_and_its_acknowledgement() -> None:
    kept = StoredException(9, "b-07", "held", "the same", 50.0, acknowledged_by="dora")
    (row,) = rows([STOPPED], [kept])
    assert (row.ids, row.acknowledged_by) == ((9,), "dora")


def test_what_was_held_when_a_table_fell_silent_is_not_forgotten() -> None:
    kept = StoredException(9, "b-07", "held", "two at once", 50.0)
    row, silent = rows([replace(STOPPED, away=True, heard=90.0)], [kept])
    assert (row.kind, row.text) == ("held", "two at once")
    assert (silent.kind, silent.since, silent.ids) == ("away", 90.0, ())


def test_a_table_nobody_has_heard_still_shows_that_its_history_is_another() -> None:
    (row,) = rows([], [StoredException(1, "x-01", "diverged", "another history", 1.0)])
    assert (row.table, row.kind) == ("x-01", "diverged")
    assert msgspec.json.encode(row)
