"""Turns at the door: nobody's turn is taken, and a failure tells nothing by the time it takes."""

import asyncio
from pathlib import Path

import pytest

from controller.console.auth.accounts import SHORT_SECRET, TRIES, Accounts, Tried
from controller.console.auth.client_origin import TABLE
from controller.console.auth.login_queue import FAILED_S, IDLE_WORK_S, LoginQueue
from support.console.consoles import QUICK


class Door:
    """Turns whose clock moves by what hashing and waiting take, and nothing else."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        self.hashing_s = 0.3
        self.hashed: list[str] = []
        self.accounts = Accounts(folder / "staff.json", QUICK, SHORT_SECRET)
        self.accounts.add("anna", "dealer", "1234")
        self.turns = LoginQueue(self.accounts, lambda: self.now)
        fits = self.accounts._fits

        def slowly(hashed: str, secret: str) -> bool:
            self.now += self.hashing_s
            self.hashed.append(secret)
            return fits(hashed, secret)

        async def waits(seconds: float) -> None:
            self.now += max(0.0, seconds)

        monkeypatch.setattr(self.accounts, "_fits", slowly)
        monkeypatch.setattr("controller.console.auth.login_queue.asyncio.sleep", waits)

    def tries(self, who: str, secret: str, place: str = TABLE) -> tuple[Tried, float]:
        """What became of it, and after how long."""
        began = self.now
        found = asyncio.run(self.turns.attempt(who, secret, place, None))
        return found.tried, round(self.now - began, 6)


@pytest.fixture
def door(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Door:
    return Door(tmp_path, monkeypatch)


def test_unknown_wrong_and_locked_take_the_same_time(door: Door) -> None:
    took = [door.tries("nobody", "0000")[1] for _ in range(3)]
    took += [door.tries("anna", "0000")[1] for _ in range(TRIES + 2)]
    took += [door.tries("somebody", "0000", "10.0.0.1")[1] for _ in range(3)]
    assert set(took) == {FAILED_S}


def test_they_do_on_a_busy_machine_as_well(door: Door) -> None:
    """Where argon2 takes longer than the usual wait."""
    door.hashing_s = 1.7
    names = ("nobody", "anna", "ben", "eve", "dan", "anna")
    took = [door.tries(who, "0000")[1] for who in names]
    assert set(took) == {4 * FAILED_S}


def test_the_right_pin_does_not_wait(door: Door) -> None:
    assert door.tries("anna", "1234") == (Tried.RIGHT, 0.3)


def test_names_that_nobody_has_are_not_worked_on_in_a_flood(door: Door) -> None:
    """But now and then one is, while nothing else happens: a quiet server looks the same."""

    async def flood() -> None:
        await asyncio.gather(
            *(door.turns.attempt(f"no{n}", f"guess {n}", "10.0.0.1", None) for n in range(200)),
            door.turns.attempt("anna", "1234", TABLE, None),
        )

    asyncio.run(flood())
    assert door.hashed.count("1234") == 1
    assert len(door.hashed) <= 2
    before = len(door.hashed)
    door.now += IDLE_WORK_S
    door.tries("nobody", "0000")
    assert len(door.hashed) == before + 1


def test_a_locked_name_costs_no_more_work(door: Door) -> None:
    for _ in range(20):
        door.now += IDLE_WORK_S / 50
        door.tries("anna", "0000", "10.0.0.1")
    idle = int(20 * (FAILED_S + IDLE_WORK_S / 50) / IDLE_WORK_S) + 1
    assert door.hashed.count("0000") <= TRIES + idle
    assert door.tries("anna", "1234")[0] is Tried.RIGHT


def test_everybody_has_their_turn_in_the_order_they_came(door: Door) -> None:
    """However many fail before them, at the same place too: nobody is sent away."""
    ended: list[str] = []

    async def one(who: str, secret: str) -> None:
        found = await door.turns.attempt(who, secret, TABLE, None)
        ended.append(found.tried.value)

    async def crowd() -> None:
        await asyncio.gather(*(one(f"no{n}", "0000") for n in range(100)), one("anna", "1234"))

    asyncio.run(crowd())
    assert ended.count("right") == 1
    assert len(ended) == 101
