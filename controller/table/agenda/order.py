"""The agenda of a table: its items in the order in which they end. See the package's docstring."""

from functools import cache
from typing import Final

from controller.game.roles import Role
from controller.messages.codes import Code
from controller.table import approvals, requests
from controller.table.agenda.items import (
    HOLDS,
    CardToEnter,
    CaseApproval,
    CaseDecision,
    CaseItem,
    CaseOffer,
    CaseQuestion,
    CountDue,
    EndedBy,
    HoldToEnd,
    Item,
    NextAct,
    QueuedCase,
    RequestApproval,
    RestartQuestion,
)
from controller.table.approvals import Act
from controller.table.case import (
    AwaitsApproval,
    AwaitsCard,
    AwaitsCounts,
    AwaitsDecision,
    AwaitsKept,
    AwaitsOption,
    AwaitsWagers,
    Case,
    Offer,
    awaited_name,
)
from controller.table.commands.registry import REGISTRY, MessageType
from controller.table.holds import LASTING, Hold, clears, needs_two_people
from controller.table.phases import Phase
from controller.table.refused import Refused
from controller.table.requests import ApprovalRequest, ClearJournalLoss, GoOn, Turn, turn_of
from controller.table.rules import Rules
from controller.table.state import CardCountCheck, Table

YES_OR_NO: Final = ("approve", "refuse")


def agenda(table: Table, rules: Rules) -> tuple[Item, ...]:
    """All items that the table waits for, the first to end in front; the next act of play is always
    one."""
    found = _waiting(table, rules)
    play = _next_act(table)
    if table.day.is_open:
        return (*found, play)
    ready = 1 if found and isinstance(found[0], RequestApproval) else 0
    return (*found[:ready], play, *found[ready:])


def first(table: Table, rules: Rules) -> Item:
    """The item that has to end before all others."""
    return agenda(table, rules)[0]


def holding(table: Table, rules: Rules) -> tuple[Item, ...]:
    """The items that hold the table, in order. A closed table lists what will hold it once it
    opens."""
    return tuple(item for item in _waiting(table, rules) if isinstance(item, HOLDS))


def _waiting(table: Table, rules: Rules) -> list[Item]:
    asked = [_request(each, table) for each in table.requests]
    found: list[Item] = []
    if table.count_check is not None:
        found += [each for each in asked if turn_of(each.request) is Turn.BEFORE_THE_COUNT]
        found.append(_count(table.count_check))
        asked = [each for each in asked if each not in found]
    if table.clocks.restarted_at is not None:
        found.append(_restart(table.clocks.restarted_at))
    if table.case is not None:
        found.append(_case(table.case, rules))
    found += [_queued(each) for each in table.queue]
    found += [each for each in asked if turn_of(each.request) is not Turn.AFTER_HOLDS]
    found += [_hold(each, table) for each in in_order(table.latches)]
    return found + [each for each in asked if turn_of(each.request) is Turn.AFTER_HOLDS]


def in_order(holds: tuple[Hold, ...]) -> list[Hold]:
    """Sort items that a device or the machine ends before those that a person clears."""
    return sorted(holds, key=lambda each: each.kind not in LASTING)


# --- the items ----------------------------------------------------------------------------------


def _count(check: CardCountCheck) -> CountDue:
    return CountDue(check, EndedBy(("count",), approvals.approval_row(Act.DEAL).role), check.since)


def _restart(since: float) -> RestartQuestion:
    row = approvals.approval_row(Act.SAY_WHAT_A_RESTART_WAS)
    return RestartQuestion(EndedBy(("answer",), row.role, row.second), since)


def _request(request: ApprovalRequest, table: Table) -> RequestApproval:
    """The item of a request. A count that differs is also approved by the second person's own
    count."""
    row = approvals.approval_row(requests.act_of(request))
    commands = (*YES_OR_NO, "count") if request.kind == "count" else YES_OR_NO
    ended_by = EndedBy(commands, row.role, row.second, row.there)
    clause = requests.clause_of(request)
    return RequestApproval(request, ended_by, table.clocks.asked_at, clause)


def _queued(case: Case) -> QueuedCase:
    return QueuedCase(case, EndedBy(), case.since, case.clause)


def _hold(hold: Hold, table: Table) -> HoldToEnd:
    """A requested override of a hold ends it with the second person's approval."""
    if hold.kind in LASTING:
        return HoldToEnd(hold, EndedBy(), hold.since)
    role, second = approvals.approval_row(Act.RESUME).role, needs_two_people(hold.kind)
    if _is_asked_over(hold, table):
        return HoldToEnd(hold, EndedBy(YES_OR_NO, role, second=True), hold.since)
    return HoldToEnd(hold, EndedBy(("resume",), role, second), hold.since)


def _is_asked_over(hold: Hold, table: Table) -> bool:
    """Whether an override of the hold was requested."""
    return any(
        isinstance(each.subject, GoOn | ClearJournalLoss)
        and clears(requests.act_of(each), hold.kind)
        for each in table.requests
    )


def _next_act(table: Table) -> NextAct:
    """The next act with the commands of the phase; optional commands of players come after."""
    leads = [spec for spec in REGISTRY.values() if table.phase in spec.leads_in]
    ordered = sorted(leads, key=lambda spec: "player" in spec.speakers)
    by = Act.OPEN_TABLE if table.phase is Phase.CLOSED else Act.DEAL
    return NextAct(
        table.phase, EndedBy(tuple(spec.name for spec in ordered), approvals.approval_row(by).role)
    )


def _case(case: Case, rules: Rules) -> CaseItem:
    assert case.awaits is not None, "between steps a case waits for somebody"
    role = role_of(case)
    match case.awaits:
        case AwaitsOption(offer):
            return _offer(case, offer, rules)
        case AwaitsApproval():
            row = approvals.approval_row(approval_of(case))
            ended_by = EndedBy(YES_OR_NO, role, row.second, row.there)
            return CaseApproval(case, ended_by, case.since, case.clause)
        case AwaitsDecision() | AwaitsWagers():
            return CaseDecision(case, EndedBy(("decide",), role), case.since, case.clause)
        case AwaitsCard():
            return CardToEnter(case, EndedBy(("enter_card",), role), case.since, case.clause)
        case AwaitsKept():  # where it cannot be read, or counted, the same role decides
            commands: tuple[str, ...] = ("enter_card", "decide")
            return CardToEnter(case, EndedBy(commands, role), case.since, case.clause)
        case AwaitsCounts():
            commands = ("answer", "decide")
        case _:
            commands = ("answer",)
    return CaseQuestion(case, EndedBy(commands, role), case.since, case.clause)


def _offer(case: Case, offer: Offer, rules: Rules) -> CaseOffer:
    """The item of an offer: players choose; a person closes it in their place."""
    commands = ("option", "close_offer")
    role = None if rules.house.track_wagers else approvals.approval_row(closes_offer(rules)).role
    return CaseOffer(case, offer, EndedBy(commands, role), case.since, offer.clause)


def closes_offer(rules: Rules) -> Act:
    """The row by which a person closes an offer."""
    return Act.CLOSE_OFFER if rules.house.track_wagers else Act.CLOSE_UNTRACKED_OFFER


def role_of(case: Case) -> Role | None:
    """The least role that ends what the case waits for; None: players do."""
    match case.awaits:
        case None | AwaitsOption():
            return None
        case AwaitsApproval(of):
            return approvals.approval_row(_APPROVED_BY[of]).role
        case AwaitsCard():
            return approvals.approval_row(Act.DEAL).role
        case awaits:
            return awaits.role


def approval_of(case: Case) -> Act:
    """The row by which a person may answer it now. For a case that a device opened, the first
    person asks and another approves."""
    assert isinstance(case.awaits, AwaitsApproval)
    return Act.ASK_FOR_A_VOID if case.asker is None else _APPROVED_BY[case.awaits.of]


_APPROVED_BY: Final = {
    "void": Act.VOID,
    "entered_card": Act.ENTER_CARD,
    "moved_card": Act.MOVE_EXPOSED_CARD,
    "doubt": Act.DOUBT_EXPOSED_CARDS,
    "strike": Act.STRIKE_WAGER,
    "decision": Act.CONFIRM_DECISION,
}


# --- what a command may end ---------------------------------------------------------------------


def to_end(table: Table, rules: Rules, command: str) -> Item:
    """The first item, where the command can end it; refused with what comes first otherwise."""
    item = first(table, rules)
    if command in item.ended_by.commands:
        return item
    raise comes_first(item)


def comes_first(item: Item) -> Refused:
    """The refusal of a command that does not end the first item, with the reason."""
    match item:
        case CountDue():
            return Refused(Code.COUNT_FIRST)
        case RestartQuestion():
            return Refused(Code.RESTART_FIRST)
        case RequestApproval(request):
            return Refused(Code.SECOND_PERSON_FIRST, request=request.kind)
        case HoldToEnd(hold):
            return Refused(Code.STILL_HOLDS, hold=hold.kind)
        case NextAct():
            return Refused(Code.NOTHING_ASKED)
        case _:
            return waits_for(item.case)


def waits_for(case: Case) -> Refused:
    """The refusal while the open case waits for something other than the command."""
    if case.awaits is None:  # queued behind a count
        return Refused(Code.COUNT_FIRST)
    return Refused(Code.WAITS_FOR_SOMETHING_ELSE, case.clause, awaited=awaited_name(case.awaits))


# --- what the agenda means for play -------------------------------------------------------------


def has_holds(table: Table) -> bool:
    """Whether any item has to end before the round goes on."""
    # Runs several times at every step: the condition that is nearly always true comes last.
    return (
        table.case is not None
        or bool(table.latches)
        or table.clocks.restarted_at is not None
        or table.count_check is not None
    ) and table.day.is_open


def is_busy(table: Table) -> bool:
    """Whether something has to end before cards are laid: a case, or a count."""
    return table.case is not None or bool(table.queue) or table.count_check is not None


def do_cards_wait(table: Table) -> bool:
    """Whether a card that is drawn now goes aside: `is_busy`, or a restart is not explained yet."""
    return is_busy(table) or table.clocks.restarted_at is not None


def may_open_case(table: Table) -> bool:
    """Whether the next queued case is opened now. The cards are counted first."""
    return bool(table.queue) and table.case is None and table.count_check is None


def do_clocks_stand(table: Table) -> bool:
    """Whether bets and choices are stopped. While options are open the case itself stops no
    clock."""
    if table.latches or table.count_check is not None:
        return True
    return table.case is not None and not isinstance(table.case.awaits, AwaitsOption)


def question_of(table: Table) -> tuple[object, ...]:
    """The question to people, to detect that it changes. The rest of a case may change while the
    question stays."""
    case, in_doubt = table.case, table.count_check
    return (
        None if case is None else case.awaits,
        table.requests,
        None if in_doubt is None else in_doubt.why,
    )


NOTHING_ASKED: Final = (None, (), None)


def clause_of_step(before: Table, after: Table) -> str | None:
    """The clause a step came under: of the case it left open or of the one it closed, or of what it
    asked for or approved."""
    if after.case is not None:
        return after.case.clause
    request = before.request if after.request is None else after.request
    if after.request is not before.request and request is not None:
        return requests.clause_of(request)
    if after.rulings is before.rulings:
        return None
    closed = after.rulings[len(before.rulings) :]
    return closed[-1].clause if closed else None


def may_be_sent(message_type: MessageType, table: Table) -> bool:
    """Whether a command is legal as the table stands; who sends it is judged when it is sent."""
    return _is_legal(
        message_type, table.phase, has_holds(table), table.clocks.restarted_at is not None
    )


def legal_commands(table: Table, rules: Rules) -> list[str]:
    """What a person may send as the table stands. Of the commands that end an item, those that end
    the first."""
    stands = (
        table.phase,
        has_holds(table),
        table.clocks.restarted_at is not None,
        table.count_check is not None,
    )
    return _legal_commands(*stands, first(table, rules).ended_by.commands)


@cache
def _legal_commands(
    phase: Phase, held: bool, restarted: bool, counting: bool, ends: tuple[str, ...]
) -> list[str]:
    by_people = [
        message_type
        for message_type in REGISTRY.values()
        if {"staff", "player"} & set(message_type.speakers)
    ]
    return [
        message_type.name
        for message_type in by_people
        if _is_legal(message_type, phase, held, restarted)
        and (message_type.counts_first or not counting)
        and (message_type.name in ends or message_type.name not in ENDS_FIRST)
    ]


def _is_legal(message_type: MessageType, phase: Phase, held: bool, restarted: bool) -> bool:
    if not held:
        return phase in message_type.phases
    return message_type.while_restarted if restarted else message_type.while_held


ENDS_FIRST: Final = frozenset(
    {"approve", "refuse", "answer", "option", "close_offer", "decide", "resume"}
)
"""Commands that end the first item of the agenda and do nothing else."""
