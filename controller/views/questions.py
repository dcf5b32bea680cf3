"""The questions people have to answer before the table goes on, and the options players have."""

import msgspec
from msgspec.structs import replace

from controller.cases import engine, offers, people, requests
from controller.engine.hold_list import COMMAND_FOR
from controller.engine.prompts import count_instruction, question, request_sentence
from controller.game.irregularities import Fact, RulingStep
from controller.game.roles import Role
from controller.messages.codes import Code
from controller.messages.sentence import Sentence, sentence
from controller.table import approvals
from controller.table.approvals import Act
from controller.table.case import (
    AwaitsApproval,
    AwaitsDecision,
    AwaitsFact,
    AwaitsOption,
    Case,
    awaited_name,
)
from controller.table.requests import ApprovalRequest, ConfirmCount, EnterFirstCard
from controller.table.rules import Rules
from controller.table.state import Table
from controller.views.sentence_views import Gaps, SentenceView, english, sentence_view


class LeadView(msgspec.Struct, frozen=True):
    """Where one answer leads: steps of a ruling, one more question, or somebody's decision."""

    clause: str | None
    steps: list[str]
    """Of the ruling that it comes under."""
    asks: SentenceView | None
    """One more question."""
    decides: Role | None
    """The role that decides what the book does not cover."""


class LeadsView(msgspec.Struct, frozen=True):
    """What each answer to a question of fact leads to."""

    yes: LeadView
    no: LeadView


class AskView(msgspec.Struct, frozen=True):
    """A question that has to be answered before the table goes on."""

    case: str
    ask: str
    says: str
    code: str
    gaps: Gaps
    do: str
    """The command that answers it."""
    role: Role | None
    second: bool
    """It takes somebody else than whoever asked for it."""
    there: bool
    """Whoever approves it has looked at the table itself: nobody does so from the floor."""
    clause: str | None
    device: SentenceView | None
    """The device's error that it is about, in the driver's words."""
    leads: LeadsView | None
    """Of a question of fact."""
    since: float | None
    """Since when it waits, in seconds since 1970."""


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
    """At most one: what has to be answered first, and since when it waits."""
    return [replace(each, since=table.clocks.asked_at) for each in _asks(table, rules)]


def _asks(table: Table, rules: Rules) -> list[AskView]:
    request = table.request
    if table.count_check is not None and not _count_waits(request):
        sentence_ = count_instruction(table)
        role = approvals.approval_row(Act.DEAL).role
        return [_ask("count_in_doubt", "count", "count", sentence_, role, None, rules)]
    if table.count_check is not None and request is not None:
        return [_second_person(request, rules)]
    if table.clocks.restarted_at is not None and table.day.is_open:
        return [_after_restart(rules)]
    case = table.case
    if case is None and request is not None:
        return [_second_person(request, rules)]
    if case is None or case.awaits is None or isinstance(case.awaits, AwaitsOption):
        return []
    return [_of_case(case, table, rules)]


def _ask(
    case: str,
    ask: str,
    do: str,
    sentence_: Sentence,
    role: Role | None,
    clause: str | None,
    rules: Rules,
    second: bool = False,
    there: bool = False,
) -> AskView:
    return AskView(
        case=case,
        ask=ask,
        says=english(rules).text(sentence_),
        code=sentence_.code,
        gaps=sentence_.params,
        do=do,
        role=role,
        second=second,
        there=there,
        clause=clause,
        device=None,
        leads=None,
        since=None,
    )


def _of_case(case: Case, table: Table, rules: Rules) -> AskView:
    assert case.awaits is not None
    waits = awaited_name(case.awaits)
    ask = case.awaits.fact.value if isinstance(case.awaits, AwaitsFact) else waits
    role = people.role_for(case, rules)
    do = COMMAND_FOR.get(waits, waits)
    asked = _ask(case.id, ask, do, question(case, table, rules), role, case.clause, rules)
    if isinstance(case.awaits, AwaitsApproval):
        row = approvals.approval_row(people.approval_of(case))
        asked = replace(asked, second=row.second, there=row.there)
    # What the device reports its error is, where it opened the case.
    device = None if case.device_text is None else sentence_view(case.device_text, rules)
    return replace(asked, device=device, leads=_leads(case, table, rules))


def _leads(case: Case, table: Table, rules: Rules) -> LeadsView | None:
    """What yes and no each lead to, by the book's row: known before somebody answers. Facts that
    the table computes rest on exposed cards alone, so no sealed one is told by it."""
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
        asks=sentence_view(question(case, table, rules), rules) if asks_next else None,
        decides=case.awaits.role if isinstance(case.awaits, AwaitsDecision) else None,
    )


def _count_waits(request: ApprovalRequest | None) -> bool:
    """A count that differs, or the first card, waits for the second person."""
    return request is not None and isinstance(request.subject, ConfirmCount | EnterFirstCard)


def _second_person(request: ApprovalRequest, rules: Rules) -> AskView:
    """Something one person asked for and another has to approve."""
    row, sentence_ = (
        approvals.approval_row(requests.request_act(request)),
        request_sentence(request),
    )
    return _ask(
        request.kind,
        "approve",
        "approve",
        sentence_,
        row.role,
        requests.clause_of(request),
        rules,
        row.second,
        row.there,
    )


def _after_restart(rules: Rules) -> AskView:
    role = approvals.approval_row(Act.SAY_WHAT_A_RESTART_WAS).role
    sentence_ = sentence(Code.PROMPT_WAS_PLAY_INTERRUPTED, role=role)
    return _ask("restarted", Fact.INTERRUPTED.value, "answer", sentence_, role, None, rules)


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
