"""One round as it was played: read from the journal, step by step, with its proof.

The shoe is replayed from its checkpoint, and each step is viewed as the dealer saw it: a card that
was never exposed stays `null`. Blocks on disk and takes time: call it outside the event loop.
"""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from threading import Lock
from typing import Final, Protocol

import msgspec

from controller.console.data import round_steps
from controller.console.data.round_steps import StepSentence
from controller.engine.replay import Diverged, Replayer
from controller.journal import audit
from controller.journal.bodies import Given, StepBody, step_of
from controller.journal.database import LAST
from controller.journal.errors import JournalError
from controller.journal.records import STEP, SUMMARY, Head, Record, digest_of
from controller.journal.seal import Sealer, check
from controller.messages.sentence import Param
from controller.table.requests import CorrectCard
from controller.table.rules import Rules
from controller.table.state import Table
from controller.views import audience
from controller.views.sentence_views import SentenceView, sentence_view
from controller.views.structs.audience_views import StaffView, State


class RecordReader(Protocol):
    """A journal that another process or thread writes at the same time."""

    def read(self, after: int = 0) -> Iterator[Record]: ...
    def checkpoints(self) -> list[int]:
        """The numbers of the records that begin a shoe, in rising order."""

    def summaries(self, before: int | None = None) -> Iterator[Record]:
        """The summaries of rounds, the newest first; with `before`, only those before that
        record."""

    def head(self) -> Head: ...


class OnDisk:
    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self, after: int = 0) -> Iterator[Record]:
        return audit.read(self._path, after)

    def checkpoints(self) -> list[int]:
        return audit.checkpoints(self._path)

    def summaries(self, before: int | None = None) -> Iterator[Record]:
        return audit.summaries(self._path, before=before or LAST, newest_first=True)

    def head(self) -> Head:
        return audit.head(self._path)


class RoundStep(msgspec.Struct, frozen=True):
    """One step of a round: the event, its results, and the table after it."""

    seq: int
    at: float
    event: str = msgspec.field(name="what")
    """The command's name."""
    source: str = msgspec.field(name="from")
    who: str | None
    role: str | None
    given: Given = msgspec.field(name="with")
    card: str | None
    accepted: bool
    text: SentenceView = msgspec.field(name="says")
    """The step as a sentence: "9♥ to the Player"."""
    then: list[SentenceView]
    """The table's reaction: a stop, a corrected card, a void round."""
    reason: str | None
    """The reason for a refusal; its code and gaps are separate fields."""
    code: str | None
    params: dict[str, Param] | None = msgspec.field(name="gaps")
    clause: str | None
    state: State
    view: StaffView
    """The table after the step, as the dealer saw it."""


class RoundCorrection(msgspec.Struct, frozen=True):
    """A manual change: who requested it, who approved it, and the table before and after."""

    seq: int
    by: str
    approved_by: str | None
    reason: str
    before: StaffView
    after: StaffView


class ProvedRecord(msgspec.Struct, frozen=True):
    """A record of the round, and whether it fits the hash chain."""

    seq: int
    digest: str
    fits: bool


class OpenedCommitment(msgspec.Struct, frozen=True):
    """The commitment of a card; the other fields are null while the card is sealed."""

    n: int
    commitment: str
    card: str | None
    """Null also where the card was not read."""
    salt: str | None
    holds: bool | None


class ChainEnd(msgspec.Struct, frozen=True):
    """The last record of the journal."""

    seq: int
    digest: str


class RoundProof(msgspec.Struct, frozen=True):
    """The position of the round in the chain, and its opened commitments."""

    first: int
    last: int
    previous: str
    """The digest of the record before the round's first."""
    records: list[ProvedRecord]
    commitments: list[OpenedCommitment]
    chain_holds: bool
    head: ChainEnd


@dataclass(slots=True)
class Played:
    """One replayed round: its records, and the table after each of them."""

    shoe: int
    number: int
    before: Head
    """The record before the round's first."""
    began: Table
    """The table before the round."""
    records: list[Record] = field(default_factory=list)
    """All records of the round, so that the chain has no gap."""
    afterwards: list[Record] = field(default_factory=list)
    steps: list[tuple[Record, Table]] = field(default_factory=list)
    opened: dict[int, tuple[str | None, str]] = field(default_factory=dict)
    committed: dict[int, str] = field(default_factory=dict)

    def add(self, record: Record, table: Table) -> None:
        self.records.append(record)
        if record.kind == STEP:
            self._add_step(record, table)

    def add_afterwards(self, record: Record) -> None:
        """Adds a record made at the next shoe, before its first round: a finding that came too late
        for the round's own records."""
        if record.kind == SUMMARY:
            self.afterwards.append(record)

    def _add_step(self, record: Record, table: Table) -> None:
        self.steps.append((record, table))
        for each in step_of(record).opened:
            if each.salt is not None:
                self.opened[each.n] = (each.card, each.salt)
        for drawn in table.round.cards if table.round else ():
            if drawn.commitment is not None:
                self.committed[drawn.n] = drawn.commitment

    @property
    def summaries(self) -> list[Record]:
        """The round's summaries; the last one is valid."""
        return [each for each in (*self.records, *self.afterwards) if each.kind == SUMMARY]


class Recall:
    """Replays rounds. Replay needs the key, so without the key no instance is made."""

    def __init__(self, rules: Rules, records: RecordReader, sealer: Sealer) -> None:
        self._rules = rules
        self._records = records
        self._sealer = sealer
        self._lock = Lock()
        self._machine = Replayer(rules)

    def find(self, shoe: int, number: int) -> Played | None:
        starts = self._records.checkpoints()
        place = bisect_left(starts, shoe, key=self._shoe_begun_by)
        if place == len(starts) or self._shoe_begun_by(starts[place]) != shoe:
            return None
        with self._lock:
            return self._played(starts[place], shoe, number)

    def _shoe_begun_by(self, checkpoint: int) -> int:
        return next(self._records.read(checkpoint - 1)).shoe

    def _played(self, start: int, shoe: int, number: int) -> Played | None:
        """Replays the shoe that begins with record `start`, up to the end of the round."""
        machine = self._machine
        machine.restart()
        found: Played | None = None
        before = Head(start, b"")
        for record in self._records.read(start - 1):
            if record.round > number:
                break
            if record.shoe > shoe:  # findings count until the next round begins
                if found is None:
                    break
                found.add_afterwards(record)
                continue
            began = machine.table
            machine.step(record, self._sealer)
            if found is None and record.round == number:
                if record.seq == start:
                    return None  # it was the last round of the previous shoe
                found = Played(shoe, number, before, began)
            if found is not None and machine.table.round is not None:
                found.add(record, machine.table)
            before = Head(record.seq, record.digest)
        return found

    # --- one round ---------------------------------------------------------------------------

    def phases(self, played: Played) -> list[RoundStep]:
        sentences = round_steps.step_sentences(played.began, played.steps, self._rules)
        return [
            _phase(record, audience.dealer(table, self._rules), each, self._rules)
            for (record, table), each in zip(played.steps, sentences, strict=True)
        ]

    def proof(self, played: Played) -> RoundProof:
        before = played.before
        records, holds = [], True
        for record in played.records:
            fits = digest_of(before.digest, record.seq, record) == record.digest
            holds = holds and fits and record.seq == before.seq + 1
            records.append(ProvedRecord(record.seq, record.digest.hex(), fits))
            before = Head(record.seq, record.digest)
        head = self._records.head()
        return RoundProof(
            first=played.records[0].seq,
            last=played.records[-1].seq,
            previous=played.before.digest.hex(),
            records=records,
            commitments=[_opened(played, n) for n in sorted(played.committed)],
            chain_holds=holds,
            head=ChainEnd(head.seq, head.digest.hex()),
        )


DIVERGED: Final = (Diverged, JournalError)
"""Errors of a replay: a configuration other than the table ran with, or damage."""


def _opened(played: Played, n: int) -> OpenedCommitment:
    commitment = played.committed[n]
    if n not in played.opened:
        return OpenedCommitment(n, commitment, None, None, None)
    card, salt = played.opened[n]
    return OpenedCommitment(n, commitment, card, salt, check(commitment, salt, card))


def _phase(record: Record, view: StaffView, sentences: StepSentence, rules: Rules) -> RoundStep:
    body = step_of(record)
    line = body.line
    reason, code, params = _refused(body, rules)
    return RoundStep(
        seq=record.seq,
        at=record.at,
        event=line.type,
        source=line.source,
        who=line.who,
        role=line.role,
        given=line.given,
        card=line.card,
        accepted=body.accepted,
        text=sentence_view(sentences.text, rules),
        then=[sentence_view(each, rules) for each in sentences.then],
        reason=reason,
        code=code,
        params=params,
        clause=body.clause,
        state=view.state if body.state is None else body.state,
        view=view,
    )


def _refused(
    body: StepBody, rules: Rules
) -> tuple[str | None, str | None, dict[str, Param] | None]:
    """The reason, code and gaps of a refused step."""
    if body.refused is None:
        return None, None, None
    shown = sentence_view(body.refused, rules)
    return shown.text, shown.code, shown.gaps


def corrections(phases: list[RoundStep]) -> list[RoundCorrection]:
    found = []
    for before, after in pairwise(phases):
        if after.event != "approve" or not after.accepted:
            continue
        request, case = before.view.request, before.view.case
        if request is not None and isinstance(request.given, CorrectCard):
            found.append(_corrected(before, after, request.by, request.reason))
        elif case is not None and case.entered is not None:
            assert case.asker is not None, "whoever enters a card asks for its approval"
            found.append(_corrected(before, after, case.asker, case.text))
    return found


def _corrected(before: RoundStep, after: RoundStep, by: str, reason: str) -> RoundCorrection:
    return RoundCorrection(after.seq, by, after.who, reason, before.view, after.view)
