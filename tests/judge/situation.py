"""What is true at the table when something is reported, and what a ruling is."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from judge.money import Limits, Wager
from judge.play import Card, Layout
from judge.wagers import DT, MBS, RWS


class When(Enum):
    BETTING = "betting"
    """Between "Place your bets" and "No more bets"."""
    IN_PLAY = "in play"
    OVER = "over"
    """Settled or void, and the next round not called."""


class Does(Enum):
    """What becomes of a report."""

    REFUSED = "refused"
    GOES_ON = "goes on"
    """The clause is named and the round goes on."""
    VOID = "void"
    OPTIONS = "options"
    REFERRED = "referred"
    """The role the book names, or the top of the ladder, decides."""
    PUT_RIGHT = "wagers are put right"
    STRUCK = "wagers are struck"
    MISSING = "missing cards are told"


@dataclass(frozen=True)
class Offer:
    each: bool
    """Each wager by itself; else all or none."""
    in_doubt: tuple[int, ...] = ()
    """Cards that decide nothing while it is open."""
    ends_when_established: bool = False


@dataclass(frozen=True)
class Ruling:
    does: Does
    clauses: tuple[str | None, ...] = ()
    """Any of these may be named for it."""
    offer: Offer | None = None
    role: str | None = None
    """Who decides, or says the order."""
    rebet: bool = False
    must_replace: bool = False
    unasked: bool = False
    """Nobody is asked anything."""
    why: str = ""
    """For whoever reads a difference."""


@dataclass(frozen=True)
class Report:
    """One report with what is true about it; the table learns it from the words or by asking."""

    what: str
    cards: tuple[int, ...] = ()
    order: tuple[int, ...] = ()
    """The order cards came in, where it is known or somebody will say it."""
    order_known: bool = False
    by_shoe: bool = False
    """The shoe itself says that its last two cards came out together."""
    lies: Layout | None = None
    round: int | None = None
    hand: str | None = None
    wagers: tuple[str, ...] = ()
    happened: bool = True
    """False: nothing of the kind happened, and the table can know it."""
    reconstructable: bool = True
    belongs: bool = False
    in_use: bool = False
    """Of an earlier round: the cards that are played with now are concerned."""
    unshuffled: bool = True
    dealt_face_up: bool = True
    read: bool = True
    """The device has read the cards a player took."""
    value_known: bool = False
    """Surveillance knows them."""


@dataclass(frozen=True)
class Situation:
    book: str
    when: When
    method: str
    face_down: bool
    round: int
    layout: Layout
    cards: Sequence[Card]
    wagers: Sequence[Wager] = ()
    limits: Limits = field(default_factory=Limits)
    void: bool = False
    """The last round was void."""
    handlers: tuple[str, ...] = ()
    """Hands that players handle."""
    decided: tuple[tuple[str, tuple[int, ...]], ...] = ()
    """What was decided about this round, with the cards it named."""

    @property
    def mbs(self) -> bool:
        return self.book in (MBS, DT)

    @property
    def rws(self) -> bool:
        return self.book == RWS

    @property
    def any_exposed(self) -> bool:
        return any(card.exposed for card in self.cards)

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(card.n for card in self.cards)
