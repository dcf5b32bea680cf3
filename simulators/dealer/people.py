"""Who is at the table: staff with their roles, players with their wagers, and what they say."""

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
"""Who approves what one person alone may not: whoever did not ask for it."""

PLAYERS: Final = ("seat 1", "seat 2", "seat 3")
UNIT: Final = 100
_SIDE_BETS: Final = {"tie": 8, "player_pair": 11, "banker_pair": 11}


def player_line(name: str, word: str, **given: object) -> Line:
    return {"from": "player", "who": name, "do": word, "with": given}


@dataclass(frozen=True, slots=True)
class Wager:
    """What somebody has put down."""

    id: str
    player: str
    position: int
    wager: str
    amount: int

    def line(self) -> Line:
        given = {"id": self.id, "wager": self.wager, "amount": self.amount}
        return player_line(self.player, "place", **given, position=self.position)

    def should(self, player: list[str], banker: list[str]) -> tuple[str, int | None]:
        """How it comes out by these hands, and what it is paid; None where books differ."""
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
    """A few wagers; `must` is a player who has to have one, because they draw the cards."""
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
    """Who gets a hand under Method A: the highest wager on it, among equals the first placed."""
    on_it = [wager for wager in placed if wager.wager == hand]
    return max(on_it, key=lambda wager: wager.amount).player if on_it else None
