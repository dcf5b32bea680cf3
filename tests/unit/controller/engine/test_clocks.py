"""The clocks of bets and options stand while the table does."""

from msgspec.structs import replace

from controller.engine import clocks
from controller.game.irregularities import RulingStep
from controller.table.case import AwaitsOption, Case, Offer
from controller.table.holds import Hold, HoldReason
from controller.table.state import BettingStage, DayStage, GamingDay, Round, Table

BETTING = Table(
    day=GamingDay(DayStage.OPEN), round=Round(1, "B", face_down=False, stage=BettingStage(100.0))
)
OFFER = Offer(RulingStep.OFFER_EACH, "5.17", ("ann",), 200.0, "5.17.1", "5.17.1")
OFFERED = Case("power_failure", "dan", awaits=AwaitsOption(OFFER))
PAUSED = (Hold(HoldReason.PAUSED, 105.0, "pia"),)


def at(table: Table, when: float, **more: object) -> Table:
    """A step that leads there."""
    return clocks.shift_clocks(replace(table, at=when, **more))


def test_the_time_for_bets_goes_on_where_it_stood() -> None:
    held = at(BETTING, 105.0, latches=PAUSED)
    assert held.clocks.stopped_at == 105.0
    held = at(held, 125.0)
    going = at(held, 130.0, latches=())
    assert going.clocks.stopped_at is None
    assert going.round is not None
    assert going.round.stage == BettingStage(125.0), "five of its seconds were gone, and are"


def test_an_option_does_not_run_out_while_a_device_holds_the_table() -> None:
    held = at(replace(BETTING, case=OFFERED), 202.0, latches=PAUSED)
    going = at(held, 262.0, latches=())
    assert going.case is not None
    assert going.case.offer is not None
    assert going.case.offer.at == 260.0


def test_the_case_itself_stops_no_option_but_the_time_for_bets() -> None:
    assert at(BETTING, 201.0, case=OFFERED).clocks.stopped_at is None
    assert at(BETTING, 201.0, case=Case("uncovered", "dan")).clocks.stopped_at == 201.0


def test_what_opened_while_the_table_stood_begins_when_it_goes_on() -> None:
    held = replace(BETTING, latches=PAUSED, clocks=replace(BETTING.clocks, stopped_at=50.0))
    going = at(held, 110.0, latches=())
    assert going.round is not None
    assert going.round.stage == BettingStage(110.0)
