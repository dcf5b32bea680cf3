"""The order of effects: durable, then acknowledged, then shown, then answered.

The journal is a real one, and what is durable is read from its file by a second reader.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from controller.journal import audit
from controller.table.commands.message import Message
from controller.table.commands.registry import Payload
from controller.views.structs.encoding import plain
from drivers.commands import DeviceCommand, Lock
from drivers.contract import Step
from drivers.events import Notice
from support.journal.journals import opened
from support.table.loop_bench import LIMIT_S, OPENING, Bench, pit, staff


class Seen(NamedTuple):
    """Something that left the loop, and how far the table had got when it did."""

    what: str
    durable: int
    """The last record in the journal's file."""
    shown: int
    """The record of the latest snapshot."""


class Watched:
    """A table with a real journal, and all that leaves its loop, in order."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "journal.db"
        self.journal = opened(folder)
        self.bench = Bench(journal=self.journal, lock_while_betting=True)
        self.left: list[Seen] = []
        self.bench.shoe.write = lambda data: self._note(data.decode().strip())
        self.bench.loop.snapshots.watch(self._note_snapshot)

    def _note(self, what: str) -> None:
        posted = self.bench.loop.snapshots.latest
        shown = 0 if posted is None else posted.seq
        self.left.append(Seen(what, audit.head(self._path).seq, shown))

    def _note_snapshot(self) -> None:
        posted = self.bench.loop.snapshots.latest
        if posted is not None and self.bench.loop.snapshots.stop_reason is None:
            self._note(f"shown {posted.what}")

    def say(self, message: Message[Payload]) -> dict[str, Any]:
        answer = self.bench.loop.ask(message)
        answer.add_done_callback(lambda _: self._note("answered"))
        return plain(answer.result(LIMIT_S))

    def what_leaves(self) -> list[Seen]:
        """Everything since this was asked last, once the loop has dealt with what came in."""
        self.bench.say(pit("refuse"))
        left, self.left = self.left, []
        return [each for each in left if each.what != "shown refuse"]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Watched]:
    with running(Watched(tmp_path)) as watched:
        yield watched


@contextmanager
def running(watched: Watched) -> Iterator[Watched]:
    with watched.journal, watched.bench.running():
        watched.bench.plug()
        for each in OPENING:
            watched.bench.say(each)
        watched.what_leaves()
        yield watched


def test_cards_are_durable_then_acknowledged_then_shown(table: Watched) -> None:
    before = table.journal.head.seq
    table.bench.hear(b"9H\n2C\n", table.bench.now)
    acknowledged, *shown = table.what_leaves()
    assert acknowledged == Seen("ok\nok", durable=before + 2, shown=before)
    assert shown == [
        Seen("shown card", durable=before + 2, shown=before + 1),
        Seen("shown card", durable=before + 2, shown=before + 2),
    ]


def test_a_request_is_durable_then_shown_then_carried_out_then_answered(table: Watched) -> None:
    table.bench.hear(b"9H\n2C\nKD\n5S\n", table.bench.now)
    for word in ("announce", "settle"):
        assert table.say(staff(word))["accepted"]
    table.what_leaves()
    before = table.journal.head.seq
    table.say(staff("open_betting"))
    assert table.what_leaves() == [
        Seen("shown open_betting", before + 1, before + 1),
        Seen("Lock", before + 1, before + 1),
        Seen("answered", before + 1, before + 1),
    ]


def test_what_a_device_reports_at_a_command_is_durable_before_it_is_acknowledged(
    table: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The step that asked is over by then: no step is taken within another."""

    def ask(command: DeviceCommand, _at: float) -> Step:
        assert isinstance(command, Lock)
        return Step((Notice("one"), Notice("two")), b"taken")

    table.bench.hear(b"9H\n2C\nKD\n5S\n", table.bench.now)
    for word in ("announce", "settle"):
        assert table.say(staff(word))["accepted"]
    table.what_leaves()
    before = table.journal.head.seq
    monkeypatch.setattr(table.bench.driver, "ask", ask)
    table.say(staff("open_betting"))
    assert table.what_leaves() == [
        Seen("shown open_betting", before + 1, before + 1),
        Seen("taken", before + 3, before + 1),
        Seen("shown notice", before + 3, before + 2),
        Seen("shown notice", before + 3, before + 3),
        Seen("answered", before + 3, before + 3),
    ]
