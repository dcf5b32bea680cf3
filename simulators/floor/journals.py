"""Stored journals: records with a hash in the place of sealed data."""

import base64
import hashlib
import sqlite3
from dataclasses import dataclass
from pathlib import Path

Sent = list[object]
"""A record on the wire: seq, kind, version, at, shoe, round, body, sealed, digest."""


@dataclass(frozen=True)
class Journal:
    """One complete history."""

    records: list[Sent]
    key: bytes
    """The public half of the signing key."""

    @property
    def rounds(self) -> int:
        return max((_number(each[5]) for each in self.records), default=0)

    def offsets(self, round_s: float) -> list[float]:
        """Return when each record is due, in seconds from the start, if a round takes `round_s`.
        Records before the first round are due at the start, whatever their clock was."""
        dealt = [_seconds(each[3]) for each in self.records if _number(each[5])]
        first, last = min(dealt, default=0.0), max(dealt, default=0.0)
        whole = max(1, self.rounds) * round_s
        scale = whole / (last - first) if last > first else 0.0
        return [max(0.0, (_seconds(each[3]) - first) * scale) for each in self.records]

    def digest(self, seq: int) -> bytes:
        """Return the digest of record `seq`; zeros before the first."""
        found = self.records[seq - 1][8] if seq else bytes(32)
        assert isinstance(found, bytes)
        return found


def read(path: Path) -> Journal:
    """Read a journal; raises `OSError` or `sqlite3.Error` where there is none."""
    key = base64.b64decode(path.with_name(path.name + ".pub").read_text("ascii").strip())
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    try:
        rows = connection.execute(
            "SELECT seq, kind, version, at, shoe, round, body, sealed, digest FROM records "
            "ORDER BY seq"
        ).fetchall()
    finally:
        connection.close()
    return Journal([_sent(row) for row in rows], key)


def _sent(row: tuple[object, ...]) -> Sent:
    sealed = row[7]
    hashed = hashlib.sha256(sealed).digest() if isinstance(sealed, bytes) else None
    return [*row[:7], hashed, row[8]]


def _seconds(at: object) -> float:
    assert isinstance(at, float)
    return at


def _number(found: object) -> int:
    assert isinstance(found, int)
    return found
