"""What one person asks for: each told by its name outside, and read back as what it was."""

from typing import get_args

import msgspec
import pytest

from controller.cases.requests import act_of
from controller.table import approvals
from controller.table.requests import (
    ApprovalRequest,
    ConfirmCount,
    CorrectCard,
    EnterFirstCard,
    ReplaceShoe,
    ReplaceUnit,
    Wanted,
)

EACH = {
    "correct": CorrectCard(1, "9H", None),
    "load_shoe": ReplaceShoe("red", 8, "pia"),
    "first_card": EnterFirstCard("9H"),
    "count": ConfirmCount(4, 1),
    "swap_device": ReplaceUnit("shoe", "usb", "S2"),
}


def test_they_are_all_here() -> None:
    assert {type(what) for what in EACH.values()} == set(get_args(Wanted))


@pytest.mark.parametrize("kind", EACH)
def test_a_request_is_known_by_its_kind_and_takes_two_people(kind: str) -> None:
    request = ApprovalRequest(EACH[kind], "dan", "why not")
    assert request.kind == kind
    assert approvals.of(act_of(request)).second
    assert msgspec.json.decode(msgspec.json.encode(request), type=ApprovalRequest) == request
