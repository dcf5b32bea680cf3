"""Copies, gaps, turns and restarts: each event once, and a loss never in silence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.events import CardRead, Event, EventsLost, Notice, StandBy, Started
from support.devices.angel_frames import ROUND, Bench, cards, doubts, drawn, frame, numbered
from support.rows import each_row

P1 = drawn("P", 1, "8S")
B1 = drawn("B", 1, "8S")


def _lost(events: list[Event]) -> list[int | None]:
    return [event.missing for event in events if isinstance(event, EventsLost)]


def _said(bench: Bench, *pairs: tuple[str, bytes]) -> list[Event]:
    return [event for seq, data in pairs for event in bench.say(frame(seq, data))]


def test_three_copies_are_one_card() -> None:
    assert cards(Bench().say(frame("1", P1))) == ["8S"]


def test_mixed_copies_of_three_events_are_three_events() -> None:
    bench = Bench()
    whole = [frame("1", P1), frame("2", B1), frame("3", drawn("P", 2, "8S"))]
    for _ in range(3):
        for each in whole:
            bench.hear(each, 0.02)
    assert cards(bench.events) == ["8S"] * 3
    assert len(bench.events) == 3


def test_the_same_number_with_another_card_is_doubt_and_with_another_event_is_noticed() -> None:
    bench = Bench()
    events = _said(bench, ("1", P1), ("1", B1))
    assert cards(events) == ["8S", "8S"]
    assert [type(event) for event in events] == [CardRead, EventsLost, CardRead]
    events = _said(Bench(), ("1", P1), ("1", b"P"))
    assert [type(event) for event in events] == [CardRead, Notice, StandBy]


def test_the_last_event_again_too_late_is_not_doubled_and_is_told_once() -> None:
    bench = Bench()
    bench.say(frame("1", P1))
    bench.say(frame("1", P1))
    bench.say(frame("1", P1))
    assert cards(bench.events) == ["8S"]
    assert _lost(bench.events) == [None]
    assert _lost(_said(bench, ("2", B1))) == []


def test_mixed_copies_that_were_held_up_double_nothing() -> None:
    bench = Bench()
    both = frame("1", P1) + frame("2", B1)
    bench.hear(both)
    bench.hear(both, 5.0)
    assert cards(bench.events) == ["8S", "8S"]
    assert _lost(bench.events) == [None]
    assert doubts(bench.say(frame("3", b"P"))) == []


@each_row(
    "sequence, last, next_, missing",
    [
        ("1-9", "3", "4", []),
        ("1-9", "9", "1", []),
        ("1-9", "3", "5", [1]),
        ("1-9", "8", "1", [1]),
        ("1-9", "4", "3", [7]),
        ("1-9", "9", "0", [None]),
        ("1-9", "9", "A", [None]),
        ("0-9", "9", "0", []),
        ("0-9", "9", "1", [1]),
        ("0-9", "2", "1", [8]),
        ("learn", "3", "6", [2]),
        ("learn", "8", "2", [None]),
        ("learn", "9", "0", []),
        ("learn", "9", "1", []),
        ("learn", "0", "1", []),
        ("learn", "A", "B", [None]),
        ("any", "3", "7", []),
        ("any", "A", "q", []),
    ],
)
def test_a_gap_is_told_with_its_size_where_that_is_known(
    sequence: str, last: str, next_: str, missing: list[int | None]
) -> None:
    bench = Bench({"sequence": sequence})
    events = _said(bench, (last, P1), (next_, B1))
    assert _lost(events) == missing
    assert cards(events) == ["8S", "8S"]
    if missing:
        assert isinstance(events[1], EventsLost)


def test_a_number_outside_the_range_says_which_setting_to_change() -> None:
    events = _said(Bench({"sequence": "1-9"}), ("9", P1), ("0", B1))
    (lost,) = [event for event in events if isinstance(event, EventsLost)]
    assert "setting sequence" in lost.why


@pytest.mark.parametrize("numbers", ["123456789", "0123456789"])
def test_learning_finds_the_turn_and_then_holds_the_shoe_to_it(numbers: str) -> None:
    datas = [drawn("burn", n % 10 + 1, "5H") for n in range(25)]
    bench = Bench()
    for whole in numbered(datas, numbers, 5):
        bench.say(whole)
    assert doubts(bench.events) == []
    assert len(cards(bench.events)) == 25
    last = numbers[(5 + 24) % len(numbers)]
    after_next = numbers[(numbers.index(last) + 2) % len(numbers)]
    assert _lost(bench.say(frame(after_next, P1))) == [1]


def test_a_learned_turn_that_was_wrong_is_a_loss_when_it_shows() -> None:
    """The zero was lost without a trace at the first turn, and comes at the second."""
    bench = Bench()
    for number in "912345678":
        assert not doubts(bench.say(frame(number, P1 + b"")))
    bench.say(frame("9", B1))
    assert _lost(bench.say(frame("0", P1))) == [None]
    assert _lost(bench.say(frame("1", B1))) == []


@each_row("disturb", ["noise", "link"])
@each_row("last, next_", [(("9", P1), ("1", B1)), (("3", b"S"), ("4", P1))])
def test_while_learning_a_disturbed_turn_is_a_loss(
    disturb: str, last: tuple[str, bytes], next_: tuple[str, bytes]
) -> None:
    bench = Bench()
    _said(bench, last)
    if disturb == "noise":
        bench.hear(bytes(20), 5.0)
    else:
        bench.reconnect(5.0)
    assert _lost(_said(bench, next_)) == [None]


@pytest.mark.parametrize(("last", "next_"), [(("9", P1), ("0", B1)), (("3", b"S"), ("3", P1))])
def test_a_number_that_can_mean_one_thing_only_is_no_loss_however_disturbed(
    last: tuple[str, bytes], next_: tuple[str, bytes]
) -> None:
    bench = Bench()
    _said(bench, last)
    bench.reconnect(5.0)
    assert _lost(_said(bench, next_)) == []


def test_once_learned_a_disturbed_turn_is_none() -> None:
    bench = Bench()
    _said(bench, ("9", P1), ("1", B1))
    for number in "23456789":
        bench.say(frame(number, P1))
    bench.reconnect(5.0)
    assert _lost(_said(bench, ("1", B1))) == []


# --- the start event --------------------------------------------------------------------------


def test_the_event_after_a_start_is_never_swallowed() -> None:
    for counts in ("learn", "yes", "no"):
        for after in ("3", "4"):
            bench = Bench({"start_counts": counts})
            assert cards(_said(bench, ("3", b"S"), (after, P1))) == ["8S"], (counts, after)


def test_whether_a_start_counts_is_learned() -> None:
    bench = Bench({"sequence": "1-9"})
    assert doubts(_said(bench, ("3", b"S"), ("3", P1), ("4", b"S"), ("4", B1))) == []
    assert _lost(_said(bench, ("5", b"S"), ("6", P1))) == [1]
    bench = Bench({"sequence": "1-9"})
    assert doubts(_said(bench, ("3", b"S"), ("4", P1), ("5", b"S"), ("6", B1))) == []
    assert _lost(_said(bench, ("7", b"S"), ("9", P1))) == [1]


@each_row(
    "before, start, lost",
    [
        ([("4", P1)], "5", False),
        ([("4", P1)], "1", True),
        ([("9", P1)], "1", True),
        ([("4", b"P")], "1", True),
        ([("3", b"C"), ("4", P1)], "1", True),
        ([("3", b"C"), ("4", b"G\xa0")], "1", False),
        ([("2", b"C"), ("3", b"G\xa0"), ("4", b"P")], "1", False),
        ([], "7", False),
    ],
)
def test_a_restart_that_does_not_follow_is_a_loss_but_for_a_change_of_the_shoe(
    before: list[tuple[str, bytes]], start: str, lost: bool
) -> None:
    bench = Bench({"sequence": "1-9"})
    _said(bench, *before)
    events = _said(bench, (start, b"S"))
    assert events[-1] == Started()
    assert bool(_lost(events)) is lost


def test_a_change_of_the_shoe_with_damage_before_it_is_a_loss() -> None:
    bench = Bench({"sequence": "1-9"})
    _said(bench, ("3", b"C"), ("4", b"P"))
    bench.hear(bytes(20), 5.0)
    assert _lost(_said(bench, ("1", b"S"))) == [None]


def test_after_a_reset_the_numbers_are_followed_from_the_start() -> None:
    bench = Bench({"sequence": "1-9", "start_counts": "yes"})
    _said(bench, ("6", P1), ("1", b"S"))
    assert _said(bench, ("2", b"P")) == [StandBy()]


def test_two_starts_of_one_number_are_two_starts() -> None:
    bench = Bench()
    assert _said(bench, ("3", b"S"), ("3", b"S")).count(Started()) == 2


# --- the link ---------------------------------------------------------------------------------


def test_after_a_return_the_next_number_shows_that_nothing_was_lost() -> None:
    bench = Bench({"sequence": "1-9"})
    _said(bench, ("3", P1))
    bench.reconnect(60.0)
    assert _said(bench, ("4", b"P")) == [StandBy()]
    bench.reconnect(60.0)
    assert _lost(_said(bench, ("6", B1))) == [1]


@each_row("away, told", [(0.5, False), (2.5, False), (60.0, True)])
def test_a_copy_kept_by_a_device_server_is_no_second_card(away: float, told: bool) -> None:
    bench = Bench()
    bench.hear(frame("3", P1), 1.0)
    bench.reconnect(away)
    bench.hear(frame("3", P1) * 2)
    assert cards(bench.events) == ["8S"]
    assert bool(doubts(bench.events)) is told
    assert _lost(_said(bench, ("4", B1))) == []


def test_the_same_number_with_other_data_after_a_return_is_a_loss() -> None:
    bench = Bench({"sequence": "1-9"})
    _said(bench, ("3", P1))
    bench.reconnect(60.0)
    assert _lost(_said(bench, ("3", B1))) == [8]


def test_without_numbers_every_return_is_a_loss() -> None:
    bench = Bench({"sequence": "any"})
    _said(bench, ("3", P1))
    bench.reconnect(60.0)
    assert _lost(_said(bench, ("4", B1), ("9", P1))) == [None]


def test_what_was_said_while_the_link_was_away_before_the_first_event_is_unknown() -> None:
    bench = Bench()
    bench.reconnect(5.0)
    assert _lost(_said(bench, ("1", P1), ("2", B1))) == [None]


def test_damage_right_before_the_very_first_event_is_a_doubt() -> None:
    bench = Bench()
    bench.hear(frame("1", P1)[1:] * 3)
    bench.hear(frame("2", B1) * 3, 0.2)
    bench.wait(5.0)
    assert cards(bench.events) == ["8S"]
    assert doubts(bench.events)


@given(
    st.lists(st.sampled_from([*ROUND, P1, B1, b"C", b"L\x81"]), min_size=2, max_size=30),
    st.sampled_from(["123456789", "0123456789"]),
    st.data(),
)
def test_any_event_left_out_is_told_before_the_next(
    datas: list[bytes], numbers: str, more: st.DataObject
) -> None:
    setting = {"sequence": "1-9" if len(numbers) == 9 else "0-9"}
    frames = numbered(datas, numbers, more.draw(st.integers(0, 8)))
    gap = more.draw(st.integers(1, len(frames) - 1))
    size = more.draw(st.integers(0, min(len(numbers) - 1, len(frames) - 1 - gap)))
    bench = Bench(setting)
    for whole in frames[:gap]:
        bench.say(whole)
    assert doubts(bench.events) == []
    for whole in frames[gap + size :]:
        bench.say(whole)
    assert _lost(bench.events) == ([size] if size else [])
    assert sum(event == StandBy() for event in bench.events) == sum(
        whole[2:3] == b"P" for whole in [*frames[:gap], *frames[gap + size :]]
    )
