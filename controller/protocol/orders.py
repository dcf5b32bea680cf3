"""A person's command sent to one table through the floor: signed, short-lived, answered once.

The floor never acts by itself. An order contains the person, their role and what they had seen. The
table checks the floor's key, the time and its own list of commands allowed from the floor, and then
applies its own approvals, as if the person stood at the table.
"""

from enum import StrEnum
from typing import Final

import msgspec

from controller.journal.bodies import Given
from controller.journal.keys.signing import Signer, is_signed
from controller.journal.records import canonical

LIVES_S: Final = 60.0
"""The maximum time for which an order is valid."""
NOT_TAKEN: Final = "floor_order_not_taken"
"""The journal's event for an order that was rejected before the table judged it, with the actor and
the `OrderOutcome`."""
UNWRITTEN: Final = "floor_orders_unwritten"
"""The journal's event for a flood of such orders: how many were not noted one by one."""
_ORDER: Final = b"sabot floor order 1\0"


class Order(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One command for one table."""

    id: str
    site: str
    table: str
    word: str
    who: str
    role: str
    seen: int
    """The record that the person saw."""
    made: float
    expires: float
    given: Given = msgspec.field(name="with", default_factory=dict)
    """The command's fields, validated by its struct at the table."""
    reason: str | None = None


class SignedOrder(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The order's own bytes, and the floor's signature over them."""

    order: bytes
    signature: bytes

    def is_by(self, public: bytes) -> bool:
        return is_signed(_ORDER + self.order, self.signature, public)


class OrderOutcome(StrEnum):
    """The outcome of an order."""

    ACCEPTED = "accepted"
    REFUSED = "refused"
    """Refused by the table's rules: `code`, `text` and `clause` give the reason."""
    FORGED = "forged"
    REPLAYED = "replayed"
    EXPIRED = "expired"
    WRONG_TABLE = "wrong_table"
    NOT_FROM_FLOOR = "not_from_floor"
    """A command that the table accepts only from a person at the table."""
    MOVED_ON = "moved_on"
    """The table is no longer in the state that the person saw."""
    NOT_A_WORD = "not_a_word"
    BUSY = "busy"
    STOPPED = "stopped"


class OrderAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table's answer; `seq` is the number of its record."""

    id: str
    outcome: OrderOutcome
    seq: int = 0
    code: str | None = None
    text: str = ""
    clause: str | None = None


class Orders(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Pending orders, in the reply to a beat: over HTTPS, where a table cannot be called."""

    orders: tuple[SignedOrder, ...] = ()


def signed(order: Order, signer: Signer) -> SignedOrder:
    data = canonical(order)
    return SignedOrder(data, signer.sign(_ORDER + data))
