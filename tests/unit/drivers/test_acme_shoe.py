"""A driver package written for the first contract runs unchanged: registry, suite and table."""

import inspect
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import acme_shoe
from controller.config.file import DEMO
from controller.engine.replay import replay
from controller.engine.session import open_session
from controller.journal.memory import MemoryJournal
from controller.journal.seal import Sealer
from controller.runtime.build import Plug, running_table
from controller.runtime.loop import Clock, Loop
from controller.table.commands.message import staff_message
from controller.table.state import Table
from controller.views.structs.encoding import plain
from drivers import registry
from drivers.contract import Capability
from drivers.testing.suite import test_contract
from support.devices.pseudo_terminal import Terminal, terminal
from support.limits import MAX_WAIT_S
from support.rows import each_row

CLOCK = Clock(time.monotonic, time.time)
LIMIT_S = MAX_WAIT_S
SUITE = [
    each
    for each in vars(test_contract).values()
    if inspect.isfunction(each)
    and list(inspect.signature(each).parameters) == ["driver_name"]
    and each is not test_contract.test_its_vectors_come_out  # it has none beside it
]
"""What the contract suite asks of every driver, with an emulator or without."""


@pytest.fixture(autouse=True)
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Found by its entry point, as a package that pip has put beside ours."""
    info = tmp_path / "acme_shoe-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Name: acme-shoe\nVersion: 1.0\n", encoding="utf-8")
    points = "[sabot.drivers]\nacme_shoe = acme_shoe\n"
    (info / "entry_points.txt").write_text(points, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))


def test_the_registry_finds_it_and_knows_what_it_can_do() -> None:
    found = registry.find("acme_shoe")
    assert found.sheet is acme_shoe.SHEET
    assert found.sheet.capabilities == {
        Capability.READS_CARDS,
        Capability.PLAYS_ROUNDS,
        Capability.TAKES_COMMANDS,
    }


@each_row("holds", SUITE)
def test_the_contract_suite_holds_it_to_what_it_held_it_to(holds: Callable[[str], None]) -> None:
    holds("acme_shoe")


# --- at a table -----------------------------------------------------------------------------------

OPENING: list[tuple[str, dict[str, Any]]] = [
    ("open_table", {}),
    ("load_shoe", {"deck_set": "blue", "verified_by": "pia", "cut": True}),
    ("approve", {}),
    ("open_betting", {}),
    ("close_betting", {}),
]
DEAL = ("9H player 1", "2C banker 1", "KD player 2", "5S banker 2")


class Played:
    """A running table with the shoe on a pseudo-terminal."""

    def __init__(self, loop: Loop, line: Terminal) -> None:
        self._loop, self._line = loop, line
        self.shows(lambda _: self.device["link"] == "up")
        for do, given in OPENING:
            assert self.staff(do, **given)["accepted"]

    def staff(self, do: str, **given: Any) -> dict[str, Any]:
        who = "pia" if do == "approve" else "gus"
        told = staff_message(do, who, "gaming_shift_manager", **given)
        return plain(self._loop.ask(told).result(LIMIT_S))

    def hear(self, *lines: str) -> None:
        self._line.say("".join(f"${line}\n" for line in lines).encode())

    def shows(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        until = time.monotonic() + LIMIT_S
        while time.monotonic() < until:
            latest = self._loop.snapshots.latest
            if latest is not None and wanted(plain(latest.views.dealer)):
                return plain(latest.views.dealer)
            time.sleep(0.01)
        raise AssertionError(latest and plain(latest.views.dealer))

    @property
    def device(self) -> dict[str, Any]:
        return plain(self._loop.devices()[0])


@pytest.fixture
def played() -> Iterator[Played]:
    rules = DEMO.rules()
    journal, sealer = MemoryJournal(), Sealer(bytes(32), os.urandom)
    session = open_session(rules, journal, sealer)
    with terminal() as line:
        plug = Plug("shoe", "acme_shoe", line.path, {"pause_s": 1.0})
        with running_table(session, [plug], CLOCK) as at_work:
            yield Played(at_work.loop, line)
    kept: Table = replay(rules, journal.records(), sealer)
    assert kept == session.machine.table


def test_a_round_is_played_with_its_cards(played: Played) -> None:
    played.hear(*(f"card {each}" for each in DEAL), "won player")
    view = played.shows(lambda view: view["state"] == "outcome")
    assert view["hands"] == {"player": ["9H", "KD"], "banker": ["2C", "5S"]}
    played.staff("announce")
    assert played.staff("settle")["state"] == "ready"
    assert played.device["counts"]["DeviceResult"] == 1


def test_its_error_is_understood_by_its_number_as_it_was(played: Played) -> None:
    played.hear("error 6 a label of another house", "unread")
    view = played.shows(lambda view: view["case"] is not None)
    assert view["case"]["id"] == "foreign_card"


def test_an_error_of_its_own_holds_the_table_and_is_shown_until_it_is_over(played: Played) -> None:
    played.hear("held 105 the flap is stuck")
    played.shows(lambda view: view["latches"] == ["device_error"])
    (error,) = played.device["errors"]
    assert error == {
        "code": 105,
        "means": "other",
        "says": "the flap is stuck",
        "must_clear": True,
    }
    played.hear("over 105")
    played.shows(lambda view: view["latches"] == ["device_had_error"])
    assert played.device["errors"] == []
    assert played.staff("resume")["state"] == "dealing"
