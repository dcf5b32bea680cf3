"""What the robot says when the table asks for a second person."""

from random import Random

from simulators.dealer.answers import Known, sayings

ASKED = {"asks": [{"do": "approve", "ask": "approve"}], "offers": []}


def test_the_second_person_says_no_now_and_then_and_yes_where_no_is_not_taken() -> None:
    firsts = []
    for seed in range(60):
        said = [line["do"] for line in sayings(ASKED, Known(), Random(seed))]
        firsts.append(said[0])
        assert "approve" in said
    assert 0 < firsts.count("refuse") < firsts.count("approve")


def test_a_card_of_another_set_has_no_face_that_is_entered() -> None:
    """A console refuses what is no card before the table hears of it."""
    known = Known()
    for card in ("KD", "a card of another set"):
        known.arrived(card)
    asked = {"asks": [{"do": "enter_card", "ask": "enter"}], "offers": []}
    said = [line for line in sayings(asked, known, Random(1)) if line["do"] == "enter_card"]
    assert {line["with"]["card"] for line in said} == {"KD", "9H"}
