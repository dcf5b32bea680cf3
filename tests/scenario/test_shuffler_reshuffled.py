"""ReShuffled's driver with the emulated board: each was judged by the vectors before."""

import pytest

from drivers.commands import DealHands, Home, ShutDown, StartShuffle
from drivers.events import (
    CommandDone,
    CommandRefused,
    CommandTimedOut,
    ShuffleVerified,
    Verdict,
)
from scenario.shuffler_links import link

SHUFFLE = StartShuffle(mode="shuffle")


@pytest.mark.parametrize("answer", ["at_once", "when_done"])
def test_a_pack_is_shuffled_and_nobody_says_it_is_right(answer: str) -> None:
    table = link("shuffler_reshuffled", emulated={"answer": answer})
    table.hand("load", decks=2)
    for command, name in ((Home(), "home"), (SHUFFLE, "start"), (DealHands(1, 5), "deal")):
        table.ask(command)
        table.run(60)
        assert CommandDone(name) in table.events
    verdicts = [event for event in table.events if isinstance(event, ShuffleVerified)]
    assert verdicts == [ShuffleVerified(Verdict.NOT_VERIFIED)]
    assert len(table.hand("take_dealt")) == 5  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ({"end": "semicolon"}, {"end": "semicolon"}),
        ({"crc_covers": "data_and_hash"}, {"crc_covers": "data_and_hash", "check_crc": True}),
        ({}, {"padding": True, "check_characters": True, "check_crc": True}),
        ({}, {"echo": True}),
    ],
)
def test_the_disputed_facts_set_the_same_way(
    ours: dict[str, object], theirs: dict[str, object]
) -> None:
    table = link("shuffler_reshuffled", ours, theirs)
    table.ask(Home())
    table.run(3)
    assert CommandDone("home") in table.events


@pytest.mark.parametrize(
    "theirs",
    [
        {"end": "semicolon"},
        {"crc_covers": "data_and_hash"},
        {"crc_covers": "data_and_hash", "check_crc": True},
    ],
)
def test_set_against_each_other_no_wrong_answer_comes(theirs: dict[str, object]) -> None:
    table = link("shuffler_reshuffled", {}, theirs)
    table.ask(Home())
    table.run(130)
    assert CommandTimedOut("home") in table.events
    assert CommandDone("home") not in table.events


def test_a_jam_is_refused_in_the_boards_short_form() -> None:
    table = link("shuffler_reshuffled")
    table.hand("jam")
    table.ask(Home())
    table.run(1)
    (event,) = table.told()
    assert isinstance(event, CommandRefused)
    assert event.code == 2


def test_after_shutting_down_nothing_is_answered_until_somebody_switches_it_on() -> None:
    table = link("shuffler_reshuffled")
    table.ask(ShutDown())
    table.run(1)
    table.ask(Home())
    table.run(130)
    table.hand("power_on")
    table.ask(Home())
    table.run(3)
    assert table.events == [CommandDone("shut_down"), CommandTimedOut("home"), CommandDone("home")]


def test_a_cable_pulled_in_the_middle_moves_no_card_twice() -> None:
    table = link("shuffler_reshuffled", emulated={"answer": "when_done"})
    table.hand("load")
    table.ask(Home())
    table.run(3)
    table.ask(SHUFFLE)
    table.run(1)
    table.cut = True
    table.run(60)
    table.plug()
    table.run(60)
    assert CommandTimedOut("start") in table.events
    assert len(table.hand("take")) == 52, "shuffled once, and waiting"  # type: ignore[arg-type]
