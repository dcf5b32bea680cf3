"""Opens a table with its journal on disk, its key file and its source of randomness."""

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
"""The thresholds of Python's garbage collector: new objects before the youngest generation is
collected, and how many such collections before the older two. A collection takes as long as there
are objects, and a card waits for it: with a thousand readers or half-sent requests the first two
must be small, and full collections rare."""

log = structlog.get_logger()


@dataclass(frozen=True)
class JournalPlaces:
    """The paths of a table's files. On a table PC head and keys are stored apart from the
    journal."""

    journal: Path
    head: Path
    key: Path
    signing: Path

    @classmethod
    def next_to(cls, path: Path) -> "JournalPlaces":
        """All files next to the journal, for a bench."""
        ends = ("", ".head", ".key", ".signing")
        return cls(*(path.with_name(path.name + end) for end in ends))

    def keys(self, entropy: Callable[[int], bytes]) -> TableKeys:
        """The table's keys, created if there is no journal yet."""
        return open_keys(self.journal, self.key, self.signing, entropy)

    def sealer(self) -> Sealer:
        """The sealer for readers, which write nothing."""
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
    """Open a table that resumes at the end of its journal; without a path it exists in memory only.

    `around` may wrap the journal in a stopwatch. `pseudonyms`: players have made-up names.
    """
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
    """Exempt the present objects from garbage collection, and collect new ones less often."""
    gc.freeze()
    gc.set_threshold(*RUBBISH_AFTER)


def _disguise(places: JournalPlaces, chance: Callable[[int], bytes]) -> Disguise:
    """The pseudonyms' own key, which no rotation changes, so that a player keeps the name."""
    path = places.key.with_name(places.key.name + ".players")
    return disguise_with_key(load_key(path) if path.exists() else create_key(path, chance))


def replay_table(rules: Rules, path: Path) -> Table:
    """Rebuild the table from a journal, both from the start and from its last checkpoint."""
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


# --- what the journal reports to the table --------------------------------------------------

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
    """The missing part of the journal, for people at the table; the log has the details."""
    there = loss.found.seq
    if loss.kind is LossKind.DAMAGED:
        return sentence(Code.JOURNAL_DAMAGED, record=there, rows=loss.damaged_rows)
    if loss.kind in _AGAINST_HEAD:
        kept = loss.expected.seq if loss.expected else there
        return sentence(_AGAINST_HEAD[loss.kind], record=there, kept=kept)
    return sentence(_CODES[loss.kind], record=there)
