"""Cards named after they were drawn: entered by hand, corrected, or told late by the device."""

from typing import Any

from controller.messages.codes import Code
from controller.messages.sentence import sentence
from controller.table.commands.message import new_message
from controller.table.requests import CorrectCard
from drivers.cards import Card
from support.rows import each_row
from support.table.bench import BOTH_DRAW, NATURAL, Bench, code, why


def seen(bench: Bench, card: str) -> int:
    assert bench.table.shoe is not None
    return bench.table.shoe.seen[Card.parse(card).number]


# --- entered by hand ----------------------------------------------------------------------------


def test_an_unread_card_is_entered_by_one_and_seen_by_another() -> None:
    bench = Bench().deal("??")
    bench.say("enter_card", card="9h", reason="a smudge")
    assert bench.hand("player") == [None], "not before somebody else has seen it"
    assert code(bench.refused("approve", "dan")) == "takes_role"
    bench.say("approve", "pia")
    assert bench.hand("player") == ["9H"]
    assert seen(bench, "9H") == 1
    assert bench.state == "dealing"


def test_the_card_that_was_meant_may_be_named_by_its_number() -> None:
    bench = Bench().deal("9H", "2C")
    bench.say("report", what="foreign_card", cards=[1], facts={"belongs": True})
    other = sentence(Code.OTHER_CARD_ASKED_FOR, n=1)
    assert why(bench.refused("enter_card", card="8H", n=2)) == other, "it was read, and not named"
    assert why(bench.refused("enter_card", card="8H", n=7)) == sentence(Code.NO_SUCH_CARD, n=7)
    bench.say("enter_card", card="8H", n=1)
    bench.say("approve", "pia")
    assert (bench.hand("player"), seen(bench, "9H"), seen(bench, "8H")) == (["8H"], 0, 1)


def test_where_none_is_named_it_is_the_one_nobody_has_read_else_none() -> None:
    bench = Bench(deal_face="down").deal("2H", "??", "3D", "5S")
    bench.say("report", what="foreign_card", facts={"belongs": True})
    bench.say("enter_card", card="KC")
    bench.say("approve", "pia")
    assert bench.hand("banker") == ["KC", "5S"]
    bench = Bench().deal("9H", "2C")
    bench.say("report", what="foreign_card", facts={"belongs": True})
    assert bench.table.case is None, "the device has read them all"
    assert bench.hand("banker") == ["2C"]


def test_of_two_unread_cards_the_one_that_is_exposed_is_entered_first() -> None:
    """The other lies face down on the other hand, and was drawn before it."""
    bench = Bench(deal_face="down").deal("2H", "??", "??", "5S")
    for hand, card in (("player", "3D"), ("banker", "KC")):
        bench.say("expose", hand=hand)
        bench.say("enter_card", card=card)
        bench.say("approve", "pia")
    assert bench.state == "players_third"


def test_a_card_that_lies_unseen_is_not_given_another_face() -> None:
    bench = Bench(deal_face="down").deal("9H", "2C")
    bench.say("report", what="foreign_card", cards=[1], facts={"belongs": True})
    assert bench.table.case is None


def test_where_the_device_says_not_which_people_may_name_any_that_lies_open() -> None:
    bench = Bench().deal("9H", "2C")
    bench.device("error", means="does_not_belong")
    bench.say("answer", value=True)
    bench.say("enter_card", card="8H", n=1)
    bench.say("approve", "pia")
    assert (bench.hand("player"), bench.hand("banker")) == (["8H"], ["2C"])


def test_and_none_that_lies_unseen() -> None:
    bench = Bench(deal_face="down").deal("9H", "2C", "KD", "6S")
    bench.say("expose", hand="player")
    bench.device("error", means="does_not_belong")
    bench.say("answer", value=True)
    refused = bench.refused("enter_card", card="5H", n=2)
    assert why(refused) == sentence(Code.NO_SUCH_EXPOSED_CARD, n=2)
    bench.say("enter_card", card="8H", n=1)


def test_where_all_lie_unseen_nothing_is_entered() -> None:
    bench = Bench(deal_face="down").deal("9H", "2C")
    bench.device("error", means="does_not_belong")
    bench.say("answer", value=True)
    assert bench.table.case is None


def test_another_face_than_was_read_lays_the_cards_anew() -> None:
    """The Player had five and took a third card; with nine there is none to take."""
    bench = Bench().deal(*BOTH_DRAW, "4H")
    bench.say("report", what="foreign_card", cards=[3], facts={"belongs": True})
    bench.say("enter_card", card="6D", n=3)
    bench.say("approve", "pia")
    assert bench.hand("player") == ["2H", "6D"]
    assert bench.phase == "outcome"


def test_a_card_is_entered_only_where_one_is_asked_for() -> None:
    bench = Bench().deal("9H")
    bench.say("report", what="uncovered")
    wants = sentence(Code.WAITS_FOR_SOMETHING_ELSE, awaited="decide")
    assert why(bench.refused("enter_card", card="8H")) == wants


def test_nothing_is_entered_before_the_cards_are_counted() -> None:
    bench = Bench().deal("??")
    bench.device("events_lost")
    assert code(bench.refused("enter_card", card="9H")) == "count_first"


def test_a_kept_card_that_was_not_read_is_named_in_order() -> None:
    bench = Bench(deal_face="down").deal("9H", "??")
    bench.say("report", what="cards_taken", facts={"value_known": False})
    bench.card("??", "4D")
    assert code(bench.refused("enter_card", "pia", card="3H")) == "takes_role"
    bench.say("enter_card", "gus", card="3H")
    assert bench.table.case is not None
    assert [drawn.card for drawn in bench.table.case.kept] == ["3H", "4D"]
    assert code(bench.refused("enter_card", "gus", card="3H")) == "waits_for_something_else"


# --- corrected ----------------------------------------------------------------------------------


def voided() -> Bench:
    bench = Bench().deal("9H")
    bench.say("report", what="wrong_count")
    bench.say("approve", "pia")
    return bench


@each_row(
    "bench, given, says",
    [
        (lambda: Bench().open(), {"n": 1}, "no_card_to_correct"),
        (lambda: Bench().deal("9H"), {"n": 2}, "no_such_exposed_card"),
        (lambda: Bench(deal_face="down").deal("9H"), {"n": 1}, "no_such_exposed_card"),
        (voided, {"n": 1}, "round_is_void"),
        (lambda: Bench().deal("9H"), {"n": 1, "reason": " "}, "field_not_as_it_must_be"),
    ],
)
def test_only_a_card_that_lies_open_is_corrected(
    bench: Any, given: dict[str, Any], says: str
) -> None:
    assert code(bench().refused("correct", **{"card": "8H", "reason": "misread", **given})) == says


def test_a_correction_keeps_what_the_card_was_and_why() -> None:
    bench = Bench().deal("9H")
    bench.say("correct", n=1, card="8h", reason="an eight")
    request = bench.table.request
    assert request is not None
    assert (request.by, request.reason) == ("dan", "an eight")
    assert request.subject == CorrectCard(1, Card("8H"), Card("9H"))


def test_a_corrected_card_leads_where_it_would_have_led() -> None:
    bench = Bench().deal(*NATURAL)
    bench.say("correct", n=1, card="2H", reason="a two")
    bench.say("approve", "pia")
    assert bench.phase == "outcome", "the Banker has a natural all the same"
    bench.say("correct", n=4, card="5S", reason="a five")
    bench.say("approve", "pia")
    assert bench.phase == "players_third"
    assert bench.round.interventions.corrected


# --- told late ----------------------------------------------------------------------------------


def unnamed() -> Bench:
    """The shoe calls a card one too many and does not say yet which it is."""
    bench = Bench().deal("9H")
    bench.device("excess")
    return bench


def test_a_card_that_is_named_late_is_not_another_card() -> None:
    bench = unnamed()
    bench.device("excess_named", card="2C")
    assert [drawn.card for drawn in bench.round.cards] == ["9H", "2C"]
    assert not bench.round.cards[-1].unnamed
    assert bench.round.cards[-1].commitment


def test_one_that_lies_open_meanwhile_is_entered_by_nobody() -> None:
    bench = unnamed()
    bench.say("answer", value=True)
    unreadable = bench.table.case
    assert unreadable is not None
    assert unreadable.id == "unreadable"
    bench.device("excess_named", card="2C")
    assert bench.table.case is None
    assert bench.hand("banker") == ["2C"]
    assert seen(bench, "2C") == 1


def test_a_name_that_differs_from_what_two_people_saw_holds_the_table() -> None:
    bench = unnamed()
    bench.say("answer", value=True)
    bench.say("enter_card", card="2C")
    bench.say("approve", "pia")
    bench.device("excess_named", card="2C")
    agreed = bench.table
    assert agreed.latches == ()
    bench.device("excess_named", card="3C")
    (latch,) = bench.table.latches
    assert latch.kind.value == "card_disagrees"
    assert latch.text == sentence(Code.CARD_DIFFERS, n=2, shoe="3C", table="2C")
    bench.say("correct", n=2, card="3C", reason="it is a three")
    bench.say("approve", "pia")
    assert bench.table.latches == (), "the two agree: nothing holds the table any more"


def test_a_name_for_a_card_in_doubt_waits_with_it() -> None:
    bench = Bench().deal("9H")
    bench.device("events_lost")
    bench.device("excess")
    bench.device("excess_named", card="2C")
    assert bench.table.count_check is not None
    assert [each.card for each in bench.table.count_check.unplaced] == ["2C"]


def test_a_name_for_a_card_that_nobody_saw_leave_is_only_shown() -> None:
    bench = Bench().deal("9H")
    bench.device("excess_named", card="2C")
    assert bench.notices == ["named_card_not_seen"]
    refused = bench.not_taken(new_message("shoe", "excess_named"))
    assert why(refused) == sentence(Code.FIELD_NEEDED, word="excess_named", field="card")
