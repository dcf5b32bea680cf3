"""Ending what runs in a loop."""

import asyncio
from typing import Any, Final

AGAIN_S: Final = 5.0


async def end(*tasks: "asyncio.Task[Any]") -> None:
    """Cancelled until they are over, whatever comes of it. Once is not enough: an answer that comes
    in the same moment swallows it (`asyncio.wait_for` before Python 3.12, in libraries too)."""
    while left := [each for each in tasks if not each.done()]:
        for each in left:
            each.cancel()
        await asyncio.wait(left, timeout=AGAIN_S)
    await asyncio.gather(*tasks, return_exceptions=True)
