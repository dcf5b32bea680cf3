"""What the pages are told beyond the words: from what lies exposed and what people said."""

from typing import Any

import pytest

from controller.rulebooks import rulebook
from controller.table.rules import House, Rules
from controller.views import details
from support.console.table_in_hand import TableInHand


@pytest.fixture
def desk() -> Any:
    house = House("mbs-baccarat-8", burn="none", hlga=True, betting_s=20.0, option_timeout_s=9.0)
    found = TableInHand(Rules(rulebook("mbs-baccarat-8"), house))
    yield found
    found.stop()


def dealt(desk: TableInHand, method: str, *cards: str) -> dict[str, Any]:
    desk.open_shoe(method)
    desk.act("open_betting")
    desk.act("place", player="ann", wager="banker", amount=2000, position=1)
    desk.act("place", player="bob", wager="player", amount=2000, position=2)
    desk.act("place", player="bob", wager="tie", amount=100, position=2)
    desk.act("close_betting")
    desk.draw(*cards)
    return desk.view


def test_a_sealed_card_is_a_number_and_a_place(desk: TableInHand) -> None:
    view = dealt(desk, "A", "2H", "KC", "3D", "6S")
    first = view["cards"][0]
    assert first == {"n": 1, "hand": "player", "card": None, "exposed": False}
    assert view["totals"] == {"player": None, "banker": None}
    desk.act("expose", hand="banker")
    assert desk.view["totals"] == {"player": None, "banker": 6}
    assert [each["card"] for each in desk.view["cards"]] == [None, "KC", None, "6S"]


def test_whose_turn_it_is_to_take_a_hand(desk: TableInHand) -> None:
    view = dealt(desk, "A", "2H", "KC", "3D", "6S")
    assert view["passing"]["player"]["to"] == "bob"
    desk.act("refuse_cards", hand="player", player="bob")
    turn = desk.view["passing"]["player"]
    assert (turn["to"], turn["named_by_supervisor"]) == (None, True)
    desk.act("accept_cards", hand="player", player="ann")
    assert "player" not in desk.view["passing"]


def test_what_may_be_withdrawn_and_for_how_long(desk: TableInHand) -> None:
    dealt(desk, "B", "2H", "3C", "4D", "5S")
    desk.act("report", what="simultaneous", cards=[3, 4])
    assert desk.view["case"]["concerns"] == [3, 4]
    desk.act("answer", order=[4, 3])
    desk.act("approve", "pia")
    view = desk.view
    assert view["withdrawable"]["bob"] == {"wagers": ["w2", "w3"], "each": True}
    assert (view["countdown"]["what"], view["countdown"]["seconds"]) == ("option", 9.0)


def test_what_each_wager_is_to_be_paid_is_told_before_it_is_paid(desk: TableInHand) -> None:
    view = dealt(desk, "B", "2H", "KC", "3D", "6S", "TD")
    assert view["payouts"] == []
    desk.act("announce")
    told = desk.view["payouts"]
    desk.act("settle")
    assert [each["pays"] for each in told] == [1900, 0, 0]
    assert desk.view["settlements"] == told


def test_time_runs_while_wagers_are_open_and_not_after(desk: TableInHand) -> None:
    desk.open_shoe()
    desk.act("open_betting")
    assert desk.view["countdown"]["seconds"] == 20.0
    desk.act("close_betting")
    assert desk.view["countdown"] is None


def test_a_card_entered_face_down_stays_unseen(desk: TableInHand) -> None:
    dealt(desk, "A", "2H", "KC", "??", "6S")
    desk.act("report", what="cards_taken", hand="player")
    desk.act("answer", value=True)
    desk.act("enter_card", card="3D")
    assert desk.view["case"]["entered"] == {"n": 3, "card": None}
    assert desk.view["cards"][2]["card"] is None


def test_a_card_left_aside_lies_there_once_after_settlement(desk: TableInHand) -> None:
    dealt(desk, "B", "2H", "KC", "7D", "7S")
    desk.say("shoe", "excess", card="4D")
    desk.act("announce")
    desk.act("settle")
    assert [each["n"] for each in desk.view["cards"]] == [1, 2, 3, 4, 5]


def test_what_is_approved_is_told_without_a_face(desk: TableInHand) -> None:
    dealt(desk, "A", "2H", "KC", "3D", "6S")
    desk.act("report", what="simultaneous", cards=[3, 4])
    about = {"cards": [3, 4], "order": [], "lies": None, "wagers": [], "round": 1}
    assert desk.view["case"]["about"] == about
    assert desk.view["case"]["decision"] is None


def test_a_decision_on_ones_own_report_is_told_until_approved(desk: TableInHand) -> None:
    dealt(desk, "B", "2H", "KC", "3D", "6S")
    desk.act("report", what="uncovered")
    desk.act("decide", outcome="remove", remove=["w2"], text="fair")
    decided = desk.view["case"]["decision"]
    assert decided == {"outcome": "remove", "remove": [{"id": "w2", "amount": None}], "order": []}


def test_only_a_card_by_hand_is_manual(desk: TableInHand) -> None:
    desk.act("open_table")
    desk.act("load_shoe", deck_set="blue", verified_by="pia", cut=True)
    assert desk.view["request"]["what"] == "vouch_for_shoe"
    assert desk.view["manual"] is False
    desk.act("approve", who="pia", role="pit_supervisor")
    desk.act("method", method="B")
    desk.act("open_betting")
    desk.act("close_betting")
    desk.draw("2H", "KC", "7D", "7S")
    desk.act("correct", n=4, card="9S", reason="misread")
    assert desk.view["manual"] is True


def test_the_roads_are_drawn_in_cells() -> None:
    drawn = details.drawn_roads(("B", "B", "Pp", "T", "P", "B"))
    assert drawn["bead_plate"][2] == [0, 2, "Pp"]
    assert drawn["big_road"] == [
        [0, 0, "B", 0],
        [0, 1, "B", 0],
        [1, 0, "Pp", 1],
        [1, 1, "P", 0],
        [2, 0, "B", 0],
    ]
    assert [mark[2] for mark in drawn["big_eye_boy"]] == ["R", "R"]


def test_a_table_tells_what_it_was_set_up_with() -> None:
    rules = Rules(rulebook("mbs-baccarat-8"), House("mbs-baccarat-8", minimum=100))
    about = details.about(rules)
    offered = {each["id"]: each["offered"] for each in about["methods"]}
    assert offered == {"A": True, "B": True, "C": False}
    assert about["positions"] == 14
    assert {"id": "chip_position", "name": None} in about["irregularities"]
