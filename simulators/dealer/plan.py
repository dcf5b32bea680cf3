"""The robot's plan of play and its tally."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from simulators.dealer.people import SUPERVISOR, UNIT


@dataclass(frozen=True)
class Plan:
    method: str = ""
    """A, B or C; empty for the table's default."""
    verified_by: str = SUPERVISOR.name
    """Who verifies a new shoe; `shuffler` where there is one."""
    keeps_excess: bool = True
    """The house's choice for an excess card: the button to press at the shoe."""
    on_a_wire: bool = False
    """The shoe is a separate device, and the table reports when its link is up."""
    card_s: float = 1.5
    """Seconds a card takes a dealer at the real pace."""
    word_s: float = 2.0
    think_s: float = 0.0
    """Extra seconds before an answer, so that people can read the request."""
    stakes: int = UNIT
    """Unit of all wagers."""
    joins: bool = False
    """The table is already in use: the open round is finished first."""


@dataclass
class Tally:
    rounds: int = 0
    shoes: int = 0
    cards: int = 0
    unread: int = 0
    """Cards that left the shoe and never reached the table, without its notice."""
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
