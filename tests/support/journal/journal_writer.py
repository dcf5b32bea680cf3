"""A process that writes a journal and says what was acknowledged, to be killed or starved.

    python journal_writer.py FOLDER RECORDS [--die | --until-refused] [--limit BYTES]

Each acknowledged number goes to standard output in a write of its own. `--die` ends in SIGKILL
instead of an orderly close, so that the log is left as it is. `--until-refused` expects the journal
to refuse at some point, shows that it stays refused, and exits with status 3, or with 4 when it did
not even open; `--limit` is the largest file the system lets it write.
"""

import argparse
import os
import resource
import signal
import sys
from collections.abc import Callable
from functools import partial
from itertools import count, islice
from pathlib import Path

from controller.journal import audit, store
from controller.journal.errors import JournalUnwritable
from controller.journal.records import KEYS, Entry
from support.journal.journals import assert_chained, checkpoint, opened, step


def fold_often() -> None:
    """A short run must reach what a long one does: folding at a round's end and in between."""
    store.LOG_PAGES_AT_ROUND_END = 5  # type: ignore[misc]
    store.MAX_LOG_PAGES = 9  # type: ignore[misc]


def entry(seq: int) -> Entry:
    """What the writer appends as record `seq`; a new shoe begins every 20."""
    return checkpoint(seq) if seq % 20 == 1 else step(seq, sealed=bytes(seq % 3) or None)


def work(folder: Path, records: int, say: Callable[[int], None], vfs: str | None = None) -> None:
    """Append `records` more, singly and in pairs, keeping the head at times; say each."""
    with opened(folder, vfs) as journal:
        numbers = count(journal.head.seq + 1)
        last = journal.head.seq + records
        while journal.head.seq < last:
            together = 2 if journal.head.seq % 5 == 3 else 1
            for record in journal.append(*map(entry, islice(numbers, together))):
                say(record.seq)
            if journal.head.seq % 6 == 0:
                journal.round_ended()


def assert_survived(folder: Path, acknowledged: list[int]) -> int:
    """Every acknowledged record is there once, in order, as it was; gives the journal's length.

    What was under way may be there or not: at most the one append that was not acknowledged.
    """
    with opened(folder) as journal:
        found = list(journal.records())
        assert journal.loss is None, journal.loss
        assert list(journal.since_checkpoint()) == found[(len(found) - 1) // 20 * 20 :]
        assert journal.append() == []
    assert_chained(found)
    last = max(acknowledged, default=0)
    assert acknowledged == list(range(acknowledged[0], last + 1)) if acknowledged else True
    assert max(1, last) <= len(found) <= max(1, last) + 2
    verdict = audit.verify(folder / "journal.db", folder / "head.json")
    assert verdict.good, verdict
    assert found[0].kind == KEYS
    for record in found[1:]:
        assert record.body == entry(record.seq).body
        assert record.sealed == entry(record.seq).sealed
    return len(found)


def until_refused(folder: Path, records: int) -> int:
    with opened(folder) as journal:
        try:
            for seq in islice(count(journal.head.seq + 1), records):
                _say(journal.append(entry(seq))[0].seq)
                if seq % 6 == 0:
                    journal.round_ended()
        except JournalUnwritable as error:
            os.write(1, f"refused: {error}\n".encode())
        else:
            return 0
        for _ in range(2):
            try:
                journal.append(entry(1))
            except JournalUnwritable as error:
                os.write(1, f"refused: {error}\n".encode())
        return 3


def _say(seq: int) -> None:
    os.write(1, b"%d\n" % seq)


def _say_and_die(seq: int, last: int) -> None:
    _say(seq)
    if seq >= last:
        os.kill(os.getpid(), signal.SIGKILL)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("records", type=int)
    parser.add_argument("--die", action="store_true")
    parser.add_argument("--until-refused", action="store_true")
    parser.add_argument("--limit", type=int, default=resource.RLIM_INFINITY)
    asked = parser.parse_args()
    fold_often()
    resource.setrlimit(resource.RLIMIT_FSIZE, (asked.limit, asked.limit))
    if asked.until_refused:
        try:
            return until_refused(asked.folder, asked.records)
        except JournalUnwritable:
            return 4
    say = partial(_say_and_die, last=asked.records) if asked.die else _say
    work(asked.folder, asked.records, say)
    return 0


if __name__ == "__main__":
    sys.exit(main())
