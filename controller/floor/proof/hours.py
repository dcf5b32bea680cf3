"""Hourly roots in the database: one an hour and site, each chained to the one made before it.

A clock that is ahead for a moment makes a root of a future hour. This root is signed and stays; the
next ones follow it with the correct hours, and an exception is raised.
"""

import itertools
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
import structlog
from psycopg import Connection

from controller.floor.proof import roots
from controller.floor.proof.form import ProofError
from controller.floor.proof.roots import KeptRoot, Root, Stamper
from controller.floor.proof.tree import SiteHead
from controller.floor.store import standing_exceptions
from controller.floor.store.standing_exceptions import StandingKind
from controller.journal.keys.signing import Signer
from controller.protocol.names import TableName

log = structlog.get_logger()

STAMP_S: Final = 60.0
MAX_STAMP: Final = 16 * 1024
"""An archive's header has it in hexadecimal and is limited to 64 KiB."""
AHEAD_S: Final = 120.0
"""Tolerance: a correction of the clock by seconds at the start of an hour is no exception."""
_COLUMNS: Final = "site, hour, previous, size, root, key, signature"


def make(connection: Connection[Any], signer: Signer, site: str, now: float) -> KeptRoot | None:
    """Makes the root of this hour from the current heads; None if the hour has one."""
    hour = roots.hour_of(now)
    with connection.transaction():
        # Two floors of one site take turns: the second finds the root of the first.
        connection.execute("SELECT pg_advisory_xact_lock(hashtext('floor.root ' || %s))", [site])
        if _has(connection, site, hour):
            return None
        before = newest(connection, site)
        heads = connection.execute(
            "SELECT site, table_id, epoch, seq, digest FROM floor.head WHERE site = %s AND seq > 0",
            [site],
        )
        kept = roots.rooted(signer, site, hour, [SiteHead(*row) for row in heads], before)
        root = kept.root
        connection.execute(
            f"INSERT INTO floor.root ({_COLUMNS}, leaves, number)"
            " SELECT %s, %s, %s, %s, %s, %s, %s, %s, coalesce(max(number), 0) + 1"
            " FROM floor.root WHERE site = %s",
            [site, _moment(hour), root.previous, root.size, root.root, root.key, root.signature,
             roots.leaves_text(kept.heads), site],
        )  # fmt: skip
    return kept


def tell_ahead(connection: Connection[Any], site: str, now: float) -> bool:
    """Whether a root is of a future hour; if so, opens an exception of the service: the clock was
    ahead, or is behind."""
    row = connection.execute("SELECT max(hour) FROM floor.root WHERE site = %s", [site]).fetchone()
    last, service = None if row is None else row[0], TableName(site, "")
    if last is None or last.timestamp() <= now + AHEAD_S:
        standing_exceptions.end(connection, [service], StandingKind.ROOT_AHEAD)
        return False
    answer = last.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")
    standing_exceptions.begin(connection, service, StandingKind.ROOT_AHEAD, 1, at=answer)
    return True


def stamp(connection: Connection[Any], site: str, stamper: Stamper) -> int:
    """Requests missing time stamps, oldest first; returns how many came. The next run requests the
    others again."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM floor.root WHERE site = %s AND stamp IS NULL ORDER BY number",
        [site],
    ).fetchall()
    for count, root in enumerate(map(_root, rows)):
        answer = stamper(root.fingerprint)
        if answer is None:
            return count
        connection.execute(
            "UPDATE floor.root SET stamp = %s WHERE site = %s AND hour = %s",
            [answer, site, _moment(root.hour)],
        )
    return len(rows)


def newest(connection: Connection[Any], site: str) -> Root | None:
    row = connection.execute(
        f"SELECT {_COLUMNS} FROM floor.root WHERE site = %s ORDER BY number DESC LIMIT 1", [site]
    ).fetchone()
    return None if row is None else _root(row)


def _has(connection: Connection[Any], site: str, hour: int) -> bool:
    asked = "SELECT FROM floor.root WHERE site = %s AND hour = %s"
    return connection.execute(asked, [site, _moment(hour)]).fetchone() is not None


def kept_from(
    connection: Connection[Any], site: str, first: int, most: int = 10_000
) -> list[tuple[KeptRoot, bytes | None]]:
    """The roots of the hours from `first` on with their heads and stamps."""
    rows = connection.execute(
        f"SELECT {_COLUMNS}, leaves, stamp FROM floor.root WHERE site = %s AND hour >= %s"
        " ORDER BY hour LIMIT %s",
        [site, _moment(first), most],
    )
    return [
        (KeptRoot(_root(row), roots.leaves_in(leaves)), stamped) for *row, leaves, stamped in rows
    ]


def by_command(command: Sequence[str]) -> Stamper:
    """A stamper that runs a program with 32 bytes as input and a time stamp on standard output."""

    def ask(fingerprint: bytes) -> bytes | None:
        try:
            done = subprocess.run(
                [*command], input=fingerprint, capture_output=True, timeout=STAMP_S, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            log.warning("no_time_stamp", why=type(error).__name__)
            return None
        if done.returncode or not 0 < len(done.stdout) <= MAX_STAMP:
            log.warning("no_time_stamp", status=done.returncode, length=len(done.stdout))
            return None
        return done.stdout

    return ask


class Checked(msgspec.Struct, frozen=True):
    """The result of a check without faults."""

    count: int
    back: int
    """How often the hour goes back."""

    def __str__(self) -> str:
        back = f"; {self.back} times the hour goes back: the floor's clock was ahead"
        return f"{self.count} roots, each after the one before{back if self.back else ''}"


def check(connection: Connection[Any], site: str) -> Checked:
    """Checks all roots in the order in which they were made; raises `ProofError`."""
    rows = connection.execute(
        f"SELECT {_COLUMNS}, leaves FROM floor.root WHERE site = %s ORDER BY number", [site]
    )
    kept = [KeptRoot(_root(row), roots.leaves_in(leaves)) for *row, leaves in rows]
    fault = roots.fault_among(kept)
    if fault:
        raise ProofError(fault)
    hours = [each.root.hour for each in kept]
    return Checked(len(kept), sum(b < a for a, b in itertools.pairwise(hours)))


def _root(row: Sequence[Any]) -> Root:
    site, hour, *rest = row
    return Root(site, int(hour.timestamp()), *rest)


def _moment(hour: int) -> datetime:
    return datetime.fromtimestamp(hour, UTC)
