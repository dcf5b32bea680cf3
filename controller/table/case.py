"""An irregularity that is being dealt with: what was reported of it, and what it waits for."""

from enum import Enum
from typing import Final, Literal, TypeAlias

import msgspec

from controller.game.hands import Side
from controller.game.irregularities import Fact, Ruling, RulingStep
from controller.game.roles import Role
from controller.messages.sentence import Sentence
from controller.table.cards import Drawn
from drivers.cards import Card


class TakenOff(msgspec.Struct, frozen=True):
    """A wager that comes off, or so much of it."""

    id: str
    amount: int | None = None


class ReportedFacts(msgspec.Struct, frozen=True, omit_defaults=True):
    """The facts of a report."""

    cards: tuple[int, ...] = ()
    """The cards concerned, by number."""
    order: tuple[int, ...] = ()
    """The order cards came in, where a person has reported it."""
    lies: dict[Side, tuple[int, ...]] | None = None
    """Where cards lie in fact; None: not reported yet."""
    round: int | None = None
    """The round it is about; None: a device reports about the round in play."""
    hand: Side | None = None
    to: str | None = None
    """The player whose hand it is."""
    wagers: tuple[TakenOff, ...] = ()
    """The wagers concerned, or so much of them."""
    text: str = ""
    """What happened in the words of the witness, where no rule has a name for it."""


class Offer(msgspec.Struct, frozen=True):
    """Options put to every player with a wager."""

    kind: RulingStep
    clause: str
    open_to: tuple[str, ...]
    at: float
    returns: str
    """The clause by which a wager that is withdrawn goes back."""
    plays_on: str
    """The clause by which a wager stays."""
    answers: dict[str, str] = {}
    in_doubt: tuple[int, ...] = ()
    """Cards whose order is in question: until they are laid they decide no wager."""


# --- what a case waits for ----------------------------------------------------------------------
# One struct each; its tag names it outside, in records, views and pages: see `awaited`.


class AwaitsFact(msgspec.Struct, frozen=True, tag="answer"):
    """A person's yes or no."""

    fact: Fact
    role: Role


class AwaitsOption(msgspec.Struct, frozen=True, tag="option"):
    """Every player's choice."""

    offer: Offer


class AwaitsApproval(msgspec.Struct, frozen=True, tag="approve"):
    """A second person's yes or no."""

    of: Literal["void", "entered_card", "moved_card", "doubt", "strike", "decision"]
    """A void; a card entered by hand; an exposed card on another hand than the table showed; cards
    that decide nothing any more; late wagers struck; a decision on one's own report."""


class AwaitsDecision(msgspec.Struct, frozen=True, tag="decide"):
    """What the role the book names decides."""

    role: Role


class AwaitsOrder(msgspec.Struct, frozen=True, tag="order"):
    """In which order cards came."""

    role: Role


class AwaitsLies(msgspec.Struct, frozen=True, tag="lies"):
    """Where cards lie in fact."""

    role: Role


class AwaitsCounts(msgspec.Struct, frozen=True, tag="missing"):
    """What is left of the decks, counted, so that missing cards can be computed."""

    role: Role


KEPT: Final = 2
"""The number of cards kept while the missing ones are computed."""


class AwaitsKept(msgspec.Struct, frozen=True, tag="kept"):
    """The face of a kept card that the device could not read; it stays sealed."""

    role: Role


class AwaitsCard(msgspec.Struct, frozen=True, tag="enter"):
    """The face of an unread card."""

    n: int | None = None


class AwaitsWagers(msgspec.Struct, frozen=True, tag="put_right"):
    """Wagers to be put right, and which come off."""

    role: Role


Awaits: TypeAlias = (
    AwaitsFact
    | AwaitsOption
    | AwaitsApproval
    | AwaitsDecision
    | AwaitsOrder
    | AwaitsLies
    | AwaitsCounts
    | AwaitsKept
    | AwaitsCard
    | AwaitsWagers
)


class Entered(msgspec.Struct, frozen=True):
    """A card entered by hand, until a second person approves."""

    n: int
    card: Card


class Decision(Enum):
    """What a decision does."""

    GO_ON = "go_on"
    VOID = "void"
    RECONSTRUCT = "reconstruct"
    REMOVE = "remove"


class PendingDecision(msgspec.Struct, frozen=True):
    """A decision of the person who had reported it, until a second person approves."""

    outcome: Decision
    remove: tuple[TakenOff, ...] = ()
    order: tuple[int, ...] = ()


class Case(msgspec.Struct, frozen=True):
    """An irregularity that is being dealt with."""

    id: str
    reported_by: str
    since: float = 0.0
    about: ReportedFacts = ReportedFacts()
    facts: dict[str, bool] = {}
    """The known facts, by name."""
    ruling: Ruling | None = None
    """The ruling that applies, as the book had it when it was found: a later edition of the book
    does not change a case. None until the facts it turns on are known."""
    step: int = 0
    waited: bool = False
    """Another case was open when it came up: rulings since then may have made it moot."""
    clause: str | None = None
    awaits: Awaits | None = None
    """What has to come before it goes on; None: nothing, or not determined yet."""
    asker: str | None = None
    """The person who asked; another has to approve."""
    decided_by: str = ""
    """The person who made the final decision."""
    disputed: str | None = None
    """The clause of a void that the second person has refused: only whether it happened is
    decided."""
    not_established: bool = False
    """It was found that it had not happened."""
    decided_void: bool = False
    """A decision, not a ruling, makes the round void."""
    second: str = ""
    """Who approved last, as a second person."""
    approved: tuple[str, ...] = ()
    """What has been approved of what it rests on; each is asked separately."""
    from_floor: tuple[str, ...] = ()
    """People whose final command on it came through the floor, and not at the table."""
    decision: PendingDecision | None = None
    n: int | None = None
    """The one card it is about, where it is known."""
    drawn: int = 0
    """How many cards had left the shoe when the shoe reported it."""
    entered: Entered | None = None
    kept: tuple[Drawn, ...] = ()
    """Cards taken from the device while the missing ones are computed."""
    text: str = ""
    """The text of the person who decided."""
    device_text: Sentence | None = None
    """The device's error that it is about, with its number and in the driver's words."""

    @property
    def offer(self) -> Offer | None:
        return self.awaits.offer if isinstance(self.awaits, AwaitsOption) else None


class Ruled(msgspec.Struct, frozen=True):
    """An irregularity that has been dealt with."""

    id: str
    clause: str | None
    reported_by: str
    decided_by: str
    text: str = ""
    """The text of the person who decided it."""
    moot: bool = False
    """It was answered with the round being void."""
    not_established: bool = False
    """A void by it was refused, and it was found that it had not happened."""
    cards: tuple[int, ...] = ()
    """The cards it was about, by number, where it named any."""
    approved_by: str = ""
    """Who approved, where the act took a second person and was not theirs to decide."""
    from_floor: tuple[str, ...] = ()
    """Which of these two people acted from the floor, and not at the table."""


def awaited_name(awaits: Awaits) -> str:
    """The name for what is waited for in records, views and pages."""
    return str(awaits.__struct_config__.tag)
