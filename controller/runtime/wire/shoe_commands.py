"""Commands to the shoe that follow from a step.

Most shoes take none, or are kept read-only; the dealer then gets a sentence instead.
"""

from collections.abc import Mapping, Set
from typing import Final

from controller.game.rulebook import KEPT, Excess
from controller.messages.codes import Code
from controller.table.phases import Phase
from controller.table.rules import HouseRules
from controller.table.state import Table
from drivers.commands import (
    ClearError,
    DeviceCommand,
    DiscardExcess,
    KeepExcess,
    NewShoe,
    StartShuffle,
)
from drivers.error_meaning import ErrorMeaning

AT_THE_SHOE: Final[Mapping[type[DeviceCommand], Code]] = {
    KeepExcess: Code.AT_SHOE_KEEP_EXCESS,
    DiscardExcess: Code.AT_SHOE_DISCARD_EXCESS,
    ClearError: Code.AT_SHOE_CLEAR_ERROR,
    StartShuffle: Code.AT_SHUFFLER_START,
}
"""The instruction for the dealer if the shoe does not take the command."""


def commands_after(
    then: Table, now: Table, excess: Excess, in_error: Set[ErrorMeaning], *, says_excess: bool
) -> list[DeviceCommand]:
    """The commands for the step between these two tables. `in_error`: errors of the shoe that a
    person has to clear. `says_excess`: the shoe reported a card too many in this step."""
    found: list[DeviceCommand] = []
    if now.history.shoes != then.history.shoes:
        found.append(NewShoe())
    ended = _ended(then, now)
    if ErrorMeaning.EXCESS in in_error and _excess_ruled(then, now, says_excess):
        found.append(KeepExcess() if _carries(now, excess) else DiscardExcess())
    elif ended and in_error - {ErrorMeaning.EXCESS}:
        found.append(ClearError())
    return found


def is_lock_due(table: Table, house: HouseRules) -> bool | None:
    """Whether the shoe must be locked now; None if the house leaves that to the dealer."""
    return table.phase is Phase.BETTING if house.lock_while_betting else None


def _excess_ruled(then: Table, now: Table, says_excess: bool) -> bool:
    """Whether this step decides what happens to a card too many. If no person has to decide, that
    is as soon as both the card and the shoe's error have arrived."""
    if then.case is not None and then.case.id == EXCESS:
        return _ended(then, now)
    at_once = [ruled.id for ruled in now.rulings[-1:]] == [EXCESS] and _aside(now)
    return at_once and (says_excess or len(now.rulings) > len(then.rulings))


def _aside(table: Table) -> bool:
    cards = table.round.cards if table.round is not None and not table.round.over else ()
    return bool(table.carried) or any(drawn.hand is None for drawn in cards)


EXCESS: Final = "excess_card"


def _carries(after: Table, excess: Excess) -> bool:
    """Whether the card begins the next round: not when the round is void, nor when it was laid."""
    round_ = after.round
    if round_ is None or round_.over:
        return bool(after.carried)
    return excess in KEPT and any(drawn.hand is None for drawn in round_.cards)


def _ended(before: Table, after: Table) -> bool:
    """Whether the step closed the open case; another case may be open now."""
    return before.case is not None and (
        after.case is None or len(after.rulings) > len(before.rulings)
    )
