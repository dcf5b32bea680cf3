"""How the robot plays, and what came of it."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from simulators.dealer.people import SUPERVISOR, UNIT


@dataclass(frozen=True)
class Plan:
    method: str = ""
    """A, B or C; empty: as the table begins."""
    verified_by: str = SUPERVISOR.name
    """Who vouches for a new shoe; `shuffler` where there is one."""
    keeps_excess: bool = True
    """What is pressed at a shoe that calls a card one too many; the house's configuration."""
    on_a_wire: bool = False
    """The shoe is a device of its own: the table says when it can be heard."""
    card_s: float = 1.5
    """Seconds a card takes a dealer at the real pace."""
    word_s: float = 2.0
    think_s: float = 0.0
    """More before a question is answered, where people look on and want to read it."""
    stakes: int = UNIT
    """Wagers are multiples of it."""
    joins: bool = False
    """The table is played at already: whatever round is open is brought to its end first."""


@dataclass
class Tally:
    rounds: int = 0
    shoes: int = 0
    cards: int = 0
    unread: int = 0
    """Cards that left the shoe and never reached the table, which noticed nothing."""
    void: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    mistakes: Counter[str] = field(default_factory=Counter)

    def shown(self) -> dict[str, Any]:
        return {
            "rounds": self.rounds,
            "shoes": self.shoes,
            "cards": self.cards,
            "void": self.void,
            "outcomes": dict(self.outcomes),
            "mistakes": dict(self.mistakes),
        }
