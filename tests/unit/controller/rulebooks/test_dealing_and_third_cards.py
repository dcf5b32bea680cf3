"""Who gets which card: the first four, and third cards by the table of play."""

from itertools import product

import pytest

from controller.game.errors import NotEnoughCards
from support.clauses.by_book import by_book
from support.clauses.clause_cases import DT, MBS, RWS, SANDS, TOURNAMENT
from support.clauses.hands import cards, deal, result

# -- The first four cards --------------------------------------------------------------------------


@by_book({MBS: "3.12.1", RWS: "3.10", DT: "3.13.1", SANDS: "3.7.1", TOURNAMENT: "3.7.1"})
def test_first_and_third_cards_dealt_are_the_players_first_and_second(book_id: str) -> None:
    assert deal(book_id, "9H 2C KD 3S").player == tuple(cards("9H KD"))


@by_book({MBS: "3.12.2", RWS: "3.10", DT: "3.13.2", SANDS: "3.7.2", TOURNAMENT: "3.7.2"})
def test_second_and_fourth_cards_dealt_are_the_bankers_first_and_second(book_id: str) -> None:
    assert deal(book_id, "9H 2C KD 3S").banker == tuple(cards("2C 3S"))


@by_book({MBS: "3.12", RWS: "3.10", DT: "3.13", SANDS: "3.6", TOURNAMENT: "3.6"})
def test_every_card_dealt_belongs_to_one_of_two_hands(book_id: str) -> None:
    four, five, six = "9H 2C KD 3S", "7H 2C KD 3S 4C", "2H 2C KD KS 4C 5D"
    for text in (four, five, six):
        dealt = deal(book_id, text)
        assert sorted(map(str, dealt.player + dealt.banker)) == sorted(text.split())


@by_book({RWS: "3.10", SANDS: "3.7", TOURNAMENT: "3.7"})
def test_four_cards_are_dealt_even_when_three_show_a_natural(book_id: str) -> None:
    with pytest.raises(NotEnoughCards):
        deal(book_id, "9H 2C KD")
    assert deal(book_id, "9H 2C KD 3S").used == 4


@by_book({MBS: "3.13", RWS: "3.10", TOURNAMENT: "3.8"})
def test_first_four_cards_decide_the_pair_wagers(book_id: str) -> None:
    # Player and Banker win, one of them wins, third cards make no pair, nor do two hands.
    expected = {
        "2S 3H 2D 3C KS 9H": ("win", "win"),
        "2S 3H 2D KC KS 9H": ("win", "lose"),
        "2S 3H KD 3C KS 9H": ("lose", "win"),
        "2S 3H KD QC 2H 3D": ("lose", "lose"),
        "2S 2H KD KC 4H 5D": ("lose", "lose"),
    }
    for text, pairs in expected.items():
        player, banker = (result(book_id, text, f"{side}_pair") for side in ("player", "banker"))
        assert (player[0], banker[0]) == pairs, text


# -- The table of play -----------------------------------------------------------------------------

# A rank for each point value from 0 to 9.
WORTH = "KA23456789"
FIFTH, SIXTH = "5S", "6H"
STANDS = ""


def third_cards(
    book_id: str, player: int, banker: int, later: str = f"{FIFTH} {SIXTH}"
) -> tuple[str, str]:
    """The third card of either hand, after these totals on two cards each."""
    dealt = deal(book_id, f"KS KH {WORTH[player]}D {WORTH[banker]}C {later}")
    return "".join(map(str, dealt.player[2:])), "".join(map(str, dealt.banker[2:]))


@by_book({MBS: "3.14", RWS: "3.11", DT: "3.14", SANDS: "3.9", TOURNAMENT: "3.9"})
def test_player_takes_its_third_card_before_the_banker_and_nobody_a_fourth(book_id: str) -> None:
    dealt = deal(book_id, "KS KH QD QC 2S 3H 4D 5C")
    assert dealt.player == tuple(cards("KS QD 2S"))
    assert dealt.banker == tuple(cards("KH QC 3H"))
    assert dealt.used == 6


@by_book({MBS: "3.14", RWS: "3.12", DT: "3.14", SANDS: "3.9", TOURNAMENT: "3.9.1"})
def test_natural_on_either_hand_ends_the_draw_for_both(book_id: str) -> None:
    for natural, other in product((8, 9), range(10)):
        assert third_cards(book_id, natural, other) == (STANDS, STANDS), (natural, other)
        assert third_cards(book_id, other, natural) == (STANDS, STANDS), (other, natural)


@by_book({MBS: "3.14", RWS: "3.12", DT: "3.14", SANDS: "3.9", TOURNAMENT: "3.9.1"})
def test_no_other_total_ends_the_draw(book_id: str) -> None:
    for total in range(8):
        assert third_cards(book_id, total, 0) != (STANDS, STANDS), f"player {total}"
        assert third_cards(book_id, 0, total) != (STANDS, STANDS), f"banker {total}"


@by_book({MBS: "3.14", RWS: "3.12", DT: "3.14", SANDS: "3.9", TOURNAMENT: "3.9.2"})
def test_player_draws_on_zero_to_five_and_stands_on_six_or_seven(book_id: str) -> None:
    for player, banker in product(range(8), repeat=2):
        expected = FIFTH if player <= 5 else STANDS
        assert third_cards(book_id, player, banker)[0] == expected, (player, banker)


@by_book({MBS: "3.14", RWS: "3.11", DT: "3.14", SANDS: "3.9", TOURNAMENT: "3.9.3"})
def test_banker_draws_on_zero_to_five_when_the_player_stands(book_id: str) -> None:
    for player, banker in product((6, 7), range(10)):
        expected = FIFTH if banker <= 5 else STANDS
        assert third_cards(book_id, player, banker) == (STANDS, expected), (player, banker)


@by_book({MBS: "3.14", RWS: "3.12", DT: "3.14", SANDS: "3.9", TOURNAMENT: "3.9.4"})
def test_banker_draws_by_its_total_and_the_value_of_the_players_third_card(book_id: str) -> None:
    def draws(banker: int, value: int) -> bool:
        return third_cards(book_id, 0, banker, f"{WORTH[value]}S {SIXTH}")[1] == SIXTH

    found = {b: "".join(str(v) for v in range(10) if draws(b, v)) for b in range(8)}
    assert found == {
        0: "0123456789",
        1: "0123456789",
        2: "0123456789",
        3: "012345679",
        4: "234567",
        5: "4567",
        6: "67",
        7: "",
    }


@by_book({MBS: "3.14", RWS: "3.12", DT: "3.14", SANDS: "3.9", TOURNAMENT: "3.9.4"})
def test_ten_and_every_picture_as_the_players_third_card_count_zero(book_id: str) -> None:
    # On 3 the Banker draws against 0, on 4 it does not. RWS calls a ten ten and has no row for it.
    for rank in "TJQK":
        assert third_cards(book_id, 0, 3, f"{rank}S {SIXTH}") == (f"{rank}S", SIXTH)
        assert third_cards(book_id, 0, 4, f"{rank}S {SIXTH}") == (f"{rank}S", STANDS)
