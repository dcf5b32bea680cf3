"""Commands of people to the open case: facts, approvals, decisions."""

from typing import Any, Final

from msgspec.structs import replace

from controller.cases import engine, facts, people, requests
from controller.cases.manual_entry.entry import enter_approved
from controller.cases.reports import missing
from controller.cases.reports.preconditions import TOGETHER, unmet
from controller.cases.reports.report import layout_positions, named_cards
from controller.cases.steps import lay_again, notify_moves
from controller.game.irregularities import Fact, RulingStep
from controller.messages.codes import Code
from controller.round import reconstruction, round_end
from controller.round.wagers import wager_corrections
from controller.table import approvals
from controller.table.agenda import order
from controller.table.agenda.items import (
    CardToEnter,
    CaseApproval,
    CaseDecision,
    CaseQuestion,
    RequestApproval,
    RestartQuestion,
)
from controller.table.approvals import Act
from controller.table.case import (
    AwaitsApproval,
    AwaitsCard,
    AwaitsCounts,
    AwaitsDecision,
    AwaitsFact,
    AwaitsKept,
    AwaitsLies,
    AwaitsOrder,
    AwaitsWagers,
    Case,
    Decision,
    PendingDecision,
    Ruled,
)
from controller.table.commands.message import Message
from controller.table.commands.people import (
    AnswerQuestionCommand,
    ApproveCommand,
    DecideCommand,
    RefuseCommand,
    ResumeCommand,
)
from controller.table.refused import Refused
from controller.table.rules import Rules
from controller.table.state import (
    DecidedMatter,
    Round,
    Table,
    add_notice,
    change_part,
    latest_round,
    notify,
    queue_case,
)


def answer(table: Table, message: Message[AnswerQuestionCommand], rules: Rules) -> Table:
    """Store the answer: a fact, the order of cards, where they lie, or what is left of the
    decks."""
    item = order.to_end(table, rules, message.type)
    if isinstance(item, RestartQuestion):
        return _after_restart(table, message, rules)
    assert isinstance(item, CaseQuestion)
    case, awaits = item.case, item.case.awaits
    assert isinstance(awaits, AwaitsFact | AwaitsOrder | AwaitsLies | AwaitsCounts)
    rules.require_role(message, awaits.role, case.clause)
    case = replace(people.note_speaker(case, message), decided_by=message.actor)
    if isinstance(awaits, AwaitsLies):
        return _answer_positions(table, case, message, rules)
    if isinstance(awaits, AwaitsOrder):
        _not_the_reporter(case, message, rules)
        ordered = _ordered(table, case, message, rules)
        # An answer by the role that the book names also approves what follows from it.
        return _goes_on(table, replace(ordered, second=message.actor, approved=_RESTS_ON))
    if isinstance(awaits, AwaitsCounts):
        return _goes_on(missing.set_missing_cards(table, case, message, rules), case)
    return _goes_on(table, _fact(table, case, awaits.fact, message, rules))


def _not_the_reporter(case: Case, message: Message[Any], rules: Rules) -> None:
    """Refuse a decision that a rule gives to one role alone from the person who reported the
    case."""
    if rules.is_same_person(message.actor, case.asker):
        raise Refused(Code.TAKES_TWO, case.clause)


def _answer_positions(
    table: Table, case: Case, message: Message[AnswerQuestionCommand], rules: Rules
) -> Table:
    """Store where cards lie; if that is as the table shows, there is nothing to put right."""
    positions = layout_positions(table, message.payload.lies)
    if positions is None:
        raise Refused(Code.FIELD_NEEDED, case.clause, word=message.type, field="lies")
    case = replace(case, about=replace(case.about, lies=positions))
    row = engine.irregularity(rules, case.id)
    why = None if row is None else unmet(table, case, row.needs, rules)
    if why is None:
        return _goes_on(table, case)
    return engine.finish(add_notice(_goes_on(table, replace(case, clause=None)), why))


def _goes_on(table: Table, case: Case) -> Table:
    """Continue the case with the answer it waited for."""
    return replace(table, case=replace(case, awaits=None))


def _fact(
    table: Table, case: Case, asked: Fact, message: Message[AnswerQuestionCommand], rules: Rules
) -> Case:
    command = message.payload
    if command.fact not in (None, asked):
        raise Refused(Code.QUESTION_IS, case.clause, fact=asked)
    value = command.value
    if asked is Fact.ORDER_KNOWN and command.order is not None:
        case, value = _ordered(table, case, message, rules), True
    if value is None:
        raise Refused(Code.FIELD_NEEDED, case.clause, word=message.type, field="value")
    facts = {**case.facts, asked.value: value}
    return replace(case, facts=facts, asker=case.asker or message.actor)


def _ordered(
    table: Table, case: Case, message: Message[AnswerQuestionCommand], rules: Rules
) -> Case:
    order = message.payload.order
    if order is None:
        raise Refused(Code.FIELD_NEEDED, case.clause, word=message.type, field="order")
    return _with_order(table, case, order, rules)


def _with_order(table: Table, case: Case, order: tuple[int, ...], rules: Rules) -> Case:
    """Store the order of cards: only of cards that came out together, and of all of them."""
    named_cards(table, order)
    together = facts.affected_cards(table.round, case)
    if sorted(order) != sorted(together):
        raise Refused(Code.ORDER_OF_THESE_CARDS, case.clause, cards=sorted(together))
    return replace(case, about=replace(case.about, order=order))


def _after_restart(table: Table, message: Message[AnswerQuestionCommand], rules: Rules) -> Table:
    rules.require_act(message, Act.SAY_WHAT_A_RESTART_WAS)
    interrupted = message.payload.value
    if interrupted is None:
        raise Refused(Code.FIELD_NEEDED, word=message.type, field="value")
    table = change_part(table, "clocks", restarted_at=None)
    if interrupted:
        table = queue_case(table, Case("power_failure", message.actor, asker=message.actor))
    return table


# --- the second person --------------------------------------------------------------------------


def approve(table: Table, message: Message[ApproveCommand], rules: Rules) -> Table:
    """Apply the second person's approval of the first item of the agenda."""
    item = order.to_end(table, rules, message.type)
    if isinstance(item, RequestApproval):
        return requests.carry_out_request(table, item.request, message, rules)
    assert isinstance(item, CaseApproval)
    return _case_approved(table, item.case, message, rules)


def _case_approved(
    table: Table, case: Case, message: Message[ApproveCommand], rules: Rules
) -> Table:
    """Approve a void, a card entered by hand, a card that moves, or a decision on one's own
    report."""
    awaits = case.awaits
    assert isinstance(awaits, AwaitsApproval)
    act, case = order.approval_of(case), people.note_speaker(case, message)
    if case.asker is None:
        rules.require_act(message, act)
        return replace(table, case=replace(case, asker=message.actor))
    people.second_person(case.asker, act, message, rules)
    people.require_presence(act, message)
    if awaits.of == "decision":
        return _carried_out(table, replace(case, second=message.actor), rules)
    if awaits.of in _RESTS_ON:
        approved = (*case.approved, awaits.of)
        return _goes_on(table, replace(case, second=message.actor, approved=approved))
    if case.decided_void:  # both are recorded
        case = replace(case, second=message.actor)
    else:
        case = replace(case, decided_by=message.actor)
    if awaits.of == "entered_card":
        return enter_approved(table, case, rules)
    return void(table, case, rules)


_RESTS_ON: Final = ("moved_card", "doubt", "strike")
"""What a step of a ruling rests on: once that is approved, the step is taken."""


def void(table: Table, case: Case, rules: Rules) -> Table:
    """Void the round; this also answers whatever else was asked about it."""
    round_ = latest_round(table)
    if round_ is None or not _may_be_void(round_, case, rules):
        return _end(table, case, rules)
    table = round_end.void_round(table, case.clause, rules)
    moot = [
        Ruled(
            each.id, case.clause, each.reported_by, case.decided_by, moot=True,
            from_floor=tuple(who for who in case.from_floor if who == case.decided_by),
        )
        for each in table.queue
    ]  # fmt: skip
    return _end(replace(table, queue=(), rulings=(*table.rulings, *moot)), case, rules)


def _may_be_void(round_: Round, case: Case, rules: Rules) -> bool:
    """Whether the round may be void. A settled one stands unless the clause, or a decision, reaches
    back to it."""
    too = engine.step_under_way(case) == RulingStep.VOID_IF_SETTLED_TOO or case.decided_void
    return not round_.over or (too and round_.void_by is None)


def refuse(table: Table, message: Message[RefuseCommand], rules: Rules) -> Table:
    """Apply the second person's refusal: a request ends, a void goes up the ladder."""
    item = order.to_end(table, rules, message.type)
    if isinstance(item, RequestApproval):
        return requests.refused(table, item.request, message, rules)
    assert isinstance(item, CaseApproval)
    case, awaits = item.case, item.case.awaits
    assert isinstance(awaits, AwaitsApproval)
    case = people.note_speaker(case, message)
    if awaits.of == "entered_card":
        rules.require_act(message, Act.ENTER_CARD)
        asked = case.n if case.entered is None else case.entered.n
        return replace(table, case=replace(case, entered=None, awaits=AwaitsCard(asked)))
    rules.require_act(message, Act.VOID)
    top = rules.book.uncovered
    # The refused ruling is not continued: the decision replaces it.
    step = engine.step_under_way(case)
    prescribed = step in (RulingStep.VOID, RulingStep.VOID_IF_SETTLED_TOO)
    up = replace(
        case,
        awaits=AwaitsDecision(top.role),
        clause=top.clause,
        ruling=None,
        decision=None,
        disputed=(case.clause or "") if prescribed else case.disputed,
    )
    return replace(table, case=up)


# --- decisions ----------------------------------------------------------------------------------


def decide(table: Table, message: Message[DecideCommand], rules: Rules) -> Table:
    """Apply the decision of the role the book names, in its own words."""
    item = order.to_end(table, rules, message.type)
    assert isinstance(item, CaseDecision | CaseQuestion | CardToEnter)
    case, awaits = item.case, item.case.awaits
    assert isinstance(awaits, AwaitsDecision | AwaitsWagers | AwaitsCounts | AwaitsKept)
    rules.require_role(message, awaits.role, case.clause)
    if isinstance(awaits, AwaitsCounts | AwaitsKept):
        # The card count does not cover it any more.
        case = replace(case, clause=rules.book.uncovered.clause)
    command = message.payload
    case = people.note_speaker(case, message)
    case = replace(case, text=command.text, awaits=None, decided_by=message.actor)
    outcome = command.outcome
    _fits_its_outcome(command, case, wagers=isinstance(awaits, AwaitsWagers))
    if case.disputed is not None:
        return _found(table, case, outcome, rules)
    if isinstance(awaits, AwaitsWagers):
        return _end(
            wager_corrections.correct_wagers(table, case, awaits, message, rules), case, rules
        )
    case = replace(
        case,
        decision=PendingDecision(
            outcome, wager_corrections.named_removals(command.remove), command.order
        ),
    )
    if outcome is Decision.VOID:
        return _decide_void(table, case, rules)
    if outcome is Decision.GO_ON:
        return _carried_out(table, case, rules)
    _carried_out(table, case, rules)  # refused now rather than afterwards
    if not _decided_alone(case, rules):
        return _carried_out(table, case, rules)
    waits = replace(case, asker=case.decided_by, awaits=AwaitsApproval("decision"))
    return replace(table, case=waits)


def _found(table: Table, case: Case, outcome: Decision, rules: Rules) -> Table:
    """Decide a dispute about the facts of a refused void (reading 34): it happened, and the round
    is void by that clause, or it did not, and play goes on."""
    if outcome is Decision.VOID:
        return _decide_void(table, replace(case, clause=case.disputed or None), rules)
    if outcome is not Decision.GO_ON:
        raise Refused(Code.FOUND_OR_NOT, case.clause)
    found_ = replace(case, not_established=True)
    table = notify(table, Code.NOT_ESTABLISHED, irregularity=case.id)
    return _end(table, found_, rules)


def _fits_its_outcome(command: DecideCommand, case: Case, *, wagers: bool) -> None:
    """Refuse a decision with fields that its outcome would not carry out. `wagers`: only removals
    are decided."""
    removes = wagers or command.outcome is Decision.REMOVE
    for field, given, outcome in (
        ("remove", command.remove and not removes, Decision.REMOVE),
        (
            "order",
            command.order and command.outcome is not Decision.RECONSTRUCT,
            Decision.RECONSTRUCT,
        ),
    ):
        if given:
            raise Refused(
                Code.NOT_WITH_THIS_OUTCOME, case.clause, field=field, outcome=outcome.value
            )


def _decided_alone(case: Case, rules: Rules) -> bool:
    """Whether the person who decides may decide alone: they reported it, or no person did."""
    return case.asker is None or rules.is_same_person(case.asker, case.decided_by)


def _carried_out(table: Table, case: Case, rules: Rules) -> Table:
    """Carry out the decision, if it can be."""
    decided = case.decision
    assert decided is not None
    case = replace(case, decision=None)
    match decided.outcome:
        case Decision.REMOVE:
            return _end(_removed(table, case, decided, rules), case, rules)
        case Decision.RECONSTRUCT:
            return _end(_put_right(table, case, decided.order, rules), case, rules)
        case _:
            return _end(table, case, rules)


def _put_right(table: Table, case: Case, order: tuple[int, ...], rules: Rules) -> Table:
    """Lay the cards again in drawn order; cards that were right already are not put right."""
    round_ = _changeable(table, case)
    if round_.betting:
        raise Refused(Code.CALL_NOT_MADE, case.clause)
    if order:
        if case.id != TOGETHER:
            raise Refused(Code.ORDER_ONLY_OF_TOGETHER, case.clause)
        case = _with_order(table, case, order, rules)
    seen = reconstruction.lay_as_seen(round_, case.about.lies or {})
    laid = reconstruction.reconstruct_round(seen, case.about.order, rules)
    if not laid.interventions.moved:
        raise Refused(Code.ALL_LIE_RIGHT, case.clause)
    return notify_moves(lay_again(table, laid))


def _changeable(table: Table, case: Case) -> Round:
    """The round the case is about, if it is still in play."""
    if facts.is_of_earlier_round(table, case):
        raise Refused(Code.EARLIER_ROUND_STANDS, case.clause)
    if table.round is None or table.round.over:
        raise Refused(Code.NO_ROUND, case.clause)
    return table.round


def _decide_void(table: Table, case: Case, rules: Rules) -> Table:
    """Require two people for a void: the reporter and the one who decides, or else an approver."""
    _voidable(table, case)
    case = replace(case, decided_void=True, decision=None)
    if not (_decided_alone(case, rules) and approvals.approval_row(Act.VOID).second):
        return void(table, case, rules)
    waits = replace(case, asker=case.decided_by, awaits=AwaitsApproval("void"))
    return replace(table, case=waits)


def _voidable(table: Table, case: Case) -> None:
    """Refuse to void what cannot be: a round that is long settled, void already or never was."""
    if facts.is_of_earlier_round(table, case):
        raise Refused(Code.EARLIER_ROUND_STANDS, case.clause)
    round_ = latest_round(table)
    if round_ is None:
        raise Refused(Code.NO_ROUND_TO_REPORT, case.clause)
    if round_.void_by is not None:
        raise Refused(Code.ROUND_IS_VOID, round_.void_by)


def _end(table: Table, case: Case, rules: Rules) -> Table:
    """End the case by the decision, or continue the ruling's steps after what was waited for."""
    table = _goes_on(table, case)
    return engine.finish(_decided(table, case, rules)) if case.ruling is None else table


def _decided(table: Table, case: Case, rules: Rules) -> Table:
    """Record the decision on the round it is about, but not on a later round."""
    round_ = table.round
    if round_ is None or facts.is_of_earlier_round(table, case):
        return table
    matter = DecidedMatter(case.id, case.about.cards)
    return replace(
        table,
        round=change_part(round_, "interventions", decided=(*round_.interventions.decided, matter)),
    )


def _removed(table: Table, case: Case, decided: PendingDecision, rules: Rules) -> Table:
    """The table without wagers that come off, while their round is in play."""
    _changeable(table, case)
    if not decided.remove:
        raise Refused(Code.FIELD_NEEDED, case.clause, word="decide", field="remove")
    return wager_corrections.remove_wagers(table, case, decided.remove, rules)


def resume(table: Table, message: Message[ResumeCommand], rules: Rules) -> Table:
    """Clear what held the table."""
    rules.require_act(message, Act.RESUME)
    order.to_end(table, rules, message.type)
    return requests.resume_play(table, message, rules)
