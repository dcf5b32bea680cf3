"""Cards: laid where they are due, shown, kept aside, and held against what the device says."""

from typing import Any

import pytest

from controller.messages.codes import Code
from controller.messages.sentence import Sentence, sentence
from controller.table.commands.message import new_message
from support.rows import each_row
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


def test_a_card_that_no_hand_needs_lies_aside_and_is_ruled_at_once() -> None:
    bench = Bench().deal(*NATURAL)
    bench.card("4H")
    assert aside(bench) == ["4H"]
    assert case(bench) is None
    assert [ruled.id for ruled in bench.table.rulings] == ["excess_card"]


def test_a_card_before_the_call_is_the_first_of_the_round() -> None:
    bench = Bench().bet()
    bench.card("9H")
    assert aside(bench) == ["9H"]
    assert [ruled.id for ruled in bench.table.rulings] == ["excess_card"]
    bench.say("close_betting")
    assert bench.hand("player") == ["9H"]


def test_a_card_between_rounds_lies_over_for_the_next() -> None:
    bench = Bench().open()
    bench.card("9H")
    assert [drawn.card for drawn in bench.table.carried] == ["9H"]
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
    assert code(bench.not_taken(new_message("shoe", "card", card="9H"))) == "no_shoe_for_card"


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


@each_row(
    "hand, index, why_not",
    [
        ("player", 1, None),
        ("player", None, None),
        (None, None, None),
        ("player", 7, None),
        ("banker", 1, {"hand": "banker", "index": 1, "due": "player", "place": 1}),
        ("player", 2, {"hand": "player", "index": 2, "due": "player", "place": 1}),
        ("banker", None, {"hand": "banker", "due": "player", "place": 1}),
        ("burn", 1, {"hand": "burn", "index": 1, "due": "player", "place": 1}),
    ],
)
def test_a_card_for_another_place_is_a_doubt_about_the_count(
    hand: str | None, index: int | None, why_not: dict[str, Any] | None
) -> None:
    """Cards before it may be missing, or a whole turn of the shoe's counter."""
    bench = Bench().deal()
    bench.device("card", card="9H", hand=hand, index=index)
    assert latches(bench) == []
    if why_not is None:
        assert bench.hand("player") == ["9H"]
        return
    assert bench.table.count_check is not None
    assert bench.table.count_check.why.params == why_not
    assert bench.round.cards == (), "it waits until the cards are counted"
    assert code(bench.refused("resume", "pia")) == "count_first"


def test_the_lost_card_takes_its_place_and_the_hands_come_out_as_dealt() -> None:
    """The very first event of a shoe is lost: no number tells, the places do."""
    bench = Bench().deal()
    told = [("KC", "banker", 1), ("3D", "player", 2), ("5S", "banker", 2), ("9H", "player", 3)]
    for card, hand, index in told:
        bench.device("card", card=card, hand=hand, index=index)
    bench.device("result", winner="banker", player_pair=False, banker_pair=False)
    bench.say("count", cards=5)
    bench.say("approve", "pia")
    bench.say("enter_card", card="2H")
    bench.say("approve", "pia")
    assert bench.hand("player") == ["2H", "3D", "9H"]
    assert bench.hand("banker") == ["KC", "5S"]
    assert (bench.state, latches(bench)) == ("outcome", [])


@pytest.mark.parametrize("face", ["up", "down"])
def test_cards_lost_in_several_places_lie_where_the_shoe_has_none(face: str) -> None:
    bench = Bench(deal_face=face).deal()
    bench.device("card", card="KC", hand="banker", index=1)
    bench.device("card", card="5S", hand="banker", index=2)
    bench.say("count", cards=4)
    bench.say("approve", "pia")
    assert [drawn.card for drawn in bench.round.cards] == [None, "KC", None, "5S"]
    assert bench.table.case is None or bench.table.case.id == "unreadable"


def test_a_place_that_differs_over_a_count_that_agrees_takes_two_people() -> None:
    bench = Bench().deal()
    bench.device("card", card="9H", hand="banker", index=1)
    bench.say("count", cards=1)
    assert (bench.hand("player"), latches(bench)) == (["9H"], ["place_disagrees"])
    bench.say("resume", "pia")
    assert bench.state == "halted"
    assert code(bench.refused("approve", "pia")) == "takes_two"
    bench.say("approve", "paul")
    assert (bench.state, bench.notices[-1]) == ("dealing", "went_on_over_device")
    bench.device("card", card="2C", hand="player", index=2)
    assert bench.state == "dealing", "it counts otherwise all round, and people know"


def test_a_doubt_about_a_place_tells_nothing_of_what_lies_face_down() -> None:
    """That a third card was drawn at all says that nobody has a natural."""
    bench = Bench(deal_face="down").deal("2H", "KC", "3D")
    bench.device("card", card="9S", hand="player", index=3)
    assert bench.table.count_check is not None
    assert bench.table.count_check.why == sentence(Code.PLACE_DIFFERS, due="banker", place=2)
    assert "9S" not in str(bench.bodies())


# --- the device's own result --------------------------------------------------------------------


@each_row(
    "given, differs",
    [
        ({"winner": "player"}, None),
        ({"winner": "tie"}, sentence(Code.WINNER_DIFFERS, shoe="tie", table="player")),
        ({"winner": "player", "player_total": 9, "banker_total": 8}, None),
        (
            {"winner": "player", "player_total": 9, "banker_total": 7},
            sentence(Code.TOTAL_DIFFERS, hand="banker", shoe=7, table=8),
        ),
        ({"winner": "player", "player_pair": False, "banker_pair": False}, None),
        ({"winner": "player", "player_pair": True}, sentence(Code.PAIR_SAID, hand="player")),
        ({"winner": "player", "banker_pair": True}, sentence(Code.PAIR_SAID, hand="banker")),
    ],
)
def test_a_result_is_compared_whole_and_a_difference_names_both_sides(
    given: dict[str, Any], differs: Sentence | None
) -> None:
    bench = Bench().deal(*NATURAL)
    bench.device("result", **given)
    assert [latch.text for latch in bench.table.latches] == ([differs] if differs else [])
    assert (bench.state == "outcome") is (differs is None)


def test_a_king_read_as_a_queen_is_found_by_the_pair_alone() -> None:
    bench = Bench().deal("KH", "2C", "QD", "6S")
    bench.device("result", winner="banker", player_pair=True, banker_pair=False)
    (latch,) = bench.table.latches
    assert latch.text == sentence(Code.PAIR_SAID, hand="player")
    bench.say("correct", n=3, card="KD", reason="it is a king")
    bench.say("approve", "pia")
    assert (bench.state, latches(bench)) == ("outcome", []), "it is compared again"
    assert bench.round.interventions.corrected


def test_nobody_goes_on_over_another_result_alone() -> None:
    bench = Bench().deal(*NATURAL)
    bench.device("result", winner="tie")
    assert code(bench.refused("resume", "dan")) == "takes_role"
    bench.say("resume", "pia")
    assert bench.state == "halted"
    assert code(bench.refused("approve", "pia")) == "takes_two"
    bench.say("approve", "paul")
    assert bench.state == "outcome"
    bench.settle()


def test_a_request_to_go_on_is_dropped_when_the_two_agree() -> None:
    bench = Bench().deal(*NATURAL)
    bench.device("result", winner="tie")
    bench.say("resume", "pia")
    bench.device("result", winner="player")
    assert (bench.table.request, bench.state) == (None, "outcome")


def test_a_result_while_a_card_is_due_asks_for_the_count() -> None:
    bench = Bench().deal("9H", "2C", "KD")
    bench.device("result", winner="player")
    assert bench.table.count_check is not None
    assert bench.table.count_check.why == sentence(Code.RESULT_BEFORE_THE_CARDS)
    bench.say("count", cards=4)
    bench.say("approve", "pia")
    bench.say("enter_card", card="6S")
    bench.say("approve", "pia")
    assert (bench.state, latches(bench)) == ("outcome", [])


def test_a_result_while_a_card_is_due_and_none_is_missing_takes_two_people() -> None:
    bench = Bench().deal("9H", "2C", "KD")
    bench.device("result", winner="player")
    bench.say("count", cards=3)
    assert latches(bench) == ["device_disagrees"]
    bench.card("6S")
    assert latches(bench) == [], "with the card the two agree"


@pytest.mark.parametrize(("winner", "held"), [("player", []), ("tie", ["device_disagrees"])])
def test_a_result_after_a_restart_waits_until_the_cards_are_laid(
    winner: str, held: list[str]
) -> None:
    bench = Bench().deal("9H", "2C", "KD")
    bench.restart()
    bench.card("6S")
    bench.device("result", winner=winner)
    assert (bench.table.count_check, latches(bench)) == (None, [])
    bench.say("answer", "pia", value=False)
    assert bench.hand("banker") == ["2C", "6S"]
    assert latches(bench) == held


def test_a_result_waits_until_every_card_on_the_hands_may_be_seen() -> None:
    bench = Bench(deal_face="down").deal(*NATURAL)
    bench.device("result", winner="banker", banker_pair=True)
    assert "banker" not in str(bench.bodies()[-1]).replace("banker_", "")
    bench.say("expose", hand="player")
    assert latches(bench) == [], "a complaint would give the others away"
    bench.say("expose", hand="banker")
    assert latches(bench) == ["device_disagrees"]


def test_a_result_without_a_winner_says_nothing() -> None:
    bench = Bench().deal(*NATURAL)
    wants = sentence(Code.FIELD_NEEDED, word="result", field="winner")
    assert why(bench.not_taken(new_message("shoe", "result"))) == wants


def test_a_card_the_shoe_calls_one_too_many_lies_aside_whatever_is_due() -> None:
    bench = Bench().deal("9H")
    bench.device("excess", card="2C")
    assert (aside(bench), case(bench)) == (["2C"], "excess_card")
    bench = Bench().deal("9H")
    bench.device("excess")
    assert bench.round.cards[-1].unnamed
