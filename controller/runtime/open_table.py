"""Opening a table with its journal on disk, its key file and its source of chance."""

import gc
import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import structlog

from controller.engine.replay import Diverged, Replayer, replay
from controller.engine.session import Session, open_session
from controller.journal import audit
from controller.journal.errors import JournalDamaged
from controller.journal.keys.files import TableKeys, open_keys, read_sealer, settle
from controller.journal.loss import Loss, LossKind
from controller.journal.memory import MemoryJournal
from controller.journal.records import AnyJournal
from controller.journal.seal import Sealer, create_key, load_key
from controller.journal.store import Journal
from controller.messages.codes import Code
from controller.messages.sentence import Sentence, sentence
from controller.runtime.release_info import release_digest
from controller.table.commands.device_events import JournalLossEvent
from controller.table.commands.message import Message
from controller.table.commands.pseudonyms import Disguise, disguise_with_key
from controller.table.rules import Rules
from controller.table.state import Table

RUBBISH_AFTER: Final = (2_000, 5, 1_000)
"""Objects more than there were, before Python looks for rubbish among the newest; how often until
it looks among those of a few looks before, too; and among all. A look takes as long as there is to
be looked at, and a card waits for it: with a thousand readers or half-sent requests the first two
have to be few, and the last to come seldom."""

log = structlog.get_logger()


@dataclass(frozen=True)
class JournalPlaces:
    """Where a table's files lie. On a table PC head and keys live apart from the journal."""

    journal: Path
    head: Path
    key: Path
    signing: Path

    @classmethod
    def next_to(cls, path: Path) -> "JournalPlaces":
        """All next to the journal, for a bench."""
        ends = ("", ".head", ".key", ".signing")
        return cls(*(path.with_name(path.name + end) for end in ends))

    def keys(self, entropy: Callable[[int], bytes]) -> TableKeys:
        """The table's keys, made if there is no journal yet."""
        return open_keys(self.journal, self.key, self.signing, entropy)

    def sealer(self) -> Sealer:
        """For whoever only reads."""
        return read_sealer(self.journal, self.key, os.urandom)


Around = Callable[[AnyJournal], AnyJournal]


@contextmanager
def open_table(
    rules: Rules,
    path: Path | JournalPlaces | None,
    seed: int | None = None,
    around: Around | None = None,
    *,
    pseudonyms: bool = False,
) -> Iterator[Session]:
    """A table that goes on where its journal stops; without a path it is kept in memory only.

    `around` may put a stopwatch around the journal. `pseudonyms`: players have made-up names."""
    chance = os.urandom if seed is None else random.Random(seed).randbytes
    if path is None:
        sealer = Sealer(chance(32), chance)
        yield open_session(rules, MemoryJournal(), sealer, release=release_digest(rules))
        return
    places = JournalPlaces.next_to(path) if isinstance(path, Path) else path
    keys = places.keys(chance)
    with Journal.open(
        places.journal,
        head_path=places.head,
        signer=keys.signer,
        sealing_id=keys.sealing_id,
        signed_before=keys.signed_before,
        when_named=lambda: settle(keys, places.key, places.signing),
    ) as journal:
        if keys.warning is not None:
            log.warning("older_key_again", says=keys.warning)
        loss, sealer = journal.loss, keys.sealer(chance)
        kept_in = around(journal) if around else journal
        disguise = _disguise(places, chance) if pseudonyms else None
        release = release_digest(rules)
        session = open_session(rules, kept_in, sealer, release=release, disguise=disguise)
        if session.took_over and session.machine.table.day.is_open:
            log.info("took_over", why="another release or configuration decided the steps so far")
        if loss is not None:
            log.error("journal_loss", says=loss.text)
            session.handle(Message("system", JournalLossEvent(note=loss_sentence(loss))))
            journal.mark_loss_recorded()
        rest_collector()
        yield session


def rest_collector() -> None:
    """What is built by now is not searched for rubbish, and what comes is so more seldom."""
    gc.freeze()
    gc.set_threshold(*RUBBISH_AFTER)


def _disguise(places: JournalPlaces, chance: Callable[[int], bytes]) -> Disguise:
    """By a key of its own, which no rotation changes: a player keeps the name."""
    path = places.key.with_name(places.key.name + ".players")
    return disguise_with_key(load_key(path) if path.exists() else create_key(path, chance))


def replay_table(rules: Rules, path: Path) -> Table:
    """The table a journal leads to, from the start and from its last checkpoint alike."""
    if audit.is_copy(path):
        raise JournalDamaged(
            f"{path} is a copy: it has no cards to replay; take the journal itself"
        )
    sealer = JournalPlaces.next_to(path).sealer()
    release = release_digest(rules)
    machine, whole = Replayer(rules, release), Table()
    for record in audit.read(path):
        machine.step(record, sealer)
        whole = machine.table
    start = max(0, audit.last_checkpoint(path) - 1)
    if start and whole != replay(rules, audit.read(path, start), sealer, release):
        raise Diverged("replay from the start and from the last checkpoint differ")
    return whole


# --- what the table is told of its journal --------------------------------------------------

_CODES: Final = {
    LossKind.NO_HEAD: Code.JOURNAL_HAS_NO_HEAD,
    LossKind.FOREIGN: Code.JOURNAL_IS_ANOTHER,
    LossKind.HEAD_DAMAGED: Code.JOURNAL_HEAD_DAMAGED,
    LossKind.HEAD_FOREIGN: Code.JOURNAL_HEAD_NOT_OURS,
    LossKind.UNSIGNED: Code.JOURNAL_UNSIGNED,
}
_AGAINST_HEAD: Final = {
    LossKind.MISSING: Code.JOURNAL_ENDS_EARLY,
    LossKind.HEAD_BEHIND: Code.JOURNAL_HEAD_BEHIND,
}


def loss_sentence(loss: Loss) -> Sentence:
    """What is missing, for people at the table; the log has the rest."""
    there = loss.found.seq
    if loss.kind is LossKind.DAMAGED:
        return sentence(Code.JOURNAL_DAMAGED, record=there, rows=loss.damaged_rows)
    if loss.kind in _AGAINST_HEAD:
        kept = loss.expected.seq if loss.expected else there
        return sentence(_AGAINST_HEAD[loss.kind], record=there, kept=kept)
    return sentence(_CODES[loss.kind], record=there)
