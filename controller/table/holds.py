"""What holds a table: a hold is separate from its phase, and there may be several at once.

A latch is a hold that a device, the machine or the pit put on and a person has to take off; the
other holds (a count in doubt, a restart, a case) are what the table itself waits for. `HoldView` is
each of them as people see it: what happened, since when, who can end it and what to do now.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Final

import msgspec

from controller.game.roles import Role
from controller.messages.sentence import Sentence
from controller.table import approvals
from controller.table.approvals import Act
from drivers.cards import Card
from drivers.error_meaning import ErrorMeaning


class HoldReason(Enum):
    __hash__ = object.__hash__

    LID_OPEN = "lid_open"
    LID_WAS_OPEN = "lid_was_open"
    LINK_LOST = "link_lost"
    LINK_WAS_LOST = "link_was_lost"
    DEVICE_ERROR = "device_error"
    DEVICE_HAD_ERROR = "device_had_error"
    DRIVER_FAILED = "driver_failed"
    MUST_CLEAR = "must_clear"
    DEVICE_DISAGREES = "device_disagrees"
    PLACE_DISAGREES = "place_disagrees"
    EXCESS_DISCARDED = "excess_discarded"
    CARD_DISAGREES = "card_disagrees"
    JOURNAL_LOSS = "journal_loss"
    SELF_TEST_FAILED = "self_test_failed"
    SELF_TEST_HAD_FAILED = "self_test_had_failed"
    PAUSED = "paused"


LASTING: Final = frozenset(
    {
        HoldReason.LID_OPEN,
        HoldReason.LINK_LOST,
        HoldReason.DEVICE_ERROR,
        HoldReason.SELF_TEST_FAILED,
    }
)
"""Holds a person cannot end: the device or the machine has to report that it is over."""

CLEARED_BY: Final[Mapping[HoldReason, Act]] = {
    HoldReason.LID_WAS_OPEN: Act.RESUME,
    HoldReason.LINK_WAS_LOST: Act.RESUME,
    HoldReason.DEVICE_HAD_ERROR: Act.RESUME,
    HoldReason.SELF_TEST_HAD_FAILED: Act.RESUME,
    HoldReason.DRIVER_FAILED: Act.RESUME,
    HoldReason.EXCESS_DISCARDED: Act.RESUME,
    HoldReason.PAUSED: Act.RESUME,
    HoldReason.MUST_CLEAR: Act.GO_ON_OVER_A_DEVICE,
    HoldReason.DEVICE_DISAGREES: Act.GO_ON_OVER_A_DEVICE,
    HoldReason.PLACE_DISAGREES: Act.GO_ON_OVER_A_DEVICE,
    HoldReason.CARD_DISAGREES: Act.GO_ON_OVER_A_DEVICE,
    HoldReason.JOURNAL_LOSS: Act.CLEAR_JOURNAL_LOSS,
}
"""The row of the approvals by which people end what they can end."""


def needs_two_people(kind: HoldReason) -> bool:
    """Whether one person asks to go on over it and another approves, by the row."""
    return kind in CLEARED_BY and approvals.approval_row(CLEARED_BY[kind]).second


def clears(act: Act, kind: HoldReason) -> bool:
    """Whether an act by this row ends such a hold: one of that row, or one that a single person
    ends."""
    return CLEARED_BY.get(kind) in (act, Act.RESUME)


class Hold(msgspec.Struct, frozen=True):
    kind: HoldReason
    since: float = 0.0
    by: str = ""
    """The device, or the person who paused the table."""
    text: Sentence | None = None
    """What the device reports and what the table has; or the error, in the driver's words."""
    number: int | None = None
    """Of the error, or of the card that differs."""
    card: Card | None = None
    """The face that the device gives the card that differs."""
    meaning: ErrorMeaning | None = None
    """The meaning of the error; None where it is not an error."""
    round: int | None = None
    """The round that was played when it came; None: it came between rounds."""


class HoldKind(Enum):
    """The kind by which people distinguish holds; a latch is named by its own kind."""

    COUNT = "count"
    RESTART = "restart"
    CASE = "case"
    LATCH = "latch"


class HoldView(msgspec.Struct, frozen=True):
    """One hold of the table, as it is shown."""

    kind: HoldKind
    cause: str
    """The irregularity, or the latch: an id."""
    text: Sentence
    """What happened."""
    since: float
    role: Role | None
    """The least role that can end it; None: the device or the machine has to."""
    command: str | None
    """The command that person sends."""
    remedy: Sentence
    """What to do now."""
    ends: Sentence
    """Who can end it, in words."""
    clause: str | None = None
    second: bool = False
    """It takes a person other than the requester."""
    round: int | None = None
    """The round it concerns; None: it came between rounds."""
    detail: Sentence | None = None
    """The maker's own words and number."""
