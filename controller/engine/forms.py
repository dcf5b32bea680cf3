"""Older forms of records, brought up to today's: one small function a step.

Forms 1 to 3 keep a step's words and not what they did, so their words are fed to today's code until
the release that takes over has written down the state it found. What they refused is not judged
again, and what an older word carried beside its fields is kept where today's code looks for it.
From form 4 on a step has its effect, and only a state has to be brought up.
"""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from controller.engine.effects import Delta, LooseState
from controller.engine.release import Release, StateOfTable
from controller.journal.records import Entry, Record
from controller.sentences.codes import Code
from controller.sentences.sentence import sentence
from controller.table.phases import Phase
from controller.table.state import Table
from controller.table.words.message import JsonLine
from controller.table.words.people import Facts, ReportWord
from controller.table.words.vocabulary import SPECS

Body = dict[str, Any]

HAS_EFFECT: Final = 4
"""The first form whose steps say what they did; it stays 4 whatever form is written today."""


class StepBody(msgspec.Struct, frozen=True):
    """A step as it was recorded."""

    line: JsonLine = msgspec.field(name="in")
    accepted: bool = True
    state: str | None = None
    clause: str | None = None
    effect: Delta | None = None


class RecordedState(msgspec.Struct, frozen=True):
    """A table as a record has it, and whose it was; None: of a release before form 4."""

    table: LooseState
    version: int
    release: Release | None


def step_of(record: Record) -> StepBody:
    """A step's record in today's form."""
    if record.version >= HAS_EFFECT:
        return msgspec.json.decode(record.body, type=StepBody)
    body: Body = msgspec.json.decode(record.body)
    for form, up in _STEPS:
        if record.version < form:
            body = up(body)
    return msgspec.convert(body, StepBody)


def agrees(record: Record, entry: Entry) -> bool:
    """Whether replay comes to what an older form recorded, as far as both can say it."""
    then, now = step_of(record), msgspec.json.decode(entry.body, type=StepBody)
    return (then.accepted, then.state, then.clause) == (now.accepted, now.state, now.clause)


def state_in(record: Record) -> RecordedState:
    """What a checkpoint, or a release that took over, has written down."""
    if record.version < HAS_EFFECT:
        return RecordedState(msgspec.json.decode(record.body), record.version, None)
    body = msgspec.json.decode(record.body, type=StateOfTable)
    return RecordedState(body.table, record.version, body.release)


def table_of(state: LooseState, version: int) -> Table:
    """A recorded state as today's table."""
    for form, up in _TABLES:
        if version < form:
            state = up(state)
    return msgspec.convert(state, Table)


# --- form 2 to form 3 ---------------------------------------------------------------------------


def _step_to_3(body: Body) -> Body:
    """Commitments stood among the word's fields, and so did whatever else somebody gave: a field
    that nobody read was taken in silence."""
    line = dict(body["in"])
    given = dict(line.get("with", {}))
    commitment = given.pop("commitment", None)
    given.pop("salt", None)
    spec = SPECS[str(line.get("do") or line.get("event"))]
    known = {each.encode_name for each in msgspec.structs.fields(spec.struct)}
    line["with"] = {name: value for name, value in given.items() if name in known}
    if spec.struct is ReportWord and "facts" in given:
        # What the table works out by itself could be said too, and nobody looked at it.
        facts = given["facts"].items()
        line["with"]["facts"] = {n: v for n, v in facts if n in Facts.__struct_fields__}
    if commitment is not None:
        line["commitment"] = commitment
    return {**body, "in": line}


def _table_to_3(state: LooseState) -> LooseState:
    """The phase was worked out anew each time; a checkpoint stands between two rounds."""
    latches = [{"kind": kind, "since": state.get("at", 0.0)} for kind in state.get("latches", [])]
    notices = [
        msgspec.to_builtins(sentence(Code.OLDER_NOTICE, says=says))
        for says in state.get("notices", [])
    ]
    kept = {name: value for name, value in state.items() if name not in _GONE}
    suspended = state.get("suspended", False)
    return {
        **kept,
        "phase": _phase(state).value,
        "latches": latches,
        "notices": notices,
        "restarted_at": state.get("at", 0.0) if suspended else None,
    }


_GONE: Final = ("suspended", "case", "queue", "request", "doubt")
"""None of these is open when a shoe is loaded, and before form 4 a checkpoint is written only
then."""


def _phase(state: LooseState) -> Phase:
    if not state.get("opened", False):
        return Phase.CLOSED
    held = state.get("shoe") or {}
    ready = held.get("burn_left") == 0 and not state.get("change_shoe", False)
    return Phase.READY if ready else Phase.CHANGING_SHOE


_STEPS: Final[tuple[tuple[int, Callable[[Body], Body]], ...]] = ((3, _step_to_3),)
_TABLES: Final[tuple[tuple[int, Callable[[LooseState], LooseState]], ...]] = ((3, _table_to_3),)
