"""What the table prevents by a clause: the terms that rulings turn on, and rules of play."""

import pytest

from scenario.story import Story
from scenario.told import SHOE, TWO_BETS, told
from support.clauses.by_book import by_book
from support.clauses.clause_cases import DT, MBS, RWS, SANDS, TOURNAMENT, case
from support.clauses.contrast import otherwise

# --- third cards ------------------------------------------------------------------------------


@by_book({MBS: "3.14", RWS: "3.12 1.1", DT: "3.14", SANDS: "3.9", TOURNAMENT: "3.9.2"}, "refused")
def test_nothing_is_settled_while_the_player_has_a_card_to_come(book_id: str) -> None:
    for cards in ("KH KC 5D 7S", "KH KC QD 6S"):
        story = told(book_id, SHOE, TWO_BETS, f"Cards: {cards}")
        story.tell("Dealer settles (refused).\nBets are open (refused).")
    story = told(book_id, SHOE, TWO_BETS, "Cards: KH KC 6D 7S")
    story.tell("Dealer announces.\nDealer settles.")


@by_book({MBS: "3.14", RWS: "3.11", DT: "3.14", SANDS: "3.9", TOURNAMENT: "3.9.3"}, "refused")
def test_nothing_is_settled_while_the_banker_draws_alone(book_id: str) -> None:
    story = told(book_id, SHOE, TWO_BETS, "Cards: KH KC 6D 5S")
    story.tell("Dealer settles (refused).\nBets are open (refused).\nCard: 2H")
    story.tell("Dealer announces.\nDealer settles.\nBanker has KC 5S 2H.")
    told(book_id, SHOE, TWO_BETS, "Cards: KH KC 6D 6S\nDealer announces.\nDealer settles.")


@by_book({MBS: "3.14", RWS: "3.12 1.1", DT: "3.14", SANDS: "3.9", TOURNAMENT: "3.9.4"}, "refused")
def test_nothing_is_settled_while_the_banker_draws_against_the_players_third(
    book_id: str,
) -> None:
    """On 3 the Banker draws against a nine and not against an eight."""
    story = told(book_id, SHOE, TWO_BETS, "Cards: KH KC QD 3S 9H")
    story.tell("Dealer settles (refused).\nBets are open (refused).")
    told(book_id, SHOE, TWO_BETS, "Cards: KH KC QD 3S 8H\nDealer announces.\nDealer settles.")


@by_book(
    {MBS: "1.1.5", RWS: "1.9", DT: "1.1.7", SANDS: "1.1.5", TOURNAMENT: "1.1.3 3.9.1"}, "changed"
)
def test_a_card_after_a_natural_is_of_neither_hand(book_id: str) -> None:
    """The Banker's 8 in two cards ends the draw; 8 in three does not keep the Banker from one."""
    story = told(book_id, SHOE, "Bets are open.\nBets are closed.\nCards: 2H KC 3D 8S 4H")
    natural = story.last["hands"]
    assert story.link is not None
    assert story.link.where()["aside"] == ["4H"]
    story = told(book_id, SHOE, "Bets are open.\nBets are closed.\nCards: 2H KC 3D 5S 4H")
    otherwise(natural["player"], story.last["hands"]["player"])
    story.tell("Player has 2H 3D 4H.\nDealer settles (refused).")


@by_book({TOURNAMENT: "3.9"}, "held")
def test_a_third_card_drawn_before_the_totals_are_announced_stops_the_table(book_id: str) -> None:
    story = told(book_id, SHOE, TWO_BETS, "Cards: 2H KC 3D 6S 4H", deal_face="down")
    assert story.last["state"] == "halted"
    story.tell("Player has -- --.")


@by_book({MBS: "1.1.2", RWS: "1.7", DT: "1.1.4", SANDS: "1.1.3", TOURNAMENT: "1.1.1"}, "changed")
def test_a_card_too_many_is_of_no_hand_before_a_round_deals_it(book_id: str) -> None:
    """It counts for nothing where it was drawn, and in the next round as the Player's first."""
    story = told(book_id, SHOE, TWO_BETS, "Cards: 9H KC KD 7S 4H\nPlayer has 9H KD.\nAside: 4H")
    story.tell("Dealer announces.\nDealer settles.\nBob's player wins 1000 and gets back 1000.")
    paid_on = story.last["hands"]
    story.tell("Bets are open.\nBets are closed.\nAside: nothing.\nPlayer has 4H.")
    otherwise(paid_on, story.last["hands"])


# --- the initial deal and the round -----------------------------------------------------------


@by_book({MBS: "1.1.4", DT: "1.1.6"}, "held")
def test_the_fourth_card_is_of_the_initial_deal_and_the_fifth_is_not(book_id: str) -> None:
    for cards, clause in (("3 4", "5.8.2.1"), ("5 6", "5.8.2.2")):
        story = told(book_id, SHOE, TWO_BETS, "Cards: 2H 2C 2D KS 8H 6S")
        story.tell(f"Dealer reports simultaneous (cards {cards}).\nDealer answers no.")
        assert story.last["state"] == "halted"
        assert story.last["clause"] == clause


@by_book({SANDS: "1.1.4", TOURNAMENT: "1.1.2"}, "held")
def test_unknown_order_voids_in_the_initial_deal_and_is_not_ruled_after_it(book_id: str) -> None:
    for cards, clause, asks in (("3 4", "5.3", "approve"), ("5 6", None, "decide")):
        story = told(book_id, SHOE, TWO_BETS, "Cards: 2H 2C 2D KS 8H 6S")
        story.tell(f"Dealer reports simultaneous (cards {cards}).\nDealer answers no.")
        story.tell(f"Table asks {asks}.")
        assert story.last["clause"] == clause


@by_book({MBS: "1.1.7", RWS: "1.16", DT: "1.1.8", SANDS: "1.1.10", TOURNAMENT: "1.1.6"}, "refused")
def test_no_round_commences_before_the_last_one_is_paid_and_none_is_named_that_was_not(
    book_id: str,
) -> None:
    story = told(book_id, SHOE, TWO_BETS, "Cards: 2S KD 7D 7S\nBets are open (refused).")
    story.tell("Dealer announces.\nBets are open (refused).\nDealer settles.")
    story.tell("Dealer reports foreign_card (round 99) (refused).\nBets are open.")


# --- the terms of wagers ----------------------------------------------------------------------


@by_book({MBS: "1.1.1"}, "refused")
def test_a_commission_that_cannot_be_taken_in_whole_chips_keeps_the_wager_out(
    book_id: str,
) -> None:
    story = told(book_id, SHOE, "Bets are open.\nAnn bets 151 on banker at 1 (refused).")
    story.tell("Ann bets 151 on player at 1.\nBob bets 2000 on banker at 2.\nBets are closed.")
    story.tell("Cards: KH 9C 7D KS\nDealer announces.\nDealer settles.")
    story.tell("Bob's banker wins 1900 and gets back 2000.")


@by_book({MBS: "1.1.9", DT: "1.1.12"}, "refused")
def test_the_differential_is_of_the_whole_table_and_of_player_and_banker_only(
    book_id: str,
) -> None:
    story = told(book_id, SHOE, "Bets are open.", differential=1000)
    story.tell(
        "Ann bets 900 on banker at 1.\nBob bets 900 on tie at 2.\nCem bets 500 on banker at 3."
    )
    story.tell("Bets are closed (refused).\nBob bets 400 on player at 2.\nBets are closed.")


@by_book({RWS: "1.5"}, "refused")
def test_the_differential_is_between_both_hands_of_a_box(book_id: str) -> None:
    story = told(book_id, SHOE, "Bets are open.", differential=1000)
    story.tell("Ann bets 1500 on banker at 1.\nBob bets 900 on player at 2.")
    story.tell(
        "Bets are closed (refused).\nCem bets 500 on player at 1 standing.\nBets are closed."
    )


@by_book({RWS: "1.10"}, "refused")
def test_only_original_bets_make_a_differential_and_go_back_on_a_tie(book_id: str) -> None:
    story = told(book_id, SHOE, "Bets are open.", differential=1000)
    story.tell(
        "Ann bets 1200 on tie at 1.\nBob bets 1200 on banker at 2.\nBets are closed (refused)."
    )
    story.tell("Bob decreases banker by 200.\nBets are closed.")
    story.tell("Cards: 9H 9C KD KS\nDealer announces.\nDealer settles.")
    story.tell("Ann's tie wins 9600 and gets back 1200.\nBob's banker wins 0 and gets back 1000.")


@by_book({MBS: "1.1.11", DT: "1.1.14"}, "refused")
def test_a_tie_wager_is_placed_before_bets_close(book_id: str) -> None:
    story = told(book_id, SHOE, TWO_BETS, "Ann bets 100 on tie at 1 (refused).")
    story.tell("Cards: 9H 9C KD KS\nDealer announces.\nDealer settles.")
    assert [paid["id"] for paid in story.last["settlements"]] == ["ann.banker", "bob.player"]


@by_book({DT: "3.6"}, "refused")
@pytest.mark.parametrize("wager", ["tie", "dragon_tiger", "big_dragon", "small_tiger"])
def test_a_side_wager_stays_alone_and_is_taken_before_cards_are_dealt_only(
    book_id: str, wager: str
) -> None:
    story = told(book_id, SHOE, f"Bets are open.\nAnn bets 100 on {wager} at 1.")
    story.tell("Ann bets 1000 on player at 1.\nAnn takes back player.\nBets are closed.")
    story.tell(f"Bob bets 100 on {wager} at 2 (refused).\nCards: KH KC 7D 7S")
    story.tell("Dealer announces.\nDealer settles.")
    assert [paid["id"] for paid in story.last["settlements"]] == [f"ann.{wager}"]


AREAS = {
    MBS: {"2.2.1": "player", "2.2.2": "banker", "2.2.3": "tie", "2.2.4": "player_pair banker_pair"},
    DT: {
        "2.2.1": "player",
        "2.2.2": "banker",
        "2.2.3": "tie",
        "2.2.4": "dragon_tiger",
        "2.2.5": "big_dragon",
        "2.2.6": "small_dragon",
        "2.2.7": "big_tiger",
        "2.2.8": "small_tiger",
    },
}


def areas(*numbers: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        ("book_id", "wager"),
        [
            case(book_id, wager, proves=number, shows="refused")
            for book_id, by_number in AREAS.items()
            for number in numbers
            if number in by_number
            for wager in by_number[number].split()
        ],
    )


def fourth_on_an_area(book_id: str, wager: str) -> Story:
    """An area is of one wager at one position of the layout, and takes three."""
    other = "banker" if wager == "player" else "player"
    story = told(book_id, SHOE, "Bets are open.", positions=7)
    story.tell("\n".join(f"{who} bets 100 on {wager} at 1." for who in ("Ann", "Bob", "Cem")))
    story.tell(f"Dan bets 100 on {other} at 1.\nDan bets 100 on {wager} at 2.")
    return story


@areas("2.2.1", "2.2.2", "2.2.3")
def test_a_main_wager_has_an_area_at_each_position_and_nowhere_else(
    book_id: str, wager: str
) -> None:
    story = fourth_on_an_area(book_id, wager)
    story.tell(f"Eve bets 100 on {wager} at 1 (refused).\nEve bets 100 on {wager} at 8 (refused).")


@areas("2.2.4", "2.2.5", "2.2.6")
def test_a_side_wager_has_an_area_at_each_position_and_nowhere_else(
    book_id: str, wager: str
) -> None:
    story = fourth_on_an_area(book_id, wager)
    story.tell(f"Eve bets 100 on {wager} at 1 (refused).\nEve bets 100 on {wager} at 8 (refused).")


@areas("2.2.7", "2.2.8")
def test_a_tiger_has_an_area_at_each_position_and_nowhere_else(book_id: str, wager: str) -> None:
    story = fourth_on_an_area(book_id, wager)
    story.tell(f"Eve bets 100 on {wager} at 1 (refused).\nEve bets 100 on {wager} at 8 (refused).")


# --- methods ----------------------------------------------------------------------------------


@by_book({MBS: "1.1.3", DT: "1.1.5"}, "refused")
def test_method_c_is_of_the_high_limit_areas_only(book_id: str) -> None:
    ada = "Ada is the assistant casino manager."
    told(book_id, SHOE, ada, "Ada chooses Method C (refused).", hlga=False)
    told(book_id, SHOE, ada, "Ada chooses Method C.", hlga=True)


@by_book({MBS: "3.9 3.10 3.11", DT: "3.10 3.11 3.12"}, "refused")
def test_each_method_says_who_draws_and_who_handles(book_id: str) -> None:
    """A: nobody is handed the shoe, the highest wager the hand. B: neither. C: both."""
    for method, draws, handles in (("A", False, True), ("B", False, False), ("C", True, True)):
        story = told(book_id, SHOE, "Ada is the assistant casino manager.", hlga=True)
        story.tell(
            f"Ada chooses Method {method} and hands Ann the shoe." + ("" if draws else " (refused)")
        )
        story.tell("" if draws else f"Ada chooses Method {method}.")
        story.tell("Bets are open.\nAnn bets 2000 on player at 1.\nBets are closed.")
        story.tell("Cards: 2H KC 7D 7S")
        story.tell("Ann takes the Player hand." + ("" if handles else " (refused)"))
