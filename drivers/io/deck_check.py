"""Comparison of a known deck with a shoe's reports: which cards were misread, lost or doubled.

The reported cards are aligned with the drawn cards with as few differences as possible, so that one
missed card does not make every later one wrong. It works while the cards come: each card costs one
row of the table, so the next card is known at once.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, Literal

from drivers.cards import DECK, Card, Rank, Suit

MAX_CARDS: Final = 1000

Read = Card | None
"""A reported card; None is a card that left the shoe and could not be read."""


class CardOutcome(Enum):
    RIGHT = "right"
    MISREAD = "misread"
    UNREADABLE = "unreadable"
    LOST = "lost"
    """Drawn and never reported."""
    DOUBLED = "doubled"
    """Reported although no such card was drawn then: usually one reported twice."""
    EXTRA_UNREADABLE = "extra_unreadable"
    """Reported as a card that could not be read, although no card was drawn."""
    NOT_REACHED = "not_reached"
    """The pass ended before this card: it was not drawn, or it was lost with all later ones."""


@dataclass(frozen=True, slots=True)
class Met:
    """A drawn card and its report, or one of the two alone."""

    number: int
    """The number of the drawn card in its pass, from 1; for an excess report, of the card
    before."""
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
        """The misread cards: what each was, and what the shoe reported."""
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
        return next((each for each in self.met if each.outcome is not CardOutcome.RIGHT), None)

    @property
    def good(self) -> bool:
        return self.first is None

    @property
    def out_of_order(self) -> bool:
        """Whether every card was reported as often as it was drawn, in another order."""
        drawn = Counter(each.drawn for each in self.met if each.drawn)
        reported = Counter(each.reported for each in self.met if each.reported)
        return self.right < self.drawn and drawn == reported

    @property
    def ranks(self) -> dict[str, Counter[str]]:
        """For each drawn rank, how often it was read as which; `?` is unreadable, `-` is lost."""
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
    """Compare a whole pass. `reached`: how many were drawn before it ended; default: all."""
    alignment = Alignment(drawn)
    for card in read:
        alignment.tell(card)
    return alignment.findings(len(drawn) if reached is None else reached)


class Alignment:
    """An alignment of the reported cards with the drawn cards, updated with each report."""

    def __init__(self, drawn: Sequence[Card]) -> None:
        assert len(drawn) <= MAX_CARDS
        self._drawn = drawn
        self._read: list[Read] = []
        # A row for each report: the cost of it and all before it, against the first i drawn.
        self._costs = [list(range(len(drawn) + 1))]
        self.place = 0
        """How many of the drawn cards are done, by the present reports."""

    def tell(self, card: Read) -> None:
        """Add a report. The time grows with the cards drawn, not with the earlier reports."""
        assert len(self._read) < 2 * MAX_CARDS
        above = self._costs[-1]
        row = [above[0] + 1]
        for i, drawn in enumerate(self._drawn):
            row.append(min(above[i] + (drawn is not card), row[i] + 1, above[i + 1] + 1))
        self._read.append(card)
        self._costs.append(row)
        self.place = self._likeliest(row, card)

    def _likeliest(self, row: list[int], card: Read) -> int:
        """Return the place with the fewest differences; among equals one where this card was read
        correctly, because a lost or doubled card is likelier than a misread as the neighbour; then
        the nearest."""
        due = self.place + 1
        return min(
            range(len(row)),
            key=lambda i: (row[i], i == 0 or self._drawn[i - 1] is not card, abs(i - due)),
        )

    def findings(self, reached: int) -> Findings:
        """Return the findings when this number of cards was drawn."""
        behind = max(reached, self.place)
        rest = (
            Met(number, CardOutcome.NOT_REACHED, card, None)
            for number, card in enumerate(self._drawn[behind:], behind + 1)
        )
        return Findings((*self._met(behind), *rest))

    def _met(self, i: int) -> list[Met]:
        """Trace back from the end: a card counts as lost or doubled as late as possible."""
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
