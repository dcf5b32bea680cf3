"""What people decide while a case is open: reports, facts, approvals, decisions."""

from msgspec.structs import replace

from controller.cases import engine, missing, people, requests
from controller.cases.entry import enter_approved
from controller.cases.steps import laid_anew
from controller.game.irregularities import Fact, RulingStep
from controller.round import reconstruction, settling
from controller.sentences.codes import Code
from controller.table import approvals
from controller.table.approvals import Act
from controller.table.case import (
    AwaitsApproval,
    AwaitsCard,
    AwaitsCounts,
    AwaitsDecision,
    AwaitsFact,
    AwaitsOrder,
    AwaitsWagers,
    Case,
    ReportedFacts,
    Ruled,
)
from controller.table.holds import LASTING
from controller.table.refused import Refused
from controller.table.rules import Rules
from controller.table.state import Round, Table, found
from controller.table.words.message import Message
from controller.table.words.people import (
    AnswerQuestionWord,
    ApproveWord,
    DecideWord,
    Decision,
    RefuseWord,
    ReportWord,
    ResumeWord,
)


def report(table: Table, message: Message[ReportWord], rules: Rules) -> Table:
    """Somebody says what happened; the clause comes out."""
    rules.may(message, Act.DEAL)
    word = message.word
    lies = word.lies.by_hand() if word.lies else {}
    about = ReportedFacts(
        _named(table, word.cards),
        _named(table, word.order),
        lies,
        word.round,
        word.hand,
        word.to,
    )
    _named(table, tuple(n for numbers in lies.values() for n in numbers))
    facts = word.facts.known() if word.facts else {}
    return found(table, Case(word.what, message.name, about=about, facts=facts, asker=message.name))


def _named(table: Table, numbers: tuple[int, ...]) -> tuple[int, ...]:
    """Cards of the round by their numbers, each once."""
    lying = {drawn.n for drawn in table.round.cards} if table.round else set()
    if len(set(numbers)) != len(numbers) or not set(numbers) <= lying:
        raise Refused(Code.NAME_CARDS_ONCE)
    return numbers


def answer(table: Table, message: Message[AnswerQuestionWord], rules: Rules) -> Table:
    """A fact, the order of cards, or what is left of the decks."""
    if table.restarted_at is not None:
        return _after_restart(table, message, rules)
    case = people.open_case(table)
    awaits = case.awaits
    if not isinstance(awaits, AwaitsFact | AwaitsOrder | AwaitsCounts):
        raise people.something_else(case)
    rules.need(message, awaits.role, case.clause)
    case = replace(case, decided_by=message.name)
    if isinstance(awaits, AwaitsOrder):
        return _goes_on(table, _ordered(table, case, message))
    if isinstance(awaits, AwaitsCounts):
        return _goes_on(missing.told(table, case, message, rules), case)
    return _goes_on(table, _fact(table, case, awaits.fact, message))


def _goes_on(table: Table, case: Case) -> Table:
    """The case has what it waited for."""
    return replace(table, case=replace(case, awaits=None))


def _fact(table: Table, case: Case, asked: Fact, message: Message[AnswerQuestionWord]) -> Case:
    word = message.word
    if word.fact not in (None, asked):
        raise Refused(Code.QUESTION_IS, case.clause, fact=asked)
    value = word.value
    if asked is Fact.ORDER_KNOWN and word.order is not None:
        case, value = _ordered(table, case, message), True
    if value is None:
        raise Refused(Code.FIELD_NEEDED, case.clause, word=message.verb, field="value")
    facts = {**case.facts, asked.value: value}
    return replace(case, facts=facts, asker=case.asker or message.name)


def _ordered(table: Table, case: Case, message: Message[AnswerQuestionWord]) -> Case:
    order = message.word.order
    if order is None:
        raise Refused(Code.FIELD_NEEDED, case.clause, word=message.verb, field="order")
    return replace(case, about=replace(case.about, order=_named(table, order)))


def _after_restart(table: Table, message: Message[AnswerQuestionWord], rules: Rules) -> Table:
    rules.may(message, Act.SAY_WHAT_A_RESTART_WAS)
    interrupted = message.word.value
    if interrupted is None:
        raise Refused(Code.FIELD_NEEDED, word=message.verb, field="value")
    table = replace(table, restarted_at=None)
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
    act = people.approval_of(case)
    if case.asker is None:
        rules.may(message, act)
        return replace(table, case=replace(case, asker=message.name))
    people.second_person(case.asker, act, message, rules)
    if not case.decided_void:
        case = replace(case, decided_by=message.name)
    if awaits.of == "entered_card":
        return enter_approved(table, case, rules)
    return void(table, case, rules)


def _awaiting_approval(table: Table) -> tuple[Case, AwaitsApproval]:
    case = people.open_case(table)
    if not isinstance(case.awaits, AwaitsApproval):
        raise people.something_else(case)
    return case, case.awaits


def _case_first(table: Table) -> bool:
    """A case that waits for approval is answered before anything else but the count."""
    if table.doubt is not None:
        return False
    return table.case is not None and isinstance(table.case.awaits, AwaitsApproval)


def void(table: Table, case: Case, rules: Rules) -> Table:
    """The round is void; whatever else was asked about it is answered with it."""
    round_ = table.round
    if round_ is None or not _may_be_void(round_, case, rules):
        return _end(table, case, rules)
    table = settling.voided(table, case.clause, rules)
    moot = [
        Ruled(each.id, case.clause, each.reported_by, case.decided_by, moot=True)
        for each in table.queue
    ]
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
    if awaits.of == "entered_card":
        rules.may(message, Act.ENTER_CARD)
        return replace(table, case=replace(case, entered=None, awaits=AwaitsCard(case.n)))
    rules.may(message, Act.VOID)
    top = rules.book.uncovered
    # The ruling that was refused is not carried on: what is decided now stands in its place.
    clause = top.clause or case.clause
    up = replace(case, awaits=AwaitsDecision(top.role), clause=clause, ruling=None)
    return replace(table, case=up)


# --- decisions ----------------------------------------------------------------------------------


def decide(table: Table, message: Message[DecideWord], rules: Rules) -> Table:
    """The role the book names decides, in its own words."""
    case = people.open_case(table)
    awaits = case.awaits
    if not isinstance(awaits, AwaitsDecision | AwaitsWagers | AwaitsCounts):
        raise people.something_else(case)
    rules.need(message, awaits.role, case.clause)
    if isinstance(awaits, AwaitsCounts):  # what no count can tell is not covered any more
        case = replace(case, clause=rules.book.uncovered.clause)
    word = message.word
    case = replace(case, text=word.text, awaits=None, decided_by=message.name)
    if isinstance(awaits, AwaitsWagers) or word.outcome is Decision.REMOVE:
        return _remove(table, case, word, rules)
    if word.outcome is Decision.VOID:
        return _decide_void(table, case, rules)
    if word.outcome is Decision.RECONSTRUCT and table.round is not None:
        order = _named(table, word.order)
        table = laid_anew(table, reconstruction.reconstructed(table.round, order, rules))
    return _end(table, case, rules)


def _decide_void(table: Table, case: Case, rules: Rules) -> Table:
    """A void takes two people: who reported and who decides, or else somebody who approves."""
    case = replace(case, decided_void=True)
    alone = case.asker in (None, case.decided_by)
    if not (alone and approvals.of(Act.VOID).second):
        return void(table, case, rules)
    waits = replace(case, asker=case.decided_by, awaits=AwaitsApproval("void"))
    return replace(table, case=waits)


def _end(table: Table, case: Case, rules: Rules) -> Table:
    """A decision ends the case; a ruling's steps go on after what was waited for."""
    table = _goes_on(table, case)
    return engine.finish(table) if case.ruling is None else table


def _remove(table: Table, case: Case, word: DecideWord, rules: Rules) -> Table:
    round_ = table.round
    remove = {str(each) for each in word.remove}
    if round_ is not None:
        lying = {wager.id for wager in round_.wagers}
        if not remove <= lying:
            raise Refused(Code.NO_SUCH_WAGER, case.clause, wager=min(remove - lying))
        wagers = [
            replace(w, returned_by=case.clause or "") if w.id in remove else w
            for w in round_.wagers
        ]
        table = replace(table, round=replace(round_, wagers=tuple(wagers)))
    return _end(table, case, rules)


def resume(table: Table, message: Message[ResumeWord], rules: Rules) -> Table:
    """Somebody clears what held the table."""
    rules.may(message, Act.RESUME)
    if table.case is not None:
        raise people.something_else(table.case)
    still = [latch for latch in table.latches if latch.kind in LASTING]
    if still:
        raise Refused(Code.STILL_HOLDS, hold=still[0].kind)
    return replace(table, latches=())
