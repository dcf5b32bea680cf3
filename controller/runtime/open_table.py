"""Opening a table with its journal on disk, its key file and its source of chance."""

import gc
import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import structlog

from controller.engine.replay import Diverged, replay
from controller.engine.session import Session, open_session
from controller.journal import audit
from controller.journal.errors import KeyRefused
from controller.journal.loss import LossKind
from controller.journal.memory import MemoryJournal
from controller.journal.records import CHECKPOINT, AnyJournal
from controller.journal.seal import Sealer, create_key, load_key
from controller.journal.store import Journal
from controller.runtime.journal_news import said_of
from controller.table.rules import Rules
from controller.table.state import Table
from controller.table.words.devices import JournalLossWord
from controller.table.words.message import Message

log = structlog.get_logger()


@dataclass(frozen=True)
class Places:
    """Where a table's files lie. On a table PC the head and the key live apart from the journal."""

    journal: Path
    head: Path
    key: Path

    @classmethod
    def beside(cls, path: Path) -> "Places":
        """Head and key beside the journal, for a bench."""
        return cls(path, path.with_name(path.name + ".head"), path.with_name(path.name + ".key"))


Around = Callable[[AnyJournal], AnyJournal]


@contextmanager
def open_table(
    rules: Rules, path: Path | Places | None, seed: int | None = None, around: Around | None = None
) -> Iterator[Session]:
    """A table that goes on where its journal stops; without a path it is kept in memory only.

    `around` may put a stopwatch around the journal."""
    chance = os.urandom if seed is None else random.Random(seed).randbytes
    if path is None:
        yield open_session(rules, MemoryJournal(), Sealer(chance(32), chance))
        return
    places = Places.beside(path) if isinstance(path, Path) else path
    sealer = Sealer(_key(places, chance), chance)
    with Journal.open(places.journal, head_path=places.head) as journal:
        loss = journal.loss
        session = open_session(rules, around(journal) if around else journal, sealer)
        # The head is kept from the first shoe on; before that there is none to miss.
        shoes = session.machine.table.shoes
        if loss is not None and (loss.kind is not LossKind.NO_HEAD or shoes):
            log.error("journal_loss", says=loss.says)
            session.handle(Message("system", JournalLossWord(note=said_of(loss))))
        gc.freeze()  # what is built once is not searched for rubbish after every round
        yield session


def replayed(rules: Rules, path: Path) -> Table:
    """The table a journal leads to, from the start and from its last checkpoint alike."""
    sealer = Sealer(load_key(Places.beside(path).key), os.urandom)
    whole = replay(rules, audit.read(path), sealer)
    records = list(audit.read(path))
    starts = [place for place, record in enumerate(records) if record.kind == CHECKPOINT]
    if starts and whole != replay(rules, iter(records[starts[-1] :]), sealer):
        raise Diverged("replay from the start and from the last checkpoint differ")
    return whole


def _key(places: Places, chance: Callable[[int], bytes]) -> bytes:
    """Made with the journal, and never for one that has cards sealed with another."""
    if not places.key.exists():
        if places.journal.exists():
            raise KeyRefused(
                f"{places.key} is missing, and {places.journal} has cards sealed with it: put the "
                "key back; no other opens them"
            )
        create_key(places.key, chance)
    return load_key(places.key)
