"""The robot's answers to the table's requests: facts, counts, cards, choices, a second person's
yes.

Each answer is one that informed staff would give. A request has several possible answers; after a
refused one the robot tries the next.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Final

from simulators.dealer.people import (
    DEALER,
    PLAYERS,
    SECONDS,
    SHIFT,
    SUPERVISOR,
    Line,
    player_line,
)
from simulators.dealer.table_of_play import BANKER, PLAYER
from simulators.kit.cards import NEW_DECK

REFUSES: Final = 0.1
"""Share of second-person requests that are refused at first."""

TRUE = {"belongs": False, "interrupted": False}
"""Facts that the robot knows, because it inserts foreign cards itself. Other facts are random."""


@dataclass
class Known:
    """The dealer's knowledge of the cards on the layout."""

    numbers: list[int] = field(default_factory=list)
    """Numbers of this round's cards in order, counted from the first card of the shoe."""
    cards: list[str] = field(default_factory=list)
    """The faces of the same cards."""
    unread: list[str] = field(default_factory=list)
    """Cards that the shoe could not read and that have not been entered yet."""
    left_the_shoe: int = 0

    def arrived(self, card: str) -> None:
        self.left_the_shoe += 1
        self.numbers.append(self.left_the_shoe)
        self.cards.append(card)

    def lie_there(self, cards: int) -> None:
        """Set the number of cards on the layout at the start of the round. They are the latest
        cards, and some may have come in the round before."""
        first = self.left_the_shoe - max(cards, len(self.numbers)) + 1
        self.numbers = list(range(first, self.left_the_shoe + 1))

    def laid_by_pairs(self) -> dict[str, list[int]]:
        """Return the layout of cards dealt to the wrong hands: the first two to the Player, the
        next two to the Banker."""
        return {PLAYER: self.numbers[:2], BANKER: self.numbers[2:4]}


def sayings(now: Line, known: Known, random: Random) -> Iterator[Line]:
    """Yield possible answers, the likeliest first."""
    if now["asks"]:
        yield from _to_question(now["asks"][0], known, random)
    for offer in now["offers"]:
        yield from _to_offer(offer, random)
    yield SUPERVISOR.line("resume")
    yield SHIFT.line("decide", text="the robot has nothing better to say", outcome="void")
    for second in SECONDS:
        yield second.line("approve")


def _to_question(ask: Line, known: Known, random: Random) -> Iterator[Line]:
    match ask["do"]:
        case "count":
            yield DEALER.line("count", cards=len(known.numbers))
            yield DEALER.line("count", cards=known.left_the_shoe)
        case "enter_card":
            # A card of another set has no face that could be entered.
            faces = (*known.unread, *reversed(known.cards), "9H")
            for card in (each for each in faces if each in NEW_DECK):
                yield DEALER.line("enter_card", card=card)
                for number in reversed(known.numbers):
                    yield DEALER.line("enter_card", card=card, n=number)
        case "approve":
            word = "refuse" if random.random() < REFUSES else "approve"
            for each in (word, "approve"):
                yield from (second.line(each) for second in SECONDS)
        case "decide":
            outcome = random.choice(("go_on", "void", "reconstruct"))
            for each in (outcome, "go_on", "void"):
                yield SHIFT.line("decide", text="so decided", outcome=each)
            yield SHIFT.line("decide", text="they come off", remove=[])
        case _:
            yield from _to_fact(ask, known, random)


def _to_fact(ask: Line, known: Known, random: Random) -> Iterator[Line]:
    if ask["ask"] == "order":
        # An excess card may have been put aside meanwhile; the table does not ask about it.
        for end in range(len(known.numbers), 1, -1):
            yield SHIFT.line("answer", order=known.numbers[end - 2 : end])
            yield SHIFT.line("answer", order=known.numbers[:end])
    if ask["ask"] == "lies":
        yield DEALER.line("answer", lies=known.laid_by_pairs())
        yield DEALER.line("answer", lies={PLAYER: [], BANKER: []})  # as the table shows it
    yield SHIFT.line("answer", value=TRUE.get(ask["ask"], random.random() < 0.5))
    yield SHIFT.line("decide", text="nobody can tell", outcome="void")


def _to_offer(offer: Line, random: Random) -> Iterator[Line]:
    choice = random.choice(("play", "withdraw"))
    if offer["to"] in PLAYERS:
        yield player_line(offer["to"], "option", choice=choice)
        yield player_line(offer["to"], "option", choice="play")
    yield DEALER.line("option", player=offer["to"], choice="play")
    yield SUPERVISOR.line("close_offer")
