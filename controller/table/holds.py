"""What holds a table: being held is beside its phase, and there may be several holds at once.

A latch is a hold that a device, the machine or the pit put on and somebody has to take off; the
other holds (a count in doubt, a restart, a case) are what the table itself waits for. `TableHold`
is each of them as people see it: what, since when, who can end it and how.
"""

from enum import Enum
from typing import Final

import msgspec

from controller.game.roles import Role
from controller.sentences.sentence import Sentence


class LatchKind(Enum):
    __hash__ = object.__hash__

    LID_OPEN = "lid_open"
    LID_WAS_OPEN = "lid_was_open"
    LINK_LOST = "link_lost"
    LINK_WAS_LOST = "link_was_lost"
    DEVICE_ERROR = "device_error"
    DEVICE_HAD_ERROR = "device_had_error"
    MUST_CLEAR = "must_clear"
    DEVICE_DISAGREES = "device_disagrees"
    PLACE_DISAGREES = "place_disagrees"
    CARD_DISAGREES = "card_disagrees"
    JOURNAL_LOSS = "journal_loss"
    SELF_TEST_FAILED = "self_test_failed"
    SELF_TEST_HAD_FAILED = "self_test_had_failed"
    PAUSED = "paused"


LASTING: Final = frozenset(
    {
        LatchKind.LID_OPEN,
        LatchKind.LINK_LOST,
        LatchKind.DEVICE_ERROR,
        LatchKind.SELF_TEST_FAILED,
    }
)
"""What a person cannot end: the device or the machine has to say that it is over."""

TAKES_TWO: Final = frozenset(
    {
        LatchKind.MUST_CLEAR,
        LatchKind.DEVICE_DISAGREES,
        LatchKind.PLACE_DISAGREES,
        LatchKind.CARD_DISAGREES,
    }
)
"""What ends by itself when the device and the table agree again; to go on over it otherwise one
person asks and another approves."""


class Latch(msgspec.Struct, frozen=True):
    kind: LatchKind
    since: float = 0.0
    by: str = ""
    """The device, or the person who paused the table."""
    says: Sentence | None = None
    """What the device says and what the table has; or the error, in the driver's words."""
    number: int | None = None
    """Of the error, or of the card that differs."""
    card: str | None = None
    """The face that the device gives the card that differs."""


class HoldKind(Enum):
    """What people tell holds apart by; a latch is named by its own kind."""

    COUNT = "count"
    RESTART = "restart"
    CASE = "case"
    LATCH = "latch"


class TableHold(msgspec.Struct, frozen=True):
    """One thing that holds the table, as it is told."""

    kind: HoldKind
    what: str
    """The irregularity, or the latch: an id."""
    says: Sentence
    since: float
    role: Role | None
    """The least role that can end it; None: nobody, the device or the machine has to."""
    word: str | None
    """What that person says."""
    clause: str | None = None
