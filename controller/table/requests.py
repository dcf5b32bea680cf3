"""What one person asks for and another has to approve."""

from collections.abc import Mapping
from enum import IntEnum
from typing import Final, Literal, TypeAlias

import msgspec

from controller.table import approvals
from controller.table.approvals import Act
from controller.table.decks import DeckStage
from drivers.cards import Card


class CorrectCard(msgspec.Struct, frozen=True, tag="correct"):
    """A misread card is put right."""

    n: int
    card: Card
    before: Card | None


class ReplaceShoe(msgspec.Struct, frozen=True, tag="load_shoe"):
    """Cards that could still be played are replaced."""

    deck_set: str
    decks: int
    verified_by: str


class VouchForShoe(msgspec.Struct, frozen=True, tag="vouch_for_shoe"):
    """Cards come to the table on the word of one person, who confirms it in person."""

    deck_set: str
    decks: int
    verified_by: str
    """Who is asked: no other person approves in their place."""


class EnterFirstCard(msgspec.Struct, frozen=True, tag="first_card"):
    """The card that sets how many are burned was not read by the device."""

    card: Card


class ConfirmCount(msgspec.Struct, frozen=True, tag="count"):
    """More or fewer cards are on the layout than were read."""

    cards: int
    difference: int
    """A card that comes before the second person speaks has it counted again."""


class ReplaceUnit(msgspec.Struct, frozen=True, tag="swap_device"):
    """Another unit takes a device's place."""

    device: Literal["shoe", "shuffler"]
    identity: str
    asset: str


class CloseOverDifferential(msgspec.Struct, frozen=True, tag="close_betting"):
    """Bets close although the difference between Player and Banker exceeds the limit."""

    clause: str
    excess: tuple[int, ...]
    """The excess in each such box, when it was requested."""


class GoOn(msgspec.Struct, frozen=True, tag="resume"):
    """Play goes on although a device disagrees, or has not reported that its error is over: over
    these holds and no others."""

    over: tuple[tuple[str, float], ...]
    """The holds at the time of the request, each by its kind and since when."""


class ClearJournalLoss(msgspec.Struct, frozen=True, tag="journal_loss"):
    """Records are missing, and a person who has looked confirms that play goes on."""


class TakeDeckStep(msgspec.Struct, frozen=True, tag="deck_set"):
    """A deck set is inspected, or destroyed."""

    deck_set: str
    stage: DeckStage
    decks: int


class ConfirmDeckCount(msgspec.Struct, frozen=True, tag="reconcile"):
    """A person's count of a deck set after a shoe."""

    deck_set: str
    shoe: int
    left: dict[str, int] | None = None
    """How many of each card are left; None: only their number was counted."""
    cards: int | None = None
    unseen: dict[str, int] = {}
    """Cards that had come out unseen, looked at now."""


class DealByHand(msgspec.Struct, frozen=True, tag="deal_by_hand"):
    """The shoe is out of use: people enter the cards."""


class UseShoe(msgspec.Struct, frozen=True, tag="use_shoe"):
    """The shoe reads the cards again."""


class ConfirmCards(msgspec.Struct, frozen=True, tag="announce"):
    """The outcome of cards that one person entered: another person looks at them first."""

    cards: tuple[tuple[int, Card | None], ...]
    """Their numbers and faces, as they were when it was asked."""


NewShoe: TypeAlias = ReplaceShoe | VouchForShoe

Wanted: TypeAlias = (
    CorrectCard
    | ReplaceShoe
    | VouchForShoe
    | EnterFirstCard
    | ConfirmCount
    | ReplaceUnit
    | ClearJournalLoss
    | GoOn
    | CloseOverDifferential
    | TakeDeckStep
    | ConfirmDeckCount
    | DealByHand
    | UseShoe
    | ConfirmCards
)


class ApprovalRequest(msgspec.Struct, frozen=True):
    """A request that takes two people: its subject, by whom, and their reason."""

    subject: Wanted
    by: str
    reason: str = ""

    @property
    def kind(self) -> str:
        """The name for it in records, views and pages."""
        return str(self.subject.__struct_config__.tag)


class Turn(IntEnum):
    """The place of a request in the order of the agenda. There is at most one request of each
    turn."""

    BEFORE_THE_COUNT = 0
    """While cards may be missing it comes before the count, and otherwise before holds."""
    BEFORE_HOLDS = 1
    """It may be made while something holds the table."""
    AFTER_HOLDS = 2
    """Like the command that asks for it, it is not allowed while anything holds the table."""


_TURNS: Final[Mapping[type[Wanted], Turn]] = {
    ConfirmCount: Turn.BEFORE_THE_COUNT,
    EnterFirstCard: Turn.BEFORE_THE_COUNT,
    ReplaceUnit: Turn.BEFORE_THE_COUNT,
    DealByHand: Turn.BEFORE_THE_COUNT,
    CorrectCard: Turn.BEFORE_HOLDS,
    GoOn: Turn.BEFORE_HOLDS,
    ClearJournalLoss: Turn.BEFORE_HOLDS,
    UseShoe: Turn.BEFORE_HOLDS,
    CloseOverDifferential: Turn.AFTER_HOLDS,
    ConfirmCards: Turn.AFTER_HOLDS,
    ReplaceShoe: Turn.AFTER_HOLDS,
    VouchForShoe: Turn.AFTER_HOLDS,
    TakeDeckStep: Turn.AFTER_HOLDS,
    ConfirmDeckCount: Turn.AFTER_HOLDS,
}


def turn_of(request: ApprovalRequest) -> Turn:
    return _TURNS[type(request.subject)]


_ACTS: Final[Mapping[type[Wanted], Act]] = {
    CorrectCard: Act.CORRECT_CARD,
    ReplaceShoe: Act.REPLACE_SHOE,
    VouchForShoe: Act.VOUCH_FOR_SHOE,
    EnterFirstCard: Act.ENTER_FIRST_CARD,
    ConfirmCount: Act.CONFIRM_COUNT,
    ReplaceUnit: Act.SWAP_DEVICE,
    GoOn: Act.GO_ON_OVER_A_DEVICE,
    ClearJournalLoss: Act.CLEAR_JOURNAL_LOSS,
    CloseOverDifferential: Act.CLOSE_OVER_DIFFERENTIAL,
    ConfirmDeckCount: Act.CONFIRM_DECK_COUNT,
    DealByHand: Act.DEAL_BY_HAND,
    UseShoe: Act.DEAL_BY_HAND,
    ConfirmCards: Act.CONFIRM_CARDS,
}
_ACTS_OF_DECKS: Final[Mapping[DeckStage, Act]] = {
    DeckStage.RECEIVED: Act.KEEP_DECKS,
    DeckStage.INSPECTED: Act.INSPECT_DECKS,
    DeckStage.RETIRED: Act.KEEP_DECKS,
    DeckStage.DESTROYED: Act.DESTROY_DECKS,
}


def act_of(request: ApprovalRequest) -> Act:
    """The row of the approvals by which it is approved."""
    what = request.subject
    return act_of_stage(what.stage) if isinstance(what, TakeDeckStep) else _ACTS[type(what)]


def act_of_stage(stage: DeckStage) -> Act:
    """The row of the approvals by which a deck set comes to this stage."""
    return _ACTS_OF_DECKS[stage]


def clause_of(request: ApprovalRequest) -> str | None:
    """The clause by which it is asked for; None where no document speaks of it."""
    what = request.subject
    if isinstance(what, CloseOverDifferential):
        return what.clause
    return approvals.approval_row(act_of(request)).clause
