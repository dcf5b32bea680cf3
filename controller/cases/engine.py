"""A case from its opening to its end: the book's row found, its steps carried out one by one.

One case is open at a time and holds the table; another that comes up meanwhile is queued. A case
asks for the facts its ruling turns on, takes the first ruling that fits, and carries out its steps;
each step is done at once or waits for a person. A device never voids: it opens a case, and people
decide.
"""

from msgspec.structs import replace

from controller.cases import facts
from controller.cases.steps import STEPS
from controller.game.irregularities import Fact, Irregularity, Ruling, RulingStep, Then
from controller.round import dealing
from controller.table import approvals
from controller.table.approvals import Act
from controller.table.case import AwaitsDecision, AwaitsFact, Case, Ruled
from controller.table.rules import Rules
from controller.table.state import Table


def settle_down(table: Table, rules: Rules) -> Table:
    """After a word was carried out: cases go on as far as they can, and cards find their places."""
    while True:
        before = table
        if table.case is not None or table.queue:
            table = advance(table, rules)
        table = dealing.lay_asides(table, rules)
        if table is before:
            return table


def advance(table: Table, rules: Rules) -> Table:
    """Open what is queued and carry the open case on until it waits for somebody."""
    while table.doubt is None or table.case is not None:
        if table.case is None and table.queue:
            head, *rest = table.queue
            table = replace(table, case=head, queue=tuple(rest))
        case = table.case
        if case is None or case.awaits is not None:
            break
        table = _one_step(table, case, rules)
    return table


def _one_step(table: Table, case: Case, rules: Rules) -> Table:
    if case.ruling is None:
        return replace(table, case=_rule(table, case, rules))
    steps = case.ruling.then
    if case.step >= len(steps):
        return finish(table)
    then = steps[case.step]
    table = replace(table, case=replace(case, step=case.step + 1, clause=then.clause or None))
    return STEPS[then.step](table, then, rules)


def _rule(table: Table, case: Case, rules: Rules) -> Case:
    """Find the ruling that fits, or the fact to ask for."""
    row = irregularity(rules, case.id)
    for ruling in row.rulings if row else ():
        verdict = facts.fits(table, case, ruling, rules)
        if isinstance(verdict, Fact):
            return replace(case, awaits=AwaitsFact(verdict, approvals.of(Act.DEAL).role))
        if verdict:
            applies = Ruling(ruling.clause, ruling.then)
            return replace(case, ruling=applies, clause=ruling.clause or None)
    # Whatever the book is silent about goes to the role it names, and never stays for ever.
    role = rules.book.uncovered
    return replace(case, awaits=AwaitsDecision(role.role), clause=role.clause)


def irregularity(rules: Rules, what: str) -> Irregularity | None:
    """The book's row; ours for what no book has to say anything about."""
    if what == "unreadable":
        return _UNREADABLE
    if what == "cut_card_first":
        rule = rules.book.cutting_card
        offer = Then(RulingStep.OFFER_EACH, clause=rule.withdraw or "")
        return Irregularity(
            what,
            "the cutting card is the first card of the round",
            (
                Ruling(rule.withdraw or "", (offer,), when={Fact.MAY_WITHDRAW: True}),
                Ruling(rule.clause or "", (Then(RulingStep.GO_ON, clause=rule.clause or ""),)),
            ),
        )
    return rules.book.irregularity_by_id.get(what)


_UNREADABLE = Irregularity(
    "unreadable",
    "a card could not be read",
    (Ruling("", (Then(RulingStep.ENTER_CARD, clause=""),)),),
)


def step_under_way(case: Case) -> str | None:
    """The step the case waits in."""
    return None if case.ruling is None else case.ruling.then[case.step - 1].step


def clause_of(case: Case, step: str) -> str | None:
    """The clause of one of the steps of the case's ruling."""
    steps = case.ruling.then if case.ruling else ()
    return next((then.clause for then in steps if then.step == step), case.clause)


def finish(table: Table) -> Table:
    """The case is closed and written down."""
    case = table.case
    assert case is not None
    clause = case.clause if case.ruling is None else case.ruling.clause or None
    by = case.decided_by or case.asker or case.reported_by
    ruled = Ruled(case.id, clause, case.reported_by, by, case.text)
    return replace(table, rulings=(*table.rulings, ruled), case=None)
