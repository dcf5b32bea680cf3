"""What people say while a case is open: facts, approvals, decisions."""

from typing import Any, Final

from msgspec.structs import replace

from controller.cases import engine, facts, people, requests
from controller.cases.manual_entry.entry import enter_approved
from controller.cases.reported import missing
from controller.cases.reported.preconditions import TOGETHER, unmet
from controller.cases.reported.report import lying, named
from controller.cases.steps import laid_anew, told_what_moved
from controller.game.irregularities import Fact, RulingStep
from controller.round import reconstruction, settling
from controller.round.wagers import putting_right
from controller.sentences.codes import Code
from controller.table import approvals
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
from controller.table.holds import LASTING
from controller.table.refused import Refused
from controller.table.rules import Rules
from controller.table.state import (
    DecidedMatter,
    Round,
    Table,
    change_part,
    found,
    last_round,
    noted,
    notice,
)
from controller.table.words.message import Message
from controller.table.words.people import (
    AnswerQuestionWord,
    ApproveWord,
    DecideWord,
    RefuseWord,
    ResumeWord,
)


def answer(table: Table, message: Message[AnswerQuestionWord], rules: Rules) -> Table:
    """A fact, the order of cards, or what is left of the decks."""
    if table.clocks.restarted_at is not None:
        return _after_restart(table, message, rules)
    case = people.open_case(table)
    awaits = case.awaits
    if not isinstance(awaits, AwaitsFact | AwaitsOrder | AwaitsLies | AwaitsCounts):
        raise people.something_else(case)
    rules.need(message, awaits.role, case.clause)
    case = replace(people.heard(case, message), decided_by=message.name)
    if isinstance(awaits, AwaitsLies):
        return _lies(table, case, message, rules)
    if isinstance(awaits, AwaitsOrder):
        _not_the_reporter(case, message, rules)
        ordered = _ordered(table, case, message, rules)
        # The word of the role that the book names is the approval of what follows from it.
        return _goes_on(table, replace(ordered, second=message.name, approved=_RESTS_ON))
    if isinstance(awaits, AwaitsCounts):
        return _goes_on(missing.told(table, case, message, rules), case)
    return _goes_on(table, _fact(table, case, awaits.fact, message, rules))


def _not_the_reporter(case: Case, message: Message[Any], rules: Rules) -> None:
    """What a rule gives to one role alone is said by somebody else than who reported it."""
    if rules.same_person(message.name, case.asker):
        raise Refused(Code.TAKES_TWO, case.clause)


def _lies(table: Table, case: Case, message: Message[AnswerQuestionWord], rules: Rules) -> Table:
    """Where cards lie; where that is as the table shows, there is nothing to put right."""
    lies = lying(table, message.word.lies)
    if lies is None:
        raise Refused(Code.FIELD_NEEDED, case.clause, word=message.verb, field="lies")
    case = replace(case, about=replace(case.about, lies=lies))
    row = engine.irregularity(rules, case.id)
    why = None if row is None else unmet(table, case, row.needs, rules)
    if why is None:
        return _goes_on(table, case)
    return engine.finish(noted(_goes_on(table, replace(case, clause=None)), why))


def _goes_on(table: Table, case: Case) -> Table:
    """The case has what it waited for."""
    return replace(table, case=replace(case, awaits=None))


def _fact(
    table: Table, case: Case, asked: Fact, message: Message[AnswerQuestionWord], rules: Rules
) -> Case:
    word = message.word
    if word.fact not in (None, asked):
        raise Refused(Code.QUESTION_IS, case.clause, fact=asked)
    value = word.value
    if asked is Fact.ORDER_KNOWN and word.order is not None:
        case, value = _ordered(table, case, message, rules), True
    if value is None:
        raise Refused(Code.FIELD_NEEDED, case.clause, word=message.verb, field="value")
    facts = {**case.facts, asked.value: value}
    return replace(case, facts=facts, asker=case.asker or message.name)


def _ordered(table: Table, case: Case, message: Message[AnswerQuestionWord], rules: Rules) -> Case:
    order = message.word.order
    if order is None:
        raise Refused(Code.FIELD_NEEDED, case.clause, word=message.verb, field="order")
    return _with_order(table, case, order, rules)


def _with_order(table: Table, case: Case, order: tuple[int, ...], rules: Rules) -> Case:
    """A person may state an order only of cards that came out together, and of all of them."""
    named(table, order)
    together = facts.affected(table.round, case)
    if sorted(order) != sorted(together):
        raise Refused(Code.ORDER_OF_THESE_CARDS, case.clause, cards=sorted(together))
    return replace(case, about=replace(case.about, order=order))


def _after_restart(table: Table, message: Message[AnswerQuestionWord], rules: Rules) -> Table:
    rules.may(message, Act.SAY_WHAT_A_RESTART_WAS)
    interrupted = message.word.value
    if interrupted is None:
        raise Refused(Code.FIELD_NEEDED, word=message.verb, field="value")
    table = change_part(table, "clocks", restarted_at=None)
    if interrupted:
        table = found(table, Case("power_failure", message.name, asker=message.name))
    return table


# --- the second person --------------------------------------------------------------------------


def approve(table: Table, message: Message[ApproveWord], rules: Rules) -> Table:
    """The second person's word: for a void, a card entered by hand, a correction."""
    if table.request is not None and not _case_first(table):
        return requests.approved(table, table.request, message, rules)
    people.count_first(table)
    case, awaits = _awaiting_approval(table)
    act, case = people.approval_of(case), people.heard(case, message)
    if case.asker is None:
        rules.may(message, act)
        return replace(table, case=replace(case, asker=message.name))
    people.second_person(case.asker, act, message, rules)
    people.at_the_table(act, message)
    if awaits.of == "decision":
        return _carried_out(table, replace(case, second=message.name), rules)
    if awaits.of in _RESTS_ON:
        approved = (*case.approved, awaits.of)
        return _goes_on(table, replace(case, second=message.name, approved=approved))
    if case.decided_void:  # both are written down
        case = replace(case, second=message.name)
    else:
        case = replace(case, decided_by=message.name)
    if awaits.of == "entered_card":
        return enter_approved(table, case, rules)
    return void(table, case, rules)


_RESTS_ON: Final = ("moved_card", "doubt", "strike")
"""What a step of a ruling rests on: approved, the step is taken."""


def _awaiting_approval(table: Table) -> tuple[Case, AwaitsApproval]:
    case = people.open_case(table)
    if not isinstance(case.awaits, AwaitsApproval):
        raise people.something_else(case)
    return case, case.awaits


def _case_first(table: Table) -> bool:
    """A case that waits for approval is answered before anything else but the count."""
    if table.count_check is not None:
        return False
    return table.case is not None and isinstance(table.case.awaits, AwaitsApproval)


def void(table: Table, case: Case, rules: Rules) -> Table:
    """The round is void; whatever else was asked about it is answered with it."""
    round_ = last_round(table)
    if round_ is None or not _may_be_void(round_, case, rules):
        return _end(table, case, rules)
    table = settling.voided(table, case.clause, rules)
    moot = [
        Ruled(
            each.id, case.clause, each.reported_by, case.decided_by, moot=True,
            from_floor=tuple(who for who in case.from_floor if who == case.decided_by),
        )
        for each in table.queue
    ]  # fmt: skip
    return _end(replace(table, queue=(), rulings=(*table.rulings, *moot)), case, rules)


def _may_be_void(round_: Round, case: Case, rules: Rules) -> bool:
    """A settled round stands unless the clause, or a decision, reaches back to it."""
    too = engine.step_under_way(case) == RulingStep.VOID_IF_SETTLED_TOO or case.decided_void
    return not round_.over or (too and round_.void_by is None)


def refuse(table: Table, message: Message[RefuseWord], rules: Rules) -> Table:
    """The second person says no: a request is dropped, a void goes up the ladder."""
    if table.request is not None and not _case_first(table):
        act = requests.act_of(table.request)
        people.second_person(table.request.by, act, message, rules)
        return replace(table, request=None)
    people.count_first(table)
    case, awaits = _awaiting_approval(table)
    case = people.heard(case, message)
    if awaits.of == "entered_card":
        rules.may(message, Act.ENTER_CARD)
        return replace(table, case=replace(case, entered=None, awaits=AwaitsCard(case.n)))
    rules.may(message, Act.VOID)
    top = rules.book.uncovered
    # The ruling that was refused is not carried on: what is decided now stands in its place.
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


def decide(table: Table, message: Message[DecideWord], rules: Rules) -> Table:
    """The role the book names decides, in its own words."""
    case = people.open_case(table)
    awaits = case.awaits
    if not isinstance(awaits, AwaitsDecision | AwaitsWagers | AwaitsCounts | AwaitsKept):
        raise people.something_else(case)
    rules.need(message, awaits.role, case.clause)
    if isinstance(awaits, AwaitsCounts | AwaitsKept):
        # What no count can tell is not covered any more.
        case = replace(case, clause=rules.book.uncovered.clause)
    word = message.word
    case = people.heard(case, message)
    case = replace(case, text=word.text, awaits=None, decided_by=message.name)
    outcome = word.outcome
    _fits_its_outcome(word, case, wagers=isinstance(awaits, AwaitsWagers))
    if case.disputed is not None:
        return _found(table, case, outcome, rules)
    if isinstance(awaits, AwaitsWagers):
        return _end(putting_right.put_right(table, case, awaits, message, rules), case, rules)
    case = replace(
        case, decision=PendingDecision(outcome, putting_right.named_off(word.remove), word.order)
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
    """A void that was refused is a dispute about its facts (reading 34): it happened, and the round
    is void by that clause, or it did not, and play goes on."""
    if outcome is Decision.VOID:
        return _decide_void(table, replace(case, clause=case.disputed or None), rules)
    if outcome is not Decision.GO_ON:
        raise Refused(Code.FOUND_OR_NOT, case.clause)
    found_ = replace(case, not_established=True)
    table = notice(table, Code.NOT_ESTABLISHED, irregularity=case.id)
    return _end(table, found_, rules)


def _fits_its_outcome(word: DecideWord, case: Case, *, wagers: bool) -> None:
    """Refuse what would be written down as decided and not be done. `wagers`: what comes off is all
    that is decided."""
    removes = wagers or word.outcome is Decision.REMOVE
    for field, given, outcome in (
        ("remove", word.remove and not removes, Decision.REMOVE),
        ("order", word.order and word.outcome is not Decision.RECONSTRUCT, Decision.RECONSTRUCT),
    ):
        if given:
            raise Refused(
                Code.NOT_WITH_THIS_OUTCOME, case.clause, field=field, outcome=outcome.value
            )


def _decided_alone(case: Case, rules: Rules) -> bool:
    """Whether whoever decides is the one whose word it is, or nobody said it before."""
    return case.asker is None or rules.same_person(case.asker, case.decided_by)


def _carried_out(table: Table, case: Case, rules: Rules) -> Table:
    """What was decided is done, if it can be."""
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
    """Cards are laid anew by drawn order; what lay right already is not put right."""
    round_ = _changeable(table, case)
    if round_.betting:
        raise Refused(Code.CALL_NOT_MADE, case.clause)
    if order:
        if case.id != TOGETHER:
            raise Refused(Code.ORDER_ONLY_OF_TOGETHER, case.clause)
        case = _with_order(table, case, order, rules)
    seen = reconstruction.as_they_lie(round_, case.about.lies or {})
    laid = reconstruction.reconstructed(seen, case.about.order, rules)
    if not laid.interventions.moved:
        raise Refused(Code.ALL_LIE_RIGHT, case.clause)
    return told_what_moved(laid_anew(table, laid))


def _changeable(table: Table, case: Case) -> Round:
    """The round the case is about, if it is still in play."""
    if facts.is_earlier(table, case):
        raise Refused(Code.EARLIER_ROUND_STANDS, case.clause)
    if table.round is None or table.round.over:
        raise Refused(Code.NO_ROUND, case.clause)
    return table.round


def _decide_void(table: Table, case: Case, rules: Rules) -> Table:
    """A void takes two people: who reported and who decides, or else somebody who approves."""
    _voidable(table, case)
    case = replace(case, decided_void=True, decision=None)
    if not (_decided_alone(case, rules) and approvals.of(Act.VOID).second):
        return void(table, case, rules)
    waits = replace(case, asker=case.decided_by, awaits=AwaitsApproval("void"))
    return replace(table, case=waits)


def _voidable(table: Table, case: Case) -> None:
    """Refuse to void what cannot be: a round that is long settled, void already or never was."""
    if facts.is_earlier(table, case):
        raise Refused(Code.EARLIER_ROUND_STANDS, case.clause)
    round_ = last_round(table)
    if round_ is None:
        raise Refused(Code.NO_ROUND_TO_REPORT, case.clause)
    if round_.void_by is not None:
        raise Refused(Code.ROUND_IS_VOID, round_.void_by)


def _end(table: Table, case: Case, rules: Rules) -> Table:
    """A decision ends the case; a ruling's steps go on after what was waited for."""
    table = _goes_on(table, case)
    return engine.finish(_decided(table, case, rules)) if case.ruling is None else table


def _decided(table: Table, case: Case, rules: Rules) -> Table:
    """The round knows what was decided about it, and not what was about an earlier one."""
    round_ = table.round
    if round_ is None or facts.is_earlier(table, case):
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
    return putting_right.taken_off(table, case, decided.remove, rules)


def resume(table: Table, message: Message[ResumeWord], rules: Rules) -> Table:
    """Somebody clears what held the table."""
    rules.may(message, Act.RESUME)
    if table.case is not None:
        raise people.something_else(table.case)
    still = [latch for latch in table.latches if latch.kind in LASTING]
    if still:
        raise Refused(Code.STILL_HOLDS, hold=still[0].kind)
    return requests.resumed(table, message, rules)
