"""Wagers outside the limits while bets are open: which they are, and which come off.

The excess is computed from the wagers on the layout, not from the report; only excess comes off,
and afterwards none is left.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from controller.game.money.limits import Exceeded
from controller.game.money.settlement import Bet
from controller.game.rulebook import BeforeClosing
from controller.messages.codes import Code
from controller.round.wagers import betting
from controller.round.wagers.wager_index import lower_amount, wager_index
from controller.table import approvals
from controller.table.approvals import Act
from controller.table.case import AwaitsWagers, Case, TakenOff
from controller.table.commands.message import Message
from controller.table.commands.people import DecideCommand, PartOff, Removals
from controller.table.refused import Refused
from controller.table.rules import Rules
from controller.table.state import PartBack, Round, Table

# --- what is wrong ------------------------------------------------------------------------------


def exceeded_differential(round_: Round, rules: Rules) -> list[Exceeded]:
    """The places where the table, or a box of it, has too much on one side; empty if none. Where
    wagers are not tracked, only the people at the table know it."""
    return betting.exceeded_differential(round_, rules)


def bets_under_minimum(round_: Round, rules: Rules) -> list[Bet]:
    """The wagers that are smaller than they may be."""
    held_to = betting.limits(round_, rules)
    return [bet for bet in betting.bets(round_) if held_to.of(bet).under(bet)]


def bets_over_maximum(round_: Round, rules: Rules) -> list[Bet]:
    """The wagers that are larger than they may be."""
    held_to = betting.limits(round_, rules)
    return [bet for bet in betting.bets(round_) if held_to.of(bet).over(bet)]


_OUTSIDE: Final[Mapping[str, Callable[[Round, Rules], list[Bet]]]] = {
    "under_minimum": bets_under_minimum,
    "over_maximum": bets_over_maximum,
}
"""Irregularities that are about single wagers; every other one is about the differential."""


def _concerned(round_: Round, case: Case, rules: Rules) -> set[str]:
    """The wagers that may come off: those outside their range, and the heavy side of an exceeded
    differential."""
    find = _OUTSIDE.get(case.id)
    outside = [] if find is None else find(round_, rules)
    heavy = [] if case.id == "under_minimum" else _heavy(exceeded_differential(round_, rules))
    return {str(bet.id) for bet in (*outside, *heavy)}


def _heavy(over: Sequence[Exceeded]) -> list[Bet]:
    return [bet for each in over for bet in each.heavy]


# --- what comes off -----------------------------------------------------------------------------


def correct_wagers(
    table: Table, case: Case, awaits: AwaitsWagers, message: Message[DecideCommand], rules: Rules
) -> Table:
    """Remove the wagers that the role the book names lists; after that the differential is
    right."""
    round_, remove = table.round, named_removals(message.payload.remove)
    if round_ is None:
        return remove_wagers(table, case, remove, rules)
    # What the book gives to one role above the dealer is not decided by the reporter.
    above = awaits.role is not approvals.approval_row(Act.DEAL).role
    if above and rules.is_same_person(message.actor, case.reported_by):
        raise Refused(Code.TAKES_TWO, case.clause)
    if not round_.betting or round_.over:
        if remove:
            raise Refused(Code.COMES_OFF_WHILE_OPEN, case.clause)
        return table
    may = _concerned(round_, case, rules)
    table = remove_wagers(table, case, remove, rules, may)
    after = table.round
    assert after is not None
    _standing_first(round_, after, case, rules)
    _nothing_left(after, case, rules)
    return table


def _standing_first(before: Round, after: Round, case: Case, rules: Rules) -> None:
    """Require that standing players' wagers come off before those of seated players in the box."""
    rule = rules.book.limits.differential
    steps = () if rule is None else rule.before_closing
    if all(step.does is not BeforeClosing.REJECT_STANDING_FIRST for step in steps):
        return
    positions = {str(bet.id): bet.amount for bet in betting.bets(after)}
    for over in exceeded_differential(before, rules):
        seated_lose = any(b.seated and positions.get(str(b.id), 0) < b.amount for b in over.heavy)
        standing = [str(b.id) for b in over.heavy if not b.seated and str(b.id) in positions]
        if seated_lose and standing:
            raise Refused(Code.STANDING_COME_OFF_FIRST, case.clause, wagers=standing)
        if _more_than_the_excess(over, positions, before, rules):
            raise Refused(Code.MORE_THAN_THE_EXCESS, case.clause, amount=over.excess)


def _more_than_the_excess(
    over: Exceeded, positions: Mapping[str, int], round_: Round, rules: Rules
) -> bool:
    """Whether more was rejected than the excess. A rest under the minimum, or in no whole chips,
    cannot stay and comes off as well; standing wagers come off before seated ones."""
    rest = [(bet, positions.get(str(bet.id), 0)) for bet in over.heavy]
    beyond = sum(bet.amount - left for bet, left in rest) - over.excess
    held_to = betting.limits(round_, rules)
    seated_lose = any(bet.seated and left < bet.amount for bet, left in rest)
    for bet, left in rest:
        if seated_lose and not bet.seated:
            continue
        back = min(beyond, bet.amount - left)
        back -= back % rules.chip_unit
        stays = left + back >= (held_to.of(bet).minimum or 0) or left + back == bet.amount
        if back > 0 and stays:
            return True
    return False


def needs_correction(round_: Round, case: Case, rules: Rules) -> bool:
    """Whether the subject of the case still has to be put right."""
    find = _OUTSIDE.get(case.id)
    outside = [] if find is None else find(round_, rules)
    exceeded = [] if case.id == "under_minimum" else exceeded_differential(round_, rules)
    return bool(outside or exceeded)


def _nothing_left(after: Round, case: Case, rules: Rules) -> None:
    find = _OUTSIDE.get(case.id)
    outside = [] if find is None else find(after, rules)
    if outside:
        wagers = [str(bet.id) for bet in outside]
        raise Refused(Code.STILL_OUTSIDE_LIMITS, case.clause, wagers=wagers)
    over = [] if case.id == "under_minimum" else exceeded_differential(after, rules)
    if over:
        raise Refused(Code.STILL_TOO_MUCH, case.clause, amount=over[0].excess)


def named_removals(remove: Removals) -> tuple[TakenOff, ...]:
    """The wagers that a command names, whole or in part."""
    return tuple(
        TakenOff(str(each.id), each.amount) if isinstance(each, PartOff) else TakenOff(str(each))
        for each in remove
    )


def remove_wagers(
    table: Table,
    case: Case,
    remove: Sequence[TakenOff],
    rules: Rules,
    may: set[str] | None = None,
    *,
    came_late: bool = False,
) -> Table:
    """The table without these wagers, or a part of them; `may`: the only ones that may come off. A
    part comes off after the call only where it had come late."""
    round_ = table.round
    if round_ is None:
        return table
    if len({each.id for each in remove}) != len(remove):
        raise Refused(Code.NAME_WAGERS_ONCE, case.clause)
    for each in remove:
        lies_there = wager_index(round_).place(each.id) is not None
        if lies_there and may is not None and each.id not in may:
            raise Refused(Code.DOES_NOT_COME_OFF, case.clause, wager=each.id)
        part = round_.betting or came_late
        round_ = _without(round_, each, case, rules, part_may=part)
    return replace(table, round=round_)


def _without(round_: Round, each: TakenOff, case: Case, rules: Rules, *, part_may: bool) -> Round:
    place = wager_index(round_).place(each.id)
    if place is None:
        raise Refused(Code.NO_SUCH_WAGER, case.clause, wager=each.id)
    wager = round_.wagers[place]
    if wager.returned_by is not None:
        raise Refused(Code.WAGER_WENT_BACK, case.clause, wager=each.id)
    if each.amount is not None and each.amount != wager.amount:
        if not part_may:  # after the call a wager counts whole or goes back whole
            raise Refused(Code.COMES_OFF_WHILE_OPEN, case.clause)
        if each.amount > wager.amount:
            raise Refused(Code.DECREASE_TO_NOTHING, case.clause, wager=each.id)
        betting.payable(round_, wager.wager, wager.amount - each.amount, rules)
        return lower_amount(round_, place, each.amount, PartBack(each.amount, case.clause))
    gone = replace(wager, returned_by=case.clause or "")
    others = round_.wagers
    return replace(round_, wagers=(*others[:place], gone, *others[place + 1 :]))
