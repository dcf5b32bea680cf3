"""Opening a table with its journal on disk, its key file and its source of chance."""

import gc
import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import structlog

from controller.journal import audit
from controller.journal.loss import LossKind
from controller.journal.memory import MemoryJournal
from controller.journal.records import CHECKPOINT
from controller.journal.seal import Sealer, create_key, load_key
from controller.journal.store import Journal
from controller.round.rules import Message, Rules
from controller.round.state import Table
from controller.session import Diverged, Session, open_session, replay

log = structlog.get_logger()


@contextmanager
def opened(rules: Rules, path: Path | None, seed: int | None = None) -> Iterator[Session]:
    """A table that goes on where its journal stops; without a path it is kept in memory only.

    The key that opens sealed cards lies in a file of its own beside the journal (`.key`), the
    second copy of the head in another (`.head`); on a table PC both are set to live elsewhere.
    """
    chance = os.urandom if seed is None else random.Random(seed).randbytes
    if path is None:
        yield open_session(rules, MemoryJournal(), Sealer(chance(32), chance))
        return
    sealer = Sealer(_key(path.with_name(path.name + ".key"), chance), chance)
    with Journal.open(path, head_path=path.with_name(path.name + ".head")) as journal:
        loss = journal.loss
        session = open_session(rules, journal, sealer)
        # The head is kept from the first shoe on; before that there is none to miss.
        shoes = session.machine.table.shoes
        if loss is not None and (loss.kind is not LossKind.NO_HEAD or shoes):
            log.error("journal_loss", says=loss.says)
            session.handle(Message("system", event="journal_loss", given={"says": loss.says}))
        gc.freeze()  # what is built once is not searched for rubbish after every round
        yield session


def replayed(rules: Rules, path: Path) -> Table:
    """The table a journal leads to, from the start and from its last checkpoint alike."""
    sealer = Sealer(load_key(path.with_name(path.name + ".key")), os.urandom)
    whole = replay(rules, audit.read(path), sealer)
    records = list(audit.read(path))
    starts = [place for place, record in enumerate(records) if record.kind == CHECKPOINT]
    if starts and whole != replay(rules, iter(records[starts[-1] :]), sealer):
        raise Diverged("replay from the start and from the last checkpoint differ")
    return whole


def _key(path: Path, chance: Callable[[int], bytes]) -> bytes:
    if not path.exists():
        create_key(path, chance)
    return load_key(path)
