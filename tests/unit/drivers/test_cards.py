import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.cards import DECK, Card, Colour, NotACard, Suit
from support.rows import each_row


def test_deck_has_each_card_once_in_new_deck_order() -> None:
    assert len(set(DECK)) == 52
    assert [card.code for card in DECK[:3]] == ["AS", "2S", "3S"]
    assert all(DECK[card.number] is card for card in DECK)


@each_row("text", ["AS", "TD", "9H", "KC"])
def test_card_prints_as_it_is_read(text: str) -> None:
    assert str(Card.parse(text)) == text


@each_row("text", ["10D", "td", " TD ", "10d"])
def test_ten_is_read_in_several_spellings_and_printed_in_one(text: str) -> None:
    assert Card.parse(text).code == "TD"


@each_row(
    "text", ["", "9", "H9", "1S", "11S", "10", "0D", "9HH", "joker", "9♥", "XX", "TT", "1010D"]
)
def test_what_is_no_card_is_refused_by_name(text: str) -> None:
    with pytest.raises(NotACard) as caught:
        Card.parse(text)
    assert repr(text) in str(caught.value)


@given(st.text(max_size=4))
def test_any_text_is_a_card_or_refused(text: str) -> None:
    try:
        card = Card.parse(text)
    except NotACard:
        return
    assert card in DECK


def test_equal_cards_are_one_object_however_they_came_about() -> None:
    ten = DECK[35]
    assert ten is Card.parse("10D")
    assert pickle.loads(pickle.dumps(ten)) is ten
    assert copy.deepcopy(ten) is ten


def test_card_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Card.parse("9H").number = 3


def test_hearts_and_diamonds_are_red() -> None:
    red = {suit for suit in Suit if suit.colour is Colour.RED}
    assert red == {Suit.HEARTS, Suit.DIAMONDS}
