"""What the robot says when the table asks: facts, counts, cards, choices, a second person's yes.

It answers the way staff would who know what they did. Each question has several possible sayings;
one that is refused is followed by the next.
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
"""Of all second persons say no first."""

TRUE = {"belongs": False, "interrupted": False}
"""Facts the robot knows: it slips in foreign cards itself. Of others it says one or the other."""


@dataclass
class Known:
    """What lies on the layout, as the dealer knows it."""

    numbers: list[int] = field(default_factory=list)
    """Of this round's cards, counted from the first of the shoe, in the order they came."""
    cards: list[str] = field(default_factory=list)
    """The same, by their faces."""
    unread: list[str] = field(default_factory=list)
    """Cards that the shoe could not read and nobody has entered yet."""
    left_the_shoe: int = 0

    def arrived(self, card: str) -> None:
        self.left_the_shoe += 1
        self.numbers.append(self.left_the_shoe)
        self.cards.append(card)

    def lie_there(self, cards: int) -> None:
        """So many lie there as the round begins: the last that came, some of them in the round
        before."""
        first = self.left_the_shoe - max(cards, len(self.numbers)) + 1
        self.numbers = list(range(first, self.left_the_shoe + 1))

    def laid_by_pairs(self) -> dict[str, list[int]]:
        """Where the cards lie when they were laid to the wrong hands: the first two to the Player,
        the next two to the Banker."""
        return {PLAYER: self.numbers[:2], BANKER: self.numbers[2:4]}


def sayings(now: Line, known: Known, random: Random) -> Iterator[Line]:
    """What may help, the likeliest first."""
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
            # One of another set has no face that could be entered.
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
        # A card that was one too many may have been laid aside meanwhile, and is not asked about.
        for end in range(len(known.numbers), 1, -1):
            yield SHIFT.line("answer", order=known.numbers[end - 2 : end])
            yield SHIFT.line("answer", order=known.numbers[:end])
    if ask["ask"] == "lies":
        yield DEALER.line("answer", lies=known.laid_by_pairs())
        yield DEALER.line("answer", lies={PLAYER: [], BANKER: []})  # they lie as the table shows
    yield SHIFT.line("answer", value=TRUE.get(ask["ask"], random.random() < 0.5))
    yield SHIFT.line("decide", text="nobody can tell", outcome="void")


def _to_offer(offer: Line, random: Random) -> Iterator[Line]:
    choice = random.choice(("play", "withdraw"))
    if offer["to"] in PLAYERS:
        yield player_line(offer["to"], "option", choice=choice)
        yield player_line(offer["to"], "option", choice="play")
    yield DEALER.line("option", player=offer["to"], choice="play")
    yield SUPERVISOR.line("close_offer")
