"""The figures of a period, for the report page.

Blocks on disk: call it outside the event loop.
"""

from controller.console.data.round_history import RecordReader
from controller.views import figures
from controller.views.figures import Figures
from controller.views.record_reader import recorded


class ShiftFigures:
    """Counts figures from the summaries of rounds."""

    def __init__(self, records: RecordReader) -> None:
        self._records = records

    def of(self, since: float, until: float) -> Figures:
        return figures.of(recorded(self._records.read(self._before(since))), since, until)

    def _before(self, since: float) -> int:
        """The record before the last shoe that had begun by `since`."""
        for seq in reversed(self._records.checkpoints()):
            if next(self._records.read(seq - 1)).at <= since:
                return seq - 1
        return 0
