"""Rounds as they were played: read back from the journal, step by step, with their proof.

A shoe is played again by the code that played it, from its checkpoint on, and each step is looked
at with the dealer's eyes: a card that was never exposed stays `null` for ever. Blocks on disk and
takes its time: keep it off the web's loop.
"""

from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from threading import Lock
from typing import Final, Protocol

import msgspec
from msgspec import to_builtins

from controller.engine.replay import Diverged, Replaying
from controller.journal import audit
from controller.journal.errors import JournalError
from controller.journal.records import CHECKPOINT, Head, Record, digest_of
from controller.journal.seal import Sealer, check
from controller.sentences.sentence import Sentence
from controller.table.rules import Rules
from controller.table.state import Round, Table
from controller.views import audience
from controller.views.sayings import View
from controller.views.sayings import said as said_view

SHOES_KEPT: Final = 32
"""Shoes whose rounds stay in memory after they were asked for."""


class Records(Protocol):
    """A journal as a reader beside its writer sees it."""

    def read(self, after: int = 0) -> Iterator[Record]: ...
    def checkpoints(self) -> list[int]:
        """The numbers of the records that begin a shoe, rising."""

    def head(self) -> Head: ...


class OnDisk:
    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self, after: int = 0) -> Iterator[Record]:
        return audit.read(self._path, after)

    def checkpoints(self) -> list[int]:
        return audit.checkpoints(self._path)

    def head(self) -> Head:
        return audit.head(self._path)


class Summary(msgspec.Struct, frozen=True):
    shoe: int
    round: int
    began: float
    ended: float | None
    method: str
    result: str | None
    void: str | None
    corrected: bool
    player: list[str | None]
    banker: list[str | None]
    rulings: list[View]
    first: int
    last: int
    over: bool


@dataclass(slots=True)
class Played:
    """One round: its records, and what each made of the table."""

    shoe: int
    number: int
    before: Head
    """The record before its first."""
    records: list[Record] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    opened: dict[int, tuple[str | None, str]] = field(default_factory=dict)
    committed: dict[int, str] = field(default_factory=dict)
    ended: float | None = None

    def add(self, record: Record, body: View, table: Table) -> None:
        self.records.append(record)
        self.tables.append(table)
        for each in body.get("opened", ()):
            if each["salt"] is not None:
                self.opened[each["n"]] = (each["card"], each["salt"])
        for drawn in table.round.cards if table.round else ():
            if drawn.commitment is not None:
                self.committed[drawn.n] = drawn.commitment
        if self.ended is None and table.round is not None and table.round.over:
            self.ended = record.at


class Recall:
    """Finds rounds. Without the key nothing can be played again, and this is not made."""

    def __init__(self, rules: Rules, records: Records, sealer: Sealer) -> None:
        self._rules = rules
        self._records = records
        self._sealer = sealer
        self._lock = Lock()
        self._machine = Replaying(rules)
        self._kept: OrderedDict[int, list[Summary]] = OrderedDict()

    def summaries(self) -> Iterator[list[Summary]]:
        """The rounds of one shoe after the other, the newest first."""
        starts = self._records.checkpoints()
        for place in range(len(starts) - 1, -1, -1):
            yield self._of_shoe(starts, place)

    def _of_shoe(self, starts: list[int], place: int) -> list[Summary]:
        """A shoe that has been changed stays as it is and is kept; the one in use is not."""
        start = starts[place]
        with self._lock:
            if start in self._kept:
                return self._kept[start]
            rounds = [summary(each) for each in self._played(start)]
            rounds.reverse()
            if place + 1 < len(starts):
                self._kept[start] = rounds
                while len(self._kept) > SHOES_KEPT:
                    self._kept.popitem(last=False)
            return rounds

    def find(self, shoe: int, number: int) -> Played | None:
        starts = self._records.checkpoints()
        place = bisect_left(starts, shoe, key=self._shoe_begun_by)
        if place == len(starts) or self._shoe_begun_by(starts[place]) != shoe:
            return None
        with self._lock:
            rounds = self._played(starts[place])
            return next((each for each in rounds if each.number == number), None)

    def _shoe_begun_by(self, checkpoint: int) -> int:
        return next(self._records.read(checkpoint - 1)).shoe

    def _played(self, start: int) -> Iterator[Played]:
        """Play the shoe again that begins with record `start`; one at a time."""
        machine = self._machine
        machine.begin_anew()
        round_: Played | None = None
        before = Head(start, b"")
        for record in self._records.read(start - 1):
            if record.kind == CHECKPOINT and record.seq != start:
                break
            machine.step(record, self._sealer)
            body = msgspec.json.decode(record.body)
            if record.kind != CHECKPOINT and record.shoe == machine.table.shoes:
                if _begins(body, round_, record):
                    if round_ is not None:
                        yield round_
                    round_ = Played(record.shoe, record.round, before)
                if round_ is not None and machine.table.round is not None:
                    round_.add(record, body, machine.table)
            before = Head(record.seq, record.digest)
        if round_ is not None:
            yield round_

    # --- one round ---------------------------------------------------------------------------

    def phases(self, played: Played) -> list[View]:
        return [
            _phase(record, self._view(table), self._rules)
            for record, table in zip(played.records, played.tables, strict=True)
        ]

    def _view(self, table: Table) -> View:
        return audience.dealer(table, self._rules)

    def proof(self, played: Played) -> View:
        """Where the round lies in the chain, and the commitments that have been opened."""
        before = played.before
        records, holds = [], True
        for record in played.records:
            fits = digest_of(before.digest, record.seq, record) == record.digest
            holds = holds and fits and record.seq == before.seq + 1
            records.append({"seq": record.seq, "digest": record.digest.hex(), "fits": fits})
            before = Head(record.seq, record.digest)
        head = self._records.head()
        return {
            "first": played.records[0].seq,
            "last": played.records[-1].seq,
            "previous": played.before.digest.hex(),
            "records": records,
            "commitments": [_opened(played, n) for n in sorted(played.committed)],
            "chain_holds": holds,
            "head": {"seq": head.seq, "digest": head.digest.hex()},
        }


DIVERGED: Final = (Diverged, JournalError)
"""What reading back can meet: another configuration than the table ran with, or damage."""


def _begins(body: View, round_: Played | None, record: Record) -> bool:
    newer = round_ is None or record.round > round_.number
    return newer and bool(body["accepted"]) and body["in"].get("do") == "open_betting"


def _opened(played: Played, n: int) -> View:
    commitment = played.committed[n]
    if n not in played.opened:
        return {"n": n, "commitment": commitment, "card": None, "salt": None, "holds": None}
    card, salt = played.opened[n]
    holds = check(commitment, salt, card)
    return {"n": n, "commitment": commitment, "card": card, "salt": salt, "holds": holds}


def summary(played: Played) -> Summary:
    table = played.tables[-1]
    round_ = table.round
    assert round_ is not None
    hands = audience.hands(table)
    return Summary(
        shoe=played.shoe,
        round=played.number,
        began=played.records[0].at,
        ended=played.ended,
        method=round_.method,
        result=_result(table, round_),
        void=round_.void_by,
        corrected=round_.corrected,
        player=hands["player"],
        banker=hands["banker"],
        rulings=[to_builtins(each) for each in table.rulings],
        first=played.records[0].seq,
        last=played.records[-1].seq,
        over=round_.over,
    )


def _result(table: Table, round_: Round) -> str | None:
    settled = round_.over and round_.void_by is None and table.results
    return table.results[-1] if settled else None


def _phase(record: Record, view: View, rules: Rules) -> View:
    body = msgspec.json.decode(record.body)
    said = body["in"]
    return {
        "seq": record.seq,
        "at": record.at,
        "what": said.get("do") or said.get("event") or "",
        "from": said["from"],
        "who": said.get("who"),
        "role": said.get("role"),
        "with": said.get("with", {}),
        "card": said.get("card"),
        "accepted": body["accepted"],
        **_refused(body, rules),
        "clause": body.get("clause"),
        "state": body.get("state", view["state"]),
        "view": view,
    }


def _refused(body: View, rules: Rules) -> View:
    """Why a step was refused; before form 3 a record had the sentence alone."""
    if body.get("refused") is None:
        return {"reason": body.get("reason"), "code": None, "gaps": None}
    shown = said_view(Sentence(**body["refused"]), rules)
    return {"reason": shown["text"], "code": shown["code"], "gaps": shown["gaps"]}


def corrections(phases: list[View]) -> list[View]:
    """Each change by hand: who asked, who approved, and the table before and after."""
    found = []
    for before, after in pairwise(phases):
        if after["what"] != "approve" or not after["accepted"]:
            continue
        request, case = before["view"]["request"], before["view"]["case"]
        if request is not None and request["what"] == "correct":
            found.append(_corrected(before, after, request["by"], request["reason"]))
        elif case is not None and case["entered"] is not None:
            found.append(_corrected(before, after, case["asker"], case["text"]))
    return found


def _corrected(before: View, after: View, by: str, reason: str) -> View:
    return {
        "seq": after["seq"],
        "by": by,
        "approved_by": after["who"],
        "reason": reason,
        "before": before["view"],
        "after": after["view"],
    }
