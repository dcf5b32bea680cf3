"""A person's word that the floor carries to one table: signed, short-lived, answered once.

The floor never acts. An order says who spoke, in which role and what they had seen; the table
checks the floor's key, the time, its own list of what may come from the floor, and then judges the
word by its own approvals, as if the person stood there.
"""

from enum import StrEnum
from typing import Final

import msgspec

from controller.journal.bodies import Given
from controller.journal.keys.signing import Signer, is_signed
from controller.journal.records import canonical

LIVES_S: Final = 60.0
"""The longest that an order may be good for."""
NOT_TAKEN: Final = "floor_order_not_taken"
"""What a table notes in its journal of an order that it did not come to judge: in whose name, and
which `OrderOutcome`."""
UNWRITTEN: Final = "floor_orders_unwritten"
"""And of a flood of them: how many it did not note one by one."""
_ORDER: Final = b"sabot floor order 1\0"


class Order(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One word for one table."""

    id: str
    site: str
    table: str
    word: str
    who: str
    role: str
    seen: int
    """The record that the person had in front of them."""
    made: float
    expires: float
    given: Given = msgspec.field(name="with", default_factory=dict)
    """The word's fields, checked by its struct at the table."""
    reason: str | None = None


class SignedOrder(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The order's own bytes, and the floor's signature over them."""

    order: bytes
    signature: bytes

    def is_by(self, public: bytes) -> bool:
        return is_signed(_ORDER + self.order, self.signature, public)


class OrderOutcome(StrEnum):
    """What became of an order."""

    ACCEPTED = "accepted"
    REFUSED = "refused"
    """By the table's rules: `code`, `text` and `clause` say why."""
    FORGED = "forged"
    REPLAYED = "replayed"
    EXPIRED = "expired"
    WRONG_TABLE = "wrong_table"
    NOT_FROM_FLOOR = "not_from_floor"
    """A word that the table takes from nobody who is not there."""
    MOVED_ON = "moved_on"
    """The table is no longer as the person saw it."""
    NOT_A_WORD = "not_a_word"
    BUSY = "busy"
    STOPPED = "stopped"


class OrderAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table's answer; `seq` is the record in which it stands."""

    id: str
    outcome: OrderOutcome
    seq: int = 0
    code: str | None = None
    text: str = ""
    clause: str | None = None


class Orders(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What waits for a table that cannot be asked, in answer to its beat: over HTTPS."""

    orders: tuple[SignedOrder, ...] = ()


def signed(order: Order, signer: Signer) -> SignedOrder:
    data = canonical(order)
    return SignedOrder(data, signer.sign(_ORDER + data))
