"""A pass of known cards against what a shoe made of them: which were misread, lost or doubled.

The cards read are laid beside the cards drawn with as few differences as possible, so that one card
that was missed does not make every later one wrong.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from drivers.cards import DECK, Card, Rank, Suit

CARDS_MAX: Final = 1000

Read = Card | None
"""None is a card that left and could not be read."""


@dataclass(frozen=True)
class Findings:
    drawn: int
    right: int
    misread: tuple[tuple[Card, Card], ...]
    """What it was, and what the shoe said."""
    unreadable: tuple[Card, ...]
    missing: tuple[Card, ...]
    doubled: tuple[Card, ...]
    """Told although no such card was drawn then: mostly one told twice."""
    extra_unreadable: int
    ranks: dict[str, Counter[str]]
    """For each rank that was drawn, as which it was read; `?` is unreadable, `-` missing."""
    suits: dict[str, Counter[str]]

    @property
    def good(self) -> bool:
        return self.right == self.drawn and not self.doubled and not self.extra_unreadable

    def plain(self) -> dict[str, Any]:
        return {
            "good": self.good,
            "drawn": self.drawn,
            "right": self.right,
            "misread": [[was.code, said.code] for was, said in self.misread],
            "unreadable": [card.code for card in self.unreadable],
            "missing": [card.code for card in self.missing],
            "doubled": [card.code for card in self.doubled],
            "extra_unreadable": self.extra_unreadable,
            "ranks": {key: dict(row) for key, row in self.ranks.items()},
            "suits": {key: dict(row) for key, row in self.suits.items()},
        }


def new_deck_order(decks: int) -> list[Card]:
    return list(DECK) * decks


def compare(drawn: Sequence[Card], read: Sequence[Read]) -> Findings:
    pairs = _side_by_side(drawn, read)
    met = [(was, said) for was, said in pairs if was is not None]
    return Findings(
        drawn=len(drawn),
        right=sum(was is said for was, said in met),
        misread=tuple((w, s) for w, s in met if isinstance(s, Card) and s is not w),
        unreadable=tuple(was for was, said in met if said is None),
        missing=tuple(was for was, said in met if said == _NOTHING),
        doubled=tuple(s for was, s in pairs if was is None and isinstance(s, Card)),
        extra_unreadable=sum(was is None and said is None for was, said in pairs),
        ranks={r.value: _row(met, "rank", r) for r in Rank if any(w.rank is r for w, _ in met)},
        suits={s.value: _row(met, "suit", s) for s in Suit if any(w.suit is s for w, _ in met)},
    )


_NOTHING: Final = "-"
_Said = Card | None | str


def _row(met: list[tuple[Card, _Said]], side: str, of: Rank | Suit) -> Counter[str]:
    row: Counter[str] = Counter()
    for was, said in met:
        if getattr(was, side) is of:
            row[_column(said, side)] += 1
    return row


def _column(said: _Said, side: str) -> str:
    if isinstance(said, Card):
        value = getattr(said, side).value
        assert isinstance(value, str)
        return value
    return "?" if said is None else _NOTHING


def _side_by_side(drawn: Sequence[Card], read: Sequence[Read]) -> list[tuple[Card | None, _Said]]:
    """With the fewest cards misread, missing and doubled together, from the first card on."""
    assert len(drawn) <= CARDS_MAX
    assert len(read) <= 2 * CARDS_MAX
    wide, high = len(read), len(drawn)
    # cost[i][j]: of what is left from the i-th drawn and the j-th read card on.
    cost = [[wide - j + high - i for j in range(wide + 1)] for i in range(high + 1)]
    for i in range(high - 1, -1, -1):
        for j in range(wide - 1, -1, -1):
            met = cost[i + 1][j + 1] + (drawn[i] is not read[j])
            cost[i][j] = min(met, 1 + cost[i + 1][j], 1 + cost[i][j + 1])
    pairs: list[tuple[Card | None, _Said]] = []
    i = j = 0
    while i < high or j < wide:
        if i < high and j < wide and cost[i][j] == cost[i + 1][j + 1] + (drawn[i] is not read[j]):
            pairs.append((drawn[i], read[j]))
            i, j = i + 1, j + 1
        elif j < wide and cost[i][j] == 1 + cost[i][j + 1]:
            pairs.append((None, read[j]))
            j += 1
        else:
            pairs.append((drawn[i], _NOTHING))
            i += 1
    return pairs
