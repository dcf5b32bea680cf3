"""What people decide while a case is open: reports, facts, approvals, decisions."""

from typing import Any

import pytest

from controller.messages.codes import Code
from controller.messages.sentence import sentence
from support.rows import each_row
from support.table.bench import BOTH_DRAW, NATURAL, Bench, code, nearly_empty, why

WAGERS = (("ann", "tie", 100), ("bob", "player", 200))


def reported(what: str, *cards: str, **more: Any) -> Bench:
    bench = Bench().deal(*(cards or ("9H", "2C")), wagers=WAGERS)
    bench.say("report", what=what, **more)
    return bench


# --- reports and facts --------------------------------------------------------------------------


@each_row("given", [{"cards": [1, 1]}, {"cards": [9]}, {"order": [1, 9]}])
def test_cards_are_named_once_each_and_lie_there(given: dict[str, Any]) -> None:
    bench = Bench().deal("9H", "2C")
    assert code(bench.refused("report", what="simultaneous", **given)) == "name_cards_once"


def test_where_cards_lie_is_told_by_cards_that_are_there() -> None:
    bench = Bench().deal("9H", "2C")
    refused = bench.refused("report", what="wrong_order", lies={"player": [1], "banker": [1]})
    assert code(refused) == "name_cards_once"


def test_a_fact_that_was_told_is_not_asked() -> None:
    bench = reported("foreign_card", facts={"belongs": True}, cards=[1])
    assert bench.table.case is not None
    assert bench.table.case.clause == "5.1"
    assert bench.table.case.facts == {"belongs": True}


def test_an_answer_to_another_question_is_refused() -> None:
    bench = reported("simultaneous")
    wants = sentence(Code.QUESTION_IS, fact="order_known")
    assert why(bench.refused("answer", fact="belongs", value=True)) == wants
    bench.say("answer", fact="order_known", value=True)


def test_the_order_itself_answers_whether_it_is_known() -> None:
    bench = reported("simultaneous")
    bench.say("answer", order=[2, 1])
    assert bench.table.case is not None
    assert bench.table.case.facts == {"order_known": True}
    assert bench.table.case.about.order == (2, 1)


def test_an_answer_without_what_was_asked_is_refused_by_its_name() -> None:
    for bench, field in ((reported("simultaneous"), "value"), (order_asked(), "order")):
        refused = bench.refused("answer", "max")
        assert why(refused) == sentence(Code.FIELD_NEEDED, word="answer", field=field)


@pytest.mark.clause("mbs-baccarat-8", "5.8.2.2", shows="refused")
def test_the_order_is_not_stated_by_whoever_reported() -> None:
    bench = order_asked("max")
    refused = bench.refused("answer", "max", order=[6, 5])
    assert (code(refused), refused.clause) == ("takes_two", "5.8.2.2")
    bench.say("answer", "ada", order=[6, 5])
    assert bench.table.case is None


def order_asked(reporter: str = "dan") -> Bench:
    bench = Bench().deal(*BOTH_DRAW, "4H", "6S")
    bench.say("report", reporter, what="simultaneous", cards=[5, 6])
    bench.say("answer", value=False)
    return bench


def test_what_is_not_asked_is_not_answered() -> None:
    bench = reported("uncovered")
    wants = sentence(Code.WAITS_FOR_SOMETHING_ELSE, awaited="decide")
    assert why(bench.refused("answer", value=True)) == wants
    assert why(bench.refused("approve", "max")) == wants
    assert why(bench.refused("resume", "pia")) == wants


@pytest.mark.parametrize(("interrupted", "case"), [(True, "power_failure"), (False, None)])
def test_after_a_restart_somebody_says_whether_play_was_interrupted(
    interrupted: bool, case: str | None
) -> None:
    bench = Bench().deal("9H", wagers=WAGERS)
    bench.restart()
    assert code(bench.refused("answer", value=interrupted)) == "takes_role"
    assert code(bench.refused("answer", "pia")) == "field_needed"
    bench.say("answer", "pia", value=interrupted)
    assert (bench.table.case.id if bench.table.case else None) == case


# --- the second person --------------------------------------------------------------------------


def test_a_void_takes_somebody_else_than_whoever_reported() -> None:
    bench = Bench().deal("9H", wagers=WAGERS)
    bench.say("report", "pia", what="wrong_count")
    assert code(bench.refused("approve", "dan")) == "takes_role"
    assert code(bench.refused("approve", "pia")) == "takes_two"
    bench.say("approve", "paul")
    assert bench.round.void_by == "5.1.1"
    (ruled,) = bench.table.rulings
    assert (ruled.reported_by, ruled.decided_by) == ("pia", "paul")


def test_a_devices_case_is_asked_for_by_one_and_approved_by_another() -> None:
    bench = nearly_empty(1).deal("9H")
    bench.say("approve", "pia")
    assert bench.table.case is not None
    assert bench.table.case.asker == "pia"
    assert code(bench.refused("approve", "pia")) == "takes_two"
    bench.say("approve", "paul")
    assert bench.round.void_by == "5.3"


def test_a_void_that_is_refused_goes_up_and_what_is_decided_stands_in_its_place() -> None:
    bench = reported("wrong_count")
    bench.say("refuse", "pia")
    case = bench.table.case
    assert case is not None
    assert (case.clause, case.ruling) == ("6.1", None)
    assert code(bench.refused("decide", "pia", text="play on")) == "takes_role"
    bench.say("decide", "gus", text="play on")
    assert bench.state == "dealing"
    assert [(each.clause, each.text) for each in bench.table.rulings] == [("6.1", "play on")]


def test_what_else_was_asked_about_a_void_round_is_answered_with_it() -> None:
    bench = reported("wrong_count")
    bench.say("report", what="uncovered")
    assert [case.id for case in bench.table.queue] == ["uncovered"]
    bench.say("approve", "pia")
    ruled = {each.id: each.moot for each in bench.table.rulings}
    assert ruled == {"wrong_count": False, "uncovered": True}
    assert bench.state == "ready"


def test_an_entered_card_that_is_refused_is_entered_anew() -> None:
    bench = Bench().deal("??")
    bench.say("enter_card", card="9H")
    bench.say("refuse", "pia")
    assert bench.hand("player") == [None]
    bench.say("enter_card", card="8H")
    bench.say("approve", "pia")
    assert bench.hand("player") == ["8H"]


def test_after_a_refusal_the_same_card_is_asked_for() -> None:
    """The device named none, and the latest card lies face down."""
    bench = Bench(deal_face="down").deal("2H", "KC", "3D", "5S")
    bench.say("expose", hand="player")
    bench.device("error", code=1, means="does_not_belong")
    bench.say("answer", value=True)
    bench.say("enter_card", card="9H")
    bench.say("refuse", "pia")
    bench.say("enter_card", card="8H")
    bench.say("approve", "pia")
    assert bench.hand("player") == ["2H", "8H"]


def test_a_case_is_approved_before_a_request_and_both_after_the_count() -> None:
    bench = Bench().deal("9H", "2C")
    bench.say("correct", n=1, card="8H", reason="an eight")
    bench.say("report", what="wrong_count")
    bench.device("events_lost")
    assert code(bench.refused("approve", "pia")) == "count_first"
    bench.say("count", cards=2)
    bench.say("approve", "pia")
    assert bench.round.void_by == "5.1.1"
    assert bench.table.request is None, "there is nothing left to correct"


def test_a_count_that_differs_is_approved_before_the_case() -> None:
    bench = reported("wrong_count")
    bench.device("events_lost")
    bench.say("count", cards=3)
    bench.say("approve", "pia")
    assert not bench.round.over
    assert bench.table.count_check is None


# --- decisions ----------------------------------------------------------------------------------


def test_a_decided_void_takes_whoever_reported_and_whoever_decides() -> None:
    bench = reported("uncovered")
    bench.say("decide", "gus", text="void", outcome="void")
    assert bench.round.void_by == "6.1"
    assert bench.table.rulings[-1].decided_by == "gus"


def test_whoever_reported_and_decides_needs_somebody_to_approve() -> None:
    bench = Bench().deal("9H")
    bench.say("report", "gus", what="uncovered")
    bench.say("decide", "gus", text="void", outcome="void")
    assert not bench.round.over
    assert code(bench.refused("approve", "gus")) == "takes_two"
    bench.say("approve", "pia")
    assert bench.round.void_by == "6.1"
    assert bench.table.rulings[-1].decided_by == "gus"


def test_a_decision_reaches_back_to_a_settled_round() -> None:
    bench = Bench().deal(*NATURAL, wagers=WAGERS)
    bench.settle()
    bench.say("report", what="uncovered")
    bench.say("decide", "gus", text="void", outcome="void")
    assert bench.round.void_by == "6.1"
    assert bench.table.history.results == ()


def test_a_ruling_does_not_unless_its_step_says_so() -> None:
    bench = Bench().deal(*NATURAL, wagers=WAGERS)
    bench.settle()
    bench.say("report", what="wrong_count")
    assert bench.table.case is None
    assert bench.round.void_by is None
    assert "earlier_results_stand" in bench.notices


def test_cards_are_laid_anew_by_a_decision() -> None:
    """Of two that came out together, where the book names nobody who says the order."""
    bench = Bench("mbs-sands-super-baccarat").deal("9H", "2C", wagers=WAGERS)
    bench.say("report", what="simultaneous", order=[2, 1], facts={"order_known": True})
    bench.say("decide", "gus", text="swap them", outcome="reconstruct")
    assert (bench.hand("player"), bench.hand("banker")) == (["2C"], ["9H"])


def test_no_decision_states_another_order_than_the_shoes() -> None:
    bench = reported("uncovered")
    given = {"text": "swap them", "outcome": "reconstruct"}
    refused = bench.refused("decide", "gus", **given, order=[2, 1])
    assert why(refused) == sentence(Code.ORDER_ONLY_OF_TOGETHER)
    assert why(bench.refused("decide", "gus", **given)) == sentence(Code.ALL_LIE_RIGHT)


def test_whoever_decides_their_own_report_needs_somebody_else() -> None:
    bench = Bench().deal("9H", "2C", wagers=WAGERS)
    bench.say("report", "gus", what="uncovered")
    bench.say("decide", "gus", text="too much", outcome="remove", remove=["w2"])
    (_, decided) = bench.round.wagers
    assert decided.returned_by is None
    assert why(bench.refused("approve", "gus")) == sentence(Code.TAKES_TWO)
    bench.say("approve", "pia")
    assert bench.round.wagers[1].returned_by == "6.1"
    [ruled] = bench.table.rulings
    assert (ruled.reported_by, ruled.decided_by, ruled.approved_by) == ("gus", "gus", "pia")


def test_who_decided_a_void_and_who_approved_it_are_both_written_down() -> None:
    bench = Bench().deal("9H", "2C", wagers=WAGERS)
    bench.say("report", "gus", what="uncovered")
    bench.say("decide", "gus", text="nobody knows", outcome="void")
    bench.say("approve", "pia")
    [ruled] = bench.table.rulings
    assert (ruled.reported_by, ruled.decided_by, ruled.approved_by) == ("gus", "gus", "pia")


def test_a_decision_that_is_refused_is_made_anew() -> None:
    bench = Bench().deal("9H", "2C", wagers=WAGERS)
    bench.say("report", "gus", what="uncovered")
    bench.say("decide", "gus", text="too much", outcome="remove", remove=["w2"])
    bench.say("refuse", "pia")
    bench.say("decide", "gus", text="leave it")
    assert bench.round.wagers[1].returned_by is None
    assert bench.table.case is None


def test_wagers_come_off_by_a_decision() -> None:
    bench, who, clause = reported("uncovered"), "gus", "6.1"
    wants = sentence(Code.NO_SUCH_WAGER, wager="w9")
    given = {"text": "too much", "outcome": "remove"}
    assert why(bench.refused("decide", who, **given, remove=["w9"])) == wants
    bench.say("decide", who, **given, remove=["w2"])
    ann, bob = bench.round.wagers
    assert (ann.returned_by, bob.returned_by) == (None, clause)


def test_what_no_count_can_tell_is_decided_as_uncovered() -> None:
    bench = Bench(deal_face="down").deal("9H", "??")
    bench.say("report", what="cards_taken")
    bench.say("answer", value=False)
    bench.say("decide", "gus", text="nobody can tell")
    assert [each.text for each in bench.table.rulings] == ["nobody can tell"]


def test_a_decision_is_not_made_where_none_is_asked() -> None:
    refused = reported("simultaneous").refused("decide", "gus", text="so be it")
    assert why(refused) == sentence(Code.WAITS_FOR_SOMETHING_ELSE, awaited="answer")


# --- words that came through the floor ------------------------------------------------------------


@pytest.mark.parametrize(("via", "away"), [("floor", ("pia",)), (None, ())])
def test_a_ruling_says_who_was_not_at_the_table(via: str | None, away: tuple[str, ...]) -> None:
    bench = reported("simultaneous")
    bench.say("answer", value=False)
    bench.say("approve", "pia", via=via)
    (ruled,) = bench.table.rulings
    assert (ruled.decided_by, ruled.from_floor) == ("pia", away)


def test_whoever_is_not_named_in_a_ruling_is_not_said_to_have_been_away() -> None:
    bench = reported("simultaneous")
    bench.say("answer", value=False)
    bench.say("refuse", "pia", via="floor")
    bench.say("decide", "gus", text="play on", outcome="go_on")
    (ruled,) = bench.table.rulings
    assert (ruled.decided_by, ruled.approved_by, ruled.from_floor) == ("gus", "", ())


def test_the_last_word_counts_for_whence_somebody_spoke() -> None:
    bench = reported("simultaneous")
    bench.say("answer", value=False)
    bench.say("refuse", "gus", via="floor")
    bench.say("decide", "gus", text="play on", outcome="go_on")
    (ruled,) = bench.table.rulings
    assert (ruled.decided_by, ruled.from_floor) == ("gus", ())


@each_row("outcome", ["go_on", "void", "remove"])
def test_what_is_decided_and_would_not_be_done_is_refused(outcome: str) -> None:
    bench = reported("uncovered", text="x")
    given = {"remove": ["w1"]} if outcome == "remove" else {}
    refused = bench.refused("decide", "gus", text="x", outcome=outcome, order=[2, 1], **given)
    assert code(refused) == "not_with_this_outcome"
    assert bench.table.case is not None, "it waits for a decision that can be carried out"
