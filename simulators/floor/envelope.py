"""The published envelope, written a second time: what a table sends, and what it reads of the
answer."""

from dataclasses import dataclass
from typing import Any

import msgspec

from simulators.floor.journals import Journal, Sent

MAX_BATCH = 256
BATCH_BYTES = 128 * 1024


@dataclass(frozen=True)
class Identity:
    """One table as the floor knows it."""

    site: str
    table: str
    instance: str


@dataclass(frozen=True)
class Answer:
    """What a floor says of a batch."""

    epoch: int
    seq: int
    digest: bytes
    verdict: str
    why: str | None


def batch(who: Identity, journal: Journal, epoch: int, after: int, upto: int, old: bool) -> bytes:
    """Records after `after` up to `upto`; none of them asks where the floor stands."""
    return msgspec.msgpack.encode(
        {
            "site": who.site,
            "table": who.table,
            "epoch": epoch,
            "instance": who.instance,
            "key": journal.key,
            "after": after,
            "prev": journal.digest(after),
            "records": journal.records[after:upto],
            "replayed": old,
            "v": 1,
        }
    )


def most(journal: Journal, after: int, upto: int) -> int:
    """The last record of the batch that begins after `after`."""
    size, last = 0, after
    for record in journal.records[after : min(upto, after + MAX_BATCH)]:
        size += _length(record)
        if last > after and size > BATCH_BYTES:
            break
        last += 1
    return last


def answered(data: bytes) -> Answer:
    """Raises `msgspec.DecodeError` or `KeyError` where it is none."""
    found: dict[str, Any] = msgspec.msgpack.decode(data)
    return Answer(found["epoch"], found["seq"], found["digest"], found["verdict"], found.get("why"))


def beat(who: Identity, seq: int, unsent: int, at: float) -> bytes:
    return msgspec.msgpack.encode(
        {
            "site": who.site,
            "table": who.table,
            "instance": who.instance,
            "boot": "simulated",
            "release": "simulated",
            "rulebook": "mbs-baccarat-8",
            "seq": seq,
            "unsent": unsent,
            "at": at,
            "free_disk_mb": 1000,
            "title": f"Table {who.table}",
            "pit": "simulated",
            "mode": "live",
        }
    )


def live(who: Identity, record: Sent, sent: float) -> bytes:
    """A view as small as a screen can do with; its state is all that a map shows of it."""
    view = {"table": f"Table {who.table}", "mode": "live", "round": record[5], "state": "dealing"}
    return msgspec.msgpack.encode(
        {
            "site": who.site,
            "table": who.table,
            "seq": record[0],
            "at": sent,
            "sent": sent,
            "what": record[1],
            "view": view,
            "public": view,
            "instance": who.instance,
        }
    )


def _length(record: Sent) -> int:
    body = record[6]
    return len(body) if isinstance(body, bytes) else 0
