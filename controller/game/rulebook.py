"""The data types of a rulebook: rows, each naming its clause.

`controller/rulebooks/` contains one file for each approved document, built from these. Where the
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
    """If none of them takes it, a pit supervisor names a player."""


@dataclass(frozen=True)
class Control:
    """The clauses about a player who has the device."""

    keeps: str
    in_view: str
    given_up: str
    lost: str


@dataclass(frozen=True)
class Method:
    """A method of dealing in the book: who may choose it, and how cards are laid."""

    id: str
    name: str
    clause: str
    chosen_by: Role = Role.PIT_MANAGER
    choice: str | None = None
    """The clause on who chooses and when; None if there is no choice."""
    face_down: bool | None = None
    """None if the table's configuration decides."""
    hlga_only: bool = False
    player_draws: bool = False
    handling: str | None = None
    """The clause on who handles the cards; None if the method's own clause covers it."""
    draws: str | None = None
    """The clause on who draws and announces; None if the method's own clause covers it."""
    dealer_keeps_device: str | None = None
    """The clause by which no player gets the device."""
    passing: Passing | None = None
    """None if wagers do not decide the passing of hands."""
    control: Control | None = None
    """None if no player gets the device."""
    first: str | None = None
    """The clause by which the dealer decides which hand is revealed first."""
    laid: str | None = None
    """The clause on where the first two hands are laid."""
    thirds_drawn: str | None = None
    thirds_exposed: str | None = None
    """The clauses for third cards; None if only the table of play covers them."""
    without_wager: str | None = None
    """The clause by which a player without a wager may draw if the person who chooses the method
    permits."""
    squeeze: str | None = None
    """The clause by which the seated player with the highest bet on a face-down table may ask for
    cards before they are dealt; None where hands are passed to players or to no one."""


@dataclass(frozen=True)
class Call:
    """An announcement of the dealer."""

    words: str
    """The id of the document's words; the catalogue has the text."""
    clause: str


@dataclass(frozen=True)
class CuttingCard:
    """Rules for the cutting card's appearance; None where the book is silent (reading 6)."""

    clause: str | None = None
    withdraw: str | None = None
    """The clause by which, in the HLGA, wagers may be withdrawn when it is the first card."""


@dataclass(frozen=True)
class Layout:
    """A table layout; `positions` are minimum and maximum, None where the document is silent."""

    name: str
    positions: tuple[int, int] | None
    clause: str


class Excess(Enum):
    """Use of a card drawn in excess that no hand needs."""

    NEXT_ROUND = "next_round"
    """It begins the next round."""
    NO_BET_HAND = "no_bet_hand"
    """It begins the next round, which is dealt without wagers."""
    BURN = "burn"


KEPT: Final = (Excess.NEXT_ROUND, Excess.NO_BET_HAND)
"""The card begins the next round."""


@dataclass(frozen=True)
class ExcessUses:
    """The uses that a house may choose for such a card (reading 24)."""

    allowed: tuple[Excess, ...]
    clause: str


class OutOfLimits(Enum):
    """Treatment of a wager outside the limits that was not corrected in time."""

    UP_TO_THE_MAXIMUM = "paid or collected up to the maximum"
    ONCE_THEN_RETURNED = "paid or collected this once; the player's later ones are returned"
    AS_IT_LIES = "wins or loses as it lies"
    PRO_RATA = (
        "the heavier side counts for the fraction that meets the limit, never under the minimum"
    )
    NOT_PRO_RATA = "a box with a wager under the minimum is not scaled"


class BeforeClosing(Enum):
    """Treatment of a wager outside the limits while wagers are still open."""

    PUT_RIGHT = "the player is asked to bring the wager within the limits"
    RAISE_OR_WITHDRAW = "the player raises the wager or takes it back"
    REFUSED = "not taken"
    ASK_HEAVY_SIDE = "the heavier side is asked to reduce"
    LIGHT_SIDE_MAY_ADD = "the lighter side may add"
    PIT_MANAGER_REMOVES = "the pit manager says which wagers come off"
    REJECT_STANDING_FIRST = "the excess is rejected, seated players before standing ones"


@dataclass(frozen=True)
class LimitRule:
    """One rule about a limit, before or after wagers are closed."""

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
    """The set of Player and Banker wagers that is added up for the differential."""

    TABLE = "table"
    BOX = "box"


@dataclass(frozen=True)
class Differential:
    """The maximum difference between the totals on Player and Banker."""

    scope: Scope
    before_closing: tuple[LimitRule, ...]
    unnoticed: LimitRule | None = None
    under_minimum: LimitRule | None = None
    """The exception to `unnoticed` if the same box has a wager under the minimum."""


class LimitKind(Enum):
    """A limit a house sets."""

    MINIMUM = "minimum"
    MAXIMUM = "maximum"
    DIFFERENTIAL = "differential"


@dataclass(frozen=True)
class Displayed:
    """The limits that the book requires on display at the table."""

    limits: tuple[LimitKind, ...]
    clause: str


@dataclass(frozen=True)
class Limits:
    """A book's rules about limits, while wagers are open and once they are closed.

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
    """None if the document has no version."""
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
    """The clause by which a round is dealt by one of the methods; None if there is only one."""
    any_squeezer: str | None = None
    """The clause by which a pit manager may let any player squeeze; None if the book has none."""
    void_returns: str | None = None
    """The clause that returns wagers after a void; None if the book only implies it."""

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
        """The highest position of any layout; 0 if the document does not give it."""
        return max((layout.positions or (0, 0))[1] for layout in self.layouts)

    @property
    def may_settle_pro_rata(self) -> str | None:
        """The clause by which a wager may count for a fraction."""
        rule = self.limits.differential
        unnoticed = None if rule is None else rule.unnoticed
        pro_rata = unnoticed is not None and unnoticed.does is OutOfLimits.PRO_RATA
        return unnoticed.clause if unnoticed is not None and pro_rata else None

    @cached_property
    def irregularity_by_id(self) -> Mapping[str, Irregularity]:
        return {each.id: each for each in self.irregularities}

    @cached_property
    def judge(self) -> Judge:
        """The verdicts on every wager of the book, computed once and cached."""
        return Judge(self.wagers)
