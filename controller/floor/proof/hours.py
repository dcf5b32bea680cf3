"""Hourly roots in the database: one an hour and site, each after the one before."""

import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

import structlog
from psycopg import Connection

from controller.floor.proof import roots
from controller.floor.proof.form import ProofError
from controller.floor.proof.roots import KeptRoot, Root, Stamper
from controller.floor.proof.tree import SiteHead
from controller.journal.keys.signing import Signer

log = structlog.get_logger()

STAMP_S: Final = 60.0
STAMP_MOST: Final = 16 * 1024
"""In an archive's header it stands in hexadecimal, and that has 64 KiB."""
_COLUMNS: Final = "site, hour, previous, size, root, key, signature"


def make(connection: Connection[Any], signer: Signer, site: str, now: float) -> KeptRoot | None:
    """The root of this hour, of the heads as they are; None where the hour has one."""
    hour = roots.hour_of(now)
    with connection.transaction():
        # Two floors of one site take turns: the second finds that the hour has its root.
        connection.execute("SELECT pg_advisory_xact_lock(hashtext('floor.root ' || %s))", [site])
        before = newest(connection, site)
        if before is not None and before.hour >= hour:
            return None
        heads = connection.execute(
            "SELECT site, table_id, epoch, seq, digest FROM floor.head WHERE site = %s AND seq > 0",
            [site],
        )
        kept = roots.rooted(signer, site, hour, [SiteHead(*row) for row in heads], before)
        root = kept.root
        connection.execute(
            f"INSERT INTO floor.root ({_COLUMNS}, leaves)"
            " VALUES (%s, %s, %s, %s, %s, %s, %s, %s)",
            [site, _moment(hour), root.previous, root.size, root.root, root.key, root.signature,
             roots.leaves_text(kept.heads)],
        )  # fmt: skip
    return kept


def stamp(connection: Connection[Any], site: str, stamper: Stamper) -> int:
    """Ask for the time stamps that are missing, oldest first; how many came. One that does not
    come is asked for again the next time."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM floor.root WHERE site = %s AND stamp IS NULL ORDER BY hour", [site]
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
        f"SELECT {_COLUMNS} FROM floor.root WHERE site = %s ORDER BY hour DESC LIMIT 1", [site]
    ).fetchone()
    return None if row is None else _root(row)


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
    """A program that gets 32 bytes, and answers with a time stamp on its standard output."""

    def ask(fingerprint: bytes) -> bytes | None:
        try:
            done = subprocess.run(
                [*command], input=fingerprint, capture_output=True, timeout=STAMP_S, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            log.warning("no_time_stamp", why=type(error).__name__)
            return None
        if done.returncode or not 0 < len(done.stdout) <= STAMP_MOST:
            log.warning("no_time_stamp", status=done.returncode, length=len(done.stdout))
            return None
        return done.stdout

    return ask


def check(connection: Connection[Any], site: str, first: int = 0) -> int:
    """How many roots there are, all of them whole and one after the other; raises `ProofError`."""
    kept = [each for each, _ in kept_from(connection, site, first, 1_000_000)]
    fault = roots.fault_among(kept)
    if fault:
        raise ProofError(fault)
    return len(kept)


def _root(row: Sequence[Any]) -> Root:
    site, hour, *rest = row
    return Root(site, int(hour.timestamp()), *rest)


def _moment(hour: int) -> datetime:
    return datetime.fromtimestamp(hour, UTC)
