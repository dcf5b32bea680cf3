"""What a case waits for: one struct each, told by its name outside."""

from typing import get_args

import msgspec

from controller.game.irregularities import RulingStep
from controller.table.case import (
    Awaits,
    AwaitsApproval,
    AwaitsCard,
    AwaitsOption,
    Case,
    Offer,
    awaited_name,
)

OFFER = Offer(RulingStep.OFFER_EACH, "5.8.1", ("ann",), 1.0, returns="5.8.1", plays_on="5.8.1")


def test_every_kind_of_waiting_has_a_name_of_its_own() -> None:
    names = [str(kind.__struct_config__.tag) for kind in get_args(Awaits)]
    assert len(set(names)) == len(names) == 10
    assert awaited_name(AwaitsApproval("void")) == "approve"
    assert awaited_name(AwaitsCard(3)) == "enter"


def test_an_offer_is_open_only_while_it_is_waited_for() -> None:
    case = Case("simultaneous", "dan")
    assert case.offer is None
    assert msgspec.structs.replace(case, awaits=AwaitsOption(OFFER)).offer is OFFER
    assert msgspec.structs.replace(case, awaits=AwaitsCard()).offer is None


def test_what_is_waited_for_comes_back_from_json_as_the_struct_it_was() -> None:
    case = Case("simultaneous", "dan", awaits=AwaitsOption(OFFER))
    again = msgspec.json.decode(msgspec.json.encode(case), type=Case)
    assert again == case
    assert isinstance(again.awaits, AwaitsOption)
