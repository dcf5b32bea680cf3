"""The robot's own table of play, straight from the rule documents (MBS Baccarat 3.12 to 3.15).

It is an independent second implementation: where the tested table differs, one of the two is wrong,
and the robot reports it.
"""

from collections.abc import Sequence
from typing import Final

from simulators.kit.cards import points, total

PLAYER, BANKER = "player", "banker"
FIRST_FOUR: Final = (PLAYER, BANKER, PLAYER, BANKER)

_BANKER_DRAWS: Final = {
    # Banker's total: the points of the Player's third card on which the Banker draws
    0: "0123456789",
    1: "0123456789",
    2: "0123456789",
    3: "012345679",
    4: "234567",
    5: "4567",
    6: "67",
    7: "",
}


def next_hand(player: Sequence[str], banker: Sequence[str]) -> str | None:
    """Return the hand of the next card after these; None when the round is complete."""
    if len(player) < 2 or len(banker) < 2:
        return FIRST_FOUR[len(player) + len(banker)]
    two, two_of_bank = total(player[:2]), total(banker[:2])
    if max(two, two_of_bank) >= 8 or len(banker) > 2:
        return None
    if len(player) == 2:
        if two <= 5:
            return PLAYER
        return BANKER if two_of_bank <= 5 else None
    draws = _BANKER_DRAWS[two_of_bank]
    return BANKER if str(points(player[2])) in draws else None


def outcome(player: Sequence[str], banker: Sequence[str]) -> str:
    """Return player, banker or tie."""
    difference = total(player) - total(banker)
    if difference == 0:
        return "tie"
    return PLAYER if difference > 0 else BANKER
