"""The people at the table: staff with roles, players with wagers, and their commands."""

from dataclasses import dataclass
from random import Random
from typing import Any, Final

from simulators.dealer.table_of_play import BANKER, PLAYER, outcome

Line = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Person:
    name: str
    role: str

    def line(self, word: str, **given: object) -> Line:
        line: Line = {"from": "staff", "who": self.name, "role": self.role, "do": word}
        return {**line, "with": given} if given else line


DEALER: Final = Person("dora", "dealer")
SUPERVISOR: Final = Person("pia", "pit_supervisor")
MANAGER: Final = Person("max", "pit_manager")
ASSISTANT: Final = Person("ada", "assistant_casino_manager")
SHIFT: Final = Person("gus", "gaming_shift_manager")
SECONDS: Final = (SUPERVISOR, MANAGER, SHIFT)
"""Possible second persons; the one who did not make the request approves it."""

PLAYERS: Final = ("seat 1", "seat 2", "seat 3")
UNIT: Final = 100
_SIDE_BETS: Final = {"tie": 8, "player_pair": 11, "banker_pair": 11}


def player_line(name: str, word: str, **given: object) -> Line:
    return {"from": "player", "who": name, "do": word, "with": given}


@dataclass(frozen=True, slots=True)
class Wager:
    """A wager on the layout."""

    id: str
    player: str
    position: int
    wager: str
    amount: int

    def line(self) -> Line:
        given = {"id": self.id, "wager": self.wager, "amount": self.amount}
        return player_line(self.player, "place", **given, position=self.position)

    def should(self, player: list[str], banker: list[str]) -> tuple[str, int | None]:
        """Return the wager's result for these hands and its payment; None where rulebooks
        differ."""
        won = outcome(player, banker)
        if self.wager in (PLAYER, BANKER):
            if won == "tie":
                return "push", 0
            if won != self.wager:
                return "lose", 0
            return "win", self.amount if won == PLAYER else None
        if self.wager == "tie":
            wins = won == "tie"
        else:
            hand = player if self.wager == "player_pair" else banker
            wins = hand[0][0] == hand[1][0]
        return ("win", self.amount * _SIDE_BETS[self.wager]) if wins else ("lose", 0)


def wagers(
    random: Random, round_number: int, must: str | None = None, stakes: int = UNIT
) -> list[Wager]:
    """Return a few wagers; `must` is a player who draws cards and so needs a wager."""
    placed: list[Wager] = []

    def put(name: str, position: int, wager: str) -> None:
        amount = stakes * random.randint(1, 50)
        placed.append(Wager(f"{round_number}-{len(placed)}", name, position, wager, amount))

    for position, name in enumerate(PLAYERS, start=1):
        if name == must or random.random() < 0.8:
            put(name, position, random.choice((PLAYER, BANKER)))
        if random.random() < 0.2:
            put(name, position, random.choice(tuple(_SIDE_BETS)))
    return placed


def handler(placed: list[Wager], hand: str) -> str | None:
    """Return who handles a hand under Method A: the highest wager on it, or the first of equal
    ones."""
    on_it = [wager for wager in placed if wager.wager == hand]
    return max(on_it, key=lambda wager: wager.amount).player if on_it else None
