"""Where it goes: a card's time from the wire to the disk, stage by stage, and what Python does in a
step, module by module.

How long a stage takes depends on what else the machine does, and on how cold its caches are after a
sync. How many instructions of Python's a step takes does not: two runs print the same.
"""

import statistics
import sys
from collections import Counter
from pathlib import Path
from time import perf_counter
from types import FrameType
from typing import Any, Final

import pytest

from bench.devices import CARDS, WARM_UP, wire_to_disk
from bench.table import play_rounds, session
from controller.engine.session import Session
from controller.journal.database import Database
from controller.journal.head import HeadFile
from controller.journal.memory import MemoryJournal
from controller.journal.store import Journal
from controller.runtime.loop import Loop
from drivers.io.reader import Reader

STAGES: Final[tuple[tuple[str, type, str], ...]] = (
    ("the reader's thread wakes and reads", Reader, "_hand_on"),
    ("handed to the table's thread", Loop, "_take_input"),
    ("through the driver", Loop, "_handle_event"),
    ("into the table's words", Session, "handle"),
    ("the step", Journal, "_append"),
    ("digest and signature", Database, "insert"),
    ("commit", HeadFile, "write"),
)
"""What has been done when this is called."""
LAST_STAGE: Final = "head"
LARGEST: Final = 20
"""So many modules are shown."""


class Stamps:
    """When each stage of the card under way was over."""

    def __init__(self) -> None:
        self._clock: dict[str, float] = {}
        self.took: dict[str, list[float]] = {}

    def on(self, patch: pytest.MonkeyPatch, stage: str, owner: type, name: str) -> None:
        whole, clock = getattr(owner, name), self._clock

        def stamped(*given: Any, **named: Any) -> Any:
            clock[stage] = perf_counter()
            return whole(*given, **named)

        patch.setattr(owner, name, stamped)

    def landed(self, took: float, durable_at: float) -> None:
        at = durable_at - took
        over = [*((stage, self._clock[stage]) for stage, *_ in STAGES), (LAST_STAGE, durable_at)]
        for stage, now in over:
            self.took.setdefault(stage, []).append(now - at)
            at = now


def wire_by_stage(folder: Path) -> None:
    for shoe in CARDS:
        stamps = Stamps()
        with pytest.MonkeyPatch.context() as patch:
            for stage, owner, name in STAGES:
                stamps.on(patch, stage, owner, name)
            wire_to_disk(folder / shoe, shoe, stamps.landed)
        for stage, took in stamps.took.items():
            _say(f"  {stage:36} p50 {1e6 * statistics.median(took[WARM_UP:]):6.0f} us")


def instructions() -> None:
    """Instructions of the interpreter and calls of Python functions, for each step of whole rounds.
    What is done in C is not counted."""
    play_rounds(session(MemoryJournal()))
    table, counted = session(MemoryJournal()), Counted()
    sys.settrace(counted.trace)
    steps = play_rounds(table)
    sys.settrace(None)
    done, called = counted.done.total() / steps, counted.called / steps
    _say(f"{done:.0f} instructions, {called:.0f} calls a step")
    for module, count in counted.done.most_common(LARGEST):
        _say(f"  {count / steps:6.0f} {module}")


class Counted:
    """What Python did while it was traced."""

    def __init__(self) -> None:
        self.done: Counter[str] = Counter()
        self.called = 0

    def trace(self, frame: FrameType, event: str, _: object) -> Any:
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        if event == "call":
            self.called += 1
        elif event == "opcode":
            self.done[frame.f_globals.get("__name__", "")] += 1
        return self.trace


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201
