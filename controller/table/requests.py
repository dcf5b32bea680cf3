"""What one person asks for and another has to approve."""

from typing import Literal, TypeAlias

import msgspec

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
    """Cards come to the table on one person's word, who gives it themselves."""

    deck_set: str
    decks: int
    verified_by: str
    """Who is asked: nobody approves in their place."""


class EnterFirstCard(msgspec.Struct, frozen=True, tag="first_card"):
    """The card that says how many are burned was not read by the device."""

    card: Card


class ConfirmCount(msgspec.Struct, frozen=True, tag="count"):
    """More or fewer cards lie there than were read."""

    cards: int
    difference: int
    """A card that comes before the second person speaks has it counted again."""


class ReplaceUnit(msgspec.Struct, frozen=True, tag="swap_device"):
    """Another unit takes a device's place."""

    device: Literal["shoe", "shuffler"]
    identity: str
    asset: str


class CloseOverDifferential(msgspec.Struct, frozen=True, tag="close_betting"):
    """Bets close although Player and Banker lie further apart than the limit."""

    clause: str
    excess: tuple[int, ...]
    """By how much, in each box where they do, when it was asked."""


class GoOn(msgspec.Struct, frozen=True, tag="resume"):
    """Play goes on although a device disagrees, or has not said that its error is over: over these
    holds and no others."""

    over: tuple[tuple[str, float], ...]
    """What held the table when it was asked, each by its kind and since when."""


class ClearJournalLoss(msgspec.Struct, frozen=True, tag="journal_loss"):
    """Records are missing, and somebody who has looked says that play goes on."""


class TakeDeckStep(msgspec.Struct, frozen=True, tag="deck_set"):
    """A deck set is inspected, or destroyed."""

    deck_set: str
    stage: DeckStage
    decks: int


class ConfirmDeckCount(msgspec.Struct, frozen=True, tag="reconcile"):
    """What somebody counted of a deck set after a shoe."""

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
    """The outcome of cards that one person entered: somebody else looks at them first."""

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
    """Something that takes two people: what was asked, by whom, and their reason in words."""

    subject: Wanted
    by: str
    reason: str = ""

    @property
    def kind(self) -> str:
        """The name by which records, views and pages know it."""
        return str(self.subject.__struct_config__.tag)
