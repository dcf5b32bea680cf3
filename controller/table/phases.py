"""The phases of a round, as an onlooker could name them, and the events between them.

A table that is held is still in a phase: see `holds`. `controller.engine.phases` is the state
machine, which maps an event in a phase to the next phase.
"""

from enum import Enum
from typing import Final


class Phase(Enum):
    # Members are looked up at every step; an enum would hash its name each time.
    __hash__ = object.__hash__

    CLOSED = "closed"
    CHANGING_SHOE = "changing_shoe"
    READY = "ready"
    BETTING = "betting"
    DEALING = "dealing"
    REVEALING = "revealing"
    PLAYERS_THIRD = "players_third"
    BANKERS_THIRD = "bankers_third"
    OUTCOME = "outcome"
    SETTLING = "settling"


PHASE_NAMES: Final = {phase: phase.value for phase in Phase}
"""Read at every step: an enum would compute its value each time."""
ANY_PHASE: Final = frozenset(Phase)
OPEN_PHASES: Final = ANY_PHASE - {Phase.CLOSED}
AFTER_THE_CALL: Final = frozenset(
    {
        Phase.DEALING,
        Phase.REVEALING,
        Phase.PLAYERS_THIRD,
        Phase.BANKERS_THIRD,
        Phase.OUTCOME,
        Phase.SETTLING,
    }
)
"""From "No more bets" to the end of the round."""
ROUND_PHASES: Final = AFTER_THE_CALL | {Phase.BETTING}


class RoundEvent(Enum):
    """An event that a step emitted: a trigger of the state machine."""

    TABLE_OPENED = "table_opened"
    TABLE_CLOSED = "table_closed"
    SHOE_LOADED = "shoe_loaded"
    CARD_BURNED = "card_burned"
    SHOE_SPENT = "shoe_spent"
    BETTING_OPENED = "betting_opened"
    BETTING_CLOSED = "betting_closed"
    BETTING_REOPENED = "betting_reopened"
    CARD_LAID = "card_laid"
    CARDS_SHOWN = "cards_shown"
    RECONSTRUCTED = "reconstructed"
    OUTCOME_ANNOUNCED = "outcome_announced"
    ROUND_SETTLED = "round_settled"
    ROUND_VOIDED = "round_voided"
