"""What one person asks for and another approves: another unit, another shoe, a card, a count."""

from typing import Any, get_args

import pytest

from controller.messages.codes import Code
from controller.messages.sentence import sentence
from controller.table.requests import _ACTS, _TURNS, TakeDeckStep, Wanted
from support.table.bench import NATURAL, Bench, code, why

UNIT = {"device": "shoe", "identity": "usb 0403:6001:B7", "asset": "SHOE-2", "reason": "jammed"}
SHOE: dict[str, Any] = {"deck_set": "red", "verified_by": "pia", "cut": True}


@pytest.fixture
def bench() -> Bench:
    return Bench().deal("9H", "2C")


def test_every_request_has_a_row_of_approvals() -> None:
    assert {*_ACTS, TakeDeckStep} == set(get_args(Wanted)), "a step of decks has a row a stage"
    assert set(_TURNS) == set(get_args(Wanted))


# --- another unit -------------------------------------------------------------------------------


def test_another_shoe_takes_two_people_and_the_cards_are_counted(bench: Bench) -> None:
    bench.say("swap_device", "pia", **UNIT)
    assert bench.table.devices.enrolled == {}
    assert code(bench.refused("approve", "pia")) == "takes_two"
    bench.say("approve", "max")
    assert bench.table.devices.enrolled == {"shoe": "usb 0403:6001:B7"}
    assert bench.state == "halted"
    bench.say("count", cards=2)
    assert bench.state == "dealing"
    assert bench.table.request is None


def test_a_unit_that_the_second_person_refuses_leaves_the_old_one(bench: Bench) -> None:
    bench.say("swap_device", "pia", **UNIT)
    assert code(bench.refused("refuse", "dan")) == "takes_role"
    bench.say("refuse", "max")
    assert (bench.table.devices.enrolled, bench.table.request) == ({}, None)


def test_another_shuffler_needs_no_count(bench: Bench) -> None:
    bench.say("swap_device", "pia", **{**UNIT, "device": "shuffler"})
    bench.say("approve", "max")
    assert bench.state == "dealing"
    wants = sentence(Code.DEVICE_IS_NOW, device="shuffler", unit="SHOE-2")
    assert bench.table.notices[-1] == wants


def test_another_shoe_with_no_cards_in_use_needs_no_count_either() -> None:
    bench = Bench()
    bench.say("open_table", "pia")
    bench.say("swap_device", "pia", **UNIT)
    bench.say("approve", "max")
    assert bench.table.count_check is None


@pytest.mark.parametrize("missing", UNIT)
def test_a_unit_without_a_fact_is_refused_by_its_name(bench: Bench, missing: str) -> None:
    given = {key: value for key, value in UNIT.items() if key != missing}
    wants = sentence(Code.FIELD_NEEDED, word="swap_device", field=missing)
    assert why(bench.refused("swap_device", "pia", **given)) == wants


def test_there_is_no_third_kind_of_device(bench: Bench) -> None:
    refused = bench.refused("swap_device", "pia", **{**UNIT, "device": "lamp"})
    wants = sentence(Code.FIELD_NOT_AS_IT_MUST_BE, word="swap_device", field="device")
    assert why(refused) == wants


def test_a_dealer_does_not_ask_for_another_unit(bench: Bench) -> None:
    assert code(bench.refused("swap_device", **UNIT)) == "takes_role"


# --- one at a time ------------------------------------------------------------------------------


def test_a_request_of_the_same_turn_is_made_when_the_other_is_answered(bench: Bench) -> None:
    bench.say("correct", n=2, card="3C", reason="a three")
    wants = sentence(Code.SECOND_PERSON_FIRST, request="correct")
    assert why(bench.refused("correct", "pia", n=1, card="8H", reason="an eight")) == wants


def test_a_request_of_an_earlier_turn_is_answered_first(bench: Bench) -> None:
    bench.say("correct", n=2, card="3C", reason="a three")
    bench.say("swap_device", "pia", **UNIT)
    assert [each.kind for each in bench.table.requests] == ["swap_device", "correct"]
    bench.say("approve", "max")
    assert [each.kind for each in bench.table.requests] == ["correct"]
    bench.say("count", cards=2)
    bench.say("approve", "max")
    assert bench.hand("banker") == ["3C"]


def test_with_nothing_asked_there_is_nothing_to_approve(bench: Bench) -> None:
    for verb in ("approve", "refuse"):
        assert code(bench.refused(verb, "max")) == "nothing_asked"


def test_a_correction_waits_for_the_count_and_a_unit_does_not(bench: Bench) -> None:
    bench.say("correct", n=1, card="8H", reason="an eight")
    bench.device("events_lost")
    assert code(bench.refused("approve", "pia")) == "count_first"
    bench = Bench().deal("9H")
    bench.say("swap_device", "pia", **UNIT)
    bench.device("events_lost")
    bench.say("approve", "max")


def test_a_shoe_is_not_replaced_while_something_is_open() -> None:
    bench = Bench().deal(*NATURAL)
    bench.settle()
    bench.say("load_shoe", **SHOE)
    bench.say("report", what="uncovered")
    assert code(bench.refused("approve", "pia")) == "waits_for_something_else"
