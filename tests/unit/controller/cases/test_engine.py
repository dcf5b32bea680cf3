"""A case from its opening to its end: the ruling found, its steps done, the next one opened."""

import pytest

from controller.cases import engine
from controller.cases.steps import STEPS
from controller.game.irregularities import Fact, RulingStep
from controller.game.roles import Role
from controller.rulebooks import RULEBOOKS
from controller.table import approvals
from controller.table.approvals import Act, Approval
from controller.table.case import AwaitsFact, Case
from controller.table.commands.message import staff_message
from support.rows import each_row
from support.table.bench import Bench, code, rules_of

RULES = rules_of()


def test_the_first_ruling_whose_facts_hold_is_carried_out() -> None:
    for belongs, clause in ((False, "5.1.1"), (True, "5.1")):
        bench = Bench().deal("9H")
        bench.say("report", what="foreign_card", cards=[1], facts={"belongs": belongs})
        assert bench.table.case is not None
        assert bench.table.case.clause == clause


def test_a_report_of_what_did_not_happen_is_refused_by_the_clause_that_describes_it() -> None:
    """RWS 5.12 is about errors that 5.5 does not describe; the wrong number of cards is 5.5.3."""
    bench = Bench(book="rws-commission-baccarat-4").deal("9H", "2C", "KD", "6S")
    refused = bench.refused(
        "report", what="wrong_number", lies={"player": [1, 3], "banker": [2, 4]}
    )
    assert (code(refused), refused.clause) == ("number_is_right", "5.5.3")


def test_a_fact_is_asked_only_where_a_ruling_turns_on_it() -> None:
    bench = Bench().deal("9H", "2C")
    bench.say("report", what="simultaneous")
    assert bench.table.case is not None
    assert bench.table.case.awaits == AwaitsFact(Fact.ORDER_KNOWN, Role.DEALER)


def test_whose_answer_a_question_takes_is_read_from_the_approvals(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    row = Approval(Act.DEAL, Role.PIT_SUPERVISOR)
    bench = Bench().deal("9H", "2C")
    monkeypatch.setitem(approvals.APPROVALS, Act.DEAL, row)
    bench.say("report", "pia", what="simultaneous")
    assert bench.table.case is not None
    assert bench.table.case.awaits == AwaitsFact(Fact.ORDER_KNOWN, Role.PIT_SUPERVISOR)


@each_row("book", RULEBOOKS)
def test_what_a_book_is_silent_about_goes_to_the_role_it_names(book: str) -> None:
    bench = Bench(book, decks=RULEBOOKS[book].decks.most).deal("9H")
    bench.say("report", what="uncovered")
    uncovered = bench.rules.book.uncovered
    assert bench.table.case is not None
    assert bench.table.case.clause == uncovered.clause
    said = staff_message("decide", "tom", uncovered.role.value, text="go on")
    assert bench.hear(said).accepted
    assert bench.table.case is None


def test_one_case_is_open_at_a_time_and_the_next_follows() -> None:
    bench = Bench().deal("9H")
    bench.say("report", what="uncovered")
    bench.say("report", what="wrong_count")
    assert bench.table.case is not None
    assert bench.table.case.id == "uncovered"
    bench.say("decide", "gus", text="go on")
    assert bench.table.case is not None
    assert bench.table.case.id == "wrong_count"
    assert bench.table.queue == ()


def test_nothing_that_is_queued_opens_before_the_cards_are_counted() -> None:
    bench = Bench().deal("9H")
    bench.device("events_lost")
    bench.device("error", means="does_not_belong")
    assert bench.table.case is None
    bench.say("count", cards=1)
    assert bench.table.case is not None


def test_a_case_that_asks_nobody_is_done_at_once_and_written_down() -> None:
    bench = Bench().deal("9H")
    bench.say("report", what="display_wrong")
    assert bench.table.case is None
    (ruled,) = bench.table.rulings
    assert (ruled.id, ruled.clause, ruled.decided_by) == ("display_wrong", "6.3", "dan")


def test_every_step_of_every_book_has_a_function() -> None:
    assert set(STEPS) == set(RulingStep)
    used = {
        then.step
        for book in RULEBOOKS.values()
        for row in book.irregularities
        for ruling in row.rulings
        for then in ruling.then
    }
    assert used <= set(STEPS)


def test_what_no_book_says_anything_about_has_a_row_of_ours() -> None:
    assert engine.irregularity(RULES, "unreadable") is not None
    first = engine.irregularity(RULES, "cut_card_first")
    assert first is not None
    assert [ruling.clause for ruling in first.rulings] == ["3.17.1", "3.17"]
    assert engine.irregularity(RULES, "lateness") is None


def test_the_step_under_way_is_the_one_it_waits_in() -> None:
    bench = Bench(deal_face="down").deal("9H", "??")
    bench.say("report", what="cards_taken", facts={"value_known": False})
    case = bench.table.case
    assert case is not None
    assert engine.step_under_way(case) is RulingStep.MISSING_CARDS
    assert engine.step_clause(case, RulingStep.KEEP_TWO) == "5.11.1"
    assert engine.step_clause(case, RulingStep.REBET) == case.clause
    assert engine.step_under_way(Case("x", "dan")) is None
