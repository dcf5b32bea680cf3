"""Who is at the table, and who may say what for whom."""

from dataclasses import dataclass
from random import Random
from typing import Any

Line = dict[str, Any]

RANKS = (
    "dealer",
    "pit_supervisor",
    "pit_manager",
    "assistant_casino_manager",
    "gaming_shift_manager",
)
PLAYERS = ("ann", "bob", "cem", "eve")


@dataclass(frozen=True)
class Person:
    name: str
    role: str

    @property
    def rank(self) -> int:
        role = self.role.replace("table_game", "gaming")
        return RANKS.index(role)

    def says(self, word: str, **given: object) -> Line:
        return {"from": "staff", "who": self.name, "role": self.role, "do": word, "with": given}


DEALER = Person("dora", "dealer")
OTHER_DEALER = Person("dan", "dealer")
SUPERVISOR, OTHER_SUPERVISOR = Person("pia", "pit_supervisor"), Person("sol", "pit_supervisor")
MANAGER, OTHER_MANAGER = Person("max", "pit_manager"), Person("mia", "pit_manager")
ASSISTANT = Person("ada", "assistant_casino_manager")
SHIFT, OTHER_SHIFT = (
    Person("gus", "gaming_shift_manager"),
    Person("tom", "table_game_shift_manager"),
)
STAFF = (
    DEALER, OTHER_DEALER, SUPERVISOR, OTHER_SUPERVISOR, MANAGER, OTHER_MANAGER, ASSISTANT, SHIFT,
    OTHER_SHIFT,
)  # fmt: skip


def player_says(name: str, word: str, **given: object) -> Line:
    return {"from": "player", "who": name, "do": word, "with": given}


def somebody(random: Random, role: str, *but: str) -> Person:
    """Who stands high enough for this role and is none of these."""
    least = Person("", role).rank
    return random.choice([one for one in STAFF if one.rank >= least and one.name not in but])


def too_low(role: str, *but: str) -> Person | None:
    """Who does not."""
    least = Person("", role).rank
    return next((one for one in STAFF if one.rank < least and one.name not in but), None)
