"""Clauses that a table keeps without naming them: seen in what it does, step by step."""

import pytest

from controller.rulebooks import rulebook
from controller.table.rules import HouseRules, Rules
from controller.table.state import Table
from controller.views import audience
from scenario.memory_link import open_in_memory
from scenario.story import Story
from scenario.told import SHOE, TWO_BETS, told
from support.clauses.by_book import by_book
from support.clauses.clause_cases import DT, MBS, RWS, SANDS, TOURNAMENT, case
from support.clauses.contrast import otherwise


def ways_on(story: Story) -> set[str]:
    """The clauses by which the open offers let players go on."""
    return {offer["by"]["play"] for offer in story.last["offers"]}


def notes(story: Story) -> list[tuple[str, dict[str, object]]]:
    """Code and gaps of what the pit is told."""
    return [(note["code"], note["gaps"]) for note in story.pit()["notes"]]


# --- wagers -----------------------------------------------------------------------------------


@by_book({MBS: "3.7", DT: "3.8", RWS: "5.16"})
@pytest.mark.parametrize("role", ["dealer", "pit supervisor", "pit manager"])
def test_staff_place_wagers_for_a_player_whose_they_are(book_id: str, role: str) -> None:
    story = told(book_id, SHOE, f"Stu is the {role}.\nBets are open.")
    story.tell("Stu places 1000 on player at 1 for Ann.")
    [wager] = story.pit()["wagers"]
    assert (wager["player"], wager["placed_by"]) == ("ann", "stu")
    story.tell("Bets are closed.\nCards: 2S KD 7D 7S\nDealer announces.\nDealer settles.")
    [paid] = story.last["settlements"]
    assert (paid["player"], paid["pays"], paid["returned"]) == ("ann", 1000, 1000)


@by_book({MBS: "3.7", DT: "3.8", RWS: "5.16"}, "refused")
def test_a_wager_placed_wrongly_is_for_the_player_to_notice_in_time(book_id: str) -> None:
    """Once bets are closed it wins or loses where it lies."""
    story = told(book_id, SHOE, "Bets are open.\nDealer places 1000 on banker at 1 for Ann.")
    story.tell("Ann takes back banker.\nDealer places 1000 on banker at 1 for Ann.")
    story.tell("Bets are closed.\nAnn takes back banker (refused).")
    story.tell("Cards: 2S KD 7D 7S\nDealer announces.\nDealer settles.")
    story.tell("Ann's banker wins 0 and gets back 0.")


@pytest.mark.clause(RWS, "3.6", shows="refused")
def test_nobody_keeps_others_from_taking_up_the_rest_of_a_box() -> None:
    story = told(RWS, SHOE, "Bets are open.\nAnn bets 1000 on player at 1.", differential=3000)
    story.tell("Bob bets 1500 on player at 1 standing.\nCem bets 500 on player at 1 standing.")
    story.say("Ann", "withdraw", id="bob.player")
    assert not story.last["accepted"]
    story.tell("Bets are closed.\nCards: 2S KD 7D 7S\nDealer announces.\nDealer settles.")
    assert [paid["pays"] for paid in story.last["settlements"]] == [1000, 1500, 500]


@pytest.mark.clause(RWS, "3.4")
def test_everybody_is_shown_the_minimum_and_the_differential() -> None:
    house = HouseRules(RWS, minimum=500, differential=20_000)
    shown = audience.public(Table(), Rules(rulebook(RWS), house))
    assert (shown.limits.min, shown.limits.differential) == (500, 20_000)


@by_book({MBS: "5.18", DT: "5.18"}, "refused")
def test_nothing_is_dealt_while_the_differential_is_exceeded(book_id: str) -> None:
    story = told(book_id, SHOE, "Max is the pit manager.\nBets are open.", differential=1000)
    story.tell("Ann bets 3000 on banker at 1.\nBob bets 1000 on player at 2.")
    story.tell("Bets are closed (refused).\nDealer reports differential.")
    story.tell("Max decides remove of ann.banker: over the differential.")
    assert story.pit()["rulings"][-1]["clause"] == "5.18"
    story.tell("Bets are closed.\nTable is dealing.")


@by_book({MBS: "5.18.2", DT: "5.18.2"}, "refused")
def test_the_lighter_side_may_add_until_the_differential_is_met(book_id: str) -> None:
    story = told(book_id, SHOE, "Bets are open.", differential=1000)
    story.tell("Ann bets 3000 on banker at 1.\nBob bets 1000 on player at 2.")
    story.tell("Bets are closed (refused).\nBob raises player by 1000.\nBets are closed.")


# --- irregularities ---------------------------------------------------------------------------


@by_book({MBS: "5.1.2", DT: "5.1.2", RWS: "5.5", SANDS: "5.1.2", TOURNAMENT: "5.1.2"}, "changed")
def test_a_foreign_card_voids_this_round_and_no_earlier_one(book_id: str) -> None:
    story = told(book_id, SHOE, "Sue is the pit supervisor.", TWO_BETS)
    story.tell("Cards: 2S KD 7D 7S\nDealer announces.\nDealer settles.\nThe road is P.")
    story.tell(TWO_BETS)
    story.tell("Card: 4H\nDealer reports foreign_card.\nDealer answers no.\nSue approves.")
    assert story.pit()["void"] is not None
    assert [paid["returned"] for paid in story.last["settlements"]] == [2000, 1000]
    story.tell("The road is P.")


VOIDS = {
    "wrong_count": "",
    "foreign_card": "Dealer answers no.",
    "unshuffled": "Dealer answers yes.",
}


@pytest.mark.clause(RWS, "5.5", shows="changed")
@pytest.mark.parametrize("what", VOIDS)
def test_each_of_these_cases_voids_the_round_and_no_earlier_one(what: str) -> None:
    story = told(RWS, SHOE, "Sue is the pit supervisor.", TWO_BETS)
    story.tell("Cards: 2S KD 7D 7S\nDealer announces.\nDealer settles.")
    story.tell(TWO_BETS)
    story.tell(f"Card: 4H\nDealer reports {what}.\n{VOIDS[what]}\nSue approves.")
    assert story.pit()["void"].startswith("5.5.")
    story.tell("The road is P.")


@pytest.mark.parametrize(
    ("book_id", "undecided", "established"),
    [
        case(MBS, "5.17.1", "5.17.2", proves="5.17", shows="held"),
        case(DT, "5.17.1", "5.17.2", proves="5.17", shows="held"),
        case(RWS, "5.4.2", "5.4.1", proves="5.4", shows="held"),
    ],
)
def test_a_power_failure_turns_on_whether_an_outcome_is_established(
    book_id: str, undecided: str, established: str
) -> None:
    """Two cards of the Player decide a wager that each of these games offers."""
    for cards, clause in (("2H KC", undecided), ("2H KC 6D", established)):
        story = told(book_id, SHOE, TWO_BETS, f"Cards: {cards}\nDealer reports power_failure.")
        assert story.last["clause"] == clause
        assert (story.last["state"] == "halted") is (clause == undecided)


@by_book({MBS: "5.8.2", DT: "5.8.2"}, "held")
def test_cards_in_unknown_order_turn_on_whether_the_initial_deal_was_over(book_id: str) -> None:
    for cards, clause in (("2H KC", "5.8.2.1"), ("2H 2C 2D KS 8H 6S", "5.8.2.2")):
        story = told(book_id, SHOE, TWO_BETS, f"Cards: {cards}")
        story.tell("Dealer reports simultaneous.\nDealer answers no.")
        assert story.last["clause"] == clause
        assert story.last["state"] == "halted"


@pytest.mark.clause(RWS, "5.8", shows="held")
@pytest.mark.parametrize(
    ("cards", "lies", "answer", "offered", "player"),
    [
        ("2H 4C", "player 1 2", "yes", ["ann", "bob"], "2H"),
        ("2H 4C 6D", "player 1 2, banker 3", "yes", [], "2H 6D"),
        ("2H 4C 6D", "player 1 2, banker 3", "no", ["ann", "bob"], "2H 4C"),
    ],
)
def test_misdealt_cards_are_put_right_and_options_given_unless_an_outcome_is_established(
    cards: str, lies: str, answer: str, offered: list[str], player: str
) -> None:
    story = told(RWS, SHOE, "Sue is the pit supervisor.", TWO_BETS, f"Cards: {cards}")
    story.tell(f"Dealer reports wrong_order ({lies}).\nDealer answers {answer}.")
    assert story.last["state"] == ("halted" if offered else "dealing")
    assert [offer["to"] for offer in story.last["offers"]] == offered
    story.tell("\n".join(f"{who.title()} plays on." for who in offered))
    if answer == "no":
        story.tell("Table asks approve.\nSue approves.")
    story.tell(f"Table is dealing.\nPlayer has {player}.")


@pytest.mark.clause(RWS, "5.10.2")
def test_after_cards_drawn_at_once_a_pit_supervisor_may_have_them_replaced() -> None:
    story = told(RWS, SHOE, "Sue is the pit supervisor.", TWO_BETS, "Cards: 2H 4C")
    story.tell("Dealer reports simultaneous.\nDealer answers yes.\nSue closes the offer.")
    assert ("cards_may_be_replaced", {"clause": "5.10.2"}) in notes(story)
    story.tell("Cards: 6D 5S\nDealer announces.\nDealer settles.")
    story.tell("Dealer loads a shoe on Sue's word.")
    story.tell("Dealer approves (refused).\nSue approves.")
    assert story.pit()["shoe"] == 2


@pytest.mark.clause(RWS, "5.12.1", shows="held")
def test_hands_that_cannot_be_put_right_are_played_on_as_they_are() -> None:
    story = told(RWS, SHOE, TWO_BETS, "Cards: 2H 4C\nDealer reports order_altered.")
    story.tell("Dealer answers no.")
    assert (ways_on(story), story.last["state"]) == ({"5.12.1"}, "halted")
    story.tell("Ann plays on.\nBob withdraws.\nCards: 6D 5S\nDealer announces.\nDealer settles.")
    story.tell("Ann's banker wins 1900 and gets back 2000.")


@pytest.mark.clause(RWS, "5.12.2", shows="held")
def test_hands_that_can_be_put_right_are_played_on_reconstructed() -> None:
    story = told(RWS, SHOE, TWO_BETS, "Cards: 2H 4C\nDealer reports order_altered.")
    story.tell("Dealer answers yes.")
    assert (ways_on(story), story.last["state"]) == ({"5.12.2"}, "halted")
    story.tell("Ann plays on.\nBob plays on.\nPlayer has 2H.\nBanker has 4C.\nTable is dealing.")


TAKEN = """
    Gus is the gaming shift manager.
    Bets are open.
    Bob bets 3000 on player at 2.
    Bets are closed.
    Cards: 2H KC ?? 6S
    Bob takes the Player hand.
    Dealer reports cards_taken (hand player).
    Dealer answers no.
    Cards: 9C TD
    Gus counts 8 decks less 2H KC 6S 9C TD 3D.
"""


@by_book({MBS: "5.11.3", DT: "5.11.3"})
def test_missing_cards_are_replaced_by_equal_ones_of_a_complete_deck(book_id: str) -> None:
    story = told(book_id, SHOE, TAKEN, method="A")
    assert ("take_equal_cards", {"clause": "5.11.3"}) in notes(story)
    story.tell("The Player hand is exposed.\nPlayer has 2H 3D.")


@by_book({MBS: "5.11.3", DT: "5.11.3"})
def test_no_equal_cards_are_asked_for_when_the_missing_ones_could_not_be_told(book_id: str) -> None:
    counted, _, _ = TAKEN.rpartition("Gus counts")
    story = told(book_id, SHOE, counted, method="A")
    story.tell("Gus decides void: nobody can tell")
    assert "take_equal_cards" not in [code for code, _ in notes(story)]


@by_book({MBS: "5.11.4", DT: "5.11.4"}, "changed")
def test_the_round_is_finished_with_the_replacement_and_the_kept_cards_in_order(
    book_id: str,
) -> None:
    story = told(book_id, SHOE, TAKEN, method="A")
    story.tell("The Player hand is exposed.\nThe Banker hand is exposed.")
    two = story.last["hands"]["player"]
    story.tell("The Player hand is exposed.")
    otherwise(two, story.last["hands"]["player"])
    story.tell("Player has 2H 3D 9C.\nBanker has KC 6S.\nAside: TD")
    story.tell("Dealer announces.\nDealer settles.\nThe road is B.")


@by_book({MBS: "5.11.5", DT: "5.11.5"}, "refused")
def test_no_round_commences_before_the_cards_are_replaced(book_id: str) -> None:
    story = told(book_id, SHOE, TAKEN, method="A")
    story.tell("The Player hand is exposed.\nThe Banker hand is exposed.")
    story.tell("The Player hand is exposed.\nDealer announces.\nDealer settles.")
    story.tell("Table is changing shoe.\nBets are open (refused).\nDealer loads a shoe.")
    story.tell("Bets are open (refused).\nPia approves.\nTable is ready.\nBets are open.")


# --- general provisions -----------------------------------------------------------------------

LADDER = "dealer|pit supervisor|pit manager|assistant casino manager|gaming shift manager"


@by_book({MBS: "6.2", DT: "6.2"}, "refused")
@pytest.mark.parametrize("role", LADDER.split("|"))
def test_a_higher_position_may_do_what_a_lower_one_may(book_id: str, role: str) -> None:
    """Open the table, a pit supervisor's; choose Method A, a pit manager's; C, one higher yet."""
    height = LADDER.split("|").index(role)
    story = Story(open_in_memory, book_id)
    story.house["hlga"] = True
    story.tell(f"Stu is the {role}.\nPia is the pit supervisor.")
    story.tell("Stu opens the table" + ("" if height >= 1 else " (refused)\nPia opens the table."))
    story.tell("Stu loads a shoe.")
    story.tell("Stu chooses Method A" + ("" if height >= 2 else " (refused)"))
    story.tell("Stu chooses Method C" + ("" if height >= 3 else " (refused)"))
