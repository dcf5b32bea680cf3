"""Card text, the pile in a shoe, and settings as text."""

import pytest

from simulators.kit import cards
from simulators.kit.pile import Pile
from simulators.kit.settings import Choice, WrongSetting, settled
from support.rows import each_row


@each_row("text, code", [("9s", "9S"), (" 10d ", "TD"), ("AH", "AH")])
def test_card_is_read_as_people_write_it(text: str, code: str) -> None:
    assert cards.card(text) == code


@each_row("text", ["", "1S", "S9", "9", "11S", "XX", "CUT"])
def test_other_text_is_no_card(text: str) -> None:
    with pytest.raises(cards.NotACard, match="is not a card"):
        cards.card(text)


def test_total_keeps_the_last_digit() -> None:
    assert cards.total(["9S", "KH", "7D"]) == 6
    assert [cards.points(card) for card in ("AS", "9S", "TS", "KS")] == [1, 9, 0, 0]


def test_shoe_in_a_file_may_have_lines_and_remarks() -> None:
    text = "9S, 4d # player and banker\n# nothing\ncut KH"
    assert cards.shoe(text) == ["9S", "4D", "CUT", "KH"]


def test_seed_decides_the_order_and_not_the_cards() -> None:
    pile = cards.shuffled(8, 1)
    assert sorted(pile) == sorted(cards.NEW_DECK * 8)
    assert pile != cards.shuffled(8, 2)


def test_pile_without_a_cutting_card() -> None:
    pile = Pile.made({"deck": "", "decks": 1, "cut_from_end": 0}, 1)
    assert "CUT" not in [pile.take() for _ in range(52)]


KNOWN = {
    "copies": Choice(3, "how many", (1, 2, 3)),
    "burn": Choice(True, "whether"),
    "spacing_s": Choice(0.05, "how far apart"),
    "deck": Choice("", "cards"),
}


def test_settings_come_as_text_or_as_values() -> None:
    assert settled("shoe", KNOWN, {"copies": "2", "burn": "no", "spacing_s": "1"}) == {
        "copies": 2,
        "burn": False,
        "spacing_s": 1.0,
        "deck": "",
    }
    assert settled("shoe", KNOWN, {"copies": 1, "burn": False})["copies"] == 1


@each_row(
    "given, says",
    [
        ({"copy": 1}, "did you mean copies"),
        ({"xyz": 1}, "There are: copies, burn"),
        ({"copies": 4}, "may be 1, 2, 3"),
        ({"copies": "1.5"}, "takes a int"),
        ({"copies": True}, "takes a int"),
        ({"burn": "maybe"}, "takes a bool"),
        ({"spacing_s": "wide"}, "takes a float"),
        ({"spacing_s": "nan"}, "takes a float"),
        ({"spacing_s": -1}, "takes a float"),
    ],
)
def test_wrong_settings_say_what_they_may_be(given: dict[str, object], says: str) -> None:
    with pytest.raises(WrongSetting, match=says):
        settled("shoe", KNOWN, given)
