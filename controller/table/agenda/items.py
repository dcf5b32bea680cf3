"""The items of an agenda: what each waits for, who can end it and with which commands."""

from typing import TypeAlias

import msgspec

from controller.game.roles import Role
from controller.table.case import Case, Offer
from controller.table.holds import LASTING, Hold
from controller.table.phases import Phase
from controller.table.requests import ApprovalRequest
from controller.table.state import CardCountCheck


class EndedBy(msgspec.Struct, frozen=True):
    """Who can end an item, and with which commands."""

    commands: tuple[str, ...] = ()
    """The first one is the usual one. Empty: a device ends it, or an earlier item has to end."""
    role: Role | None = None
    """The least role; None: players, or the device."""
    second: bool = False
    """A person other than the requester has to act."""
    there: bool = False
    """A person who stands at the table has to act."""


class CountDue(msgspec.Struct, frozen=True):
    """Cards may be missing: a person counts those on the layout."""

    doubt: CardCountCheck
    ended_by: EndedBy
    since: float
    clause: str | None = None


class RestartQuestion(msgspec.Struct, frozen=True):
    """The program came back in mid-round: was play interrupted?"""

    ended_by: EndedBy
    since: float
    clause: str | None = None


class CaseQuestion(msgspec.Struct, frozen=True):
    """A case asks for a fact, the order of cards, where they lie, or counts."""

    case: Case
    ended_by: EndedBy
    since: float
    clause: str | None


class CaseOffer(msgspec.Struct, frozen=True):
    """Players have options."""

    case: Case
    offer: Offer
    ended_by: EndedBy
    since: float
    clause: str | None


class CardToEnter(msgspec.Struct, frozen=True):
    """A case waits for the face of an unread card."""

    case: Case
    ended_by: EndedBy
    since: float
    clause: str | None


class CaseDecision(msgspec.Struct, frozen=True):
    """The role that the book names decides."""

    case: Case
    ended_by: EndedBy
    since: float
    clause: str | None


class CaseApproval(msgspec.Struct, frozen=True):
    """A second person approves or refuses the result of a case."""

    case: Case
    ended_by: EndedBy
    since: float
    clause: str | None


class QueuedCase(msgspec.Struct, frozen=True):
    """A case that is opened when the items before it have ended."""

    case: Case
    ended_by: EndedBy
    since: float
    clause: str | None


class RequestApproval(msgspec.Struct, frozen=True):
    """A second person approves or refuses what one person asked for."""

    request: ApprovalRequest
    ended_by: EndedBy
    since: float | None
    clause: str | None = None


class HoldToEnd(msgspec.Struct, frozen=True):
    """A device, the machine or the pit holds the table."""

    hold: Hold
    ended_by: EndedBy
    since: float
    clause: str | None = None

    @property
    def lasts(self) -> bool:
        """Whether only the device or the machine can end it."""
        return self.hold.kind in LASTING


class NextAct(msgspec.Struct, frozen=True):
    """Nothing else waits: play goes on."""

    phase: Phase
    ended_by: EndedBy
    since: float | None = None
    clause: str | None = None


CaseItem: TypeAlias = CaseQuestion | CaseOffer | CardToEnter | CaseDecision | CaseApproval
Item: TypeAlias = (
    CountDue | RestartQuestion | CaseItem | QueuedCase | RequestApproval | HoldToEnd | NextAct
)
HOLDS: tuple[type[Item], ...] = (
    CountDue,
    RestartQuestion,
    CaseQuestion,
    CaseOffer,
    CardToEnter,
    CaseDecision,
    CaseApproval,
    QueuedCase,
    HoldToEnd,
)
"""Items that hold the table: while one is open the round does not go on."""
