"""Records of whole tables at which a robot errs, for what is derived from them."""

from functools import cache
from random import Random

from controller.journal.records import Record
from controller.journal.seal import Sealer
from controller.table.rules import Rules
from judge.erring.found import Tally
from judge.erring.shoes import ErringTable
from judge.erring.ways import WAYS


def sealer() -> Sealer:
    return Sealer(bytes(32), Random(1).randbytes)


@cache
def erring_table(way: int, seed: int, rounds: int = 12) -> tuple[tuple[Record, ...], Rules]:
    """What a table wrote in these rounds, and its rules."""
    played = ErringTable(WAYS[way], seed, Tally())
    played.play(rounds)
    session = played.bench._session
    return tuple(session.journal.records()), played.bench.rules
