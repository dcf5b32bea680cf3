"""Figures of a period, counted from the table's journal.

Rounds are counted from their summaries, so no key is needed and no figure can differ from what the
table recorded. A round belongs to the period and the hour in which it ended, and to the dealer who
opened its betting. A corrected round counts as its last summary has it, whenever that was written.
Everything else (halts, refused steps, devices, shoes) is counted from the open parts of the steps.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import msgspec
from msgspec.structs import astuple

from controller.engine.release import state_of
from controller.engine.summaries import RoundSummary, WagerTotals
from controller.journal.bodies import Delta, JsonLine, StepBody
from controller.journal.records import CHECKPOINT, RELEASE, Record
from controller.table.holds import Hold
from controller.views.record_reader import Recorded

_CARDS = ("card", "read_failed", "excess")
NOBODY = "nobody"
MIN_MISREADS = 3
"""The minimum for a rate: one misread card in a short shift is not significant."""


def too_many(cards: int, misreads: int, most_per_thousand: float) -> bool:
    """Whether the device's misreads exceed the permitted rate."""
    return misreads >= MIN_MISREADS and 1000 * misreads > most_per_thousand * cards


@dataclass
class Tally:
    """Rounds and money of one dealer, deck set or hour."""

    rounds: int = 0
    voids: int = 0
    drop: int = 0
    """Stakes of settled rounds, in minor units."""
    hold: int = 0
    """The amount the house kept; may be negative."""

    def add(self, round_: RoundSummary) -> None:
        self.rounds += 1
        self.voids += round_.void is not None
        self.drop += round_.drop
        self.hold += round_.hold


@dataclass
class DeviceFigures:
    cards: int = 0
    misreads: int = 0
    """Cards that the device did not read, and cards that people corrected."""
    errors: Counter[str] = field(default_factory=Counter)
    link_losses: int = 0

    @property
    def per_thousand(self) -> float:
        return 1000 * self.misreads / self.cards if self.cards else 0.0

    def too_many(self, most_per_thousand: float) -> bool:
        return too_many(self.cards, self.misreads, most_per_thousand)


@dataclass
class Figures:
    """All figures of a report, created by `of`."""

    since: float
    until: float
    total: Tally = field(default_factory=Tally)
    results: Counter[str] = field(default_factory=Counter)
    corrections: int = 0
    halts: Counter[str] = field(default_factory=Counter)
    """By clause; without a clause by the irregularity's id, or by the hold's."""
    voids: Counter[str] = field(default_factory=Counter)
    refused: int = 0
    shoes: int = 0
    dealers: dict[str, Tally] = field(default_factory=dict)
    """By the dealer who opened the betting."""
    deck_sets: dict[str, Tally] = field(default_factory=dict)
    hours: dict[int, Tally] = field(default_factory=dict)
    """By the beginning of the hour, in seconds since 1970."""
    wagers: dict[str, WagerTotals] = field(default_factory=dict)
    """Settled rounds only, by the kind of wager."""
    devices: dict[str, DeviceFigures] = field(default_factory=dict)

    def includes(self, at: float) -> bool:
        return self.since <= at < self.until


def of(reported: Iterable[Recorded], since: float, until: float) -> Figures:
    """Count what ended or happened from `since` on and before `until`. The records must begin with
    a checkpoint or with the journal itself."""
    counting = _Counting(Figures(since, until))
    for each in reported:
        # The last round of the period may be corrected until a later round is over.
        if each.summary is not None and each.summary.ended >= until:
            break
        counting.take(each)
    return counting.finished()


class _Opened(msgspec.Struct, frozen=True):
    """The identity of a case, and the key that it is counted under."""

    id: str
    since: float = 0.0
    clause: str | None = None


class _Counting:
    def __init__(self, found: Figures) -> None:
        self._found = found
        self._rounds: dict[tuple[int, int], RoundSummary] = {}
        """By shoe and number; a summary replaces the one it supersedes."""
        self._case: _Opened | None = None
        self._latches: tuple[Hold, ...] = ()

    def take(self, reported: Recorded) -> None:
        record, step, summary = reported
        counts = self._found.includes(record.at)
        if record.kind in (CHECKPOINT, RELEASE):
            self._stand_at(record)
            self._found.shoes += counts and record.kind == CHECKPOINT
        if summary is not None:
            self._rounds[summary.shoe, summary.round] = summary
        if step is not None and step.accepted:
            self._take_step(step, counts=counts)
        elif step is not None:
            self._found.refused += counts

    def finished(self) -> Figures:
        found = self._found
        for round_ in self._rounds.values():
            if found.includes(round_.ended):
                _count_round(found, round_)
        return found

    def _take_step(self, step: StepBody, *, counts: bool) -> None:
        if counts:
            _count_device(self._found, step.line)
        if step.effect is not None:
            halts = list(self._halts(step.effect))
            self._found.halts.update(halts if counts else ())

    def _stand_at(self, record: Record) -> None:
        table = state_of(record).plain().read()
        case = table.case
        self._case = None if case is None else _Opened(case.id, case.since, case.clause)
        self._latches = table.latches

    def _halts(self, effect: Delta) -> Iterable[str]:
        """The causes that stopped the table in this step."""
        if "case" in effect.set:
            was, self._case = self._case, msgspec.convert(effect.set["case"], _Opened | None)
            now = self._case
            if now is not None and (was is None or (was.id, was.since) != (now.id, now.since)):
                yield now.clause or now.id
        holds = self._latches
        if "latches" in effect.set:
            holds = msgspec.convert(effect.set["latches"], tuple[Hold, ...])
        holds += msgspec.convert(effect.add.get("latches", ()), tuple[Hold, ...])
        for hold in set(holds) - set(self._latches):
            yield hold.kind.value
        self._latches = holds


def _count_round(found: Figures, round_: RoundSummary) -> None:
    for tally in (
        found.total,
        found.dealers.setdefault(round_.dealer or NOBODY, Tally()),
        found.deck_sets.setdefault(round_.deck_set or NOBODY, Tally()),
        found.hours.setdefault(int(round_.ended // 3600) * 3600, Tally()),
    ):
        tally.add(round_)
    _count_corrections(found, round_)
    if round_.void is not None:
        found.voids[round_.void] += 1
        return
    found.results.update(round_.result[:1] if round_.result else ())
    for kind, wagers in round_.wagers.items():
        found.wagers[kind] = _sum(found.wagers.get(kind, WagerTotals()), wagers)


def _count_corrections(found: Figures, round_: RoundSummary) -> None:
    """Count cards read as another; unread cards are counted from the device's own events."""
    made = sum(each.was not in (None, each.now) for each in round_.corrections)
    if made:
        found.corrections += made
        found.devices.setdefault("shoe", DeviceFigures()).misreads += made


def _sum(one: WagerTotals, other: WagerTotals) -> WagerTotals:
    both = zip(astuple(one), astuple(other), strict=True)
    return WagerTotals(*(mine + theirs for mine, theirs in both))


def _count_device(found: Figures, line: JsonLine) -> None:
    event = line.event
    if event is None:
        return
    device = found.devices.setdefault(line.source, DeviceFigures())
    device.cards += event in _CARDS
    device.misreads += event == "read_failed"
    device.link_losses += event == "link_lost"
    if event in ("error", "fault"):
        device.errors[event if line.code is None else f"{event} {line.code}"] += 1
