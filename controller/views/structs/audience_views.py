"""The view of each audience. Whoever sees more has all that the others have."""

import json
from collections.abc import Sequence
from typing import Annotated, Final

import msgspec
from msgspec import Meta
from msgspec.structs import astuple

from controller.engine.hold_list import HALTED, SUSPENDED
from controller.game.hands import Outcome, Side
from controller.table.cards import Moved
from controller.table.holds import HoldReason
from controller.table.phases import Phase
from controller.table.state import LastWager, Paid, PlacedWager
from controller.views.questions import AskView, OfferView
from controller.views.sentence_views import PromptView, SentenceView, ShownHold
from controller.views.structs.cards import CardView, HandsView
from controller.views.structs.parts import (
    ByHandView,
    CaseView,
    CountdownView,
    DeckSetView,
    DifferenceView,
    LeftAtShoeView,
    LimitsView,
    MovedChipsView,
    RequestView,
    RulingView,
    SealedView,
    ShoeView,
    TagsView,
    TotalsView,
    TurnView,
    WithdrawableView,
)
from controller.views.structs.setup import TableAbout

STATES: Final = (*(phase.value for phase in Phase), HALTED, SUSPENDED)
State = Annotated[
    str,
    Meta(
        extra={"typescript": " | ".join(json.dumps(state) for state in STATES)},
        extra_json_schema={"enum": list(STATES)},
    ),
]
"""The phase, or that the table is held in it."""


class PublicView(msgspec.Struct, frozen=True):
    """What everybody may see: cards once they lie open, the last result, the limits."""

    state: State
    phase: Phase
    """The phase underneath, while the table is held too."""
    round: int
    ref: str | None
    """What the round is called elsewhere."""
    shoe: int
    method: str
    hands: HandsView
    totals: TotalsView
    tags: TagsView
    countdown: CountdownView | None
    """Null where the house has set no time, and while the table is held."""
    void: str | None
    """The clause by which the round is void."""
    corrected: bool
    """A card was corrected."""
    over: bool
    results: tuple[str, ...]
    """The road of the shoe: B, P or T, then b, p or bp for pairs."""
    manual: bool
    """Cards are entered by hand: this must be shown."""
    limits: LimitsView


class StaffView(PublicView, frozen=True):
    """What the dealer and the pit see."""

    can: Sequence[str]
    """The commands that people may give as the table stands."""
    cards: list[CardView]
    """Every card of the round in drawn order."""
    passing: dict[Side, TurnView]
    """Each hand that somebody may handle."""
    case: CaseView | None
    withdrawable: dict[str, WithdrawableView]
    """By player."""
    payouts: tuple[Paid, ...]
    """What every wager will get, once the outcome is announced."""
    outcome: Outcome | None
    """Who has won the round, once every card lies open; null before, and of a void round."""
    shoe_in_use: ShoeView | None
    shoe_due: bool
    """Another shoe is due."""
    verified: bool
    """The shuffler has verified cards that are not loaded yet."""
    deck_sets: list[DeckSetView]
    """Every deck set that is still there."""
    rest_passed: int | None
    """How many cards of a shoe that is over have passed through it to be counted."""
    latches: list[HoldReason]
    """What devices, the machine and the pit hold the table by."""
    left_at_shoe: LeftAtShoeView | None
    by_hand: ByHandView | None
    """Manual mode: no device reads the cards. Null: the shoe does."""
    ended_at: float | None
    """When the last round ended."""
    prompt: PromptView
    asks: list[AskView]
    offers: list[OfferView]
    wagers: tuple[PlacedWager, ...]
    settlements: tuple[Paid, ...]
    last_wagers: tuple[LastWager, ...]
    """What staff placed in the round before; empty unless wagers are taken."""
    drawer: str | None
    """The player who has the device."""
    dealer: str | None
    """Who opened the betting of the round."""
    handlers: dict[Side, str]
    """Who handles a hand; the dealer where nobody else does."""
    notes: list[SentenceView]
    """What the table points out, the latest last."""
    held: list[ShownHold]
    """Everything that holds the table, what has to end first in front."""
    stopped_by: str | None
    """The same in a sentence."""
    queue: list[str]
    """Irregularities that wait."""
    rulings: list[RulingView]
    request: RequestView | None
    differences: list[DifferenceView]
    """What a corrected settlement changes."""
    chips: list[MovedChipsView]
    """Which chips change hands because a settled round was corrected, or made void."""
    close_after: bool
    """The table closes after this round."""
    moved: tuple[Moved, ...]
    """Cards that reconstruction laid somewhere else."""


class SurveillanceView(StaffView, frozen=True):
    """What the pit sees, and the commitments of the cards that lie sealed."""

    sealed: list[SealedView]


class PublicPageView(PublicView, frozen=True):
    """The public's view as a page gets it."""

    demo: bool
    mode: str
    table: str | None


class StaffPageView(StaffView, frozen=True):
    """The dealer's and the pit's view as a page gets it."""

    demo: bool
    mode: str
    table: str | None


class SurveillancePageView(SurveillanceView, frozen=True):
    """The view of surveillance as a page gets it."""

    demo: bool
    mode: str
    table: str | None


PageView = PublicPageView | StaffPageView | SurveillancePageView

_PAGE_VIEWS: Final[dict[type, type[PageView]]] = {
    PublicView: PublicPageView,
    StaffView: StaffPageView,
    SurveillanceView: SurveillancePageView,
}


def page_view(view: PublicView, about: TableAbout) -> PageView:
    """A view as everybody outside gets it."""
    return _PAGE_VIEWS[type(view)](*astuple(view), *astuple(about))


class AudienceViews(msgspec.Struct, frozen=True):
    """The view of each audience after one step."""

    dealer: StaffView
    pit: StaffView
    public: PublicView
    surveillance: SurveillanceView

    def of(self, audience: str) -> PublicView:
        found: PublicView = getattr(self, audience)
        return found
