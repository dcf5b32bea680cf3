"""The shoe: loading and burning, and the ledger of every card that has come out of it."""

from typing import Any

import pytest

from controller.journal.records import CHECKPOINT
from controller.messages.codes import Code
from controller.messages.sentence import sentence
from controller.round import shoe
from controller.table.cards import Drawn
from controller.table.commands.message import new_message
from controller.table.refused import Refused
from controller.table.state import Shoe
from drivers.cards import DECK, Card
from support.rows import each_row
from support.table.bench import NATURAL, Bench, code, nearly_empty, why

SHOE = Shoe(1, "blue", 8, "pia", burn_left=0)
LOAD: dict[str, Any] = {"deck_set": "red", "verified_by": "pia", "cut": True}


def opened(**house: Any) -> Bench:
    bench = Bench(**house)
    bench.say("open_table", "pia")
    return bench


# --- loading ------------------------------------------------------------------------------------


@each_row(
    "given, says",
    [
        ({**LOAD, "cut": False}, sentence(Code.CUT_FIRST)),
        ({**LOAD, "decks": 3}, sentence(Code.DECKS_NOT_ALLOWED, fewest=4, most=10)),
        ({**LOAD, "decks": 11}, sentence(Code.DECKS_NOT_ALLOWED, fewest=4, most=10)),
        ({**LOAD, "verified_by": "shuffler"}, sentence(Code.NOT_VERIFIED)),
    ],
)
def test_a_shoe_that_may_not_be_used_is_refused(given: dict[str, Any], says: Any) -> None:
    assert why(opened().refused("load_shoe", **given)) == says


def test_the_house_says_how_many_decks_unless_it_is_said() -> None:
    bench = opened(decks=6)
    bench.load()
    assert bench.table.shoe is not None
    assert bench.table.shoe.decks == 6


@each_row("cards, taken", [(None, True), (416, True), (415, False)])
def test_a_shuffler_vouches_for_the_cards_it_verified(cards: int | None, taken: bool) -> None:
    bench = opened()
    bench.device("verified", by="shuffler", cards=cards)
    if taken:
        bench.say("load_shoe", **{**LOAD, "verified_by": "shuffler"})
        assert bench.table.decks.shuffler is None, "once"
        return
    wants = sentence(Code.VERIFIED_OTHER_COUNT, verified=415, decks=8, cards=416)
    assert why(bench.refused("load_shoe", **{**LOAD, "verified_by": "shuffler"})) == wants


def test_cards_that_could_still_be_played_are_replaced_by_two_people() -> None:
    bench = Bench().open()
    bench.say("load_shoe", **LOAD)
    assert bench.table.history.shoes == 1
    assert code(bench.refused("approve", "dan")) == "takes_role"
    bench.say("approve", "pia")
    assert bench.table.shoe is not None
    assert (bench.table.history.shoes, bench.table.shoe.deck_set) == (2, "red")


# --- on somebody's word ---------------------------------------------------------------------------


def asked_of(person: str, **house: Any) -> Bench:
    bench = opened(**house)
    bench.say("load_shoe", **{**LOAD, "verified_by": person})
    return bench


def test_a_name_loads_no_shoe_until_that_person_has_spoken() -> None:
    bench = asked_of("pia")
    assert (bench.table.shoe, bench.phase) == (None, "changing_shoe")
    assert code(bench.refused("open_betting")) == "not_now"
    assert code(bench.not_taken(new_message("shoe", "card", card="9H"))) == "no_shoe_for_card"
    bench.say("approve", "pia")
    assert bench.table.shoe is not None
    assert (bench.table.shoe.verified_by, bench.phase) == ("pia", "ready")


@each_row("who", ["paul", "max", "gus"])
def test_nobody_vouches_in_the_place_of_who_is_named(who: str) -> None:
    bench = asked_of("pia")
    assert why(bench.refused("approve", who)) == sentence(Code.ASKED_OF, person="pia")


def test_a_ghost_never_vouches() -> None:
    bench = asked_of("ghost")
    for who in ("dan", "pia", "gus"):
        bench.refused("approve", who)
    assert bench.table.shoe is None


def test_who_vouches_stands_high_enough_and_did_not_load() -> None:
    bench = asked_of("deb")
    assert code(bench.refused("approve", "deb")) == "takes_role"
    alone = {**LOAD, "verified_by": "pia"}
    assert code(opened().refused("load_shoe", "pia", **alone)) == "takes_two"


def test_who_loads_may_ask_somebody_else_and_nobody_else_may() -> None:
    bench = asked_of("ghost")
    wants = sentence(Code.SECOND_PERSON_FIRST, request="vouch_for_shoe")
    assert why(bench.refused("load_shoe", "deb", **LOAD)) == wants
    bench.say("load_shoe", **LOAD)
    bench.say("approve", "pia")
    assert bench.phase == "ready"


def test_anybody_high_enough_may_say_no() -> None:
    bench = asked_of("ghost")
    assert code(bench.refused("refuse", "dan")) == "takes_role"
    bench.say("refuse", "paul")
    assert (bench.table.request, bench.table.shoe) == (None, None)
    assert code(bench.refused("approve", "ghost")) == "nothing_asked"


def test_a_shoe_that_is_vouched_for_begins_with_a_checkpoint() -> None:
    bench = asked_of("pia")
    kinds = [record.kind for record in bench.journal.records()]
    bench.say("approve", "pia")
    after = [record.kind for record in bench.journal.records()]
    assert (kinds.count(CHECKPOINT), after.count(CHECKPOINT)) == (0, 1)


# --- cards that were taken out of play ------------------------------------------------------------


def must_replace(*, verified: bool) -> Bench:
    """Method C: the order was altered while the device moved, and two people void the round."""
    bench = Bench(hlga=True).open()
    if verified:
        bench.device("verified", by="shuffler")
    bench.say("method", "ada", method="C", drawer="ann")
    bench.deal("9H", "2C", wagers=(("ann", "player", 100),))
    bench.say("report", what="order_altered_moving", facts={"reconstructable": False})
    bench.say("approve", "pia")
    assert bench.phase == "changing_shoe"
    return bench


def by_shuffler(deck_set: str) -> dict[str, Any]:
    return {"deck_set": deck_set, "verified_by": "shuffler", "cut": True}


@pytest.mark.clause("mbs-baccarat-8", "5.12.2")
def test_cards_that_a_ruling_replaces_do_not_come_back_as_they_are() -> None:
    bench = must_replace(verified=True)
    refused = bench.refused("load_shoe", **by_shuffler("blue"))
    assert (why(refused), refused.clause) == (
        sentence(Code.SAME_CARDS_AGAIN, set="blue"),
        "5.12.2",
    )
    bench.say("load_shoe", **by_shuffler("red"))
    assert (bench.phase, bench.table.decks.replaced) == ("ready", None)


def test_the_same_cards_come_back_verified_anew() -> None:
    bench = must_replace(verified=True)
    bench.device("verified", by="shuffler")
    bench.say("load_shoe", **by_shuffler("blue"))
    assert bench.phase == "ready"


def test_the_same_cards_come_back_on_a_persons_own_word() -> None:
    assert must_replace(verified=False).load(deck_set="blue").phase == "ready"


def test_nothing_of_the_old_shoe_is_left() -> None:
    bench = Bench().deal(*NATURAL)
    bench.settle()
    bench.say("load_shoe", **LOAD)
    bench.say("approve", "pia")
    table = bench.table
    assert (table.history.results, table.round, table.carried, table.notices) == ((), None, (), ())


# --- burning ------------------------------------------------------------------------------------


@each_row("card, more", [("AS", 1), ("9H", 9), ("TD", 10), ("10D", 10), ("JC", 10), ("KS", 10)])
def test_the_first_card_says_how_many_are_burned(card: str, more: int) -> None:
    bench = Bench(burn="first_card").open()
    bench.card(card)
    assert bench.table.shoe is not None
    assert bench.table.shoe.burn_left == more
    for _ in range(more - 1):
        bench.card("2H")
    assert bench.phase == "changing_shoe"
    bench.card("??")
    assert bench.phase == "ready"
    assert bench.table.shoe.drawn == 1 + more


def test_a_house_may_burn_a_number_of_cards_or_none() -> None:
    bench = Bench(burn=2).open()
    assert bench.phase == "changing_shoe"
    bench.card("2H", "3H")
    assert bench.phase == "ready"
    assert Bench(burn="none").open().phase == "ready"


def test_a_first_card_that_was_not_read_is_entered() -> None:
    bench = Bench(burn="first_card").open()
    assert code(bench.not_taken(new_message("shoe", "read_failed"))) == "first_card_unread"
    bench.say("enter_card", card="2H")
    bench.say("approve", "pia")
    assert bench.table.shoe is not None
    assert bench.table.shoe.burn_left == 2


# --- the ledger ---------------------------------------------------------------------------------


def seen(*cards: str) -> Shoe:
    held = SHOE
    for n, each in enumerate(cards, start=1):
        held = shoe.note(held, Card.parse(each), n)
    return held


def test_a_ninth_card_of_eight_decks_is_impossible() -> None:
    assert not shoe.is_impossible(seen(*["9S"] * 8), Card.parse("9S"))
    assert shoe.is_impossible(seen(*["9S"] * 9), Card.parse("9S"))
    forgotten = shoe.forget(seen(*["9S"] * 9), Card.parse("9S"), 9)
    assert not shoe.is_impossible(forgotten, Card.parse("9S"))


def test_five_cards_in_new_deck_order_were_not_shuffled() -> None:
    assert not shoe.new_deck_order(seen("2H", "3H", "4H", "5H"), 4)
    assert shoe.new_deck_order(seen("2H", "3H", "4H", "5H", "6H"), 5)
    assert not shoe.new_deck_order(seen("2H", "3H", "4H", "5H", "7H"), 5)


def test_drawn_order_counts_and_not_the_order_of_turning() -> None:
    held = SHOE
    for n, each in ((1, "2H"), (3, "4H"), (5, "6H"), (2, "3H"), (4, "5H")):
        held = shoe.note(held, Card.parse(each), n)
    assert shoe.new_deck_order(held, 4)


def test_a_run_is_found_once_by_the_card_that_ends_it() -> None:
    held = seen("2H", "3H", "4H", "5H", "6H", "KC")
    assert not shoe.new_deck_order(held, 6)


def test_an_unshuffled_run_opens_a_case() -> None:
    bench = Bench().deal("AH", "2H", "3H", "4H")
    bench.card("5H")
    assert bench.table.case is not None
    assert bench.table.case.id == "unshuffled"


def test_a_shoe_is_empty_with_its_last_card() -> None:
    full = 8 * 52
    assert not shoe.empty_shoe(Shoe(1, "b", 8, "p", drawn=full - 1))
    assert shoe.empty_shoe(Shoe(1, "b", 8, "p", drawn=full))


def test_more_cards_than_the_decks_hold_are_a_wrong_count() -> None:
    bench = nearly_empty(4).deal(*NATURAL)
    bench.card("2D")
    assert bench.table.case is not None
    assert bench.table.case.id == "wrong_count"


def test_an_empty_shoe_is_changed_after_the_round() -> None:
    bench = nearly_empty(4).deal(*NATURAL)
    bench.settle()
    assert bench.phase == "changing_shoe"


# --- what is missing ----------------------------------------------------------------------------


def left(**less: int) -> dict[str, int]:
    return {card.code: 8 - less.get(card.code, 0) for card in DECK}


def lying(*cards: str | None) -> list[Drawn]:
    faces = [Card(card) if card else None for card in cards]
    return [Drawn(n, card, None, exposed=True) for n, card in enumerate(faces, start=1)]


def test_what_is_absent_is_what_neither_lies_there_nor_is_left() -> None:
    counts = left(**{"9H": 2, "KD": 1})
    assert shoe.missing_cards(SHOE, counts, lying("9H", None)) == [
        Card.parse("9H"),
        Card.parse("KD"),
    ]
    assert shoe.missing_cards(SHOE, counts, lying("9H", "9H", "KD")) == []


def test_a_count_that_cannot_be_is_refused_by_the_card() -> None:
    with pytest.raises(Refused) as refused:
        shoe.missing_cards(SHOE, left(), lying("9H"))
    assert refused.value.reason == sentence(Code.COUNTED_TOO_MANY, cards=1, card="9H")
