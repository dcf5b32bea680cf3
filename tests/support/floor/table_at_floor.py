"""A real table with its journal, its loop and its uplink; no shoe: people's words only."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controller.config.file import Floor
from controller.journal.keys.signing import text_of
from controller.journal.records import Head
from controller.runtime.build import running
from controller.runtime.loop import Clock, Loop
from controller.runtime.open_table import Places, open_table
from controller.service import floor as at_floor
from controller.service.floor import AtFloor
from controller.table.words.message import Message, by_staff
from controller.table.words.vocabulary import Word
from controller.views.answers import AnswerView
from controller.views.sayings import View
from support.floor.model_floor import FLOOR, NAME
from support.table.bench import rules_of

LIMIT_S = 30.0


@dataclass(frozen=True)
class TableAtFloor:
    """It runs, and is connected or tries to be."""

    loop: Loop
    places: Places
    status: Any

    def say(self, verb: str, who: str = "pia", role: str = "pit_supervisor", **given: Any) -> Any:
        return self.ask(by_staff(verb, who, role, **given))

    def ask(self, message: Message[Word]) -> AnswerView:
        return self.loop.ask(message).result(LIMIT_S)

    @property
    def seq(self) -> int:
        latest = self.loop.snapshots.latest
        assert latest is not None
        return latest.seq

    @property
    def view(self) -> View:
        latest = self.loop.snapshots.latest
        assert latest is not None
        return latest.views["pit"]


def section(folder: Path, url: str, **more: Any) -> Floor:
    key = folder / "floor.pub"
    key.write_text(text_of(FLOOR.public) + "\n")
    return Floor(url, NAME.site, NAME.table, str(key), **more)


@contextmanager
def table_at_floor(folder: Path, url: str, **house: Any) -> Iterator[TableAtFloor]:
    """From its journal's place in `folder`, where it goes on if there is one."""
    places = Places.beside(folder / "journal.db")
    rules = rules_of(**house)
    table = AtFloor(section(folder, url), places, rules, "Table one", "live")
    clock = Clock(time.monotonic, time.time)
    with open_table(rules, places) as session:
        at_floor.what_the_floor_has(session, table, time.time())
        with (
            running(session, [], clock) as at_work,
            at_floor.uplink(table, at_work.loop, at_work.loop.devices, clock) as status,
        ):
            yield TableAtFloor(at_work.loop, places, status)


def kept_head(places: Places) -> Head:
    from controller.journal import audit

    return audit.head(places.journal)
