"""The figures of a stretch of time from a table's own journal."""

import os
from pathlib import Path

from controller.config.file import Config
from controller.journal import audit
from controller.journal.keys.files import read_sealer
from controller.journal.seal import Sealer
from controller.views.figures import Figures, of
from controller.views.recorded import recorded


def of_journal(config: Config, since: float, until: float) -> Figures:
    """From the table's journal; raises `JournalError`. None yet is an empty stretch. The key is
    read only for records of an older form; what cannot be counted without it is told."""
    journal = Path(config.journal.path)
    if not journal.exists():
        return Figures(since, until)
    start = max(0, audit.checkpoint_before(journal, since) - 1)

    def sealer() -> Sealer:
        return read_sealer(journal, Path(config.journal.key), os.urandom)

    return of(recorded(audit.read(journal, start), config.rules(), sealer), since, until)
