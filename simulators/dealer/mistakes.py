"""The mistakes of a round, from a seed or from a script.

A script has one line a round: `right`, or a mistake and the number of its card in the round,
counted from 1. `#` begins a comment.

    right
    unreadable 3
    two 2
    extra
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

KINDS: Final = {
    "extra": "a card is drawn when the round is complete",
    "early": "a card is drawn before bets are closed",
    "two": "two cards come out at once",
    "unreadable": "a card cannot be read",
    "foreign": "a card of another set lay in the shoe",
    "wrong_order": "cards are laid to the wrong hands",
    "cut": "the cutting card comes",
    "cable": "the shoe's cable is out while a card is drawn",
}


class NotAScript(ValueError):
    """An invalid line of a script, with the valid forms."""


@dataclass(frozen=True, slots=True)
class Mistake:
    kind: str
    at: int = 1
    """The number of the card in the round, where it matters."""


def by_chance(random: Random, percent: int) -> Iterator[Mistake | None]:
    """Yield mistakes without end, in this percentage of rounds."""
    while True:
        wrong = random.randrange(100) < percent
        yield Mistake(random.choice(tuple(KINDS)), random.randint(1, 4)) if wrong else None


def by_script(text: str) -> Iterator[Mistake | None]:
    """Parse a script; raises `NotAScript` before anything is played."""
    lines = [line.partition("#")[0].split() for line in text.splitlines()]
    return iter([_round(number, words) for number, words in enumerate(lines, 1) if words])


def _round(number: int, words: list[str]) -> Mistake | None:
    if words == ["right"]:
        return None
    kind, *at = words
    if kind not in KINDS or len(at) > 1 or not all(each in "123456" for each in at):
        may = ", ".join(KINDS)
        raise NotAScript(f"line {number}: write right, or one of {may}, and a card 1 to 6")
    return Mistake(kind, int(at[0]) if at else 1)
