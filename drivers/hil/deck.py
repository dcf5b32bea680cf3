"""A pass of a test deck: which card is due, and the outcome of each, in sentences."""

from collections.abc import Sequence
from itertools import count, takewhile
from operator import itemgetter
from typing import Final

from drivers.cards import Card, Rank, Suit
from drivers.events import CardRead, Event, ExcessCard, ExcessNamed, ReadFailed
from drivers.io.deck_check import Alignment, CardOutcome, Findings, Met, Read

SETTLED: Final = 2
"""This number of correct cards after a difference settles what it was: the first of them could be
the neighbour's face on a misread card."""

_RANKS: Final = {
    **{each: each.value for each in Rank},
    Rank.ACE: "ace",
    Rank.TEN: "10",
    Rank.JACK: "jack",
    Rank.QUEEN: "queen",
    Rank.KING: "king",
}


def words(card: Card) -> tuple[str, str]:
    """Return rank and suit as people name them."""
    return _RANKS[card.rank], card.suit.name.lower()


def name(card: Card) -> str:
    """Return the card's name with the one that is printed on the deck's list."""
    rank, suit = words(card)
    return f"the {rank} of {suit} ({card.code})"


def cards_of(event: Event) -> list[Read]:
    """Return the card of an event. A locked shoe, or one whose round is complete, reports an
    excess card; at the bench it is a card like any other."""
    if isinstance(event, CardRead | ExcessNamed):
        return [event.card]
    if isinstance(event, ExcessCard):
        return [] if event.card is None else [event.card]  # it is named later
    return [None] if isinstance(event, ReadFailed) else []


class DeckPass:
    """A deck drawn card by card; it stays aligned when a card is lost or doubled."""

    def __init__(self, drawn: Sequence[Card]) -> None:
        self._drawn = drawn
        self._alignment = Alignment(drawn)
        self._given_up = 0
        self._told = 0
        self._gone: list[int] = []
        self._said: set[Met] = set()

    @property
    def due(self) -> int:
        """The number of the card to draw next; the deck's size plus one when all were drawn."""
        return max(self._alignment.place, self._given_up) + 1

    @property
    def over(self) -> bool:
        return self.due > len(self._drawn) or self._told >= 2 * len(self._drawn)

    @property
    def card(self) -> Card:
        return self._drawn[self.due - 1]

    def tell(self, card: Read) -> None:
        if self._told < 2 * len(self._drawn):
            self._alignment.tell(card)
            self._told += 1

    def nothing_came(self) -> None:
        """Record that the due card was drawn and not reported."""
        self._given_up = self.due

    def link_gone(self) -> str:
        """Record that the link was lost; return the sentence with the place in the deck."""
        self._gone.append(self.due - 1)
        return gone_sentence(self._gone[-1])

    @property
    def gone(self) -> tuple[int, ...]:
        """After which cards the link was lost; 0 is before the first."""
        return tuple(self._gone)

    def findings(self, *, to_the_end: bool = False) -> Findings:
        """Return the findings. `to_the_end`: all cards are known to have been drawn."""
        reached = len(self._drawn) if to_the_end else self.due - 1
        return self._alignment.findings(reached)

    def news(self) -> list[str]:
        """Return the sentences that are certain now and were not returned before."""
        met = self.findings().met
        sure = [each for at, each in enumerate(met) if _settled(met[at + 1 :])]
        new = [m for m in sure if m.outcome is not CardOutcome.RIGHT and m not in self._said]
        self._said.update(new)
        return [sentence(each, len(self._drawn)) for each in new]


def _settled(after: Sequence[Met]) -> bool:
    head = after[:SETTLED]
    return len(head) == SETTLED and all(each.outcome is CardOutcome.RIGHT for each in head)


def sentence(met: Met, of: int) -> str:
    drawn = name(met.drawn) if met.drawn else ""
    text = name(met.reported) if met.reported else ""
    where = f"Card {met.number} of {of}, {drawn}," if met.drawn else f"After card {met.number}"
    answer = {
        CardOutcome.RIGHT: "was read rightly.",
        CardOutcome.MISREAD: f"was read as {text}.",
        CardOutcome.UNREADABLE: "left the shoe and could not be read.",
        CardOutcome.LOST: "was drawn and never told: it was lost.",
        CardOutcome.DOUBLED: f"the shoe told {text} although no such card was drawn then: doubled.",
        CardOutcome.EXTRA_UNREADABLE: "the shoe told a card it could not read, and none was drawn.",
        CardOutcome.NOT_REACHED: "was not reached.",
    }
    return f"{where} {answer[met.outcome]}"


def gone_sentence(after: int) -> str:
    return f"The link was gone after card {after}." if after else "The link was gone before card 1."


def sentences(findings: Findings, gone: Sequence[int] = ()) -> list[str]:
    """Return the whole pass: how many were right, then every difference in order. `gone`: after
    which cards the link was lost."""
    of = findings.drawn
    lines = [f"{findings.right} of {of} cards were read rightly."]
    if findings.out_of_order:
        lines.append(
            "Every card was told once, but not in this order: see first whether the deck lay in "
            "the order it should have."
        )
    wrong = [
        each
        for each in findings.met
        if each.outcome not in (CardOutcome.RIGHT, CardOutcome.NOT_REACHED)
    ]
    # The link before the card that was lost with it: it is the cause.
    answer = [(after + 0.5, gone_sentence(after)) for after in gone]
    answer += [(each.number + 0.75 * (each.drawn is None), sentence(each, of)) for each in wrong]
    lines += [text for _, text in sorted(answer, key=itemgetter(0))]
    if rest := findings.of(CardOutcome.NOT_REACHED):
        lines.append(_not_reached(rest, of))
    return lines


def in_short(findings: Findings, gone: Sequence[int] = ()) -> str:
    """Return the first difference, every loss of the link, and how many cards were right."""
    right, *differ = sentences(findings, gone)
    links = dict.fromkeys(map(gone_sentence, gone))
    return " ".join([*dict.fromkeys([*differ[:1], *links]), right])


def only_the_link(findings: Findings, gone: Sequence[int]) -> bool:
    """Return whether only cards right after a loss of the link differed."""
    lost = {each.number for each in findings.of(CardOutcome.LOST, CardOutcome.NOT_REACHED)}
    explained = set[int]()
    for after in gone:
        explained.update(takewhile(lost.__contains__, count(after + 1)))
    wrong = [each for each in findings.met if each.outcome is not CardOutcome.RIGHT]
    return bool(gone) and all(each.drawn and each.number in explained for each in wrong)


def _not_reached(rest: Sequence[Met], of: int) -> str:
    names = ", ".join(name(each.drawn) for each in rest[:1] if each.drawn)
    if len(rest) == 1:
        return f"No card came at the end: card {of}, {names}, was not drawn, or it was lost."
    return (
        f"No card came after card {rest[0].number - 1}: the last {len(rest)} cards, from {names} "
        "on, were not drawn, or all of them were lost."
    )


SUIT_SIGNS: Final = {Suit.SPADES: "♠", Suit.HEARTS: "♥", Suit.DIAMONDS: "♦", Suit.CLUBS: "♣"}


def short(card: Card) -> str:
    """Return the card as it is written on a card: 10♥."""
    return f"{'10' if card.rank is Rank.TEN else card.rank.value}{SUIT_SIGNS[card.suit]}"
