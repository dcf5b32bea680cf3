"""Parts of the views, as structs: cases, shoes, limits and other parts that pages show."""

from typing import Literal

import msgspec

from controller.game.hands import Side
from controller.game.roles import Role
from controller.messages.sentence import Param
from controller.table.case import Decision, Ruled, TakenOff
from controller.table.decks import DeckStage, DeckStep
from controller.table.requests import Wanted
from controller.views.structs.cards import EnteredView


class TotalsView(msgspec.Struct, frozen=True):
    """The total of each hand, once all of its cards are exposed."""

    player: int | None
    banker: int | None


Tag = Literal["natural", "pair"]


class TagsView(msgspec.Struct, frozen=True):
    """The tags of each hand whose first two cards are exposed."""

    player: list[Tag]
    banker: list[Tag]


class CountdownView(msgspec.Struct, frozen=True):
    """The start of a clock, and its length in seconds."""

    what: Literal["betting", "option"]
    since: float
    seconds: float


class WagerLimitsView(msgspec.Struct, frozen=True):
    """Limits of one kind of wager."""

    min: int | None
    max: int | None


class LimitsView(msgspec.Struct, frozen=True):
    """The limits of the current round, otherwise those of the next; null means no limit."""

    min: int | None
    max: int | None
    differential: int | None
    per_area: int | None
    """The maximum number of wagers in one area."""
    wagers: dict[str, WagerLimitsView]


class TurnView(msgspec.Struct, frozen=True):
    """The person who takes a hand next, and the clause."""

    to: str | None
    clause: str | None
    named_by_supervisor: bool
    asked_by: str | None
    """The player who has requested the squeeze and waits for permission."""
    may_take: bool
    may_leave: bool


class WithdrawableView(msgspec.Struct, frozen=True):
    """The wagers that a player with an open option may withdraw."""

    wagers: list[str]
    each: bool
    """They may be withdrawn one by one."""


class ReportedView(msgspec.Struct, frozen=True):
    """What a person reported of a case: cards by number and never by face."""

    cards: tuple[int, ...]
    order: tuple[int, ...]
    lies: dict[Side, tuple[int, ...]] | None
    """The actual places of the cards; null until a person reports them."""
    wagers: tuple[TakenOff, ...]
    round: int | None
    text: str
    """A description, if no rule names the event."""


class DecisionView(msgspec.Struct, frozen=True):
    """A decision that waits for a second person."""

    outcome: Decision
    remove: tuple[TakenOff, ...]
    order: tuple[int, ...]


class CaseView(msgspec.Struct, frozen=True):
    """The open irregularity: the answers so far, and what it waits for."""

    id: str
    reported_by: str
    asker: str | None
    facts: dict[str, bool]
    clause: str | None
    role: Role | None
    waits_for: str | None
    approves: str | None
    """What a second person approves: a void, an entered card, a moved card, ..."""
    concerns: list[int]
    """The cards that an open question or approval concerns."""
    card: int | None
    entered: EnteredView | None
    kept: int
    answers: dict[str, str]
    """The choices of the players."""
    text: str
    """The reason that the decider gave."""
    disputed: str | None
    """The clause of a void that the second person refused; empty without a clause."""
    about: ReportedView
    decision: DecisionView | None


class RulingView(Ruled, frozen=True, kw_only=True):
    """A ruling. `text` is the decider's own text; texts of the table itself have a code."""

    code: str | None
    gaps: dict[str, Param] | None


class RequestView(msgspec.Struct, frozen=True):
    """A request that another person has to approve."""

    what: str
    by: str
    given: Wanted
    reason: str
    """The reason that the requester gave."""
    code: str
    gaps: dict[str, Param]
    text: str
    """The question to the second person."""


class DifferenceView(msgspec.Struct, frozen=True):
    """The difference between the corrected and the first settlement of a wager."""

    id: str
    player: str
    difference: int


class MovedChipsView(msgspec.Struct, frozen=True):
    """Chips to move since the first settlement: from whom, to whom, how much."""

    id: str
    player: str
    source: str = msgspec.field(name="from")
    """A player, or the house."""
    to: str
    amount: int
    clause: str | None


class SealedView(msgspec.Struct, frozen=True):
    """A sealed card: its number and its commitment."""

    n: int
    commitment: str | None


class ShoeView(msgspec.Struct, frozen=True):
    """The shoe for staff."""

    number: int
    deck_set: str
    decks: int
    verified_by: str
    burn_left: int | None
    gone: int
    """The dealt part of the shoe in tenths, rounded down."""
    cut_card_out: bool
    rounds_after_cut: int


class DeckCountView(msgspec.Struct, frozen=True):
    """The result of the last count of all cards of a set."""

    shoe: int
    at: float
    by: str
    cards: int | None
    full: int
    missing: tuple[str, ...]
    among: tuple[str, ...]
    """If some cards were never seen: the missing cards are among these."""
    extra: tuple[str, ...]
    foreign: int
    approved_by: str | None
    short: int
    """The number of missing cards; negative if there are too many."""
    whole: bool


class DeckSetView(msgspec.Struct, frozen=True):
    """A set of decks that is kept, shuffled and played together."""

    name: str
    decks: int
    stage: DeckStage
    shoes: int
    step: DeckStep | None
    """The last step of the set's life."""
    to_be_counted: bool
    count: DeckCountView | None


class ByHandView(msgspec.Struct, frozen=True):
    """Manual mode: no device reads the cards, people enter them."""

    since: float
    only: bool
    """The table has no shoe that reads cards."""
    by: str
    approver: str
    reason: str


class LeftAtShoeView(msgspec.Struct, frozen=True):
    """The remaining steps of the last round at a shoe that plays rounds by itself."""

    round: int
    since: float
    by_hand: bool
    """Cards were never seen: the dealer confirms the end by hand, because the shoe's own message
    would reveal them."""
    ended_by: str | None
    aside_by: str | None
    reason: str
    to_be_ended: bool
