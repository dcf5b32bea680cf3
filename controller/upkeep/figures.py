"""The figures of a stretch of time from a table's own journal."""

from pathlib import Path

from controller.config.file import Config
from controller.journal import audit
from controller.views.figures import Figures, of
from controller.views.record_reader import recorded


def of_journal(config: Config, since: float, until: float) -> Figures:
    """From the table's journal; raises `JournalError`. None yet is an empty stretch."""
    journal = Path(config.journal.path)
    if not journal.exists():
        return Figures(since, until)
    start = max(0, audit.checkpoint_before(journal, since) - 1)
    return of(recorded(audit.read(journal, start)), since, until)
