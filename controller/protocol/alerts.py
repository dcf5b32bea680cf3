"""An exception of a table, published by the floor to its site when it opens and closes."""

import msgspec

from controller.messages.sentence import Param


class Alert(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: int
    site: str
    table: str
    kind: str
    what: str
    """The id of the hold, if the table itself is held."""
    code: str | None
    """Code and parameters of the message; `text` is its English form."""
    params: dict[str, Param] = msgspec.field(name="gaps")
    text: str
    clause: str | None
    role: str | None
    """The role that can decide."""
    severity: int
    since: float
    closed: float | None = None
