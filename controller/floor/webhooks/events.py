"""Events for subscribers: at most one for each record, without names of people.

An event's id is made of its record's place, so it stays the same for every delivery, and a
correction can name the event that it supersedes.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

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
    """The result of a finished round has changed after it was sent."""
    PHASE = "phase"


TYPES: Final = {
    EventKind.RESULT: "round.result",
    EventKind.VOID: "round.void",
    EventKind.CORRECTION: "round.correction",
    EventKind.PHASE: "table.phase",
}


class History(msgspec.Struct, frozen=True):
    site: str
    table: str
    epoch: int


class Event(msgspec.Struct, frozen=True):
    """One event of one record."""

    id: str
    kind: EventKind
    body: bytes


def id_of(history: History, seq: int) -> str:
    return f"msg_{history.site}.{history.table}.{history.epoch}.{seq}"


def event_of(
    history: History, record: SentRecord, told_in: Callable[[int], int] | None = None
) -> Event | None:
    """The event of a record; None for a record without one, or an unreadable one. `told_in` returns
    the epoch under which a record of this history is delivered, where that is not always its
    own."""
    try:
        if record.kind == SUMMARY:
            round_ = summary_of(record)
            return _of_round(history, record, round_, told_in or (lambda _: history.epoch))
        if record.kind == STEP:
            return _of_phase(history, record, step_of(record))
    except UNREADABLE:
        return None
    return None


class RecordPlace(msgspec.Struct, frozen=True):
    site: str
    table: str
    epoch: int
    record: int
    digest: str


class SupersededEvent(msgspec.Struct, frozen=True):
    """The event that a correction replaces."""

    id: str
    record: int


class RoundData(RecordPlace, frozen=True, kw_only=True):
    """Data of a round that has ended."""

    shoe: int
    round: int
    ref: str | None
    began: str | None
    ended: str | None
    method: str
    result: str | None
    void: str | None
    player: list[str | None]
    banker: list[str | None]
    supersedes: SupersededEvent | msgspec.UnsetType = msgspec.UNSET
    """Set only in a correction."""


class PhaseData(RecordPlace, frozen=True, kw_only=True):
    phase: str
    shoe: int
    round: int


class WebhookBody(msgspec.Struct, frozen=True):
    """The body of a request, in the form of Standard Webhooks."""

    type: str
    timestamp: str | None
    data: RoundData | PhaseData


def _of_round(
    history: History, record: SentRecord, round_: RoundSummary, told_in: Callable[[int], int]
) -> Event:
    kind = EventKind.RESULT if round_.void is None else EventKind.VOID
    superseded: SupersededEvent | msgspec.UnsetType = msgspec.UNSET
    if round_.supersedes is not None:
        kind = EventKind.CORRECTION
        reported = msgspec.structs.replace(history, epoch=told_in(round_.supersedes))
        superseded = SupersededEvent(id_of(reported, round_.supersedes), round_.supersedes)
    data = RoundData(
        *_place(history, record),
        shoe=round_.shoe,
        round=round_.round,
        ref=round_.ref,
        began=_moment(round_.began),
        ended=_moment(round_.ended),
        method=round_.method,
        result=round_.result,
        void=round_.void,
        player=round_.player,
        banker=round_.banker,
        supersedes=superseded,
    )
    return _event(history, record, kind, data)


def _of_phase(history: History, record: SentRecord, step: StepBody) -> Event | None:
    phase = None if step.effect is None else step.effect.set.get("phase")
    if not isinstance(phase, str):
        return None
    data = PhaseData(*_place(history, record), phase=phase, shoe=record.shoe, round=record.round)
    return _event(history, record, EventKind.PHASE, data)


def _place(history: History, record: SentRecord) -> tuple[str, str, int, int, str]:
    return history.site, history.table, history.epoch, record.seq, record.digest.hex()


def _event(
    history: History, record: SentRecord, kind: EventKind, data: RoundData | PhaseData
) -> Event:
    body = WebhookBody(TYPES[kind], _moment(record.at), data)
    return Event(id_of(history, record.seq), kind, canonical(body))


def _moment(at: float) -> str | None:
    try:
        return datetime.fromtimestamp(at, UTC).isoformat().replace("+00:00", "Z")
    except (ValueError, OverflowError, OSError):
        return None
