"""Roles and their order: a higher role may always act for a lower one."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property


class Role(Enum):
    # Hashed by identity, as `Phase`: looked up at every step of a person.
    __hash__ = object.__hash__

    PLAYER = "player"
    DEALER = "dealer"
    PIT_SUPERVISOR = "pit_supervisor"
    PIT_MANAGER = "pit_manager"
    ASSISTANT_CASINO_MANAGER = "assistant_casino_manager"
    GAMING_SHIFT_MANAGER = "gaming_shift_manager"
    TABLE_GAME_SHIFT_MANAGER = "table_game_shift_manager"


# MBS 6.2 lets a higher position act but ranks no positions; this is our default. The two shift
# managers are one rung: each book knows only one of them.
DEFAULT_LADDER: tuple[tuple[Role, ...], ...] = (
    (Role.DEALER,),
    (Role.PIT_SUPERVISOR,),
    (Role.PIT_MANAGER,),
    (Role.ASSISTANT_CASINO_MANAGER,),
    (Role.GAMING_SHIFT_MANAGER, Role.TABLE_GAME_SHIFT_MANAGER),
)


@dataclass(frozen=True)
class Ladder:
    """The roles from the lowest up; players are not among them."""

    rungs: Sequence[Sequence[Role]] = DEFAULT_LADDER

    def may_act(self, role: Role, needed: Role) -> bool:
        heights = self._heights
        return heights.get(role, -1) >= heights.get(needed, len(heights))

    @cached_property
    def _heights(self) -> dict[Role, int]:
        return {role: height for height, rung in enumerate(self.rungs) for role in rung}


def ladder_with(highest: str) -> Ladder:
    """A ladder with this one of the last two roles on top: no document ranks them."""
    *lower, casino_manager, shift_manager = DEFAULT_LADDER
    if highest == Role.ASSISTANT_CASINO_MANAGER.value:
        return Ladder((*lower, shift_manager, casino_manager))
    return Ladder()
