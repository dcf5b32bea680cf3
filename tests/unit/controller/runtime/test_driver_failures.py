"""A driver that fails stops neither the table nor its journal nor the other devices."""

import asyncio
import math
from collections.abc import Callable
from typing import Any

import pytest

from controller.engine.replay import replay
from drivers.cards import Card
from drivers.commands import DeviceCommand
from drivers.contract import NOTHING, Step
from drivers.errors import UnsupportedCommand
from drivers.events import (
    CardRead,
    DeviceResult,
    ErrorCleared,
    ErrorRaised,
    LinkUp,
    Notice,
    Progress,
    ShuffleVerified,
    Verdict,
    Where,
    Winner,
)
from support.devices import line_shoe
from support.rows import each_row
from support.table.loop_bench import Bench, pit, staff

SECRET = "9H"


def raises(*_: object) -> Step:
    raise ValueError(f"{SECRET} is not what I expected")


def leaves(*_: object) -> Step:
    raise SystemExit(f"no licence for {SECRET}")


def refuses(*_: object) -> Step:
    raise UnsupportedCommand(f"nobody asked for {SECRET}")


def raising(kind: type[BaseException]) -> Callable[..., Any]:
    def broken(*_: object) -> Step:
        raise kind(f"no more {SECRET}")

    return broken


class OwnCard(CardRead):
    """A maker's own kind of card, for which the table has no word."""


def tells(event: Any) -> Callable[..., Any]:
    return lambda *_: Step((event,))


BROKEN: dict[str, tuple[Callable[..., Any], str]] = {
    "raises": (raises, "ValueError"),
    "leaves": (leaves, "SystemExit"),
    "refuses what nobody asked": (refuses, "UnsupportedCommand"),
    "no step": (lambda *_: None, "BrokeTheContract"),
    "no event": (tells(SECRET), "BrokeTheContract"),
    "an event of its own": (tells(OwnCard(Card.parse(SECRET))), "BrokeTheContract"),
    "sends text": (lambda *_: Step(send=SECRET), "BrokeTheContract"),  # type: ignore[arg-type]
    "a card that is text": (tells(CardRead(SECRET)), "BrokeTheContract"),  # type: ignore[arg-type]
    "a hand that is text": (tells(CardRead(Card.parse(SECRET), "player")), "BrokeTheContract"),  # type: ignore[arg-type]
    "a number that is text": (tells(ErrorRaised(SECRET, "")), "BrokeTheContract"),  # type: ignore[arg-type]
    "a total no hand has": (
        tells(DeviceResult(Winner.TIE, player_total=12)),
        "BrokeTheContract",
    ),
    "a frame that is text": (
        tells(CardRead(Card.parse(SECRET), Where.PLAYER, 1, SECRET)),  # type: ignore[arg-type]
        "BrokeTheContract",
    ),
    "text nobody can write": (tells(Notice("\ud800")), "BrokeTheContract"),
    "more text than anybody reads": (tells(Notice(SECRET * 40_000)), "BrokeTheContract"),
    "more than was heard": (lambda *_: Step((Notice(SECRET),) * 5000), "BrokeTheContract"),
    "an error that is a list": (tells(ErrorCleared([SECRET])), "BrokeTheContract"),  # type: ignore[arg-type]
    "a meaning that is text": (tells(ErrorRaised(9, "", True, SECRET)), "BrokeTheContract"),  # type: ignore[arg-type]
    "progress that is text": (tells(Progress(SECRET, 1, 2)), "BrokeTheContract"),  # type: ignore[arg-type]
    "a pack of a shuffler": (tells(ShuffleVerified(Verdict.OK, 416)), "BrokeTheContract"),
    "a link of its own": (tells(LinkUp()), "BrokeTheContract"),
    "breaks off": (raising(KeyboardInterrupt), "KeyboardInterrupt"),
    "is cancelled": (raising(asyncio.CancelledError), "CancelledError"),
}


def failed(view: dict[str, Any]) -> list[dict[str, Any]]:
    return [each for each in view["held"] if each["what"] == "driver_failed"]


@each_row("how", BROKEN)
def test_the_table_holds_and_names_driver_and_kind_and_no_card(
    how: str, capsys: pytest.CaptureFixture[str]
) -> None:
    does, kind = BROKEN[how]
    bench = Bench()
    with bench.running():
        bench.open()
        bench.driver.feed = does
        bench.hear(b"x\n", bench.now)
        view = bench.shows(latches=["driver_failed"])
        (hold,) = failed(view)
        assert hold["detail"]["gaps"] == {"device": "shoe", "driver": "line_shoe", "kind": kind}
        assert (hold["role"], hold["word"]) == ("pit_supervisor", "resume")
        (shown,) = bench.loop.devices()
        assert (shown.stopped, shown.errors) == (kind, [])
        assert SECRET not in repr(shown)
        assert bench.loop.snapshots.stop_reason is None
        assert bench.say(staff("open_betting"))["accepted"] is False
    records = bench.journal.records()
    assert replay(bench.rules, records, bench.sealer) == bench.session.machine.table
    printed = capsys.readouterr()
    assert SECRET not in printed.out + printed.err + repr(records) + repr(view)


def test_it_hears_nothing_until_it_is_taken_up_anew_by_a_person_and_then_cards_are_counted() -> (
    None
):
    bench = Bench()
    made: list[line_shoe.Driver] = []

    def make() -> line_shoe.Driver:
        made.append(line_shoe.Driver())
        return made[-1]

    bench.shoe.make = make
    with bench.running():
        bench.open()
        bench.hear(b"9H\n", bench.now)
        bench.shows(hands={"player": ["9H"], "banker": []})
        bench.driver.feed = raises
        bench.hear(b"2C\n", bench.now)
        bench.shows(latches=["driver_failed"])
        sent = len(bench.sent)
        bench.hear(b"KD\n", bench.now)
        assert not bench.say(staff("resume", reason="again"))["accepted"], "the pit's, not hers"
        assert bench.say(pit("resume", reason="looked at it"))["accepted"]
        view = bench.shows(latches=[])
        assert [hold["kind"] for hold in view["held"]] == ["count"]
        assert (len(made), made[-1].hellos) == (1, 1)
        assert bench.sent[sent:] == [b"hello\n"]
        assert bench.say(staff("count", cards=3))["accepted"]
        assert bench.say(pit("approve"))["accepted"]
        bench.hear(b"5S\n", bench.now)
        bench.say(staff("report", what="uncovered"))
    assert bench.drawn == 4


def test_one_that_cannot_be_made_anew_holds_the_table_again() -> None:
    bench = Bench()
    bench.shoe.make = raises  # type: ignore[assignment]
    with bench.running():
        bench.open()
        bench.driver.feed = raises
        bench.hear(b"x\n", bench.now)
        bench.shows(latches=["driver_failed"])
        assert bench.say(pit("resume", reason="again"))["accepted"]
        view = bench.shows(latches=["driver_failed"])
        assert {hold["kind"] for hold in view["held"]} == {"count", "latch"}
        assert bench.loop.devices()[0].counts["DriverFailed"] == 2


@each_row("due", [raises, lambda: math.nan, lambda: "soon"])
def test_a_deadline_that_cannot_be_holds_the_table(due: Callable[[], Any]) -> None:
    bench = Bench()
    with bench.running():
        bench.open()
        bench.driver.deadline = due
        bench.hear(b"9H\n", bench.now)
        bench.shows(latches=["driver_failed"])


def test_one_that_fails_at_a_command_fails_after_the_word_that_asked_for_it() -> None:
    bench = Bench()

    def ask(_command: DeviceCommand, _at: float) -> Step:
        raises()
        return NOTHING

    bench.driver.ask = ask
    with bench.running():
        bench.say(pit("open_table"))
        bench.say(staff("load_shoe", deck_set="blue", verified_by="pia", cut=True))
        assert bench.say(pit("approve"))["accepted"]
        bench.shows(latches=["driver_failed"])
        assert bench.loop.snapshots.stop_reason is None


def test_one_that_is_due_without_end_holds_the_table() -> None:
    """It is woken, does nothing, and wants to be woken: nobody else would ever have a turn."""
    bench = Bench()
    with bench.running():
        bench.open()
        bench.driver.tick = lambda _at: NOTHING
        bench.hear(b"wait\n", bench.now)
        bench.now += 10
        bench.hear(b"9H\n", bench.now)
        view = bench.shows(latches=["driver_failed"])
        assert failed(view)[0]["detail"]["gaps"]["kind"] == "BrokeTheContract"


def test_one_that_keeps_everybody_waiting_loses_no_card_and_holds_the_table() -> None:
    bench = Bench()
    heard = bench.driver.feed

    def slow(data: bytes, at: float) -> Step:
        bench.now += 10
        step: Step = heard(data, at)
        return step

    with bench.running():
        bench.open()
        bench.driver.feed = slow
        bench.hear(b"9H\n", bench.now)
        view = bench.shows(latches=["driver_failed"])
        assert failed(view)[0]["detail"]["gaps"]["kind"] == "TooSlow"
        assert view["hands"] == {"player": ["9H"], "banker": []}
        assert bench.say(pit("resume", reason="looked at it"))["accepted"]
        bench.shows(latches=[])
