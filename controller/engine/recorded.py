"""The bodies of records that replay and reports read back: steps, and the state of the table."""

import msgspec

from controller.engine.effects import Delta, LooseState
from controller.engine.release import StateOfTable
from controller.journal.records import Record
from controller.table.state import Table
from controller.table.words.message import JsonLine


class StepBody(msgspec.Struct, frozen=True):
    """A step as it was recorded."""

    line: JsonLine = msgspec.field(name="in")
    accepted: bool = True
    state: str | None = None
    clause: str | None = None
    effect: Delta | None = None


def step_of(record: Record) -> StepBody:
    return msgspec.json.decode(record.body, type=StepBody)


def state_in(record: Record) -> StateOfTable:
    """What a checkpoint, or a release that took over, has written down."""
    return msgspec.json.decode(record.body, type=StateOfTable)


def table_of(state: LooseState) -> Table:
    return msgspec.convert(state, Table)
