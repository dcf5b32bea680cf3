"""Presence of tables: their beats, and exceptions for missing beats and wrong clocks.

It is kept in memory and written every few seconds in one statement: a beat is no record.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
from psycopg import Connection

from controller.floor.store import standing_exceptions
from controller.floor.store.standing_exceptions import StandingKind
from controller.protocol.live import Beat, DeviceBeat
from controller.protocol.names import TableName

MISSED: Final = 3
"""So many missed beats in a row are an exception."""
MIN_EVERY_S: Final = 0.5
MAX_EVERY_S: Final = 60.0
MAX_TEXT: Final = 200
MAX_DEVICES: Final = 32
MAX_OFF_S: Final = 1e10
"""Deviations of a clock are limited to this, about three centuries."""


@dataclass
class _Heard:
    beat: Beat
    at: float
    written: bool = False
    away: bool = False
    off: float = 0.0
    """The deviation of its clock that was reported, in seconds; 0: none."""


@dataclass
class Changes:
    """Changes to write to the database."""

    beats: list[tuple[Beat, float]] = field(default_factory=list)
    away: list[tuple[TableName, float]] = field(default_factory=list)
    """Silent tables, with the time of the last beat."""
    back: list[TableName] = field(default_factory=list)
    off: list[tuple[TableName, float]] = field(default_factory=list)
    """Clock deviations in seconds: new ones, and those far from the reported value."""
    right: list[TableName] = field(default_factory=list)


def patience_s(every: float) -> float:
    """How long a table with this beat interval may be silent; a table may send any value."""
    return MISSED * min(max(every, MIN_EVERY_S), MAX_EVERY_S)


def is_sound(beat: Beat) -> bool:
    """Whether a page and the database can store the beat: a table may send any values, and one that
    cannot be stored would block the beats of all others."""
    finite = all(map(math.isfinite, (beat.at, beat.every)))
    if not finite or len(beat.devices) > MAX_DEVICES or len(beat.documents) > MAX_DEVICES:
        return False
    of_devices = (text for each in beat.devices for text in _texts(each))
    texts = [*_texts(beat), *beat.documents, *of_devices]
    return all(len(text) <= MAX_TEXT and "\0" not in text for text in texts)


def _texts(beat: Beat | DeviceBeat) -> Iterable[str]:
    return (each for each in msgspec.structs.astuple(beat) if isinstance(each, str))


class Presence:
    def __init__(self, clock_s: float) -> None:
        self._clock_s = clock_s
        self._heard: dict[TableName, _Heard] = {}

    def take_beat(self, beat: Beat, now: float) -> None:
        name = TableName(beat.site, beat.table)
        before = self._heard.get(name)
        # Away until the next scan: the end of an exception is written once.
        self._heard[name] = _Heard(
            beat,
            now,
            away=before is None or before.away,
            off=0.0 if before is None else before.off,
        )

    def restore_beat(self, name: TableName, beat: Beat, at: float) -> None:
        """Restores a beat from the database after a start."""
        self._heard.setdefault(name, _Heard(beat, at, written=True))

    def look(self, now: float) -> Changes:
        """The changes since the last scan."""
        found = Changes()
        for name, each in self._heard.items():
            if not each.written:
                found.beats.append((each.beat, each.at))
            silent = now - each.at > patience_s(each.beat.every)
            if silent and not each.away:
                found.away.append((name, each.at))
            elif not silent and each.away:
                found.back.append(name)
            offset = min(max(each.beat.at - each.at, -MAX_OFF_S), MAX_OFF_S)
            off = not silent and abs(offset) > self._clock_s
            if off and abs(offset - each.off) > max(self._clock_s, abs(each.off) / 2):
                found.off.append((name, offset))
            elif not off and each.off and not silent:
                found.right.append(name)
        return found

    def mark_written(self, changes: Changes) -> None:
        for beat, at in changes.beats:
            each = self._heard[TableName(beat.site, beat.table)]
            each.written = each.written or each.at == at
        for name, away in (
            *((n, True) for n, _ in changes.away),
            *((n, False) for n in changes.back),
        ):
            self._heard[name].away = away
        for name, off in (*changes.off, *((n, 0.0) for n in changes.right)):
            self._heard[name].off = off

    def forget_tables(self, names: Iterable[TableName]) -> list[TableName]:
        """Removes tables that left this floor; returns those that had sent a beat."""
        return [name for name in names if self._heard.pop(name, None) is not None]


def write(connection: Connection[Any], changes: Changes) -> None:
    """Writes changes in one transaction."""
    with connection.transaction():
        _write_beats(connection, changes.beats)
        for name, since in changes.away:
            last = datetime.fromtimestamp(since, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
            standing_exceptions.begin(connection, name, StandingKind.AWAY, 1, since, at=last)
        renewed = [name for name, _ in changes.off]
        standing_exceptions.end(connection, renewed, StandingKind.CLOCK)
        for name, offset in changes.off:
            standing_exceptions.begin(
                connection, name, StandingKind.CLOCK, 1, seconds=round(offset)
            )
        standing_exceptions.end(connection, changes.back, StandingKind.AWAY)
        standing_exceptions.end(connection, changes.right, StandingKind.CLOCK)


def _write_beats(connection: Connection[Any], beats: list[tuple[Beat, float]]) -> None:
    if not beats:
        return
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO floor.beat (site, table_id, received, offset_s, body)"
            " VALUES (%s, %s, to_timestamp(%s), %s, %s) ON CONFLICT (site, table_id) DO UPDATE SET"
            " received = excluded.received, offset_s = excluded.offset_s, body = excluded.body",
            [(b.site, b.table, at, b.at - at, msgspec.json.encode(b).decode()) for b, at in beats],
        )
        cursor.executemany(
            "UPDATE floor.table_register SET title = %s, pit = %s"
            " WHERE (site, table_id) = (%s, %s) AND (title, pit) <> (%s, %s)",
            [(b.title, b.pit, b.site, b.table, b.title, b.pit) for b, _ in beats],
        )
        cursor.executemany(
            "INSERT INTO floor.device_unit (site, table_id, device, since, driver, unit, firmware)"
            " SELECT v.* FROM (VALUES (%s, %s, %s, %s::timestamptz, %s, %s, %s))"
            " v (site, table_id, device, since, driver, unit, firmware) WHERE NOT EXISTS"
            " (SELECT FROM (SELECT driver, unit, firmware FROM floor.device_unit u WHERE"
            " (u.site, u.table_id, u.device) = (v.site, v.table_id, v.device)"
            " ORDER BY since DESC LIMIT 1) last WHERE (last.driver, last.unit, last.firmware)"
            " = (v.driver, v.unit, v.firmware)) ON CONFLICT DO NOTHING",
            [
                (
                    b.site,
                    b.table,
                    d.name,
                    datetime.fromtimestamp(at, UTC),
                    d.driver,
                    d.unit,
                    d.firmware,
                )
                for b, at in beats
                for d in _told(b.devices)
            ],
        )


def _told(devices: Iterable[DeviceBeat]) -> Iterable[DeviceBeat]:
    """Devices whose unit or firmware is known; both are unknown for a device that was never
    reached."""
    return (each for each in devices if each.unit or each.firmware)


def revoked(connection: Connection[Any], site: str) -> list[TableName]:
    rows = connection.execute(
        "SELECT table_id FROM floor.table_register WHERE site = %s AND revoked IS NOT NULL", [site]
    )
    return [TableName(site, table) for (table,) in rows]


def write_left(connection: Connection[Any], names: Sequence[TableName]) -> None:
    """Closes the exceptions of removed tables."""
    standing_exceptions.end(connection, names, StandingKind.AWAY, StandingKind.CLOCK)


def read(connection: Connection[Any], site: str) -> list[tuple[TableName, Beat, float]]:
    """The last stored beat of each table."""
    rows = connection.execute(
        "SELECT table_id, body::text, extract(epoch FROM received)::float8 FROM floor.beat"
        " WHERE site = %s",
        [site],
    )
    return [
        (TableName(site, table), msgspec.json.decode(body, type=Beat), at)
        for table, body, at in rows
    ]
