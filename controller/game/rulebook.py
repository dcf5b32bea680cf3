"""The shape of a rulebook: rows of data, each naming the clause it comes from.

`controller/rulebooks/` holds one file for each approved document, built from these. Where the
documents differ they differ in rows, never in an `if` on a book's name.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import Enum
from functools import cached_property
from typing import Final

from controller.game.errors import DecksNotAllowed, UnknownWager, nearest
from controller.game.irregularities import Irregularity, Uncovered
from controller.game.roles import Role
from controller.game.table_of_play import TableOfPlay
from controller.game.wagers import Judge, Wager


@dataclass(frozen=True)
class Decks:
    fewest: int
    most: int
    clause: str

    def check(self, decks: int) -> None:
        if not self.fewest <= decks <= self.most:
            raise DecksNotAllowed(
                f"{decks} decks are not allowed: clause {self.clause} asks for"
                f" {self.fewest} to {self.most}"
            )


@dataclass(frozen=True)
class Passing:
    """The clauses by which a hand is passed from one player to the next."""

    highest: str
    next_highest: str
    first_of_equals: str
    next_equal: str
    named: str
    """When none of them takes it, a pit supervisor names someone."""


@dataclass(frozen=True)
class Control:
    """The clauses about a player who has the device."""

    keeps: str
    in_view: str
    given_up: str
    lost: str


@dataclass(frozen=True)
class Method:
    """A way of dealing the book offers: who may choose it, and how cards lie."""

    id: str
    name: str
    clause: str
    chosen_by: Role = Role.PIT_MANAGER
    choice: str | None = None
    """The clause that says who chooses and when; None where there is no choice."""
    face_down: bool | None = None
    """None where the table's configuration says."""
    hlga_only: bool = False
    player_draws: bool = False
    handling: str | None = None
    """The clause that says who handles the cards; None where the method's own says it."""
    draws: str | None = None
    """The clause that says who draws and announces; None where the method's own says it."""
    dealer_keeps_device: str | None = None
    """The clause by which no player gets the device."""
    passing: Passing | None = None
    """None where hands are not passed on by wagers."""
    control: Control | None = None
    """None where no player gets the device."""
    first: str | None = None
    """The clause by which the dealer says which hand is revealed first."""
    laid: str | None = None
    """The clause that says where the first two hands are laid."""
    thirds_drawn: str | None = None
    thirds_exposed: str | None = None
    """The clauses for third cards; None where the table of play alone speaks of them."""
    without_wager: str | None = None
    """The clause by which whoever chooses the method lets a player draw who has no wager."""
    squeeze: str | None = None
    """The clause by which the seated player with the highest bet on a face-down table may ask for
    cards before they are dealt; None where the hands are passed to players or to nobody."""


@dataclass(frozen=True)
class Call:
    """Words the dealer says."""

    words: str
    """Which words of the document: an id; the catalogue has them."""
    clause: str


@dataclass(frozen=True)
class CuttingCard:
    """What happens when the cutting card appears; None where the book is silent (reading 6)."""

    clause: str | None = None
    withdraw: str | None = None
    """The clause by which, in the HLGA, wagers may be withdrawn when it is the first card."""


@dataclass(frozen=True)
class Layout:
    """A table layout; `positions` are the fewest and most, None where the document is silent."""

    name: str
    positions: tuple[int, int] | None
    clause: str


class Excess(Enum):
    """What the house does with a card drawn in excess that no hand needs."""

    NEXT_ROUND = "next_round"
    """It begins the next round."""
    NO_BET_HAND = "no_bet_hand"
    """It begins the next round, which is dealt without wagers."""
    BURN = "burn"


KEPT: Final = (Excess.NEXT_ROUND, Excess.NO_BET_HAND)
"""The card begins the next round."""


@dataclass(frozen=True)
class ExcessUses:
    """What a book lets a house choose about such a card (reading 24)."""

    allowed: tuple[Excess, ...]
    clause: str


class OutOfLimits(Enum):
    """What a book does with a wager outside the limits that was not put right in time."""

    UP_TO_THE_MAXIMUM = "paid or collected up to the maximum"
    ONCE_THEN_RETURNED = "paid or collected this once; the player's later ones are returned"
    AS_IT_LIES = "wins or loses as it lies"
    PRO_RATA = (
        "the heavier side counts for the fraction that meets the limit, never under the minimum"
    )
    NOT_PRO_RATA = "a box with a wager under the minimum is not scaled"


class BeforeClosing(Enum):
    """What a book does about the same while wagers are still open."""

    PUT_RIGHT = "the player is asked to bring the wager within the limits"
    RAISE_OR_WITHDRAW = "the player raises the wager or takes it back"
    REFUSED = "not taken"
    ASK_HEAVY_SIDE = "the heavier side is asked to reduce"
    LIGHT_SIDE_MAY_ADD = "the lighter side may add"
    PIT_MANAGER_REMOVES = "the pit manager says which wagers come off"
    REJECT_STANDING_FIRST = "the excess is rejected, seated players before standing ones"


@dataclass(frozen=True)
class LimitRule:
    """One thing a book does about a limit, before or after wagers are closed."""

    does: OutOfLimits | BeforeClosing
    clause: str


@dataclass(frozen=True)
class AreaLimit:
    """How many wagers one playing area takes."""

    most: int
    clause: str
    fewer: str | None = None
    """The clause by which the pit manager may allow fewer."""


class Scope(Enum):
    """Over what Player and Banker wagers are added up for the differential."""

    TABLE = "table"
    BOX = "box"


@dataclass(frozen=True)
class Differential:
    """How far apart the totals on Player and Banker may lie."""

    scope: Scope
    before_closing: tuple[LimitRule, ...]
    unnoticed: LimitRule | None = None
    under_minimum: LimitRule | None = None
    """What a wager under the minimum in the same box does to `unnoticed`."""


class LimitKind(Enum):
    """A limit a house sets."""

    MINIMUM = "minimum"
    MAXIMUM = "maximum"
    DIFFERENTIAL = "differential"


@dataclass(frozen=True)
class Displayed:
    """The limits a book wants to stand at the table for everybody to see."""

    limits: tuple[LimitKind, ...]
    clause: str


@dataclass(frozen=True)
class Limits:
    """What a book states of limits, while wagers are open and once they are closed.

    None where the book is silent.
    """

    displayed: Displayed | None = None

    per_area: AreaLimit | None = None
    under_minimum_open: LimitRule | None = None
    over_maximum_open: LimitRule | None = None
    under_minimum: LimitRule | None = None
    over_maximum: LimitRule | None = None
    differential: Differential | None = None


@dataclass(frozen=True, eq=False)
class Rulebook:
    """One approved document. Compared and hashed by identity, so it can key a cache."""

    id: str
    title: str
    version: str | None
    """None where the document bears no version."""
    in_force: date
    decks: Decks
    play: TableOfPlay
    wagers: tuple[Wager, ...]
    methods: tuple[Method, ...]
    layouts: tuple[Layout, ...]
    limits: Limits
    open_call: Call
    close_call: Call
    irregularities: tuple[Irregularity, ...]
    uncovered: Uncovered
    excess: ExcessUses
    cutting_card: CuttingCard = field(default_factory=CuttingCard)
    method_of_round: str | None = None
    """The clause by which a round is dealt by one of the methods; None where there is but one."""
    any_squeezer: str | None = None
    """The clause by which a pit manager may let anybody squeeze; None where the book has none."""
    void_returns: str | None = None
    """The clause that gives wagers back after a void; None where that is only understood."""

    @cached_property
    def wager_by_id(self) -> Mapping[str, Wager]:
        return {wager.id: wager for wager in self.wagers}

    def wager(self, wager_id: str) -> Wager:
        try:
            return self.wager_by_id[wager_id]
        except KeyError:
            raise UnknownWager(
                f"{self.id} has no wager {wager_id!r}; {nearest(wager_id, self.wager_by_id)}"
            ) from None

    @cached_property
    def most_positions(self) -> int:
        """The highest position any layout has; 0 where the document does not say."""
        return max((layout.positions or (0, 0))[1] for layout in self.layouts)

    @property
    def may_settle_pro_rata(self) -> str | None:
        """The clause by which a wager may count for a part that is no whole number of anything."""
        rule = self.limits.differential
        unnoticed = None if rule is None else rule.unnoticed
        pro_rata = unnoticed is not None and unnoticed.does is OutOfLimits.PRO_RATA
        return unnoticed.clause if unnoticed is not None and pro_rata else None

    @cached_property
    def irregularity_by_id(self) -> Mapping[str, Irregularity]:
        return {each.id: each for each in self.irregularities}

    @cached_property
    def judge(self) -> Judge:
        """What becomes of every wager of the book, worked out once and kept."""
        return Judge(self.wagers)
