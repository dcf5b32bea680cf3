"""What the pages are told beyond the words: from what lies exposed and what people said."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from controller.rulebooks import rulebook
from controller.table.commands.message import staff_message
from controller.table.rules import HouseRules, Rules
from controller.table.state import Shoe
from controller.views import details
from controller.views.structs.encoding import plain
from controller.views.structs.setup import NamedIrregularity, rules_view
from support.console.table_in_hand import TableInHand


@pytest.fixture
def desk() -> Any:
    house = HouseRules(
        "mbs-baccarat-8", burn="none", hlga=True, betting_s=20.0, option_timeout_s=9.0
    )
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


def test_a_squeeze_is_offered_only_while_it_can_be_given() -> None:
    book = "rws-commission-baccarat-4"
    desk = TableInHand(Rules(rulebook(book), HouseRules(book, burn="none", deal_face="down")))
    try:
        view = dealt(desk, "one")
        turn = view["passing"]["player"]
        assert (turn["asked_by"], turn["may_take"], turn["may_leave"]) == (None, True, False)
        assert desk.say("player", "accept_cards", who="ann", hand="player")["accepted"]
        turn = desk.view["passing"]["player"]
        assert (turn["asked_by"], turn["may_take"], turn["may_leave"]) == ("ann", True, True)
        desk.draw("2H", "KC", "3D", "6S")
        turn = desk.view["passing"]["player"]
        assert turn["may_take"] is False, "the cards lie there: it is too late"
    finally:
        desk.stop()


def test_what_no_rule_covers_is_told_in_the_words_of_who_saw_it(desk: TableInHand) -> None:
    dealt(desk, "B", "2H", "3C")
    desk.act("report", what="uncovered", text="a drink was spilt")
    assert desk.view["case"]["about"]["text"] == "a drink was spilt"
    told = msgspec.json.decode([*desk.journal.records()][-1].body)
    assert told["in"]["with"]["text"] == "a drink was spilt", "it is in the record"


def test_words_are_a_field_of_that_report_alone(desk: TableInHand) -> None:
    dealt(desk, "B", "2H", "3C")
    given = {"what": "wrong_count", "text": "a drink was spilt"}
    answer = plain(
        desk.loop.ask(staff_message("report", "gus", "gaming_shift_manager", **given)).result(60)
    )
    assert answer["code"] == "no_such_report_field"


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


def test_a_hand_is_called_natural_or_a_pair_once_it_lies_open(desk: TableInHand) -> None:
    view = dealt(desk, "A", "9H", "4C", "9D", "4S")
    assert view["tags"] == {"player": [], "banker": []}, "sealed"
    desk.act("expose", hand="player")
    desk.act("expose", hand="banker")
    assert desk.view["tags"] == {"player": ["natural", "pair"], "banker": ["natural", "pair"]}


def test_time_runs_while_wagers_are_open_and_not_after(desk: TableInHand) -> None:
    desk.open_shoe()
    desk.act("open_betting")
    assert desk.view["countdown"]["seconds"] == 20.0
    desk.act("close_betting")
    assert desk.view["countdown"] is None


def test_time_does_not_run_while_the_table_is_held(desk: TableInHand) -> None:
    desk.open_shoe()
    desk.act("open_betting")
    desk.act("suspend")
    suspended = desk.view
    assert suspended["countdown"] is None
    desk.act("resume")
    assert desk.view["countdown"]["what"] == "betting"


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
    about = {"cards": [3, 4], "order": [], "lies": None, "wagers": [], "round": 1, "text": ""}
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


def test_a_card_that_was_entered_by_hand_stays_manual_for_its_round(desk: TableInHand) -> None:
    desk.open_shoe()
    desk.act("open_betting")
    desk.act("close_betting")
    desk.draw("9H", "2C", "??")
    held = desk.view
    assert held["manual"] is False, "nobody has entered anything"
    desk.act("enter_card", who="dana", role="dealer", card="KD")
    assert desk.view["manual"] is True
    desk.act("approve", who="pia", role="pit_supervisor")
    desk.draw("5S")
    assert desk.view["manual"] is True, "approved, and still a card by hand"
    desk.act("announce")
    desk.act("settle")
    desk.act("open_betting")
    assert desk.view["manual"] is False


def test_a_table_tells_what_it_was_set_up_with() -> None:
    rules = Rules(rulebook("mbs-baccarat-8"), HouseRules("mbs-baccarat-8", minimum=100))
    about = rules_view(rules)
    offered = {each.id: each.offered for each in about.methods}
    assert offered == {"A": True, "B": True, "C": False}
    assert about.positions == 14
    assert NamedIrregularity("uncovered", None) in about.irregularities


def test_nobody_is_passed_a_hand_before_a_card_of_it_lies_there(desk: TableInHand) -> None:
    assert dealt(desk, "A")["passing"] == {}
    desk.draw("2H")
    assert list(desk.view["passing"]) == ["player"]
    desk.draw("KC")
    assert list(desk.view["passing"]) == ["player", "banker"]


def test_nobody_is_passed_a_hand_that_lies_open(desk: TableInHand) -> None:
    dealt(desk, "A", "2H", "KC", "3D", "6S")
    desk.act("expose", hand="player")
    assert list(desk.view["passing"]) == ["banker"]
    desk.act("expose", hand="banker")
    desk.draw("4H")
    assert list(desk.view["passing"]) == ["player"], "its third card alone is to be turned"


def test_who_has_won_is_told_once_every_card_lies_open(desk: TableInHand) -> None:
    assert dealt(desk, "A", "9H", "KC", "KD", "6S")["outcome"] is None
    desk.act("expose", hand="player")
    half_open = desk.view
    assert half_open["outcome"] is None
    desk.act("expose", hand="banker")
    assert desk.view["outcome"] == "player"
    desk.act("announce")
    desk.act("settle")
    assert desk.view["outcome"] == "player", "until the next round"
    desk.act("open_betting")
    assert desk.view["outcome"] is None


def test_how_far_the_shoe_has_gone_is_told_in_tenths_and_to_staff_alone(desk: TableInHand) -> None:
    view = dealt(desk, "B", "9H", "KC", "KD", "6S")
    assert view["shoe_in_use"]["gone"] == 0
    latest = desk.loop.snapshots.latest
    assert latest is not None
    assert {"shoe_in_use", "outcome", "prompt"}.isdisjoint(plain(latest.views.public))
    shoe = Shoe(1, "blue", 8, "pia", drawn=41)
    parts = [details.shoe_view(replace(shoe, drawn=n)) for n in (41, 42, 208, 416, 420)]
    assert [part and part.gone for part in parts] == [0, 1, 5, 10, 10]
