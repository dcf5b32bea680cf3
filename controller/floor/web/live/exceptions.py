"""The list of exceptions: first those of the floor itself, then one row for each table, the longest
first.

A stopped table sends the reason, who can end it and what it waits for. The stored exceptions
(`StoredException`) add their number, so that people can acknowledge them, and what no table can
send: that it is away, that its history differs, or that two senders share its name.
"""

from collections.abc import Iterable
from typing import Final

import msgspec

from controller.floor.web.live.board import Ask, Stop, Tile
from controller.messages.catalogue import english
from controller.messages.codes import Code
from controller.messages.sentence import Param, sentence

HELD: Final = "held"
"""The kind of row for a table's own holds."""
SILENT: Final = "away"
"""The kind of row for a silent table."""
UNREAD: Final = "unread"
"""The kind of row for a table whose view this release cannot read."""
_NO_DATABASE: Final = sentence(Code.FLOOR_NO_DATABASE)
SERVICE, STOPPED, LEFT, AWAY, OTHER = range(5)
"""The order of rows: the floor's own service, because it may be the cause of all silence; stopped
tables; tables that were stopped when they fell silent; silent tables; all else. A page folds the
last group, and a broker that is away makes every table silent at once."""


class StoredException(msgspec.Struct, frozen=True):
    """An open exception as stored at the floor."""

    id: int
    table: str
    kind: str
    text: str
    since: float
    code: str | None = None
    params: dict[str, Param] = msgspec.field(default={}, name="gaps")
    clause: str | None = None
    role: str | None = None
    acknowledged_by: str | None = None
    more: int = 0
    """The number of earlier ones of the same kind and table that share this row."""


class ExceptionRow(msgspec.Struct, frozen=True):
    """One row of the list of exceptions."""

    table: str
    title: str
    pit: str
    kind: str
    since: float
    text: str
    code: str | None
    params: dict[str, Param] = msgspec.field(name="gaps")
    clause: str | None
    role: str | None
    """The role that can decide; higher ones may too."""
    order: int
    waits_for: str | None = None
    """The command that ends the wait; None if there is nothing to decide yet."""
    there: bool = False
    """Whether it needs an approval by somebody at the table."""
    then: str = ""
    then_code: str | None = None
    then_gaps: dict[str, Param] = {}
    """The instruction, as the table sends it."""
    ids: tuple[int, ...] = ()
    acknowledged_by: str | None = None
    seq: int = 0
    more: int = 0
    """The number of further ones of the same table that this row represents."""


def rows(tiles: Iterable[Tile], kept: Iterable[StoredException]) -> list[ExceptionRow]:
    """All rows: the service's own first, then stopped tables, the longest wait on top."""
    by_table: dict[str, list[StoredException]] = {}
    for each in kept:
        by_table.setdefault(each.table, []).append(each)
    found: list[ExceptionRow] = []
    for tile in tiles:
        mine = by_table.pop(tile.table, [])
        if tile.stops and not tile.away:
            found.append(_stopped(tile, [each for each in mine if each.kind == HELD]))
        found += [_kept(each, tile) for each in mine if _stands_alone(each, tile)]
        if tile.away and all(each.kind != SILENT for each in mine):
            found.append(_seen_here(tile, SILENT))
        if tile.unread and not tile.away:
            found.append(_seen_here(tile, UNREAD))
    for left in by_table.values():
        found += [_kept(each, None) for each in left if each.kind != HELD]
    return sorted(found, key=lambda row: (row.order, row.since, row.table))


def no_database(since: float) -> StoredException:
    """The exception for an unavailable database, which cannot store it itself."""
    return StoredException(0, "", "no_database", english(_NO_DATABASE), since, _NO_DATABASE.code)


def _stands_alone(kept: StoredException, tile: Tile) -> bool:
    """Whether a stored exception gets its own row. A table that sends beats reports its holds
    itself, and sooner."""
    return kept.kind != HELD or tile.away


def _stopped(tile: Tile, kept: list[StoredException]) -> ExceptionRow:
    stop = tile.stops[0]
    ask = tile.asks[0] if tile.asks else None
    text, code, params = (
        (ask.text, ask.code, ask.params) if ask else (stop.text, stop.code, stop.params)
    )
    then = stop.remedy
    return ExceptionRow(
        table=tile.table,
        title=tile.title,
        pit=tile.pit,
        kind=stop.kind,
        since=min(each.since for each in tile.stops),
        text=text,
        code=code,
        params=params,
        clause=_clause(ask, stop),
        role=(ask.role if ask else None) or stop.role,
        order=STOPPED,
        waits_for=ask.do if ask else None,
        there=ask is not None and ask.there,
        then=then.text if then else "",
        then_code=then.code if then else None,
        then_gaps=then.params if then else {},
        ids=tuple(each.id for each in kept),
        acknowledged_by=next((each.acknowledged_by for each in kept), None),
        seq=tile.seq,
        more=len(tile.stops) - 1,
    )


def _clause(ask: Ask | None, stop: Stop) -> str | None:
    return (ask.clause if ask else None) or stop.clause


def _kept(kept: StoredException, tile: Tile | None) -> ExceptionRow:
    return ExceptionRow(
        table=kept.table,
        title=tile.title if tile else kept.table,
        pit=tile.pit if tile else "",
        kind=kept.kind,
        since=kept.since,
        text=kept.text,
        code=kept.code,
        params=kept.params,
        clause=kept.clause,
        role=kept.role,
        order=_order(kept),
        ids=(kept.id,) if kept.id else (),
        acknowledged_by=kept.acknowledged_by,
        seq=tile.seq if tile else 0,
        more=kept.more,
    )


def _order(kept: StoredException) -> int:
    if not kept.table:  # an exception of the service
        return SERVICE
    if kept.kind == HELD:  # only for a silent table; others report their holds
        return LEFT
    return AWAY if kept.kind in (SILENT, UNREAD) else OTHER


def _seen_here(tile: Tile, kind: str) -> ExceptionRow:
    """A row that this floor has detected itself; the database has it later or not at all."""
    return _kept(
        StoredException(0, tile.table, kind, "", tile.heard if kind == SILENT else tile.at), tile
    )
