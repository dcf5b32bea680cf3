"""The journal against SQLite itself, and a long journal against a short one.

The floor for an append is a bare apsw commit of the same bytes with `synchronous=FULL`, and one
sector overwritten and then synced for the head, as any journal on SQLite does at least that is
durable in two places when it returns. Both append in turns to files on the same
disk, and medians are compared, because now and then a sync takes ten times as long. The disk is
that of the temporary folder; set TMPDIR to measure another.
"""

import os
import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import apsw

from bench.targets import at_most
from controller.journal.head import SECTOR, HeadRole, signed_by
from controller.journal.keys.signing import Signer
from controller.journal.records import (
    CHECKPOINT,
    RECORD_FORMAT,
    Entry,
    Head,
    canonical,
    chain_entry,
)
from controller.journal.seal import BLOB_BYTES
from controller.journal.store import Journal

APPENDS = 3000
OPENINGS = 25
SHOE = 500
"""Records between two checkpoints, about what a shoe of eight decks gives."""
SHORT, LONG = 10_000, 1_000_000
OPENING = 1.1
"""What many records may cost against few."""

BODY = canonical(
    {
        "event": "card_drawn",
        "device": "shoe-1",
        "frame": "02" * 24,
        "commitment": "ab" * 32,
        "state": "dealing",
        "method": "A",
        "by": "dealer-17",
    }
)


SIGNER = Signer(bytes(range(32)))
_LINE = b" " * SECTOR


def entry(number: int) -> Entry:
    kind = CHECKPOINT if number % SHOE == 1 else "step"
    return Entry(
        kind, RECORD_FORMAT, number / 4, number // SHOE, number // 6, BODY, bytes(BLOB_BYTES)
    )


def open_in(folder: Path) -> Journal:
    return Journal.open(folder / "journal.db", head_path=folder / "head.json", signer=SIGNER)


class BareHead:
    """A sector that is overwritten in its place and synced."""

    def __init__(self, path: Path) -> None:
        path.write_bytes(bytes(SECTOR))
        self._file = os.open(path, os.O_RDWR)
        os.fsync(self._file)

    def write(self) -> None:
        os.pwrite(self._file, _LINE, 0)
        os.fdatasync(self._file)

    def close(self) -> None:
        os.close(self._file)


def bare(path: Path) -> apsw.Connection:
    connection = apsw.Connection(str(path))
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", "FULL")
    connection.execute("CREATE TABLE kept (seq INTEGER PRIMARY KEY, bytes BLOB)")
    return connection


def took(run: Callable[[], object]) -> float:
    started = time.perf_counter()
    run()
    return time.perf_counter() - started


def append_against_a_bare_commit(folder: Path) -> None:
    floor, sector = bare(folder / "bare.db"), BareHead(folder / "bare.head")
    one = entry(2)
    # The fields of a record besides body and blob: five numbers, a kind and a digest.
    same = BODY + bytes(BLOB_BYTES) + bytes(5 * 8 + len(one.kind) + 32)
    ours, bares, heads = [], [], []
    with open_in(folder) as journal:
        for number in range(1, APPENDS + 1):
            bares.append(
                took(partial(floor.execute, "INSERT INTO kept VALUES (?, ?)", (number, same)))
            )
            heads.append(took(sector.write))
            ours.append(took(lambda: journal.append(one)))
            if number % 6 == 0:
                journal.round_ended()
    floor.close()
    sector.close()
    # Turn by turn: a disk that is slow now and then is slow for two syncs more often than for one.
    both = [sum(each) for each in zip(bares, heads, strict=True)]
    median, commit, head = (statistics.median(each) for each in (ours, bares, heads))
    least = statistics.median(both)
    _say(f"append one step, durable ({APPENDS} in turns, medians, {len(same)} bytes each):")
    _say(f"  bare apsw commit, synchronous=FULL {commit * 1e6:8.0f} us")
    _say(f"  bare head, one sector in its place {head * 1e6:8.0f} us")
    _say(f"  both, one after the other          {least * 1e6:8.0f} us")
    _say(
        f"  journal.append                     {median * 1e6:8.0f} us   {median / least:5.2f} times"
    )


def build(folder: Path, records: int) -> Path:
    """A valid journal of so many records that ends just before the next checkpoint."""
    folder.mkdir()
    with open_in(folder) as journal:
        first = journal.head
    connection = apsw.Connection(str(folder / "journal.db"))
    connection.pragma("journal_mode", "delete")
    connection.pragma("synchronous", "OFF")
    head = first
    with connection:
        for number in range(2, records + 1):
            r = chain_entry(head, entry(number))
            head = Head(r.seq, r.digest)
            row = (r.seq, r.kind, r.version, r.at, r.shoe, r.round, r.body, r.sealed, r.digest)
            connection.execute("INSERT INTO records VALUES (?,?,?,?,?,?,?,?,?)", row)
        kept = signed_by(SIGNER, head, head.seq - 1, HeadRole.ROW)
        signed = (head.seq, kept.after, kept.key, kept.lock, kept.signature)
        connection.execute("UPDATE signed SET seq=?, after=?, key=?, lock=?, signature=?", signed)
    connection.close()
    (folder / "head.json").write_bytes(signed_by(SIGNER, head, head.seq - 1).line())
    with open_in(folder) as journal:
        assert (journal.loss, journal.head.seq) == (None, records)
        assert sum(1 for _ in journal.since_checkpoint()) == SHOE
    return folder


def opening_a_long_journal(folder: Path) -> None:
    short, long = build(folder / "short", SHORT), build(folder / "long", LONG)
    times: dict[Path, list[float]] = {short: [], long: []}
    for _ in range(OPENINGS):
        for each, seen in times.items():
            started = time.perf_counter()
            journal = open_in(each)
            seen.append(time.perf_counter() - started)
            assert journal.loss is None
            journal.close()
    little, much = statistics.median(times[short]), statistics.median(times[long])
    _say(f"opening, the last {SHOE} records since the checkpoint ({OPENINGS} in turns, medians):")
    _say(f"  {SHORT:>9,} records {little * 1e3:8.2f} ms")
    ratio = much / little
    _say(
        f"  {LONG:>9,} records {much * 1e3:8.2f} ms   {ratio:5.2f} times; {at_most(ratio, OPENING)}"
    )


def _say(line: str) -> None:
    print(line)  # noqa: T201
