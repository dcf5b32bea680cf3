"""The view of each audience. Each wider view extends the narrower one."""

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
"""The phase; while the table is held, `halted` or `suspended`."""


class PublicView(msgspec.Struct, frozen=True):
    """The public view: exposed cards, the last result, the limits."""

    state: State
    phase: Phase
    """The present phase, also while the table is held."""
    round: int
    ref: str | None
    """The round's external reference."""
    shoe: int
    method: str
    hands: HandsView
    totals: TotalsView
    tags: TagsView
    countdown: CountdownView | None
    """Null if the house has set no time, and while the table is held."""
    void: str | None
    """The clause by which the round is void."""
    corrected: bool
    """A card was corrected."""
    over: bool
    results: tuple[str, ...]
    """The road of the shoe: B, P or T, then b, p or bp for pairs."""
    manual: bool
    """Cards are entered by hand; the display must show this."""
    limits: LimitsView


class StaffView(PublicView, frozen=True):
    """The view of the dealer and the pit."""

    can: Sequence[str]
    """The commands that people may send in the present state."""
    cards: list[CardView]
    """Every card of the round in drawn order."""
    passing: dict[Side, TurnView]
    """Each hand that can be handled."""
    case: CaseView | None
    withdrawable: dict[str, WithdrawableView]
    """By player."""
    payouts: tuple[Paid, ...]
    """The payout of every wager, once the outcome is announced."""
    outcome: Outcome | None
    """The outcome, once every card is exposed; null before, and for a void round."""
    shoe_in_use: ShoeView | None
    shoe_due: bool
    """Another shoe is due."""
    verified: bool
    """The shuffler has verified cards that are not yet loaded."""
    deck_sets: list[DeckSetView]
    """Every deck set on hand."""
    rest_passed: int | None
    """How many cards of a finished shoe have passed through it for the count."""
    latches: list[HoldReason]
    """The holds set by devices, the machine and the pit."""
    left_at_shoe: LeftAtShoeView | None
    by_hand: ByHandView | None
    """Manual mode: no device reads the cards. Null while the shoe reads them."""
    ended_at: float | None
    """When the last round ended."""
    prompt: PromptView
    asks: list[AskView]
    offers: list[OfferView]
    wagers: tuple[PlacedWager, ...]
    settlements: tuple[Paid, ...]
    last_wagers: tuple[LastWager, ...]
    """The wagers that staff placed in the previous round; empty unless wagers are taken."""
    drawer: str | None
    """The player who draws the cards (Method C)."""
    dealer: str | None
    """The dealer who opened the betting of the round."""
    handlers: dict[Side, str]
    """The person who handles each hand; the dealer by default."""
    notes: list[SentenceView]
    """Notices of the table, the latest last."""
    held: list[ShownHold]
    """Everything that holds the table; the hold to end first comes first."""
    stopped_by: str | None
    """The same as one sentence."""
    queue: list[str]
    """Irregularities that are queued."""
    rulings: list[RulingView]
    request: RequestView | None
    differences: list[DifferenceView]
    """The changes by a corrected settlement."""
    chips: list[MovedChipsView]
    """The chips to move because a settled round was corrected or made void."""
    close_after: bool
    """The table closes after this round."""
    moved: tuple[Moved, ...]
    """Cards that reconstruction moved."""


class SurveillanceView(StaffView, frozen=True):
    """The pit's view with the commitments of the sealed cards."""

    sealed: list[SealedView]


class PublicPageView(PublicView, frozen=True):
    """The public view as a page receives it."""

    demo: bool
    mode: str
    table: str | None


class StaffPageView(StaffView, frozen=True):
    """The view of the dealer and the pit as a page receives it."""

    demo: bool
    mode: str
    table: str | None


class SurveillancePageView(SurveillanceView, frozen=True):
    """The surveillance view as a page receives it."""

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
    """Convert a view to the form that pages receive."""
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
