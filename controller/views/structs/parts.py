"""Parts of the views, as structs: cases, shoes, limits and what else pages show of a table."""

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
    """What each hand comes to, once all of it lies open."""

    player: int | None
    banker: int | None


Tag = Literal["natural", "pair"]


class TagsView(msgspec.Struct, frozen=True):
    """What is worth a word of each hand whose first two cards lie open."""

    player: list[Tag]
    banker: list[Tag]


class CountdownView(msgspec.Struct, frozen=True):
    """Since when something is open, and for how many seconds."""

    what: Literal["betting", "option"]
    since: float
    seconds: float


class WagerLimitsView(msgspec.Struct, frozen=True):
    """Limits of one kind of wager."""

    min: int | None
    max: int | None


class LimitsView(msgspec.Struct, frozen=True):
    """Of the round that is played, else those of the next; null is no limit."""

    min: int | None
    max: int | None
    differential: int | None
    per_area: int | None
    """So many wagers one area takes."""
    wagers: dict[str, WagerLimitsView]


class TurnView(msgspec.Struct, frozen=True):
    """Who takes a hand next, and by which clause."""

    to: str | None
    clause: str | None
    named_by_supervisor: bool
    asked_by: str | None
    """Who has asked to squeeze it and waits for permission."""
    may_take: bool
    may_leave: bool


class WithdrawableView(msgspec.Struct, frozen=True):
    """The wagers of a player with an open option that may come off."""

    wagers: list[str]
    each: bool
    """They may come off one by one."""


class ReportedView(msgspec.Struct, frozen=True):
    """What a person said of a case: cards by number and never by face."""

    cards: tuple[int, ...]
    order: tuple[int, ...]
    lies: dict[Side, tuple[int, ...]] | None
    """Where cards lie in fact; null: nobody has said it."""
    wagers: tuple[TakenOff, ...]
    round: int | None
    text: str
    """What happened, where no rule has a name for it."""


class DecisionView(msgspec.Struct, frozen=True):
    """What was decided and waits for a second person."""

    outcome: Decision
    remove: tuple[TakenOff, ...]
    order: tuple[int, ...]


class CaseView(msgspec.Struct, frozen=True):
    """The irregularity that is open: what was said so far, and what it waits for."""

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
    """The cards that an open question, or an approval, is about."""
    card: int | None
    entered: EnteredView | None
    kept: int
    answers: dict[str, str]
    """What players have chosen."""
    text: str
    """Why, in the words of whoever decided."""
    disputed: str | None
    """The clause of a void that the second person has refused; empty: no document's."""
    about: ReportedView
    decision: DecisionView | None


class RulingView(Ruled, frozen=True, kw_only=True):
    """What was ruled. `text` is what the person said who decided; what the table itself has to say
    of it has a code."""

    code: str | None
    gaps: dict[str, Param] | None


class RequestView(msgspec.Struct, frozen=True):
    """Something one person asked for and another has to approve."""

    what: str
    by: str
    given: Wanted
    reason: str
    """Why, in the words of whoever asked."""
    code: str
    gaps: dict[str, Param]
    text: str
    """What the second person is asked."""


class DifferenceView(msgspec.Struct, frozen=True):
    """By how much a corrected settlement gives a wager more or less than the first one did."""

    id: str
    player: str
    difference: int


class MovedChipsView(msgspec.Struct, frozen=True):
    """Chips to be moved since the round was settled first: from whom, to whom, how much."""

    id: str
    player: str
    source: str = msgspec.field(name="from")
    """A player, or the house."""
    to: str
    amount: int
    clause: str | None


class SealedView(msgspec.Struct, frozen=True):
    """A card that lies sealed, by its number and its commitment."""

    n: int
    commitment: str | None


class ShoeView(msgspec.Struct, frozen=True):
    """The shoe as staff know it."""

    number: int
    deck_set: str
    decks: int
    verified_by: str
    burn_left: int | None
    gone: int
    """Tenths of the shoe that have been dealt, rounded down."""
    cut_card_out: bool
    rounds_after_cut: int


class DeckCountView(msgspec.Struct, frozen=True):
    """What the last count of all cards of a set found."""

    shoe: int
    at: float
    by: str
    cards: int | None
    full: int
    missing: tuple[str, ...]
    among: tuple[str, ...]
    """Where some cards were never seen: those missing are among these."""
    extra: tuple[str, ...]
    foreign: int
    approved_by: str | None
    short: int
    """So many are missing; below nothing: so many too many."""
    whole: bool


class DeckSetView(msgspec.Struct, frozen=True):
    """A set of decks that is kept, shuffled and played together."""

    name: str
    decks: int
    stage: DeckStage
    shoes: int
    step: DeckStep | None
    """The last step of its life."""
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
    """What the last round has left to be done at a shoe that plays rounds by itself."""

    round: int
    since: float
    by_hand: bool
    """Cards were never seen: the dealer says that it is done, because the shoe's own message would
    reveal them."""
    ended_by: str | None
    aside_by: str | None
    reason: str
    to_be_ended: bool
