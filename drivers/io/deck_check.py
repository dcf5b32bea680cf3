"""A pass of known cards against what a shoe made of them: which were misread, lost or doubled.

The cards told are laid beside the cards drawn with as few differences as possible, so that one card
that was missed does not make every later one wrong. It can be done while the cards come: a line of
costs a card, so that the next card is known at once.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, Literal

from drivers.cards import DECK, Card, Rank, Suit

MAX_CARDS: Final = 1000

Read = Card | None
"""None is a card that left and could not be read."""


class CardOutcome(Enum):
    """What became of a card."""

    RIGHT = "right"
    MISREAD = "misread"
    UNREADABLE = "unreadable"
    LOST = "lost"
    """Drawn and never told."""
    DOUBLED = "doubled"
    """Told although no such card was drawn then: mostly one told twice."""
    EXTRA_UNREADABLE = "extra_unreadable"
    """Something was told as a card that could not be read, and no card was drawn."""
    NOT_REACHED = "not_reached"
    """The pass ended before it: it was not drawn, or it was lost with all after it."""


@dataclass(frozen=True, slots=True)
class Met:
    """A card drawn and what was told of it, or one of the two alone."""

    number: int
    """Of the drawn card in its pass, from 1; for one that was told too many, of the card before."""
    outcome: CardOutcome
    drawn: Card | None
    reported: Card | None


@dataclass(frozen=True)
class Findings:
    met: tuple[Met, ...]

    def of(self, *outcomes: CardOutcome) -> list[Met]:
        return [each for each in self.met if each.outcome in outcomes]

    def _drawn(self, outcome: CardOutcome) -> tuple[Card, ...]:
        return tuple(each.drawn for each in self.of(outcome) if each.drawn is not None)

    @property
    def drawn(self) -> int:
        return sum(each.drawn is not None for each in self.met)

    @property
    def right(self) -> int:
        return len(self.of(CardOutcome.RIGHT))

    @property
    def misread(self) -> tuple[tuple[Card, Card], ...]:
        """What it was, and what the shoe reported."""
        found = self.of(CardOutcome.MISREAD)
        return tuple((each.drawn, each.reported) for each in found if each.drawn and each.reported)

    @property
    def unreadable(self) -> tuple[Card, ...]:
        return self._drawn(CardOutcome.UNREADABLE)

    @property
    def missing(self) -> tuple[Card, ...]:
        return self._drawn(CardOutcome.LOST)

    @property
    def not_reached(self) -> tuple[Card, ...]:
        return self._drawn(CardOutcome.NOT_REACHED)

    @property
    def doubled(self) -> tuple[Card, ...]:
        return tuple(each.reported for each in self.of(CardOutcome.DOUBLED) if each.reported)

    @property
    def extra_unreadable(self) -> int:
        return len(self.of(CardOutcome.EXTRA_UNREADABLE))

    @property
    def first(self) -> Met | None:
        """What differed first."""
        return next((each for each in self.met if each.outcome is not CardOutcome.RIGHT), None)

    @property
    def good(self) -> bool:
        return self.first is None

    @property
    def out_of_order(self) -> bool:
        """Every card was told as often as it was drawn, in another order: look at the deck."""
        drawn = Counter(each.drawn for each in self.met if each.drawn)
        reported = Counter(each.reported for each in self.met if each.reported)
        return self.right < self.drawn and drawn == reported

    @property
    def ranks(self) -> dict[str, Counter[str]]:
        """For each rank that was drawn, as which it was read; `?` is unreadable, `-` nothing."""
        return {each.value: row for each in Rank if (row := self._row("rank", each))}

    @property
    def suits(self) -> dict[str, Counter[str]]:
        return {each.value: row for each in Suit if (row := self._row("suit", each))}

    def _row(self, side: Literal["rank", "suit"], of: Rank | Suit) -> Counter[str]:
        met = (each for each in self.met if each.drawn and getattr(each.drawn, side) is of)
        return Counter(_column(each, side) for each in met)

    def plain(self) -> dict[str, Any]:
        return {
            "good": self.good,
            "drawn": self.drawn,
            "right": self.right,
            "misread": [[was.code, answer.code] for was, answer in self.misread],
            "unreadable": [card.code for card in self.unreadable],
            "missing": [card.code for card in self.missing],
            "not_reached": [card.code for card in self.not_reached],
            "doubled": [card.code for card in self.doubled],
            "extra_unreadable": self.extra_unreadable,
            "ranks": {key: dict(row) for key, row in self.ranks.items()},
            "suits": {key: dict(row) for key, row in self.suits.items()},
        }


def _column(met: Met, side: Literal["rank", "suit"]) -> str:
    if met.reported is not None:
        return str(getattr(met.reported, side).value)
    return "?" if met.outcome is CardOutcome.UNREADABLE else "-"


def new_deck_order(decks: int) -> list[Card]:
    return list(DECK) * decks


def compare(drawn: Sequence[Card], read: Sequence[Read], reached: int | None = None) -> Findings:
    """A whole pass. `reached`: so many were drawn before it ended; without it all were."""
    alignment = Alignment(drawn)
    for card in read:
        alignment.tell(card)
    return alignment.findings(len(drawn) if reached is None else reached)


class Alignment:
    """The cards told, laid beside those drawn as they come."""

    def __init__(self, drawn: Sequence[Card]) -> None:
        assert len(drawn) <= MAX_CARDS
        self._drawn = drawn
        self._read: list[Read] = []
        # A row for each card told: the cost of it and all before it, beside the first i drawn.
        self._costs = [list(range(len(drawn) + 1))]
        self.place = 0
        """So many of the drawn cards lie behind us, as far as can be told now."""

    def tell(self, card: Read) -> None:
        """Takes time for the cards drawn, not for those told before."""
        assert len(self._read) < 2 * MAX_CARDS
        above = self._costs[-1]
        row = [above[0] + 1]
        for i, drawn in enumerate(self._drawn):
            row.append(min(above[i] + (drawn is not card), row[i] + 1, above[i + 1] + 1))
        self._read.append(card)
        self._costs.append(row)
        self.place = self._likeliest(row, card)

    def _likeliest(self, row: list[int], card: Read) -> int:
        """With the fewest differences; among those where this card was read rightly, for a card
        lost or doubled is likelier than one misread as just its neighbour; then the nearest."""
        due = self.place + 1
        return min(
            range(len(row)),
            key=lambda i: (row[i], i == 0 or self._drawn[i - 1] is not card, abs(i - due)),
        )

    def findings(self, reached: int) -> Findings:
        """With so many of the cards drawn."""
        behind = max(reached, self.place)
        rest = (
            Met(number, CardOutcome.NOT_REACHED, card, None)
            for number, card in enumerate(self._drawn[behind:], behind + 1)
        )
        return Findings((*self._met(behind), *rest))

    def _met(self, i: int) -> list[Met]:
        """Back from the end: a card is called lost or doubled as late as it can be."""
        j, met = len(self._read), []
        while i or j:
            here = self._costs[j][i]
            if i and here == self._costs[j][i - 1] + 1:
                i -= 1
                met.append(Met(i + 1, CardOutcome.LOST, self._drawn[i], None))
            elif j and here == self._costs[j - 1][i] + 1:
                j -= 1
                reported = self._read[j]
                extra = CardOutcome.DOUBLED if reported else CardOutcome.EXTRA_UNREADABLE
                met.append(Met(i, extra, None, reported))
            else:
                i, j = i - 1, j - 1
                met.append(_pair(i + 1, self._drawn[i], self._read[j]))
        return met[::-1]


def _pair(number: int, drawn: Card, reported: Read) -> Met:
    if reported is None:
        return Met(number, CardOutcome.UNREADABLE, drawn, None)
    outcome = CardOutcome.RIGHT if reported is drawn else CardOutcome.MISREAD
    return Met(number, outcome, drawn, reported)
