"""Dealing whole shoes; the tables themselves are proved clause by clause under rulebooks/."""

import random

import pytest

from controller.game.errors import NotEnoughCards
from controller.rulebooks import RULEBOOKS, rulebook
from drivers.cards import DECK
from support.clauses.hands import cards, deal
from support.rows import each_row


@each_row("book_id", RULEBOOKS)
def test_whole_shoe_is_dealt_and_no_card_is_lost_or_doubled(book_id: str) -> None:
    shoe = list(DECK) * 8
    random.Random(book_id).shuffle(shoe)
    dealt = list(rulebook(book_id).play.rounds(shoe))
    used = [card for each in dealt for card in each.cards]
    assert used == shoe[: len(used)]
    assert len(shoe) - len(used) < 6
    for each in dealt:
        assert sorted(each.player + each.banker, key=id) == sorted(each.cards, key=id)
        assert each.used == len(each.cards)


def test_cards_beyond_the_round_are_left_alone() -> None:
    dealt = deal("mbs-baccarat-8", "9H 2C KD 3S AS AS AS")
    assert dealt.used == 4
    assert dealt.cards == tuple(cards("9H 2C KD 3S"))


@each_row("text", ["", "9H", "9H 2C KD", "2H 2C 2D 3S", "2H 2C 2D 3S 5D"])
def test_too_few_cards_say_how_many_there_were(text: str) -> None:
    with pytest.raises(NotEnoughCards, match=f"after {len(text.split())} card"):
        deal("mbs-baccarat-8", text)
