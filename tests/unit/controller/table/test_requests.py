"""What one person asks for: each told by its name outside, and read back as what it was."""

from typing import get_args

import msgspec

from controller.table import approvals
from controller.table.decks import DeckStage
from controller.table.requests import (
    ApprovalRequest,
    ClearJournalLoss,
    CloseOverDifferential,
    ConfirmCards,
    ConfirmCount,
    ConfirmDeckCount,
    CorrectCard,
    DealByHand,
    EnterFirstCard,
    GoOn,
    ReplaceShoe,
    ReplaceUnit,
    TakeDeckStep,
    UseShoe,
    VouchForShoe,
    Wanted,
    act_of,
)
from drivers.cards import Card
from support.rows import each_row

EACH: dict[str, Wanted] = {
    "correct": CorrectCard(1, Card("9H"), None),
    "load_shoe": ReplaceShoe("red", 8, "shuffler"),
    "vouch_for_shoe": VouchForShoe("red", 8, "pia"),
    "journal_loss": ClearJournalLoss(),
    "first_card": EnterFirstCard(Card("9H")),
    "count": ConfirmCount(4, 1),
    "swap_device": ReplaceUnit("shoe", "usb", "S2"),
    "resume": GoOn((("device_disagrees", 1.0),)),
    "deal_by_hand": DealByHand(),
    "use_shoe": UseShoe(),
    "announce": ConfirmCards(((1, Card("9H")), (2, None))),
    "deck_set": TakeDeckStep("red", DeckStage.DESTROYED, 8),
    "reconcile": ConfirmDeckCount("red", 1, {"9H": 3}, unseen={"2S": 1}),
    "close_betting": CloseOverDifferential("5.1", (700,)),
}


def test_they_are_all_here() -> None:
    assert {type(what) for what in EACH.values()} == set(get_args(Wanted))


@each_row("kind", EACH)
def test_a_request_is_known_by_its_kind_and_takes_two_people(kind: str) -> None:
    request = ApprovalRequest(EACH[kind], "dan", "why not")
    assert request.kind == kind
    assert approvals.approval_row(act_of(request)).second
    assert msgspec.json.decode(msgspec.json.encode(request), type=ApprovalRequest) == request
