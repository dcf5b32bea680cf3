"""The questions that people must answer before play continues, and the players' options."""

import msgspec
from msgspec.structs import replace

from controller.cases import engine, offers
from controller.engine.prompts import count_instruction, question, request_sentence
from controller.game.irregularities import Fact, RulingStep
from controller.game.roles import Role
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
from controller.views.sentence_views import Gaps, SentenceView, english, sentence_view


class LeadView(msgspec.Struct, frozen=True):
    """What one answer leads to: steps of a ruling, one more question, or a decision."""

    clause: str | None
    steps: list[str]
    """The steps of the ruling that applies."""
    asks: SentenceView | None
    """One more question."""
    decides: Role | None
    """The role that decides what the rulebook does not cover."""


class LeadsView(msgspec.Struct, frozen=True):
    """What each answer to a question of fact leads to."""

    yes: LeadView
    no: LeadView


class AskView(msgspec.Struct, frozen=True):
    """A question that must be answered before play continues."""

    case: str
    ask: str
    says: str
    code: str
    gaps: Gaps
    do: str
    """The command that answers it."""
    role: Role | None
    second: bool
    """A person other than the requester must answer it."""
    there: bool
    """The approver must have looked at the table in person; approval from a distance is refused."""
    clause: str | None
    device: SentenceView | None
    """The device's error that the question is about, in the driver's words."""
    leads: LeadsView | None
    """Set only for a question of fact."""
    since: float | None
    """The time since which it is pending, in seconds since 1970."""


class ChoiceClauses(msgspec.Struct, frozen=True):
    """The clause by which each choice of an offer is carried out."""

    play: str
    withdraw: str


class OfferView(msgspec.Struct, frozen=True):
    """An option that a player has not answered yet."""

    to: str
    """A player, or `*` for every one."""
    choices: list[str]
    kind: RulingStep
    clause: str
    by: ChoiceClauses


def open_questions(table: Table, rules: Rules) -> list[AskView]:
    """At most one question: that of the first item of the agenda, and since when it is pending."""
    found = _asked(order.first(table, rules), table, rules)
    return [] if found is None else [replace(found, since=table.clocks.asked_at)]


def _asked(item: Item, table: Table, rules: Rules) -> AskView | None:
    """The item's question. None for options, which have their own list, for holds, and for play."""
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


def _ask(case: str, ask: str, sentence_: Sentence, item: Item, rules: Rules) -> AskView:
    ended_by = item.ended_by
    return AskView(
        case=case,
        ask=ask,
        says=english(rules).text(sentence_),
        code=sentence_.code,
        gaps=sentence_.params,
        do=ended_by.commands[0],
        role=ended_by.role,
        second=ended_by.second,
        there=ended_by.there,
        clause=item.clause,
        device=None,
        leads=None,
        since=None,
    )


def _of_case(item: CaseItem, table: Table, rules: Rules) -> AskView:
    case = item.case
    assert case.awaits is not None
    ask = (
        case.awaits.fact.value if isinstance(case.awaits, AwaitsFact) else awaited_name(case.awaits)
    )
    asked = _ask(case.id, ask, question(case, table), item, rules)
    # The error that the device reported when it opened the case.
    device = None if case.device_text is None else sentence_view(case.device_text, rules)
    return replace(asked, device=device, leads=_leads(case, table, rules))


def _leads(case: Case, table: Table, rules: Rules) -> LeadsView | None:
    """The results of yes and no by the rulebook's row, computed before the answer. The facts that
    the table computes rest on exposed cards alone, so they reveal no sealed card."""
    yes = engine.ruling_after_answer(table, case, rules, yes=True)
    no = engine.ruling_after_answer(table, case, rules, yes=False)
    if yes is None or no is None:
        return None
    return LeadsView(_lead(yes, table, rules), _lead(no, table, rules))


def _lead(case: Case, table: Table, rules: Rules) -> LeadView:
    steps = case.ruling.then if case.ruling else ()
    asks_next = isinstance(case.awaits, AwaitsFact)
    return LeadView(
        clause=case.clause,
        steps=[then.step for then in steps],
        asks=sentence_view(question(case, table), rules) if asks_next else None,
        decides=case.awaits.role if isinstance(case.awaits, AwaitsDecision) else None,
    )


def open_offers(table: Table) -> list[OfferView]:
    """The options that players have not answered yet."""
    offer = table.case.offer if table.case else None
    if offer is None:
        return []
    clauses = ChoiceClauses(play=offer.plays_on, withdraw=offer.returns)
    choices = [offers.PLAY, offers.WITHDRAW]
    return [
        OfferView(player, choices, offer.kind, offer.clause, clauses)
        for player in offer.open_to
        if player not in offer.answers
    ]
