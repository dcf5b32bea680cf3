"""What is asked of people: where each answer leads, and since when it waits."""

from typing import Any

import pytest

from controller.views.questions import open_questions
from controller.views.structs.encoding import plain
from support.table.bench import Bench


def asked(bench: Bench) -> dict[str, Any]:
    (found,) = open_questions(bench.table, bench.rules)
    return plain(found)


def together(*cards: str, **house: Any) -> Bench:
    """Two cards came out at once, and nobody has said in which order."""
    bench = Bench(**house).deal(*cards, wagers=(("ann", "banker", 2000),))
    bench.say("report", what="simultaneous")
    return bench


def test_yes_and_no_lead_where_the_book_says() -> None:
    bench = together("9H", "2C", "KD")
    leads = asked(bench)["leads"]
    assert leads["no"]["clause"] == "5.8.2.1"
    assert leads["no"]["steps"][0] == "void"
    assert leads["yes"]["clause"] == "5.8"
    assert "void" not in leads["yes"]["steps"]


@pytest.mark.parametrize("value", [True, False])
def test_an_answer_leads_where_it_was_said_to(value: bool) -> None:
    bench = together("9H", "2C", "KD")
    lead = asked(bench)["leads"]["yes" if value else "no"]
    bench.say("answer", value=value)
    case = bench.table.case
    assert case is not None
    assert case.ruling is not None
    assert [then.step for then in case.ruling.then] == lead["steps"]


@pytest.mark.parametrize("cards", [("9H", "2C", "KD", "6S"), ("2H", "KC", "3D", "5S")])
def test_where_answers_lead_tells_nothing_of_sealed_cards(cards: tuple[str, ...]) -> None:
    sealed = together(*cards, deal_face="down")
    others = together("7H", "4C", "TD", "AS", deal_face="down")
    assert asked(sealed)["leads"] == asked(others)["leads"]


def test_what_is_no_question_of_fact_leads_to_nothing_by_itself() -> None:
    bench = together("9H", "2C", "KD")
    bench.say("answer", value=False)
    assert asked(bench)["ask"] == "approve"
    assert asked(bench)["leads"] is None


def test_a_question_waits_since_it_was_asked_and_not_since_the_table_stopped() -> None:
    bench = Bench().deal("9H", "2C", "KD", wagers=(("ann", "banker", 2000),))
    bench.device("error", code=9)
    stopped = bench.at
    bench.say("report", what="simultaneous")
    reported = bench.at
    assert asked(bench)["since"] == reported > stopped
    bench.device("notice", says="it hums")
    assert asked(bench)["since"] == reported, "what changes beside it does not begin it anew"
    bench.say("answer", value=False)
    assert asked(bench)["since"] == bench.at, "another question is asked"
    bench.say("approve", "pia")
    assert bench.table.clocks.asked_at is None
