"""Reads records for counting: a step with its effect, a round with its summary.

Both are stored unsealed, so no key is needed.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from controller.engine.replay import check_version
from controller.engine.summaries import RoundSummary, summary_of
from controller.journal.bodies import StepBody, step_of
from controller.journal.records import STEP, SUMMARY, Record


class Recorded(NamedTuple):
    """A record with its effect and its summary."""

    record: Record
    step: StepBody | None = None
    summary: RoundSummary | None = None
    """The summary of the round that the record concerns."""


def recorded(records: Iterable[Record]) -> Iterator[Recorded]:
    """Decode the records, which must begin with a checkpoint or with the journal itself. Raises
    `WrittenByNewer`."""
    for record in records:
        check_version(record)
        if record.kind == SUMMARY:
            yield Recorded(record, summary=summary_of(record))
        else:
            yield Recorded(record, step_of(record) if record.kind == STEP else None)
