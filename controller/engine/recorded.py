"""The decoders of records that need the table's own types: summaries, and the state of the table.

`controller.journal.bodies` has the decoder of steps.
"""

from typing import Final

import msgspec

from controller.engine.effects import LooseState
from controller.engine.release import StateOfTable
from controller.engine.summaries import RoundSummary
from controller.journal.bodies import HasBody
from controller.table.state import Table

_SUMMARY: Final = msgspec.json.Decoder(RoundSummary)
_STATE: Final = msgspec.json.Decoder(StateOfTable)


def summary_of(record: HasBody) -> RoundSummary:
    """The round that a summary tells of."""
    return _SUMMARY.decode(record.body)


def state_of(record: HasBody) -> StateOfTable:
    """What a checkpoint, or a release that took over, has written down."""
    return _STATE.decode(record.body)


def table_of(state: LooseState) -> Table:
    return msgspec.convert(state, Table)
