"""An exception of a table, as the floor tells everybody on its site when it opens and closes."""

import msgspec

from controller.messages.sentence import Param


class Alert(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: int
    site: str
    table: str
    kind: str
    what: str
    """Which hold, where the table itself is held."""
    code: str | None
    """Of the sentence, with its gaps; `text` is the same in English."""
    params: dict[str, Param] = msgspec.field(name="gaps")
    text: str
    clause: str | None
    role: str | None
    """Who can decide."""
    severity: int
    since: float
    closed: float | None = None
