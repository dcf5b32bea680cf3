"""Snapshots of a table that nobody plays at, with parts of the views as a test wants them."""

from functools import cache
from typing import Any

from msgspec.structs import replace

from controller.rulebooks import rulebook
from controller.runtime.snapshots import Snapshot
from controller.table.rules import HouseRules, Rules
from controller.table.state import Table
from controller.views import audience
from controller.views.answers import RecordedAnswer, completed
from controller.views.structs.audience_views import AudienceViews


@cache
def _closed() -> AudienceViews:
    return audience.render_views(
        Table(), Rules(rulebook("mbs-baccarat-8"), HouseRules("mbs-baccarat-8"))
    )


def snapshot(
    seq: int, what: str = "card", at: float = 0.0, clause: str | None = None, **parts: Any
) -> Snapshot:
    """`parts` are of the staff's view; what the public sees of them is in its view too."""
    closed = _closed()
    public = {name: parts[name] for name in parts if name in closed.public.__struct_fields__}
    staff = replace(closed.dealer, **parts)
    views = AudienceViews(
        staff, staff, replace(closed.public, **public), replace(closed.surveillance, **parts)
    )
    known = RecordedAnswer(
        accepted=True,
        reason=None,
        code=None,
        gaps=None,
        clause=clause,
        state=staff.state,
        seq=seq,
    )
    return Snapshot(seq, at, what, views, completed(known, staff))
