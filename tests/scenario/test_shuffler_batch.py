"""The batch shuffler's driver with the emulated machine: each was judged by the vectors before."""

from collections import Counter
from functools import partial
from typing import Any

import pytest

from drivers.cards import Card
from drivers.commands import (
    ClearFault,
    DeviceCommand,
    Empty,
    OpenOutput,
    Resume,
    StartShuffle,
)
from drivers.events import (
    BadFrame,
    CommandDone,
    CommandRefused,
    CommandTimedOut,
    EventsLost,
    Identified,
    Jam,
    LidChanged,
    OrderDropped,
    OutputTaken,
    Progress,
    ShufflerChanged,
    ShufflerFault,
    ShufflerState,
    ShuffleVerified,
    Started,
    Verdict,
)
from scenario.shuffler_links import Link, link

OK = ShuffleVerified(Verdict.OK, 52)
VOID = ShuffleVerified(Verdict.NOT_VERIFIED)
ONE = StartShuffle(decks=1)


def machine(settings: dict[str, object] | None = None, **emulated: object) -> Link:
    """Switched on, one deck in the hopper, everything told so far forgotten."""
    made = link("shuffler_batch", {"decks": 1, **(settings or {})}, {"card_s": 0.1, **emulated})
    made.run(8)
    made.hand("load", decks=1)
    made.run(3)
    assert Identified("Sabot", "Emulated-Batch", "SIM-0001", "1.0.0") in made.told()
    return made


def said(made: Link, *kinds: type) -> list[Any]:
    return [event for event in made.events if isinstance(event, kinds)]


def shuffled(made: Link, command: DeviceCommand = ONE) -> Link:
    made.ask(command)
    made.until(lambda: bool(said(made, ShuffleVerified)), 60)
    made.run(1)
    return made


def state_of(made: Link) -> str:
    return str(made.unit.shown()["device"]["state"])


def has_ended(made: Link) -> bool:
    return state_of(made) in ("READY", "FAULT_OPERATOR")


def test_eight_decks_from_the_hopper_to_the_dealers_hands() -> None:
    made = link("shuffler_batch")
    made.run(8)
    made.hand("load")
    made.ask(StartShuffle())
    made.until(lambda: ShufflerChanged(ShufflerState.READY) in made.events)
    assert ShuffleVerified(Verdict.OK, 416) in made.events
    assert said(made, Progress)[-1] == Progress(416, 0, 416)
    made.ask(OpenOutput())
    made.until(lambda: LidChanged(True, "output") in made.events, 30)
    pack = made.hand("take")
    made.until(lambda: OutputTaken() in made.events, 30)
    assert set(Counter(pack).values()) == {8}  # type: ignore[call-overload]
    assert VOID not in made.events
    made.run(10)
    assert not said(made, EventsLost, BadFrame, CommandTimedOut, OrderDropped)


@pytest.mark.parametrize(
    ("hands", "verified"),
    [
        ([("take_out", "9H")], ShuffleVerified(Verdict.WRONG, 51, (Card.parse("9H"),))),
        ([("add", "KC")], ShuffleVerified(Verdict.WRONG, 53, (), (Card.parse("KC"),))),
        ([("unreadable", "2D")], ShuffleVerified(Verdict.WRONG, 52, (Card.parse("2D"),), (), 1)),
        ([("foreign", "2D")], ShuffleVerified(Verdict.WRONG, 52, (Card.parse("2D"),), (), 0, 1)),
    ],
)
def test_a_wrong_pack_never_comes_out_as_verified(
    hands: list[tuple[str, str]], verified: ShuffleVerified
) -> None:
    made = machine()
    for word, card in hands:
        made.hand(word, card=card)
    shuffled(made)
    assert said(made, ShuffleVerified) == [verified]
    assert said(made, ShufflerFault)[0].code == 20
    made.told()
    for command in (OpenOutput(), ONE, ClearFault(20)):
        made.ask(command)
        made.run(2)
    assert len(said(made, CommandRefused)) == 3
    made.ask(Empty())
    made.until(lambda: LidChanged(True, "output") in made.events, 60)
    made.hand("take")
    made.until(lambda: ShufflerChanged(ShufflerState.IDLE_EMPTY) in made.events, 60)


def test_the_lid_opened_on_a_verified_pack() -> None:
    made = shuffled(machine())
    assert OK in made.told()
    made.hand("lid")
    made.run(1)
    assert VOID in made.events
    made.ask(OpenOutput())
    made.run(1)
    assert said(made, CommandRefused)
    made.hand("lid", open=False)
    made.ask(ClearFault(18))
    made.run(1)
    made.told()
    shuffled(made, StartShuffle("verify", 1))
    assert OK in made.events


def test_a_jam_in_the_middle_is_told_and_goes_on() -> None:
    made = machine()
    made.ask(ONE)
    made.run(1)
    made.hand("jam", where="exit")
    made.until(lambda: bool(said(made, ShufflerFault)), 60)
    assert said(made, Jam) == [Jam("exit", attempt) for attempt in (1, 2, 3)]
    made.hand("clear_jam")
    made.ask(ClearFault(3))
    made.run(1)
    made.ask(Resume())
    made.until(lambda: OK in made.events, 60)


def test_a_power_cut_in_the_middle_of_a_shuffle() -> None:
    made = machine()
    made.ask(ONE)
    made.run(2)
    made.hand("power_cut")
    made.until(lambda: ShufflerChanged(ShufflerState.OFFLINE) in made.events, 60)
    made.hand("power_on")
    made.until(lambda: Started() in made.events, 60)
    made.until(lambda: any(fault.code == 19 for fault in said(made, ShufflerFault)), 60)
    made.ask(OpenOutput())
    made.ask(ClearFault(19))
    made.run(1)
    assert said(made, CommandRefused)
    made.told()
    shuffled(made)
    assert OK in made.events


def test_a_machine_that_hangs_is_offline_and_is_asked_nothing_twice() -> None:
    made = machine()
    made.hand("hang")
    made.ask(ONE)
    made.run(30)
    assert CommandTimedOut("start") in made.events
    assert ShufflerChanged(ShufflerState.OFFLINE) in made.events
    made.hand("resume")
    made.run(5)
    assert made.unit.shown()["device"]["doing"] is None, "the shuffle was not asked for again"
    assert state_of(made) == "LOADING"
    assert ShufflerChanged(ShufflerState.LOADING) in made.events


@pytest.mark.parametrize("seconds_out", [0.5, 3.0, 60.0])
def test_a_cable_pulled_in_the_middle_of_a_shuffle(seconds_out: float) -> None:
    """What happened meanwhile is asked, and verified is only what the machine still says."""
    made = machine()
    made.ask(ONE)
    made.run(2)
    made.cut = True
    made.run(seconds_out)
    made.plug()
    made.until(lambda: OK in made.events, 60)
    made.run(5)
    verdicts = said(made, ShuffleVerified)
    assert verdicts[-1] == OK
    made.ask(OpenOutput())
    made.until(lambda: LidChanged(True, "output") in made.events, 60)


def test_a_lid_opened_while_the_cable_was_out() -> None:
    made = shuffled(machine())
    made.cut = True
    made.hand("lid")
    made.hand("lid", open=False)
    made.run(1)
    made.plug()
    made.run(2)
    assert said(made, ShuffleVerified)[-1] == VOID
    made.ask(OpenOutput())
    made.run(1)
    assert said(made, CommandRefused)


def test_a_pack_used_up_is_never_verified_again() -> None:
    """The dealer has taken and loaded the pack: no later resync may tell OK for it."""
    made = shuffled(machine())
    made.ask(OpenOutput())
    made.until(lambda: LidChanged(True, "output") in made.events, 60)
    made.hand("take")
    made.run(5)
    made.told()
    made.cut = True
    made.run(5)
    made.plug()
    made.hand("load", decks=1)
    made.run(5)
    made.hand("flip")
    made.run(10)
    assert said(made, ShuffleVerified) == []


def test_a_machine_that_tells_the_order_is_not_heard() -> None:
    made = shuffled(machine(tells_order=True))
    assert OrderDropped(1) in made.events
    assert OK in made.events
    order = made.unit.shown()["device"]["pack"]
    assert len(order) == 52
    assert not any(" ".join(order[:3]) in repr(event) for event in made.events)


@pytest.mark.parametrize("every", [25, pytest.param(5, marks=pytest.mark.second_tier)])
@pytest.mark.parametrize("fault", ["drop", "double", "reorder", "flip"])
@pytest.mark.parametrize("wrong", [False, True])
def test_a_bad_line_at_every_place_of_a_run_gives_no_wrong_verdict(
    fault: str, wrong: bool, every: int
) -> None:
    """The fault strikes a later byte each time, until it strikes after the run."""
    noticed = 0
    for after in range(0, 500, every):
        made = machine(card_s=0.02)
        if wrong:
            made.hand("take_out", card="9H")
        made.hand(fault, after=after)
        made.ask(ONE)
        made.until(partial(has_ended, made), 60)
        made.run(6)
        right = ShuffleVerified(Verdict.WRONG, 51, (Card.parse("9H"),)) if wrong else OK
        verdicts = said(made, ShuffleVerified)
        assert verdicts[-1] == right
        assert {each for each in verdicts if each != VOID} == {right}
        noticed += bool(said(made, BadFrame, EventsLost))
    assert noticed > 250 / every


@pytest.mark.parametrize("fault", ["drop", "double", "reorder", "flip"])
def test_a_request_damaged_on_its_way_is_done_once_or_not_at_all(fault: str) -> None:
    for after in range(0, 60, 2):
        made = machine()
        made.hand(fault, after=after, line="in")
        made.ask(ONE)
        made.run(20)
        runs = made.unit.shown()["device"]["run"]
        assert runs == (CommandDone("start") in made.events)
        assert runs + (CommandTimedOut("start") in made.events) == 1


def test_noise_on_the_line_for_a_whole_shift_ends_in_the_truth() -> None:
    made = machine()
    made.hand("noise", percent=2)
    made.ask(ONE)
    made.run(60)
    made.hand("noise", percent=0)
    made.run(10)
    made.told()
    if state_of(made) != "READY":
        shuffled(made)
    made.ask(OpenOutput())
    made.until(lambda: CommandDone("open_output") in made.events, 60)
