"""Replay of a journal step by step, beside the table that writes it."""

from controller.engine.release import NAMELESS, Release
from controller.engine.replay import Replayer
from controller.journal.memory import MemoryJournal
from controller.journal.seal import Sealer
from controller.table.rules import Rules
from controller.table.state import Table


class StepReplay:
    """Two replays of one journal: by the release that wrote it, which decides again, and by a
    later one, which takes the recorded effects."""

    def __init__(
        self, rules: Rules, journal: MemoryJournal, sealer: Sealer, release: Release = NAMELESS
    ) -> None:
        self._journal, self._sealer, self._replayed = journal, sealer, 0
        self._same = Replayer(rules, release)
        self._later = Replayer(rules, Release(f"later than {release.version}"))

    def check(self, table: Table) -> None:
        """Read the new records only: from the start each time, a long shoe would take minutes."""
        for record in self._journal.records(self._replayed):
            self._same.step(record, self._sealer)
            self._later.step(record, self._sealer)
            self._replayed = record.seq
        assert self._same.table == table, "replay comes to another table"
        assert self._later.table == table, "its effects come to another table"
