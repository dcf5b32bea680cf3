"""What a test deck finds: misread, missing, doubled and unreadable cards, each at its place."""

import json

from hypothesis import given
from hypothesis import strategies as st

from drivers.cards import DECK, Card
from drivers.io.deck_check import Alignment, CardOutcome, Read, compare, new_deck_order


def cards(text: str) -> list[Card]:
    return [Card.parse(word) for word in text.split()]


def test_new_deck_order_has_every_card_once_a_deck() -> None:
    assert new_deck_order(2) == [*DECK, *DECK]


def test_everything_right_is_good() -> None:
    found = compare(DECK, list(DECK))
    assert found.good
    assert found.right == 52
    assert all(found.ranks[card.rank.value] == {card.rank.value: 4} for card in DECK)
    assert all(found.suits[card.suit.value] == {card.suit.value: 13} for card in DECK)


def test_misread_card_stands_in_the_matrix() -> None:
    found = compare(cards("9H 6S 9D"), cards("6H 6S 9S"))
    assert not found.good
    assert [(was.code, said.code) for was, said in found.misread] == [("9H", "6H"), ("9D", "9S")]
    assert found.ranks == {"6": {"6": 1}, "9": {"6": 1, "9": 1}}
    assert found.suits == {"S": {"S": 1}, "H": {"H": 1}, "D": {"S": 1}}


def test_one_missing_card_does_not_make_the_rest_wrong() -> None:
    drawn = list(DECK)
    found = compare(drawn, drawn[:20] + drawn[21:])
    assert found.missing == (drawn[20],)
    assert found.right == 51
    assert found.ranks[drawn[20].rank.value]["-"] == 1


def test_card_told_twice_is_doubled_once() -> None:
    drawn = list(DECK)
    found = compare(drawn, [*drawn[:30], drawn[29], *drawn[30:]])
    assert found.doubled == (drawn[29],)
    assert found.right == 52
    assert not found.good


def test_unreadable_card_keeps_its_place() -> None:
    drawn = cards("2S 3S 4S")
    found = compare(drawn, [drawn[0], None, drawn[2]])
    assert found.unreadable == (drawn[1],)
    assert found.ranks["3"] == {"?": 1}
    found = compare(drawn, [*drawn, None])
    assert found.extra_unreadable == 1
    assert not found.good


def test_nothing_read_is_all_missing() -> None:
    found = compare(DECK, [])
    assert found.missing == DECK
    assert not found.good


def test_findings_are_plain_data() -> None:
    told = json.loads(json.dumps(compare(cards("9H 2C"), [None, *cards("3C 4C")]).plain()))
    assert told["drawn"] == 2
    assert told["good"] is False
    assert told["unreadable"] == ["9H"]
    assert told["misread"] == [["2C", "3C"]]
    assert told["doubled"] == ["4C"]


def test_what_was_not_reached_is_not_called_lost() -> None:
    drawn = cards("2S 3S 4S 5S")
    found = compare(drawn, cards("2S 4S"), reached=3)
    assert found.missing == tuple(cards("3S"))
    assert found.not_reached == tuple(cards("5S"))


def test_place_is_known_while_cards_come() -> None:
    """One lost: the neighbour's face may be it misread; the card after it decides."""
    alignment = Alignment(cards("2S 3S 4S 5S 6S"))
    places = []
    for card in cards("2S 4S"):
        alignment.tell(card)
        places.append(alignment.place)
    assert places == [1, 3]
    misread = Alignment(cards("2S 3S 4S 5S 6S"))
    for card in cards("2S 4S 4S"):
        misread.tell(card)
    assert misread.place == 3
    assert misread.findings(3).misread == (tuple(cards("3S 4S")),)
    alignment.tell(*cards("5S"))
    assert alignment.place == 4
    assert alignment.findings(4).missing == tuple(cards("3S"))


def test_first_difference_has_its_place() -> None:
    found = compare(DECK, [*DECK[:7], None, *DECK[8:]])
    assert found.first is not None
    assert (found.first.number, found.first.outcome) == (8, CardOutcome.UNREADABLE)
    assert compare(DECK, list(DECK)).first is None


def test_swapped_cards_are_called_a_matter_of_order() -> None:
    assert compare(cards("2S 3S 4S"), cards("3S 2S 4S")).out_of_order
    assert not compare(cards("2S 3S 4S"), cards("3S 3S 4S")).out_of_order


@given(st.data())
def test_one_fault_anywhere_in_a_deck_is_named_and_alone(data: st.DataObject) -> None:
    """Lost, doubled or misread, at any place: the pass is in step again by the next cards."""
    place = data.draw(st.integers(0, 51))
    fault = data.draw(st.sampled_from(("lost", "doubled", "misread")))
    other = data.draw(st.sampled_from([card for card in DECK if card is not DECK[place]]))
    came = {"lost": [], "doubled": [DECK[place]] * 2, "misread": [other]}[fault]
    alignment = Alignment(DECK)
    for card in (*DECK[:place], *came, *DECK[place + 1 :]):
        alignment.tell(card)
    found = alignment.findings(52)
    wrong = found.of(*(each for each in CardOutcome if each is not CardOutcome.RIGHT))
    assert [each.outcome.value for each in wrong] == [fault]
    assert wrong[0].number == place + 1


SOME = st.lists(st.sampled_from(DECK[:4]), max_size=12)


@given(SOME, st.lists(st.sampled_from([None, *DECK[:4]]), max_size=12))
def test_every_card_is_accounted_for(drawn: list[Card], read: list[Read]) -> None:
    found = compare(drawn, read)
    wrong = len(found.misread) + len(found.unreadable)
    assert found.right + wrong + len(found.missing) == len(drawn)
    told = found.right + wrong + len(found.doubled) + found.extra_unreadable
    assert told == len(read)
    assert sum(row.total() for row in found.ranks.values()) == len(drawn)
