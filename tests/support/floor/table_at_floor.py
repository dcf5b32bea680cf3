"""A real table with its journal, its loop and its uplink; no shoe: people's words only."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controller.config.file import Floor
from controller.journal.keys.signing import text_of
from controller.protocol.names import TableName
from controller.runtime.build import running_table
from controller.runtime.loop import Clock, Loop
from controller.runtime.open_table import JournalPlaces, open_table
from controller.service import floor as at_floor
from controller.service.floor import AtFloor
from controller.table.commands.message import Message, staff_message
from controller.table.commands.registry import Payload
from controller.uplink.service import UplinkIntervals
from controller.views.structs.encoding import plain
from support.floor.model_floor import FLOOR, NAME
from support.limits import MAX_WAIT_S
from support.table.bench import rules_of

LIMIT_S = MAX_WAIT_S
QUICK = UplinkIntervals(look_s=0.05, beat_s=0.1, pull_s=0.2)


@dataclass(frozen=True)
class TableAtFloor:
    """It runs, and is connected or tries to be."""

    loop: Loop
    places: JournalPlaces
    status: Any

    def say(self, verb: str, who: str = "pia", role: str = "pit_supervisor", **given: Any) -> Any:
        return self.ask(staff_message(verb, who, role, **given))

    def ask(self, message: Message[Payload]) -> dict[str, Any]:
        return plain(self.loop.ask(message).result(LIMIT_S))

    @property
    def seq(self) -> int:
        latest = self.loop.snapshots.latest
        assert latest is not None
        return latest.seq

    @property
    def view(self) -> dict[str, Any]:
        latest = self.loop.snapshots.latest
        assert latest is not None
        return plain(latest.views.pit)


def section(folder: Path, url: str, name: TableName, floor_key: bytes) -> Floor:
    key = folder / "floor.pub"
    key.write_text(text_of(floor_key) + "\n")
    return Floor(url, name.site, name.table, str(key))


@contextmanager
def table_at_floor(
    folder: Path,
    url: str,
    name: TableName = NAME,
    floor_key: bytes = FLOOR.public,
    **house: Any,
) -> Iterator[TableAtFloor]:
    """From its journal's place in `folder`, where it goes on if there is one."""
    places = JournalPlaces.next_to(folder / "journal.db")
    rules = rules_of(**house)
    at = section(folder, url, name, floor_key)
    table = AtFloor(at, places, rules, "Table one", "live")
    clock = Clock(time.monotonic, time.time)
    with open_table(rules, places) as session:
        at_floor.compare_with_floor(session, table, time.time())
        with (
            running_table(session, [], clock) as at_work,
            at_floor.uplink(table, at_work.loop, at_work.loop.devices, clock, QUICK) as status,
        ):
            yield TableAtFloor(at_work.loop, places, status)


def held_by(table: TableAtFloor) -> list[str]:
    return [each["what"] for each in table.view["held"]]


def files_of(folder: Path) -> dict[Path, bytes]:
    """Journal, head and keys as they are now, without what the floor has said."""
    return {each: each.read_bytes() for each in folder.iterdir() if ".floor" not in each.name}


def put_back(folder: Path, files: dict[Path, bytes]) -> None:
    """An old disk: all of it, but for the floor's word."""
    for each in folder.iterdir():
        if ".floor" not in each.name:
            each.unlink()
    for place, data in files.items():
        place.write_bytes(data)
        place.chmod(0o600)
