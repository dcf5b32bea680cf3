"""Cards: laid where they are due, shown, kept aside, and held against what the device says."""

import pytest

from controller.sentences.codes import Code
from controller.sentences.sentence import sentence
from controller.table.words.message import message
from support.table.bench import BANKER_DRAWS, BOTH_DRAW, NATURAL, Bench, code, nearly_empty, why


def latches(bench: Bench) -> list[str]:
    return [latch.kind.value for latch in bench.table.latches]


def aside(bench: Bench) -> list[str | None]:
    return [drawn.card for drawn in bench.round.cards if drawn.hand is None]


def case(bench: Bench) -> str | None:
    return bench.table.case.id if bench.table.case else None


# --- laid ---------------------------------------------------------------------------------------


def test_cards_go_to_the_hands_in_turn_and_thirds_where_they_are_called_for() -> None:
    bench = Bench().deal(*BOTH_DRAW, "4H", "9D")
    assert bench.hand("player") == ["2H", "3D", "4H"]
    assert bench.hand("banker") == ["KC", "5S", "9D"]
    assert [drawn.n for drawn in bench.round.cards] == [1, 2, 3, 4, 5, 6]
    assert all(drawn.exposed for drawn in bench.round.cards)


def test_a_card_that_no_hand_needs_lies_aside_and_opens_a_case() -> None:
    bench = Bench().deal(*NATURAL)
    bench.card("4H")
    assert aside(bench) == ["4H"]
    assert case(bench) == "excess_card"


def test_a_card_before_the_call_is_the_first_of_the_round() -> None:
    bench = Bench().bet()
    bench.card("9H")
    assert (aside(bench), case(bench)) == (["9H"], "excess_card")
    bench.say("answer", value=True)
    bench.say("close_betting")
    assert bench.hand("player") == ["9H"]


def test_a_card_between_rounds_lies_over_for_the_next() -> None:
    bench = Bench().open()
    bench.card("9H")
    assert [drawn.card for drawn in bench.table.carried] == ["9H"]
    bench.say("answer", value=True)
    bench.deal()
    assert bench.hand("player") == ["9H"]
    assert bench.table.carried == ()


def test_a_card_drawn_while_a_case_is_open_lies_aside_and_finds_its_place_after_it() -> None:
    bench = Bench().deal("9H")
    bench.say("report", what="uncovered")
    bench.card("2C")
    assert aside(bench) == ["2C"]
    assert bench.table.notices[-1] == sentence(Code.CARD_WHILE_HELD, n=2)
    bench.say("decide", "gus", text="go on")
    assert bench.hand("banker") == ["2C"]


def test_a_card_of_no_shoe_belongs_to_none() -> None:
    bench = Bench()
    bench.say("open_table", "pia")
    assert code(bench.not_taken(message("shoe", "card", card="9H"))) == "no_shoe_for_card"


def test_a_shoe_drawn_from_behind_a_closed_table_is_changed() -> None:
    bench = Bench().open()
    bench.say("close_table", "pia")
    bench.card("9H")
    assert bench.notices[-1] == "card_while_closed"
    bench.say("open_table", "pia")
    assert bench.phase == "changing_shoe"


def test_a_round_that_needs_more_cards_than_are_left_has_a_case() -> None:
    assert case(nearly_empty(3).deal("9H", "2C", "KD")) == "not_enough_cards"
    assert case(nearly_empty(4).deal(*NATURAL)) is None
    assert case(nearly_empty(4).deal(*BANKER_DRAWS)) == "not_enough_cards"


def test_that_the_last_cards_call_for_more_is_known_once_they_lie_open() -> None:
    bench = nearly_empty(4, deal_face="down").deal(*BANKER_DRAWS)
    assert case(bench) is None, "a complaint would give the cards away"
    bench.say("expose", hand="player")
    bench.say("expose", hand="banker")
    assert case(bench) == "not_enough_cards"


# --- shown --------------------------------------------------------------------------------------


def test_an_unread_card_is_entered_when_it_lies_open() -> None:
    assert case(Bench().deal("??")) == "unreadable"
    bench = Bench(deal_face="down").deal("??", "2C", "KD", "6S")
    assert case(bench) is None
    assert bench.table.notices[-1] == sentence(Code.UNREAD_FACE_DOWN, n=1)
    bench.say("expose", hand="player")
    assert case(bench) == "unreadable"


def test_one_card_too_many_of_a_kind_is_noticed_when_it_lies_open_and_not_before() -> None:
    bench = Bench(decks=4, deal_face="down").open()
    for _ in range(2):
        bench.deal("9H", "9H", "KD", "KS")
        bench.say("expose", hand="player")
        bench.say("expose", hand="banker")
        bench.settle()
    bench.deal("9H", "2C", "KD", "6S")
    assert case(bench) is None
    bench.say("expose", hand="player")
    assert case(bench) == "foreign_card"
    assert bench.table.case is not None
    assert bench.table.case.n == 9


def test_a_hand_or_one_card_of_it_is_exposed() -> None:
    bench = Bench(deal_face="down").deal(*BOTH_DRAW)
    bench.say("expose", hand="player", card=2)
    assert [drawn.exposed for drawn in bench.round.cards] == [False, False, True, False]
    bench.say("expose", hand="player")
    assert [drawn.exposed for drawn in bench.round.cards] == [True, False, True, False]
    assert code(bench.refused("expose", hand="player")) == "no_face_down_card"
    assert code(bench.refused("expose", hand="banker", card=0)) == "no_face_down_card"


def test_a_hand_is_exposed_once_the_initial_deal_is_complete_one_card_before() -> None:
    bench = Bench(deal_face="down").deal("2H", "KC", "3D")
    assert code(bench.refused("expose", hand="player")) == "initial_deal_not_complete"
    bench.say("expose", hand="player", card=1)


def test_the_hand_that_is_revealed_first_is_exposed_first() -> None:
    bench = Bench().open()
    bench.say("method", "max", method="A")
    bench.deal(*NATURAL)
    bench.say("reveal_first", hand="banker")
    refused = bench.refused("expose", hand="player")
    assert (why(refused), refused.clause) == (
        sentence(Code.OTHER_HAND_FIRST, hand="banker"),
        "3.9.6",
    )
    bench.say("expose", hand="banker")
    bench.say("expose", hand="player")


# --- what the device says -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "index", "agrees"),
    [
        ("player", 1, True),
        ("player", None, True),
        (None, None, True),
        ("player", 7, True),
        ("banker", 1, False),
        ("player", 2, False),
    ],
)
def test_a_shoe_that_drew_for_another_place_disagrees(
    hand: str | None, index: int | None, agrees: bool
) -> None:
    """Two cards before it may be missing, or a whole turn of its counter."""
    bench = Bench().deal()
    bench.device("card", card="9H", hand=hand, index=index)
    assert latches(bench) == ([] if agrees else ["device_disagrees"])
    assert bench.hand("player") == ["9H"], "it lies where it is due all the same"


@pytest.mark.parametrize(("winner", "agrees"), [("player", True), ("tie", False)])
def test_a_result_that_differs_holds_the_table(winner: str, agrees: bool) -> None:
    bench = Bench().deal(*NATURAL)
    bench.device("result", winner=winner)
    assert latches(bench) == ([] if agrees else ["device_disagrees"])
    assert bench.round.device_says is None


def test_a_result_while_a_card_is_due_differs() -> None:
    bench = Bench().deal("9H", "2C", "KD")
    bench.device("result", winner="player")
    assert latches(bench) == ["device_disagrees"]


def test_a_result_waits_until_every_card_on_the_hands_may_be_seen() -> None:
    bench = Bench(deal_face="down").deal(*NATURAL)
    bench.device("result", winner="banker")
    bench.say("expose", hand="player")
    assert latches(bench) == [], "a complaint would give the others away"
    bench.say("expose", hand="banker")
    assert latches(bench) == ["device_disagrees"]


def test_a_result_without_a_winner_says_nothing() -> None:
    bench = Bench().deal(*NATURAL)
    wants = sentence(Code.FIELD_NEEDED, word="result", field="winner")
    assert why(bench.not_taken(message("shoe", "result"))) == wants


def test_a_card_the_shoe_calls_one_too_many_lies_aside_whatever_is_due() -> None:
    bench = Bench().deal("9H")
    bench.device("excess", card="2C")
    assert (aside(bench), case(bench)) == (["2C"], "excess_card")
    bench = Bench().deal("9H")
    bench.device("excess")
    assert bench.round.cards[-1].unnamed
