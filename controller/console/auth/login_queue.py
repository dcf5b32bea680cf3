"""Turns at the door: one secret is tried at a time, in the order people came.

Only a name that somebody has, and that is not locked here, costs argon2; so a flood of other names
takes nobody's turn away and no processor from the table. That it does cannot be told from outside:
every failure is answered the same time after its turn came, and while nothing else is tried, now
and then a name that nobody has is worked on like any other.
"""

import asyncio
import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from controller.console.auth.accounts import Accounts, Attempt, Tried
from controller.console.auth.totp import TypedCode

FAILED_S: Final = 1.0
"""From a turn to the answer of a failure, or a multiple of it: always twice as long as argon2 and
a disk have taken of late, on a busy machine too."""
_REMEMBERED: Final = 0.9
IDLE_WORK_S: Final = 0.5
"""How far apart names that nobody has are worked on."""


class LoginQueue:
    """Lives on the web's loop; the hashing has one thread of its own. `steady` is a clock."""

    def __init__(
        self, accounts: Accounts, steady: Callable[[], float], failed_s: float = FAILED_S
    ) -> None:
        self._accounts = accounts
        self._steady = steady
        self._failed_s = failed_s
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._idle_work = float("-inf")
        self._slowest = 0.0
        """What a try has taken of late."""
        self._hashing = ThreadPoolExecutor(1, thread_name_prefix="hashing")

    async def attempt(self, who: str, secret: str, place: str, code: TypedCode | None) -> Attempt:
        self._waiting += 1
        try:
            async with self._turn:
                began = self._steady()
                found = await self._tried(who, secret, place, code)
        finally:
            self._waiting -= 1
        if found.tried is not Tried.RIGHT:
            await asyncio.sleep(began + self._answered_after() - self._steady())
        return found

    def _answered_after(self) -> float:
        """The same for every failure of a time, whatever it was that failed."""
        if not self._failed_s:
            return 0.0
        return self._failed_s * max(1, math.ceil(2 * self._slowest / self._failed_s))

    async def _tried(self, who: str, secret: str, place: str, code: TypedCode | None) -> Attempt:
        worth_it = self._accounts.open_to_try(who, place)
        if not worth_it and not self._idle():
            return self._accounts.not_tried(who, place)
        loop, began = asyncio.get_running_loop(), self._steady()
        try:
            return await loop.run_in_executor(
                self._hashing, self._accounts.attempt, who, secret, place, code
            )
        finally:
            self._slowest = max(self._steady() - began, _REMEMBERED * self._slowest)

    def _idle(self) -> bool:
        now = self._steady()
        if self._waiting > 1 or now - self._idle_work < IDLE_WORK_S:
            return False
        self._idle_work = now
        return True
