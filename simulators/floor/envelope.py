"""An independent second implementation of the published envelope: a table's messages, and the
fields it reads from the answers."""

from dataclasses import dataclass
from typing import Any

import msgspec

from simulators.floor.journals import Journal, Sent

MAX_BATCH = 256
BATCH_BYTES = 128 * 1024


@dataclass(frozen=True)
class Identity:
    """The identity of one table on its floor."""

    site: str
    table: str
    instance: str


@dataclass(frozen=True)
class Answer:
    """A floor's answer to a batch."""

    epoch: int
    seq: int
    digest: bytes
    verdict: str
    why: str | None


def batch(who: Identity, journal: Journal, epoch: int, after: int, upto: int, old: bool) -> bytes:
    """Encode the records after `after` up to `upto`; none requests the floor's position."""
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
    """Return the last record of the batch that begins after `after`."""
    size, last = 0, after
    for record in journal.records[after : min(upto, after + MAX_BATCH)]:
        size += _length(record)
        if last > after and size > BATCH_BYTES:
            break
        last += 1
    return last


def answered(data: bytes) -> Answer:
    """Decode an answer; raises `msgspec.DecodeError` or `KeyError` for anything else."""
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
    """Encode the smallest view that a screen accepts; a map shows only its state."""
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
