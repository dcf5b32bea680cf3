"""What the table wants of its shoe after a step: commands that follow from what was ruled.

Most shoes take none, or are kept read-only: then the same wish is a sentence for the dealer.
"""

from collections.abc import Mapping
from typing import Final

from controller.round.devices import EXCESS
from controller.round.rules import Excess
from controller.round.state import Table
from drivers.commands import ClearError, Command, DiscardExcess, KeepExcess, NewShoe

AT_THE_SHOE: Final[Mapping[type[Command], str]] = {
    KeepExcess: "at the shoe, keep the card one too many for the next round",
    DiscardExcess: "at the shoe, discard the card one too many",
    ClearError: "at the shoe, clear the error",
}
"""What the dealer does by hand where the shoe takes no such command."""

END_ITS_ROUND: Final = "the round is void: at the shoe, end its own round too (forced exit)"
"""No shoe takes a command for it. One that goes on takes the next round's cards for this one's."""

_KEPT: Final = (Excess.NEXT_ROUND, Excess.NO_BET_HAND)


def after(then: Table, now: Table, excess: Excess, in_error: set[int]) -> list[Command]:
    """What the step between these two tables asks of the shoe; `in_error`: its errors that
    somebody has to clear."""
    found: list[Command] = []
    if now.shoes != then.shoes:
        found.append(NewShoe())
    if not _ended(then, now):
        return found
    if EXCESS in in_error and then.case is not None and then.case.id == "excess_card":
        found.append(KeepExcess() if _carries(now, excess) else DiscardExcess())
    elif in_error - {EXCESS}:
        found.append(ClearError())
    return found


def left_alone(before: Table, after: Table) -> bool:
    """Whether a round was void in this step that a shoe may still be playing."""
    now, then = after.round, before.round
    void = now is not None and now.void_by is not None and bool(now.cards)
    return void and then is not None and then.void_by is None


def _carries(after: Table, excess: Excess) -> bool:
    """Whether the card begins the next round: not when the round is void, nor when it was laid."""
    round_ = after.round
    if round_ is None or round_.over:
        return bool(after.carried)
    return excess in _KEPT and any(drawn.hand is None for drawn in round_.cards)


def _ended(before: Table, after: Table) -> bool:
    """A case was closed by the step, and it is not the same one that is still open."""
    return before.case is not None and (
        after.case is None or len(after.rulings) > len(before.rulings)
    )
