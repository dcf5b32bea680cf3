"""Standard input and output of a table: which steps are written, and in which order."""

import os
from collections.abc import Iterator
from concurrent.futures import Future

import pytest

from controller.runtime.snapshots import KEPT, Snapshot, SnapshotLog
from controller.table.commands.message import Message
from controller.table.commands.registry import Payload
from controller.terminal.stdio import StdioLoop, Wake
from controller.views.answers import StepAnswer
from controller.views.structs.devices import DeviceView
from support.table.snapshots import snapshot

FIRST = 5
"""The record a table opens with: a journal has some before it."""


class Table:
    """A table that has taken steps and takes no more."""

    def __init__(self, steps: int) -> None:
        self.snapshots = SnapshotLog()
        for seq in range(FIRST, FIRST + steps):
            self.snapshots.post(snapshot(seq, "link_up"))

    def ask(self, message: Message[Payload], seen: int | None = None) -> Future[StepAnswer]:
        raise AssertionError(message, seen)

    def devices(self) -> list[DeviceView]:
        return []


class Written:
    """A frontend that keeps what it is given."""

    def __init__(self) -> None:
        self.steps: list[int | str] = []

    def parse(self, line: bytes) -> None:
        raise AssertionError(line)

    def step(self, posted: Snapshot, *, answers: bool) -> None:
        assert not answers
        self.steps.append(posted.seq)

    def missed(self) -> None:
        self.steps.append("missed")

    def failed(self, why: str) -> None:
        raise AssertionError(why)


@pytest.fixture
def wake() -> Iterator[Wake]:
    made = Wake()
    yield made
    made.close()


@pytest.fixture
def no_lines() -> Iterator[int]:
    reads, writes = os.pipe()
    os.close(writes)
    yield reads
    os.close(reads)


@pytest.mark.parametrize(
    ("steps", "written"),
    [(1, [5]), (3, [5, 6, 7]), (KEPT + 1, ["missed", FIRST + KEPT])],
    ids=["one", "three before the first look", "more than are kept"],
)
def test_steps_taken_before_the_first_look_are_written(
    steps: int, written: list[int | str], wake: Wake, no_lines: int
) -> None:
    """The table's own thread is under way by then: a shoe that is there at once is up."""
    frontend = Written()
    assert StdioLoop(Table(steps), frontend, no_lines, wake).run()
    assert frontend.steps == written
