"""A case from its opening to its end: the book's row found, its steps carried out one by one.

One case is open at a time and holds the table; another that comes up meanwhile is queued. A case
asks for the facts its ruling turns on, takes the first ruling that fits, and carries out its steps;
each step is done at once or waits for a person. A device never voids: it opens a case, and people
decide.
"""

from typing import Final

from msgspec.structs import replace

from controller.cases import facts, offers, queued
from controller.cases.moot_requests import without_moot
from controller.cases.steps import STEPS
from controller.game.irregularities import (
    ASKS_WHERE_CARDS_LIE,
    CHANGES,
    LEAVES_CARDS_ALONE,
    Fact,
    Irregularity,
    Ruling,
    RulingStep,
    Then,
)
from controller.round import dealing
from controller.round.wagers import wager_corrections
from controller.table import approvals
from controller.table.agenda import order
from controller.table.approvals import Act
from controller.table.case import (
    AwaitsDecision,
    AwaitsFact,
    AwaitsLies,
    AwaitsWagers,
    Case,
    Ruled,
)
from controller.table.rules import Rules
from controller.table.state import Table, add_notice


def advance_cases(table: Table, rules: Rules) -> Table:
    """The table after a command, with its cases advanced as far as possible.

    The round puts what it finds wrong into `queue`, and each case is taken out of it once, when it
    is opened. Cards that lay aside are laid while no case is open, and more may be found wrong with
    them. That ends when nothing in the queue can be opened: it is empty, a case waits for a person,
    or the cards are counted first.
    """
    table = advance(table, rules)
    table = dealing.lay_asides(table, rules)
    while order.may_open_case(table):
        table = dealing.lay_asides(advance(table, rules), rules)
    return _with_clauses(without_moot(table, rules), rules)


def _with_clauses(table: Table, rules: Rules) -> Table:
    """The table where each queued item shows the clause it would come under now."""
    if not table.queue:
        return table
    queue = []
    for each in table.queue:
        clause = _rule(table, each, rules).clause if each.ruling is None else each.clause
        same = each.waited and clause == each.clause
        queue.append(each if same else replace(each, waited=True, clause=clause))
    return replace(table, queue=tuple(queue))


def advance(table: Table, rules: Rules) -> Table:
    """Open queued cases and advance the open case until it waits for a person."""
    while table.case is not None or order.may_open_case(table):
        case = table.case
        if case is None:
            table = _next_opened(table, rules)
            continue
        if _waits(table, case, rules):
            first = _void_first(table, case, rules)
            if first is table:
                break
            table = first
            continue
        table = _one_step(table, replace(case, awaits=None), rules)
    return table


def _next_opened(table: Table, rules: Rules) -> Table:
    """Open the first queued case, unless rulings since then have made it moot."""
    head, *rest = table.queue
    table = replace(table, queue=tuple(rest))
    why = queued.why_moot(table, head, irregularity(rules, head.id), rules)
    if why is not None:
        moot = replace(head, clause=None, ruling=None)
        return finish(add_notice(replace(table, case=moot), why))
    table = replace(table, case=queued.without_what_went_back(table, head))
    return table if head.offer is None else offers.taken_up_again(table, rules)


def _void_first(table: Table, case: Case, rules: Rules) -> Table:
    """Put a void that the book prescribes, or the question it turns on, before options that it
    makes moot: they are offered again if the round is not void."""
    if case.offer is None:
        return table
    for place, each in enumerate(table.queue):
        if _leads_to_void(table, each, rules):
            others = (*table.queue[:place], *table.queue[place + 1 :])
            return replace(table, case=each, queue=(case, *others))
    return table


_VOIDS: Final = (RulingStep.VOID, RulingStep.VOID_IF_SETTLED_TOO)


def _leads_to_void(table: Table, case: Case, rules: Rules) -> bool:
    """Whether the round is void by this case, at once or by one answer to what it asks first."""
    if case.ruling is not None:
        return False
    ruled = _rule(table, case, rules)
    ways = [ruled, *(ruling_after_answer(table, ruled, rules, yes=yes) for yes in (True, False))]
    rulings = [each.ruling for each in ways if each is not None and each.ruling is not None]
    return any(ruling.then[0].step in _VOIDS for ruling in rulings if ruling.then)


def _waits(table: Table, case: Case, rules: Rules) -> bool:
    """Whether the case still waits; wagers that are corrected by now are not waited for."""
    round_ = table.round
    if not isinstance(case.awaits, AwaitsWagers) or round_ is None or not round_.betting:
        return case.awaits is not None
    return wager_corrections.needs_correction(round_, case, rules)


BY_HAND: Final = "by_hand"
UNNAMED: Final = frozenset({BY_HAND, "unreadable"})


def _one_step(table: Table, case: Case, rules: Rules) -> Table:
    if case.ruling is None:
        return replace(table, case=_rule(table, case, rules))
    steps = case.ruling.then
    if case.step >= len(steps):
        # The face of a card that was unknown so far may make another card due.
        return (
            dealing.check_enough_cards(finish(table), rules)
            if case.id in UNNAMED
            else finish(table)
        )
    then = steps[case.step]
    table = replace(table, case=replace(case, step=case.step + 1, clause=then.clause or None))
    return STEPS[then.step](table, then, rules)


def _rule(table: Table, case: Case, rules: Rules) -> Case:
    """Find the ruling that fits, or the fact to ask for."""
    row = _row(table, case, rules)
    if row is not None and _needs_positions(case, row):
        return replace(
            case, awaits=AwaitsLies(approvals.approval_row(Act.DEAL).role), clause=_first(row)
        )
    for ruling in row.rulings if row else ():
        verdict = facts.fits_row(table, case, ruling, rules)
        if isinstance(verdict, Fact):
            asks = AwaitsFact(verdict, approvals.approval_row(Act.DEAL).role)
            return replace(case, awaits=asks, clause=ruling.clause or None)
        if verdict:
            if not _reaches(table, ruling, rules):
                break
            applies = Ruling(ruling.clause, ruling.then)
            return replace(case, ruling=applies, clause=ruling.clause or None)
    # Whatever the book does not cover goes to the role it names, so no case stays open for ever.
    role = rules.book.uncovered
    return replace(case, awaits=AwaitsDecision(role.role), clause=role.clause)


def ruling_after_answer(table: Table, case: Case, rules: Rules, *, yes: bool) -> Case | None:
    """The ruling or the next question that an answer to the open question would lead to. None where
    no such question is open."""
    if not isinstance(case.awaits, AwaitsFact):
        return None
    given = {**case.facts, case.awaits.fact.value: yes}
    return _rule(table, replace(case, facts=given, awaits=None), rules)


def _row(table: Table, case: Case, rules: Rules) -> Irregularity | None:
    """The book's row for it; for an earlier round, the book's row about those."""
    row = irregularity(rules, case.id)
    if not facts.is_of_earlier_round(table, case) or case.id == EARLIER_LIMITS:
        return row
    if row is not None and row.earlier:
        return Irregularity(row.id, row.name, row.earlier)
    return irregularity(rules, LATE_ERROR)


LATE_ERROR: Final = "late_error"
EARLIER_LIMITS: Final = "earlier_limits"
"""The only report that is about earlier rounds by its nature."""


def _needs_positions(case: Case, row: Irregularity) -> bool:
    by_person = case.asker is not None
    return by_person and case.about.lies is None and not ASKS_WHERE_CARDS_LIE.isdisjoint(row.needs)


def _first(row: Irregularity) -> str | None:
    return row.rulings[0].clause if row.rulings else None


def _reaches(table: Table, ruling: Ruling, rules: Rules) -> bool:
    """Whether the ruling may be carried out: no ruling changes a round that is over."""
    if table.round is not None and not table.round.over:
        return True
    steps = {then.step for then in ruling.then}
    return steps <= LEAVES_CARDS_ALONE if table.history.gone else CHANGES.isdisjoint(steps)


def irregularity(rules: Rules, what: str) -> Irregularity | None:
    """The book's row; our own row for cases that no book covers."""
    if what in _OURS:
        return _OURS[what]
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


_OURS = {
    what: Irregularity(what, says, (Ruling("", (Then(RulingStep.ENTER_CARD, clause=""),)),))
    for what, says in (
        ("unreadable", "a card could not be read"),
        ("by_hand", "a card was exposed that nobody has entered yet"),
    )
}


def step_under_way(case: Case) -> str | None:
    """The step the case waits in."""
    return None if case.ruling is None else case.ruling.then[case.step - 1].step


def step_clause(case: Case, step: str) -> str | None:
    """The clause of one of the steps of the case's ruling."""
    steps = case.ruling.then if case.ruling else ()
    return next((then.clause for then in steps if then.step == step), case.clause)


def finish(table: Table) -> Table:
    """Close the case and record it."""
    case = table.case
    assert case is not None
    if case.id == BY_HAND:
        return replace(table, case=None)  # a card that was named: nothing was ruled
    clause = case.clause if case.ruling is None else case.ruling.clause or None
    by = case.decided_by or case.asker or case.reported_by
    ruled = Ruled(
        case.id,
        clause,
        case.reported_by,
        by,
        case.text,
        not_established=case.not_established,
        cards=case.about.cards,
        approved_by=case.second,
        from_floor=tuple(who for who in case.from_floor if who in (by, case.second)),
    )
    if table.shoe is not None and table.devices.drawn_at_ruling != table.shoe.drawn:
        devices = replace(table.devices, drawn_at_ruling=table.shoe.drawn)
        table = replace(table, devices=devices)
    return replace(table, rulings=(*table.rulings, ruled), case=None)
