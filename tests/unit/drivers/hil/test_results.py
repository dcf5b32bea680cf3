"""Rows in sentences."""

from drivers.cards import DECK, Card
from drivers.hil.report import ReportPart
from drivers.hil.results import CABLE, DRIVER, KNOWN, UNIT, deck_advice, in_words, saw, tried
from drivers.io.deck_check import compare
from support.rows import each_row


@each_row("name", KNOWN)
def test_a_row_is_sentences_and_no_test_name(name: str) -> None:
    said = KNOWN[name]
    for text in (said.tried, said.failed, said.do):
        assert text.endswith(".")
        assert text[0].isupper() or text[0].isdigit()
        assert "_" not in text
    assert said.part is (ReportPart.UNIT if name in UNIT else ReportPart.DRIVER)
    assert set(KNOWN) == {*UNIT, *DRIVER}


def test_a_row_is_known_with_its_parameters_too() -> None:
    assert tried("test_hello[shoe_bee_tek-rig]") is UNIT["test_hello"]


def test_a_shuffler_s_cable_is_not_asked_for_a_card() -> None:
    name = "test_cable_out_and_in[shuffler_batch-rig]"
    said = tried(name, kind="shuffler")
    assert "card" not in said.tried + said.failed + said.do
    assert "the next card is read" in tried(name).tried


def test_a_card_that_went_with_the_link_is_not_the_reader_s() -> None:
    two_lost = compare(DECK, [*DECK[:4], *DECK[6:]])
    reader = UNIT["test_every_card_of_the_deck_once"].do
    assert deck_advice(two_lost, ()) == reader
    assert deck_advice(two_lost, (4,)) == CABLE
    assert deck_advice(two_lost, (20,)) == f"{CABLE} {reader}"
    doubled = compare(DECK, [*DECK[:4], Card.parse("4S"), *DECK[4:]])
    assert deck_advice(doubled, (4,)) == f"{CABLE} {reader}"


def test_a_maker_s_own_test_says_what_it_says_of_itself_or_its_name_in_words() -> None:
    assert tried("test_flap[x]", "The flap closes.").tried == "The flap closes."
    assert tried("test_the_flap_closes").tried == "The flap closes."
    assert tried("play[a]", "a card is lost", ReportPart.STORY).part is ReportPart.STORY


def test_what_a_test_told_is_said_in_sentences() -> None:
    facts = {"identity": "serial /dev/x", "serial": "SN 1", "firmware": "1.0"}
    assert saw(facts) == ("Known by serial /dev/x. It says of itself: serial SN 1, firmware 1.0.")
    assert saw({"verdict": "ok", "cards": 52}) == (
        "It verified the pack and found every card (52 cards)."
    )
    assert saw({"verdict": "not_verified", "cards": 0}).endswith("verify what it shuffled.")
    assert in_words("LinkUp") == "link up"
