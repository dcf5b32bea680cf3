"""The questions people have to answer before the table goes on, and the options players have."""

from controller.cases import engine, offers
from controller.engine.prompts import count_instruction, question, request_sentence
from controller.game.irregularities import Fact
from controller.messages.codes import Code
from controller.messages.sentence import Sentence, sentence
from controller.table.agenda import order
from controller.table.agenda.items import (
    CardToEnter,
    CaseApproval,
    CaseDecision,
    CaseItem,
    CaseQuestion,
    CountDue,
    Item,
    RequestApproval,
    RestartQuestion,
)
from controller.table.case import AwaitsDecision, AwaitsFact, Case, awaited_name
from controller.table.rules import Rules
from controller.table.state import Table
from controller.views.sentence_views import View, sentence_view


def open_questions(table: Table, rules: Rules) -> list[View]:
    """At most one: what the first item of the agenda asks, and since when it waits."""
    found = _asked(order.first(table, rules), table, rules)
    return [] if found is None else [{**found, "since": table.clocks.asked_at}]


def _asked(item: Item, table: Table, rules: Rules) -> View | None:
    """None for options, which have a list of their own, for holds, and for play."""
    match item:
        case CountDue():
            return _ask("count_in_doubt", "count", count_instruction(table), item, rules)
        case RestartQuestion():
            sentence_ = sentence(Code.PROMPT_WAS_PLAY_INTERRUPTED, role=item.ended_by.role)
            return _ask("restarted", Fact.INTERRUPTED.value, sentence_, item, rules)
        case RequestApproval(request):
            return _ask(request.kind, "approve", request_sentence(request), item, rules)
        case CaseQuestion() | CardToEnter() | CaseDecision() | CaseApproval():
            return _of_case(item, table, rules)
        case _:
            return None


def _ask(case: str, ask: str, sentence_: Sentence, item: Item, rules: Rules) -> View:
    shown, ended_by = sentence_view(sentence_, rules), item.ended_by
    return {
        "case": case,
        "ask": ask,
        "says": shown["text"],
        "code": shown["code"],
        "gaps": shown["gaps"],
        "do": ended_by.commands[0],
        "role": ended_by.role.value if ended_by.role else None,
        "second": ended_by.second,
        "there": ended_by.there,
        "clause": item.clause,
        "device": None,
        "leads": None,
    }


def _of_case(item: CaseItem, table: Table, rules: Rules) -> View:
    case = item.case
    assert case.awaits is not None
    ask = (
        case.awaits.fact.value if isinstance(case.awaits, AwaitsFact) else awaited_name(case.awaits)
    )
    asked = _ask(case.id, ask, question(case, table), item, rules)
    # What the device reports its error is, where it opened the case.
    device = None if case.device_text is None else sentence_view(case.device_text, rules)
    return {**asked, "device": device, "leads": _leads(case, table, rules)}


def _leads(case: Case, table: Table, rules: Rules) -> View | None:
    """What yes and no each lead to, by the book's row: known before somebody answers. Facts that
    the table computes rest on exposed cards alone, so no sealed one is told by it."""
    yes = engine.ruling_after_answer(table, case, rules, yes=True)
    no = engine.ruling_after_answer(table, case, rules, yes=False)
    if yes is None or no is None:
        return None
    return {"yes": _lead(yes, table, rules), "no": _lead(no, table, rules)}


def _lead(case: Case, table: Table, rules: Rules) -> View:
    steps = case.ruling.then if case.ruling else ()
    asks_next = isinstance(case.awaits, AwaitsFact)
    return {
        "clause": case.clause,
        "steps": [then.step for then in steps],
        "asks": sentence_view(question(case, table), rules) if asks_next else None,
        "decides": case.awaits.role.value if isinstance(case.awaits, AwaitsDecision) else None,
    }


def open_offers(table: Table) -> list[View]:
    """The options that players have not answered yet."""
    offer = table.case.offer if table.case else None
    if offer is None:
        return []
    the_same_for_all = {
        "choices": [offers.PLAY, offers.WITHDRAW],
        "kind": offer.kind.value,
        "clause": offer.clause,
        "by": {offers.PLAY: offer.plays_on, offers.WITHDRAW: offer.returns},
    }
    return [
        {"to": player, **the_same_for_all}
        for player in offer.open_to
        if player not in offer.answers
    ]
