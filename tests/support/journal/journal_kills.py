"""Kill a writing process at every call that changes its disk, and look at what is left.

    python journal_kills.py FOLDER RECORDS [--tear]

Starts from an empty journal each time and forks, so that the interpreter starts once and not for
each of a hundred kills. Ends with the number of kills survived.
"""

import os
import shutil
import sys
from itertools import count
from pathlib import Path

from support.journal.faulty_disk import FaultyDisk, kills_at
from support.journal.journal_writer import assert_survived, fold_often, work


def killed_at(folder: Path, records: int, number: int, tear: bool) -> tuple[list[int], bool]:
    """What the child acknowledged before its disk killed it, and whether it came through."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        disk = FaultyDisk("killing", kills_at(number), tear=tear)
        work(folder, records, lambda seq: _tell(writing, seq), disk.name)
        # A second opening goes over the recovered files and the orderly close before it.
        work(folder, 2, lambda seq: _tell(writing, seq), disk.name)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        acknowledged = [int(line) for line in pipe]
    _, status = os.waitpid(child, 0)
    assert status == 0 or os.WIFSIGNALED(status), f"the writer failed by itself: {status}"
    return acknowledged, status == 0


def _tell(pipe: int, seq: int) -> None:
    os.write(pipe, b"%d\n" % seq)


def main(folder: Path, records: int, tear: bool) -> int:
    fold_often()
    for number in count(1):
        place = folder / str(number)
        place.mkdir()
        acknowledged, finished = killed_at(place, records, number, tear)
        try:
            length = assert_survived(place, acknowledged)
            work(place, 3, lambda _: None)
            assert_survived(place, list(range(1, length + 4)))
        except BaseException:
            sys.stderr.write(f"killed at call {number} of the disk; files in {place}\n")
            raise
        shutil.rmtree(place)
        if finished:
            return number - 1
    raise AssertionError


if __name__ == "__main__":
    sys.stdout.write(f"{main(Path(sys.argv[1]), int(sys.argv[2]), '--tear' in sys.argv)}\n")
