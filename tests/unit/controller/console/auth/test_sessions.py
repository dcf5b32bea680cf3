"""Sessions: whose they are, how they age, what a restart or a reboot leaves of them."""

import random
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from controller.console.auth.accounts import Account
from controller.console.auth.client_origin import TABLE
from controller.console.auth.sessions import IDLE_S, LASTS_S, Clocks, Sessions

ANNA = Account("anna", "Anna", "dealer", "$argon2id$hash")


@dataclass
class Machine:
    """A table PC whose clocks a test sets."""

    folder: Path
    steady: float = 5000.0
    boot: str = "boot 1"
    locked: list[str] = field(default_factory=list)

    def sessions(self) -> Sessions:
        """As a console that starts finds them."""
        clocks = Clocks(lambda: self.steady, self.boot)
        found = Sessions(clocks, random.Random(1).randbytes, self.folder / "sessions.json")
        found.told_locked = lambda session: self.locked.append(session.who)
        return found


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_a_session_ends_by_steady_time(machine: Machine) -> None:
    sessions = machine.sessions()
    _, token = sessions.open(ANNA, TABLE)
    machine.steady += LASTS_S - 1
    assert sessions.find(token) is not None
    machine.steady += 1
    assert sessions.find(token) is None


def test_a_restart_goes_on_with_the_age_a_session_has(machine: Machine) -> None:
    sessions = machine.sessions()
    _, token = sessions.open(ANNA, TABLE)
    sessions.keep()()
    machine.steady += LASTS_S - 10
    again = machine.sessions()
    found = again.find(token)
    assert found is not None
    assert found.locked
    machine.steady += 10
    assert again.find(token) is None


@pytest.mark.parametrize("boot", ["boot 2", ""])
def test_after_a_reboot_everybody_signs_in_anew(machine: Machine, boot: str) -> None:
    """Steady time has begun anew: however old a session was, nobody can say."""
    sessions = machine.sessions()
    _, token = sessions.open(ANNA, TABLE)
    sessions.keep()()
    machine.boot = boot
    machine.steady += 1
    assert machine.sessions().find(token) is None


def test_steady_time_that_lies_before_the_session_ends_it(machine: Machine) -> None:
    sessions = machine.sessions()
    _, token = sessions.open(ANNA, TABLE)
    sessions.keep()()
    machine.steady -= 1
    assert machine.sessions().find(token) is None


@pytest.mark.parametrize("raw", [b"", b"{", b"[1]", b'[{"digest":1}]', b"[" * 100_000, b'["\xff'])
def test_file_that_is_none_costs_a_pin_and_nothing_else(machine: Machine, raw: bytes) -> None:
    (machine.folder / "sessions.json").write_bytes(raw)
    assert machine.sessions().find("x") is None


def test_an_idle_lock_is_told_once(machine: Machine) -> None:
    sessions = machine.sessions()
    session, token = sessions.open(ANNA, TABLE)
    machine.steady += IDLE_S
    assert sessions.everything() == [session]
    assert sessions.find(token) is session
    assert machine.locked == ["anna"]
    sessions.unlock(session)
    machine.steady += IDLE_S
    sessions.find(token)
    assert machine.locked == ["anna", "anna"]
