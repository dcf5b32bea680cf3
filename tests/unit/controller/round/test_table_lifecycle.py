"""The house around a round: the day, a pause, limits, and the machine the table runs on."""

from typing import Any

import pytest

from controller.game.roles import Role
from controller.messages.codes import Code
from controller.messages.sentence import Sentence, sentence
from controller.round.wagers.betting import house_limits
from controller.table.state import LimitsInForce
from controller.views import audience
from controller.views.structs.encoding import plain
from support.rows import each_row
from support.table.bench import NATURAL, Bench, code, rules_of, why

# --- the day ------------------------------------------------------------------------------------


def test_a_table_opens_with_the_houses_method() -> None:
    bench = Bench(method="A")
    bench.say("open_table", "pia")
    assert (bench.table.play.method, bench.phase) == ("A", "changing_shoe")


def test_a_method_for_the_high_limit_area_does_not_open_elsewhere() -> None:
    assert code(Bench(method="C").refused("open_table", "pia")) == "method_for_hlga_only"


def test_a_table_closes_between_rounds_at_once_and_in_one_after_it() -> None:
    bench = Bench().deal(*NATURAL)
    bench.say("close_table", "pia")
    closing = bench.table
    assert (closing.phase.value, closing.day.is_closing) == ("outcome", True)
    bench.settle()
    assert bench.phase == "closed"
    assert not bench.table.day.is_closing
    bench.say("open_table", "pia")
    assert bench.phase == "ready", "the shoe is still there"
    bench.say("close_table", "pia")
    assert bench.phase == "closed"


def test_a_table_about_to_close_may_stay_open_after_all() -> None:
    bench = Bench().deal(*NATURAL)
    assert code(bench.refused("stay_open", "pia")) == "not_about_to_close"
    bench.say("close_table", "pia")
    assert code(bench.refused("stay_open", "dan")) == "takes_role"
    assert bench.table.day.is_closing
    bench.say("stay_open", "pia")
    bench.settle()
    assert bench.phase == "ready"
    bench.say("open_betting")
    assert bench.phase == "betting"


def test_a_closed_table_does_not_stay_open() -> None:
    bench = Bench().open()
    bench.say("close_table", "pia")
    assert bench.refused("stay_open", "pia")
    assert bench.phase == "closed"


def test_a_new_day_lets_a_wager_under_the_minimum_pass_once_more() -> None:
    bench = Bench(minimum=1000).bet(("ann", "player", 500))
    bench.say("close_betting", anyway=True)
    bench.card(*NATURAL)
    bench.settle()
    settled = bench.table
    assert settled.day.under_minimum_before == ("ann",)
    bench.say("close_table", "pia")
    bench.say("open_table", "pia")
    assert bench.table.day.under_minimum_before == ()


# --- a pause ------------------------------------------------------------------------------------


def test_a_pause_holds_the_table_in_mid_round_and_a_resume_goes_on() -> None:
    bench = Bench().deal("9H", "2C")
    bench.say("suspend", "pia")
    assert (bench.state, bench.phase) == ("halted", "dealing")
    assert code(bench.refused("suspend", "pia")) == "paused_already"
    bench.say("resume", "pia")
    assert bench.state == "dealing"


def test_a_dealer_neither_pauses_the_table_nor_lets_it_go_on() -> None:
    bench = Bench().deal("9H", "2C")
    wants = sentence(Code.TAKES_ROLE, role=Role.PIT_SUPERVISOR)
    assert why(bench.refused("suspend")) == wants
    bench.say("suspend", "pia")
    assert why(bench.refused("resume")) == wants


def test_a_card_drawn_while_paused_is_kept_and_laid() -> None:
    bench = Bench().deal("9H", "2C")
    bench.say("suspend", "pia")
    bench.card("KD")
    bench.say("resume", "pia")
    assert bench.table.shoe is not None
    assert bench.table.shoe.drawn == 3
    assert bench.hand("player") == ["9H", "KD"]


# --- limits -------------------------------------------------------------------------------------

HOUSE: dict[str, Any] = {"minimum": 1000, "maximum": 50_000, "differential": 90_000}


@pytest.fixture
def pit() -> Bench:
    return Bench(**HOUSE).open()


def shown(bench: Bench) -> dict[str, Any]:
    """Of the whole table; what one kind or one area has of its own is asked for by name."""
    found: dict[str, Any] = plain(audience.public(bench.table, bench.rules))["limits"]
    return {name: found[name] for name in ("min", "max", "differential")}


def test_what_is_not_named_stays_and_zero_takes_a_limit_away(pit: Bench) -> None:
    assert shown(pit) == {"min": 1000, "max": 50_000, "differential": 90_000}
    pit.say("limits", "pia", minimum=2000, differential=0)
    assert shown(pit) == {"min": 2000, "max": 50_000, "differential": None}
    assert pit.notices[-1] == "limits_change"


def test_limits_of_the_house_are_those_until_the_pit_changes_them() -> None:
    assert house_limits(rules_of(**HOUSE)) == LimitsInForce(1000, 50_000, 90_000)


def test_wagers_of_the_next_round_are_held_to_them(pit: Bench) -> None:
    pit.say("limits", "pia", minimum=2000)
    pit.bet(("ann", "player", 1500))
    refused = pit.refused("close_betting")
    assert why(refused) == sentence(Code.CLOSE_UNDER_MINIMUM, wagers=["w1"], limit=2000)
    assert refused.clause == "3.5.1"


def test_one_kind_of_wager_has_limits_of_its_own(pit: Bench) -> None:
    assert code(pit.refused("limits", "pia", wager="tye", maximum=500)) == "no_such_wager_kind"
    assert code(pit.refused("limits", "pia", wager="tie", maximum=500)) == "minimum_above_maximum"
    refused = pit.refused("limits", "pia", wager="tie", differential=500)
    assert code(refused) == "say_which_limit", "a differential is not of one wager"
    pit.say("limits", "pia", wager="tie", minimum=100, maximum=500)
    own = plain(audience.public(pit.table, pit.rules))["limits"]["wagers"]
    assert own == {"tie": {"min": 100, "max": 500}}
    assert pit.notices[-1] == "limits_change_of"
    pit.bet(("ann", "tie", 600), ("bob", "player", 600))
    refused = pit.refused("close_betting")
    assert why(refused) == sentence(Code.CLOSE_OVER_MAXIMUM, wagers=["w1"], limit=500)
    pit.player("decrease", "ann", id="w1", amount=450)
    of_table = {"wagers": ["w2"], "limit": 1000}
    assert why(pit.refused("close_betting")).params == of_table, "the table's minimum"


def test_limits_of_one_kind_may_stand_in_the_configuration() -> None:
    house = {**HOUSE, "limits": {"tie": {"minimum": 100, "maximum": 500}}}
    bench = Bench(**house).bet(("ann", "tie", 600))
    assert why(bench.refused("close_betting")).params == {"wagers": ["w1"], "limit": 500}


def test_fewer_wagers_on_an_area_are_the_pit_managers(pit: Bench) -> None:
    refused = pit.refused("limits", "pia", per_area=2)
    assert (code(refused), refused.clause) == ("takes_role", "3.6.1")
    refused = pit.refused("limits", "max", per_area=4)
    assert (why(refused), refused.clause) == (sentence(Code.AREA_LIMIT_ABOVE, most=3), "3.6")
    pit.say("limits", "max", per_area=2)
    assert pit.notices == ["area_takes"]
    assert audience.public(pit.table, pit.rules).limits.per_area == 2
    pit.say("limits", "max", per_area=0)
    assert audience.public(pit.table, pit.rules).limits.per_area == 3
    rws = Bench("rws-commission-baccarat-4").open()
    assert code(rws.refused("limits", "max", per_area=2)) == "no_area_limit"


def test_dealer_does_not_change_them_and_nobody_does_in_a_round(pit: Bench) -> None:
    assert code(pit.refused("limits", minimum=1)) == "takes_role"
    pit.bet()
    assert why(pit.refused("limits", "pia", minimum=1)) == sentence(Code.NOT_NOW, phase="betting")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({}, "say_which_limit"),
        ({"minimum": 60_000}, "minimum_above_maximum"),
        ({"minimum": -1}, "field_not_as_it_must_be"),
        ({"minimum": "1"}, "field_not_as_it_must_be"),
        ({"maximum": True}, "field_not_as_it_must_be"),
        ({"most": 1}, "no_such_field"),
    ],
)
def test_limits_that_make_no_sense_are_refused(
    pit: Bench, given: dict[str, Any], says: str
) -> None:
    assert code(pit.refused("limits", "pia", **given)) == says
    assert shown(pit) == {"min": 1000, "max": 50_000, "differential": 90_000}


def test_correction_settles_by_the_limits_the_round_commenced_with(pit: Bench) -> None:
    """A maximum that came later takes nothing from a wager that was good when it was placed."""
    pit.deal(*NATURAL, wagers=(("ann", "player", 40_000),))
    pit.settle()
    pit.say("limits", "pia", maximum=10_000)
    pit.say("correct", n=4, card="5S", reason="a five")
    pit.say("approve", "pia")
    (paid,) = pit.round.paid
    assert (paid.result, paid.pays, paid.clause) == ("win", 40_000, None)


# --- the machine it runs on ---------------------------------------------------------------------


def test_a_failed_self_test_holds_until_it_passes_and_somebody_clears_it() -> None:
    bench = Bench().deal("9H", "2C")
    bench.device("self_test", by="system", bad=["disk_space"])
    assert bench.state == "halted"
    assert why(bench.refused("resume", "pia")) == Sentence(
        "still_holds", {"hold": "self_test_failed"}
    )
    bench.device("self_test", by="system", bad=[], good=["disk_space"])
    assert [latch.kind.value for latch in bench.table.latches] == ["self_test_had_failed"]
    bench.say("resume", "pia")
    assert bench.state == "dealing"


def test_a_self_test_tells_a_few_of_many_findings() -> None:
    bench = Bench().open()
    bench.device("self_test", by="system", bad=["a", "b", "c", "d", "e"])
    assert bench.table.notices[-1] == Sentence("self_test_failed", {"checks": ["a", "b", "c"]})


def test_a_self_test_that_passes_changes_nothing() -> None:
    bench = Bench().deal("9H")
    bench.device("self_test", by="system", bad=[], good=["disk_space"])
    assert bench.state == "dealing"
    assert bench.notices == []


@pytest.mark.parametrize(
    ("seconds", "says"),
    [
        (90.0, sentence(Code.CLOCK_PUT_FORWARD, seconds=90)),
        (-5.2, sentence(Code.CLOCK_PUT_BACK, seconds=5)),
    ],
)
def test_a_clock_step_is_shown_and_stops_nothing(seconds: float, says: Sentence) -> None:
    bench = Bench().deal("9H")
    bench.device("clock_stepped", by="system", seconds=seconds)
    assert bench.state == "dealing"
    assert bench.table.notices[-1] == says


@each_row(
    "given, says",
    [
        ({}, Sentence("journal_lost")),
        ({"says": "the file ends early"}, Sentence("system_says", {"says": "the file ends early"})),
        (
            {"note": {"code": "journal_damaged", "gaps": {"record": 7, "rows": 2}}},
            Sentence("journal_damaged", {"record": 7, "rows": 2}),
        ),
    ],
)
def test_a_journal_that_lost_its_end_is_looked_at_before_anybody_plays(
    given: dict[str, Any], says: Sentence
) -> None:
    bench = Bench().open()
    bench.device("journal_loss", by="system", **given)
    assert bench.state == "halted"
    assert bench.table.notices == (says,)
    bench.say("resume", "pia")
    assert bench.state == "halted", "nobody alone plays on over missing records"
    for alone in ("resume", "approve", "refuse"):
        assert code(bench.refused(alone, "pia")) in ("second_person_first", "takes_two")
    assert code(bench.refused("approve", "dan")) == "takes_role"
    bench.say("approve", "paul")
    assert bench.state == "ready"


def test_a_restart_between_rounds_asks_nobody() -> None:
    bench = Bench().deal(*NATURAL)
    bench.settle()
    bench.device("restarted", by="system")
    assert bench.state == "ready"
