"""The figures of a period from a table's own journal."""

from pathlib import Path

from controller.config.file import Config
from controller.journal import audit
from controller.views.figures import Figures, of
from controller.views.record_reader import recorded


def of_journal(config: Config, since: float, until: float) -> Figures:
    """Return the figures of the table's journal; an absent journal gives an empty period. Raises
    `JournalError`."""
    journal = Path(config.journal.path)
    if not journal.exists():
        return Figures(since, until)
    start = max(0, audit.checkpoint_before(journal, since) - 1)
    return of(recorded(audit.read(journal, start)), since, until)
