"""The figures of a stretch of time, for the report page.

Blocks on disk: keep it off the web's loop.
"""

from controller.console.data.recall import Records
from controller.journal.errors import KeyRefused
from controller.journal.seal import Sealer
from controller.table.rules import Rules
from controller.views import figures
from controller.views.figures import Figures
from controller.views.recorded import recorded


class ShiftFigures:
    """Counts from the summaries; the key opens only what an older form of records has sealed."""

    def __init__(self, records: Records, rules: Rules, sealer: Sealer | None) -> None:
        self._records = records
        self._rules = rules
        self._sealer = sealer

    def of(self, since: float, until: float) -> Figures:
        told = recorded(self._records.read(self._before(since)), self._rules, self._open_sealer)
        return figures.of(told, since, until)

    def _before(self, since: float) -> int:
        """The record before the last shoe that was begun by then."""
        for seq in reversed(self._records.checkpoints()):
            if next(self._records.read(seq - 1)).at <= since:
                return seq - 1
        return 0

    def _open_sealer(self) -> Sealer:
        if self._sealer is None:
            raise KeyRefused("this console has no key")
        return self._sealer
