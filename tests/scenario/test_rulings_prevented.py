"""What the table prevents by a ruling that lets a round go on, and by the words RWS defines."""

import pytest

from scenario.told import ROUND, SHOE, TWO_BETS, told
from support.clauses.by_book import by_book
from support.clauses.clause_cases import DT, MBS, RWS, SANDS, TOURNAMENT, case
from support.clauses.contrast import otherwise

# --- the cutting card and rulings that let the round go on ---------------------------------------


@by_book({MBS: "3.17", DT: "3.17"}, "refused")
def test_after_the_cutting_card_the_round_is_finished_and_no_other_begun(book_id: str) -> None:
    story = told(book_id, SHOE, TWO_BETS, "Cards: 2S cut KD 7D 7S\nTable offers nothing.")
    story.tell("Bob takes back player (refused).\nDealer announces.\nDealer settles.")
    story.tell("Bob's player wins 1000 and gets back 1000.\nBets are open (refused).")


NO_OPTION = {
    "face_up_in_device": "5.6",
    "not_passed": "5.7.1",
    "exposed_in_error (cards 2)": "5.7.1",
}


@by_book({MBS: "5.6 5.7.1", DT: "5.6 5.7.1"}, "refused")
@pytest.mark.parametrize("what", NO_OPTION)
def test_a_card_that_was_seen_gives_nobody_a_wager_back(book_id: str, what: str) -> None:
    story = told(book_id, SHOE, TWO_BETS, "Cards: 9H 2C", method="A")
    story.tell(f"Dealer reports {what}.\nTable refers to {NO_OPTION[what]}.\nTable is dealing.")
    story.tell("Ann takes back banker (refused).\nAnn withdraws (refused).")
    story.tell("Ann raises banker by 100 (refused).\nCards: KD 5S\nPlayer has -- --.")


@by_book({MBS: "5.12 5.12.1", DT: "5.12 5.12.1"}, "refused")
@pytest.mark.parametrize("what", ["exposed_while_moving", "order_altered_moving"])
def test_a_device_that_was_moved_gives_nobody_a_wager_back(book_id: str, what: str) -> None:
    ada = "Ada is the assistant casino manager.\nAda chooses Method C and hands Ann the shoe."
    story = told(book_id, SHOE, ada, TWO_BETS, f"Cards: 9H 2C\nDealer reports {what}.", hlga=True)
    story.tell("" if what == "exposed_while_moving" else "Dealer answers yes.")
    story.tell("Table is dealing.\nAnn takes back banker (refused).\nAnn withdraws (refused).")
    story.tell("Cards: KD 5S\nPlayer has -- --.")


@pytest.mark.parametrize(
    "book_id",
    [
        case(MBS, proves="5.17.2", shows="refused"),
        case(DT, proves="5.17.2", shows="refused"),
        case(RWS, proves="5.4.1", shows="refused"),
    ],
)
def test_an_outcome_that_is_established_leaves_nobody_the_option(book_id: str) -> None:
    story = told(book_id, SHOE, TWO_BETS, "Cards: 2H KC 6D\nDealer reports power_failure.")
    story.tell("Table is dealing.\nTable offers nothing.\nAnn withdraws (refused).")
    story.tell("Cards: 7S\nDealer announces.\nDealer settles.")
    story.tell("Ann's banker wins 0 and gets back 0.\nBob's player wins 1000 and gets back 1000.")


@by_book({MBS: "5.16", DT: "5.16"}, "refused")
def test_what_was_settled_outside_the_limits_is_not_settled_again(book_id: str) -> None:
    """Reported as what it is, or as a wager over the maximum that somebody would like back."""
    story = told(book_id, SHOE, "Gus is the gaming shift manager.\nBets are open.", maximum=5000)
    story.tell(f"Ann bets 8000 on player at 1.\nBets are closed anyway.\n{ROUND}")
    story.tell("Ann's player wins 5000 and gets back 8000 by 5.15.\nBets are open.")
    story.tell("Dealer reports earlier_limits (round 1).\nTable refers to 5.16.")
    story.tell("Table is betting.\nDealer reports earlier_limits (round 9) (refused).")
    story.tell("Dealer reports over_maximum (round 1).\nTable asks decide.")
    story.tell("Gus decides void: too much was paid (refused).")
    story.tell("Gus decides remove of ann.player: too much was paid (refused).")
    story.tell("Gus decides go on: it stands.\nTable is betting.\nThe road is P.")
    assert story.pit()["differences"] == []


@pytest.mark.parametrize(
    "book_id",
    [
        case(MBS, proves="6.3", shows="held"),
        case(DT, proves="6.3", shows="held"),
        case(RWS, proves="5.14", shows="held"),
    ],
)
def test_a_display_that_shows_another_winner_stops_the_table_and_changes_nothing(
    book_id: str,
) -> None:
    story = told(book_id, SHOE, TWO_BETS, "Cards: 2S KD 7D 7S\nThe shoe reports result banker.")
    assert story.last["state"] == "halted"
    story.tell("Dealer reports display_wrong.\nDealer announces (refused).")
    story.tell("Sue is the pit supervisor.\nMax is the pit manager.\nSue resumes.\nMax approves.")
    story.tell("Dealer announces.\nDealer settles.\nBob's player wins 1000 and gets back 1000.")


@by_book({SANDS: "5.1", TOURNAMENT: "5.1"}, "held")
def test_a_card_that_may_not_belong_stops_the_table_until_somebody_says(book_id: str) -> None:
    story = told(book_id, SHOE, TWO_BETS, "Cards: 2H 4C\nDealer reports foreign_card.")
    assert story.last["state"] == "halted"
    story.tell("Dealer announces (refused).\nAnn takes back banker (refused).")


# --- RWS: whose word, whose bet, which cards ----------------------------------------------------


@pytest.mark.clause(RWS, "3.5", shows="refused")
@pytest.mark.parametrize("amount", [400, 60_000])
def test_a_bet_outside_the_limits_keeps_bets_from_closing_until_the_player_acts(
    amount: int,
) -> None:
    story = told(RWS, SHOE, "Bets are open.", minimum=500, maximum=50_000)
    story.tell(f"Ann bets {amount} on player at 1.\nBets are closed (refused).")
    story.tell("Ann takes back player.\nBets are closed.")


@pytest.mark.clause(RWS, "1.11", shows="refused")
def test_a_pit_employee_permits_a_squeeze_and_nobody_else() -> None:
    for role in ("dealer", "pit supervisor", "pit manager"):
        story = told(RWS, SHOE, TWO_BETS, f"Stu is the {role}.", deal_face="down")
        story.tell("Ann takes the Player hand.\nDealer handles the Player hand.")
        story.say("Bob", "accept_cards", hand="player", player="ann")
        assert not story.last["accepted"]
        story.tell("Stu passes the Player hand to Ann.\nAnn handles the Player hand.")


@pytest.mark.clause(RWS, "1.4", shows="refused")
def test_nobody_deals_but_staff() -> None:
    story = told(RWS, SHOE)
    for steps, word in (
        ("", "open_betting"),
        ("Bets are open.", "close_betting"),
        ("Bets are closed.\nCards: 2S KD 7D 7S", "announce"),
        ("Dealer announces.", "settle"),
    ):
        story.tell(steps)
        story.say("Ann", word)
        assert not story.last["accepted"]
    story.tell("Dealer settles.")


@pytest.mark.clause(RWS, "1.12", shows="refused")
def test_an_option_is_of_those_who_bet_in_the_round() -> None:
    story = told(RWS, SHOE, TWO_BETS, "Cards: 2H 4C\nDealer reports order_altered.")
    story.tell("Dealer answers no.\nTable offers ann and bob.\nZoe withdraws (refused).")
    story.tell("Zoe plays on (refused).\nAnn plays on.\nBob withdraws.\nTable is dealing.")


@pytest.mark.clause(RWS, "1.17", shows="refused")
@pytest.mark.clause(RWS, "1.18", shows="refused")
def test_a_standing_players_bet_comes_off_before_a_seated_ones_and_squeezes_nothing() -> None:
    story = told(RWS, SHOE, "Sue is the pit supervisor.\nBets are open.", differential=1000)
    story.tell("Bob bets 600 on banker at 1 standing.\nAnn bets 900 on banker at 1.")
    story.tell("Bets are closed (refused).\nDealer reports differential.")
    story.tell("Sue decides remove of 500:ann.banker: too much (refused).")
    story.tell("Sue decides remove of 500:bob.banker: too much.\nBets are closed.")
    story = told(
        RWS, SHOE, "Bets are open.\nBob bets 3000 on banker at 1 standing.", deal_face="down"
    )
    story.tell(
        "Ann bets 1000 on player at 1.\nBets are closed.\nBob takes the Banker hand (refused)."
    )


@pytest.mark.clause(RWS, "1.15", shows="changed")
@pytest.mark.clause(RWS, "5.8.1", shows="changed")
def test_reconstruction_returns_each_card_to_the_hand_it_was_meant_for() -> None:
    story = told(RWS, SHOE, TWO_BETS, "Sue is the pit supervisor.\nCards: 2H 4C 6D 5S")
    story.tell("Dealer reports wrong_order (player 1 4, banker 2 3).\nDealer answers yes.")
    moved = {each["n"]: (each["was"], each["now"]) for each in story.pit()["moved"]}
    assert moved == {3: ("banker", "player"), 4: ("player", "banker")}
    for was, now in moved.values():
        otherwise(was, now)


@pytest.mark.clause(RWS, "1.20", shows="changed")
@pytest.mark.clause(RWS, "5.15", shows="changed")
def test_a_void_round_has_no_result_and_settles_nothing() -> None:
    story = told(RWS, SHOE, "Sue is the pit supervisor.", TWO_BETS, "Cards: 2S KD 7D 7S")
    story.tell("Dealer reports wrong_count.\nSue approves.")
    assert story.pit()["void"] == "5.5.2"
    story.tell("Dealer announces (refused).\nDealer settles (refused).\nThe road is empty.")
    story.tell("Ann's banker wins 0 and gets back 2000.\nBob's player wins 0 and gets back 1000.")


LATE = ["late_error", "wrong_number", "wrong_order", "excess_card", "simultaneous"]
WRONG_CARDS = {"foreign_card": "5.5.1", "wrong_count": "5.5.2", "unshuffled": "5.5.5"}


@pytest.mark.clause(RWS, "5.11", shows="changed")
@pytest.mark.parametrize("what", LATE)
def test_an_error_of_an_earlier_round_leaves_the_running_one_alone(what: str) -> None:
    """The same report of this round stops it."""
    before = told(RWS, SHOE, TWO_BETS, ROUND, TWO_BETS, "Cards: 2H 4C")
    before.tell(f"Dealer reports {what} (round 1).\nTable refers to 5.11.\nTable is dealing.")
    before.tell("Table offers nothing.\nPlayer has 2H.\nBanker has 4C.")
    before.tell("Cards: 6D 5S\nDealer announces.\nDealer settles.\nThe road is P B.")
    before.tell("Ann's banker wins 1900 and gets back 2000.")
    if what != "late_error":
        now = told(RWS, SHOE, TWO_BETS, ROUND, TWO_BETS, "Cards: 2H 4C")
        now.say("Dealer", "report", what=what)
        otherwise("5.11", now.last["clause"])


@pytest.mark.clause(RWS, "5.5", shows="changed")
@pytest.mark.parametrize("what", WRONG_CARDS)
def test_wrong_cards_of_an_earlier_round_touch_the_running_one_only_if_they_are_in_use(
    what: str,
) -> None:
    before = told(RWS, SHOE, TWO_BETS, ROUND, TWO_BETS, "Cards: 2H 4C")
    before.tell(f"Dealer reports {what} (round 1).\nTable asks in_use.\nDealer answers no.")
    before.tell("Table refers to 5.5.\nTable is dealing.\nThe road is P.")
    now = told(RWS, SHOE, "Sue is the pit supervisor.", TWO_BETS, ROUND, TWO_BETS, "Cards: 2H")
    now.tell(f"Dealer reports {what} (round 1).\nDealer answers yes.\nSue approves.")
    now.tell(f"The round is void by {WRONG_CARDS[what]}.\nThe road is P.")


@pytest.mark.clause(RWS, "5.13", shows="refused")
def test_chips_are_settled_where_they_lay_when_bets_closed() -> None:
    story = told(RWS, SHOE, "Bets are open.\nDealer places 2000 on banker at 1 for Ann.")
    story.tell("Bets are closed.\nCards: 2H 4C 6D 3S\nDealer reports chip_position.")
    story.tell("Table refers to 5.13.\nAnn bets 2000 on player at 1 (refused).")
    story.tell("Ann takes back banker (refused).\nDealer announces.\nDealer settles.")
    story.tell("Ann's banker wins 0 and gets back 0.")


@pytest.mark.clause(RWS, "3.7", shows="refused")
def test_a_side_bet_stays_without_a_bet_on_a_hand() -> None:
    story = told(
        RWS, SHOE, "Bets are open.\nAnn bets 100 on tie at 1.\nAnn bets 500 on player at 1."
    )
    story.tell("Ann takes back player.\nBob bets 100 on dragon_tiger at 2 (refused).")
    story.tell(f"Bets are closed.\n{ROUND}")
    assert [paid["id"] for paid in story.last["settlements"]][-1] == "ann.tie"


@pytest.mark.clause(RWS, "5.7", shows="changed")
@pytest.mark.clause(RWS, "5.7.1", shows="held")
def test_a_card_too_many_lies_aside_or_gives_everybody_the_options() -> None:
    """After an outcome it is used in the next round; before one all players choose."""
    decided = told(RWS, SHOE, TWO_BETS, "Cards: 2H 4C 6D 5S 9D\nTable refers to 5.7.")
    early = told(RWS, SHOE, TWO_BETS, "Cards: 2H KC 3D 7S 8D", deal_face="down")
    early.tell("Dealer answers no.\nTable offers ann and bob.")
    otherwise(decided.last["offers"], early.last["offers"])
    otherwise(decided.last["state"], early.last["state"])


@pytest.mark.clause(RWS, "5.9", shows="held")
def test_a_card_dealt_face_up_on_a_face_down_table_gives_everybody_the_options() -> None:
    story = told(
        RWS, SHOE, TWO_BETS, "Cards: 2H\nCard 1 of the Player hand is exposed.", deal_face="down"
    )
    story.tell("Dealer reports exposed_in_error.\nTable asks dealt_face_up.\nDealer answers yes.")
    story.tell("Table offers ann and bob.")
    assert story.last["state"] == "halted"


@by_book({MBS: "5.8", DT: "5.8"}, "changed")
def test_cards_whose_order_is_known_change_places(book_id: str) -> None:
    story = told(book_id, SHOE, "Sue is the pit supervisor.", TWO_BETS, "Cards: 2H 3C 4D 5S")
    lay = story.last["hands"]
    story.tell("Dealer reports simultaneous (cards 3 4).\nDealer says the order is 4 3.")
    story.tell("Sue approves.\nAnn plays on.\nBob plays on.\nSue approves.\nTable refers to 5.8.")
    otherwise(lay["player"], story.last["hands"]["player"])
    story.tell("Player has 2H 5S.\nBanker has 3C 4D.")
