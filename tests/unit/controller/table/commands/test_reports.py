"""Reports: which fields and facts each has, held against the books' own rows."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from controller.game.irregularities import COMPUTED, Fact
from controller.messages.codes import Code
from controller.messages.sentence import Sentence, sentence
from controller.rulebooks import RULEBOOKS
from controller.table.commands import reports
from controller.table.commands.people import Facts, ReportCommand
from controller.table.commands.reports import FORMS, misplaced_field, report_fields, report_struct
from support.rows import each_row
from support.table.bench import NATURAL, Bench, nearly_empty

FOUND_BY_THE_TABLE = {"device_gave_up"}
"""Rows that no person reports: a device or the table itself does."""

ROWS = [(book, row.id) for book, found in RULEBOOKS.items() for row in found.irregularities]


def asked(book: str, what: str) -> set[str]:
    """The facts of a row that somebody has to say."""
    row = RULEBOOKS[book].irregularity_by_id[what]
    facts = {fact for ruling in row.rulings for fact in ruling.when} - COMPUTED
    return {fact.value for fact in facts}


@each_row("book, what", ROWS)
def test_every_fact_a_row_asks_for_can_be_told_with_its_report(book: str, what: str) -> None:
    if what in FOUND_BY_THE_TABLE:
        assert what not in FORMS
        return
    assert asked(book, what) <= set(FORMS[what].facts)


def test_no_report_has_a_fact_that_no_book_asks_for() -> None:
    for what, form in FORMS.items():
        books = [book for book, row in ROWS if row == what]
        known = {fact for book in books for fact in asked(book, what)}
        assert set(form.facts) == known, what


def test_the_struct_of_facts_has_those_of_all_reports_and_no_other() -> None:
    told = {fact for form in FORMS.values() for fact in form.facts}
    assert told == set(Facts.__struct_fields__)
    assert told <= {fact.value for fact in Fact}


def test_every_field_of_a_form_is_one_of_the_word() -> None:
    for form in FORMS.values():
        assert set(form.fields) <= set(ReportCommand.__struct_fields__) - {"what", "round", "facts"}


@each_row(
    "given, says",
    [
        ({"what": "wrong_order", "cards": [1], "lies": {"player": [1]}, "round": 3}, None),
        ({"what": "simultaneous", "order": [2, 1], "facts": {"order_known": True}}, None),
        (
            {"what": "wrong_order", "order": [2, 1]},
            sentence(Code.NO_SUCH_REPORT_FIELD, what="wrong_order", field="order"),
        ),
        (
            {"what": "wrong_count", "facts": {}},
            sentence(Code.NO_SUCH_REPORT_FIELD, what="wrong_count", field="facts"),
        ),
        (
            {"what": "foreign_card", "facts": {"order_known": True}},
            sentence(Code.NO_SUCH_FACT, what="foreign_card", field="order_known"),
        ),
        ({"what": "lateness"}, sentence(Code.NO_SUCH_REPORT, what="lateness")),
        ({"what": 5}, None),
        ({}, None),
    ],
)
def test_what_a_report_does_not_have_is_named(given: dict[str, Any], says: Sentence | None) -> None:
    """What is no report at all is for the struct to refuse."""
    assert misplaced_field(given) == says


@each_row("what", reports.IDS)
def test_a_report_as_a_struct_has_its_fields_and_no_others(what: str) -> None:
    names = {each.name for each in msgspec.structs.fields(report_struct(what))}
    assert names | {"what"} == set(report_fields(what))
    assert msgspec.convert({"what": what}, report_struct(what)) is not None
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"what": what, "colour": "red"}, report_struct(what))


def dealt() -> Bench:
    return Bench().deal("9H", "2C")


def handled() -> Bench:
    """Players handle the cards, and one has some."""
    bench = Bench().open()
    bench.say("method", "max", method="A")
    return bench.deal(*NATURAL, wagers=(("ann", "player", 100),))


def voided() -> Bench:
    bench = dealt()
    bench.say("report", what="wrong_count")
    bench.say("approve", "pia")
    return bench


def wagered(amount: int, **limits: Any) -> Bench:
    return Bench(**limits).bet(("ann", "player", amount))


def closed(bench: Bench) -> Bench:
    bench.say("close_betting", anyway=True)
    return bench


def second_round() -> Bench:
    bench = Bench().deal(*NATURAL)
    bench.settle()
    return bench.deal("9H")


TROUBLE: dict[str, tuple[Callable[[], Bench], dict[str, Any]]] = {
    "wrong_player": (handled, {}),
    "not_passed": (handled, {}),
    "handler_absent": (handled, {}),
    "exposed_in_error": (lambda: Bench(deal_face="down").deal("9H", "2C"), {"cards": [1]}),
    "excess_card": (lambda: Bench().deal(*NATURAL, "4H"), {}),
    "not_enough_cards": (lambda: nearly_empty(3).deal("9H"), {}),
    "void_aftermath": (voided, {}),
    "under_minimum": (lambda: closed(wagered(50, minimum=100)), {}),
    "over_maximum": (lambda: closed(wagered(2000, maximum=1000)), {}),
    "differential": (lambda: wagered(2000, differential=1000), {}),
    "late_error": (second_round, {"round": 1}),
    "earlier_limits": (second_round, {}),
}
"""A table on which it has happened, and what its report says; two cards lie open on others."""


@each_row("what", reports.IDS)
def test_every_report_of_what_happened_is_taken_and_leads_somewhere(what: str) -> None:
    trouble, said = TROUBLE.get(what, (dealt, {}))
    bench = trouble()
    before = len(bench.table.rulings)
    bench.say("report", what=what, **said)
    waits = bench.table.case is not None and bench.table.case.awaits is not None
    assert waits or [ruled.id for ruled in bench.table.rulings[before:]] == [what]


@each_row("what", sorted(set(TROUBLE)))
def test_a_report_of_what_did_not_happen_is_refused(what: str) -> None:
    dealt().refused("report", what=what)


def test_known_facts_are_those_that_were_said() -> None:
    assert Facts(belongs=False, unshuffled=True).known() == {"belongs": False, "unshuffled": True}
    assert Facts().known() == {}
