"""What happened at the table in a stretch of time, counted from its journal.

The journal is replayed by the same code that wrote it, from the last checkpoint before the stretch
on, so a figure here cannot differ from what was played. Money is counted once a round is over, as
it was settled; a correction changes the figures of the round it corrects.
"""

import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from controller.config.file import Config
from controller.engine.forms import step_of
from controller.engine.replay import Replaying
from controller.journal import audit
from controller.journal.records import CHECKPOINT, Record
from controller.journal.seal import Sealer, load_key
from controller.table.rules import Rules
from controller.table.state import Round, Table
from controller.table.words.message import JsonLine

_CARDS = ("card", "read_failed", "excess")
NOBODY = "nobody"
MISREADS_FEWEST = 3
"""One bad card in a short shift is no rate."""


def too_many(cards: int, misreads: int, most_per_thousand: float) -> bool:
    """Whether a device that misread so many of so many cards is to be flagged."""
    return misreads >= MISREADS_FEWEST and 1000 * misreads > most_per_thousand * cards


@dataclass
class Tally:
    """Rounds and money of one dealer, deck set or hour."""

    rounds: int = 0
    voids: int = 0
    drop: int = 0
    """Staked on rounds that were settled, in minor units."""
    hold: int = 0
    """What the house kept of it; may be negative."""

    def add(self, round_: Round) -> None:
        self.rounds += 1
        if round_.void_by is not None:
            self.voids += 1
            return
        self.drop += _staked(round_)
        self.hold += _kept(round_)


@dataclass
class DeviceFigures:
    cards: int = 0
    misreads: int = 0
    """Cards it could not read, and cards that people corrected."""
    errors: Counter[str] = field(default_factory=Counter)
    link_losses: int = 0

    @property
    def per_thousand(self) -> float:
        return 1000 * self.misreads / self.cards if self.cards else 0.0

    def too_many(self, most_per_thousand: float) -> bool:
        return too_many(self.cards, self.misreads, most_per_thousand)


@dataclass
class Figures:
    """Everything a report tells; `of` makes them."""

    since: float
    until: float
    total: Tally = field(default_factory=Tally)
    results: Counter[str] = field(default_factory=Counter)
    corrections: int = 0
    halts: Counter[str] = field(default_factory=Counter)
    """By clause, or by name where no clause speaks of it."""
    voids: Counter[str] = field(default_factory=Counter)
    refused: int = 0
    shoes: int = 0
    dealers: dict[str, Tally] = field(default_factory=dict)
    deck_sets: dict[str, Tally] = field(default_factory=dict)
    hours: dict[int, Tally] = field(default_factory=dict)
    """By the hour's beginning, in seconds since 1970."""
    devices: dict[str, DeviceFigures] = field(default_factory=dict)


def of_journal(config: Config, since: float, until: float) -> Figures:
    """From the table's journal; raises `JournalError`. None yet is an empty stretch."""
    journal = Path(config.journal.path)
    if not journal.exists():
        return Figures(since, until)
    start = max(0, audit.checkpoint_before(journal, since) - 1)
    sealer = Sealer(load_key(Path(config.journal.key)), os.urandom)
    return of(audit.read(journal, start), config.rules(), sealer, since, until)


def of(
    records: Iterable[Record], rules: Rules, sealer: Sealer, since: float, until: float
) -> Figures:
    """Count what was recorded from `since` on and before `until`; `records` begin with a checkpoint
    or with the journal itself."""
    found = Figures(since, until)
    replaying = Replaying(rules)
    for record in records:
        if record.at >= until:
            break
        before = replaying.table
        replaying.step(record, sealer)
        if record.kind != CHECKPOINT and record.at >= since:
            _count(found, record, before, replaying.table)
    return found


def _count(found: Figures, record: Record, before: Table, after: Table) -> None:
    step = step_of(record)
    if not step.accepted:
        found.refused += 1
        return
    _count_device(found, step.line)
    if after.shoes != before.shoes:
        found.shoes += 1
    if _is_over(after) and not _is_over(before):
        _count_round(found, after, step.line.who, record.at)
    elif _was_corrected(before, after):
        _count_correction(found, before, after, record.at)
    _count_halts(found, before, after)


def _count_device(found: Figures, said: JsonLine) -> None:
    event = said.event
    if event is None:
        return
    device = found.devices.setdefault(said.source, DeviceFigures())
    device.cards += event in _CARDS
    device.misreads += event == "read_failed"
    device.link_losses += event == "link_lost"
    if event in ("error", "fault"):
        device.errors[event if said.code is None else f"{event} {said.code}"] += 1


def _is_over(table: Table) -> bool:
    return table.round is not None and table.round.over


def _count_round(found: Figures, table: Table, who: str | None, at: float) -> None:
    round_ = table.round
    assert round_ is not None
    deck_set = table.shoe.deck_set if table.shoe else NOBODY
    for tally in (
        found.total,
        found.dealers.setdefault(who or NOBODY, Tally()),
        found.deck_sets.setdefault(deck_set, Tally()),
        found.hours.setdefault(int(at // 3600) * 3600, Tally()),
    ):
        tally.add(round_)
    if round_.void_by is not None:
        found.voids[round_.void_by] += 1
    elif table.results:
        found.results[table.results[-1][0]] += 1


def _was_corrected(before: Table, after: Table) -> bool:
    then, now = before.round, after.round
    if then is None or now is None or then.number != now.number:
        return False
    return now.corrected and (not then.corrected or then.cards != now.cards)


def _count_correction(found: Figures, before: Table, after: Table, at: float) -> None:
    found.corrections += 1
    found.devices.setdefault("shoe", DeviceFigures()).misreads += 1
    then, now = before.round, after.round
    assert then is not None
    assert now is not None
    if then.over:
        found.results -= Counter(before.results[-1][:1])
        found.results += Counter(after.results[-1][:1])
        changed = _kept(now) - _kept(then)
        found.total.hold += changed
        found.hours.setdefault(int(at // 3600) * 3600, Tally()).hold += changed
        if after.shoe is not None:
            found.deck_sets.setdefault(after.shoe.deck_set, Tally()).hold += changed


def _count_halts(found: Figures, before: Table, after: Table) -> None:
    case, was = after.case, before.case
    if case is not None and (was is None or was.id != case.id):
        found.halts[case.clause or case.id.replace("_", " ")] += 1
    for latch in set(after.latches) - set(before.latches):
        found.halts[latch.kind.value.replace("_", " ")] += 1


def _staked(round_: Round) -> int:
    return sum(wager.amount for wager in round_.wagers)


def _kept(round_: Round) -> int:
    """What the house kept of the stakes of a settled round."""
    if not round_.paid:
        return 0
    return _staked(round_) - sum(paid.pays + paid.returned for paid in round_.paid)
