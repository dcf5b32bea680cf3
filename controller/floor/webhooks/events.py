"""What a record says to a subscriber: at most one event each, without a person's name in it.

An event's id is made of its record's place, so it is the same whenever and however often it is
sent, and a correction can name the event that it supersedes.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Final

import msgspec

from controller.engine.summaries import RoundSummary, summary_of
from controller.journal.bodies import StepBody, step_of
from controller.journal.records import STEP, SUMMARY, canonical
from controller.protocol.records import SentRecord
from controller.protocol.unreadable import UNREADABLE


class EventKind(StrEnum):
    RESULT = "result"
    VOID = "void"
    CORRECTION = "correction"
    """A round that was over is otherwise than it was told."""
    PHASE = "phase"


TYPES: Final = {
    EventKind.RESULT: "round.result",
    EventKind.VOID: "round.void",
    EventKind.CORRECTION: "round.correction",
    EventKind.PHASE: "table.phase",
}


class History(msgspec.Struct, frozen=True):
    """One history of one table."""

    site: str
    table: str
    epoch: int


class Event(msgspec.Struct, frozen=True):
    """One thing to tell."""

    id: str
    kind: EventKind
    body: bytes


def id_of(history: History, seq: int) -> str:
    return f"msg_{history.site}.{history.table}.{history.epoch}.{seq}"


def event_of(
    history: History, record: SentRecord, told_in: Callable[[int], int] | None = None
) -> Event | None:
    """None for a record of which nobody outside is told, or which cannot be read. `told_in` says
    under which epoch a record of this history was told, where that is not always its own."""
    try:
        if record.kind == SUMMARY:
            round_ = summary_of(record)
            return _of_round(history, record, round_, told_in or (lambda _: history.epoch))
        if record.kind == STEP:
            return _of_phase(history, record, step_of(record))
    except UNREADABLE:
        return None
    return None


def _of_round(
    history: History, record: SentRecord, round_: RoundSummary, told_in: Callable[[int], int]
) -> Event:
    kind = EventKind.RESULT if round_.void is None else EventKind.VOID
    data: dict[str, Any] = {
        "shoe": round_.shoe,
        "round": round_.round,
        "ref": round_.ref,
        "began": _moment(round_.began),
        "ended": _moment(round_.ended),
        "method": round_.method,
        "result": round_.result,
        "void": round_.void,
        "player": round_.player,
        "banker": round_.banker,
    }
    if round_.supersedes is not None:
        kind = EventKind.CORRECTION
        told = msgspec.structs.replace(history, epoch=told_in(round_.supersedes))
        data["supersedes"] = {
            "id": id_of(told, round_.supersedes),
            "record": round_.supersedes,
        }
    return _event(history, record, kind, data)


def _of_phase(history: History, record: SentRecord, step: StepBody) -> Event | None:
    phase = None if step.effect is None else step.effect.set.get("phase")
    if not isinstance(phase, str):
        return None
    data = {"phase": phase, "shoe": record.shoe, "round": record.round}
    return _event(history, record, EventKind.PHASE, data)


def _event(history: History, record: SentRecord, kind: EventKind, data: dict[str, Any]) -> Event:
    place = {
        "site": history.site,
        "table": history.table,
        "epoch": history.epoch,
        "record": record.seq,
        "digest": record.digest.hex(),
    }
    said = {"type": TYPES[kind], "timestamp": _moment(record.at), "data": {**place, **data}}
    return Event(id_of(history, record.seq), kind, canonical(said))


def _moment(at: float) -> str | None:
    try:
        return datetime.fromtimestamp(at, UTC).isoformat().replace("+00:00", "Z")
    except (ValueError, OverflowError, OSError):
        return None
