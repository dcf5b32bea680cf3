"""Ends background tasks, and runs clean-up that a cancellation does not interrupt."""

import asyncio
from collections.abc import Awaitable
from typing import Any, Final, TypeVar

T = TypeVar("T")

AGAIN_S: Final = 5.0


async def end(*tasks: "asyncio.Task[Any]") -> None:
    """Cancels `tasks` until all are over, and ignores their results. Once is not enough: a result
    that arrives in the same moment hides it (`asyncio.wait_for` before Python 3.12, in libraries
    too)."""
    await finish(_cancel_until_over(tasks))


async def finish(work: Awaitable[T]) -> T:
    """Runs `work` to its end; a cancellation that arrives meanwhile is raised afterwards. `end`
    cancels again while a slow clean-up runs: without this, what it had to close stays open."""
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError as error:
            cancelled = error
    try:
        return task.result()
    finally:
        if cancelled is not None:
            raise cancelled


async def _cancel_until_over(tasks: "tuple[asyncio.Task[Any], ...]") -> None:
    while left := [each for each in tasks if not each.done()]:
        for each in left:
            each.cancel()
        await asyncio.wait(left, timeout=AGAIN_S)
    await asyncio.gather(*tasks, return_exceptions=True)
