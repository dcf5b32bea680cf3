"""python -m support.journal.same_bytes [SEEDS]: all that tables write down in many seeded rounds of
all books, as one figure.

Run it before and after a change that must not change a record: robots that err, in every way of
play, and adversaries of every role. What any of their tables appends goes into one hash, in order.
Set PYTHONHASHSEED=0, so that they choose the same.
"""

import hashlib
import sys
from typing import Final

from adversary.search import search
from controller.engine.step import Decided, TableMachine
from controller.journal.records import NO_DIGEST, Entry, digest_of
from controller.table.commands.message import Message
from controller.table.commands.registry import Payload
from judge.erring.found import Tally
from judge.erring.shoes import played
from judge.erring.ways import WAYS

SEEDS: Final = 3
ADVERSARIES: Final = 84
"""A seed: every role in every layout once."""


class Heard:
    """What was appended anywhere so far."""

    def __init__(self) -> None:
        self.entries = 0
        self._hash = hashlib.sha256()

    def take(self, entries: tuple[Entry, ...]) -> None:
        for entry in entries:
            self.entries += 1
            self._hash.update(digest_of(NO_DIGEST, self.entries, entry))

    def told(self, of: str) -> str:
        return f"{self.entries:,} records of {of}: {self._hash.hexdigest()}\n"


def listen(heard: Heard) -> None:
    """To every table that is made from now on."""
    decide = TableMachine.decide

    def heard_too(machine: TableMachine, message: Message[Payload], seq: int = 0) -> Decided:
        decided = decide(machine, message, seq)
        heard.take(decided.entries)
        return decided

    TableMachine.decide = heard_too  # type: ignore[method-assign, assignment]


def main(seeds: int) -> None:
    heard = Heard()
    listen(heard)
    for seed in range(seeds):
        for way in WAYS:
            played(way, seed, Tally(), [])
    sys.stdout.write(heard.told("robots that err"))
    for seed in range(seeds):
        first = seed * ADVERSARIES
        search(range(first, first + ADVERSARIES), 4, pair=seed % 2 == 1)
    sys.stdout.write(heard.told("robots and adversaries"))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else SEEDS)
