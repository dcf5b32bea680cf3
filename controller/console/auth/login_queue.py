"""Login queue: verifies one secret at a time, in order of arrival.

Only a known and unlocked name costs argon2, so a flood of other names delays no real sign-in and
takes no processor time from the table. The difference cannot be measured from outside: every
failure is answered after the same delay, and an idle queue sometimes hashes for an unknown name.
"""

import asyncio
import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from controller.console.auth.accounts import Accounts, Attempt, Tried
from controller.console.auth.totp import TypedCode

FAILED_S: Final = 1.0
"""Delay from a turn to the answer of a failure, or a multiple of it: always twice the recent time
for argon2 and disk, also on a busy machine."""
_REMEMBERED: Final = 0.9
IDLE_WORK_S: Final = 0.5
"""Interval between hashes for unknown names."""


class LoginQueue:
    """A queue on the event loop with one thread for hashing. `steady` is a clock."""

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
        """The slowest recent attempt, in seconds."""
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
        """The delay before a failure is answered; it does not depend on the kind of failure."""
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
