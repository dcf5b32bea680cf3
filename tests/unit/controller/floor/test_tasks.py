"""Tasks end although a cancellation was lost, and clean-up is not cut short by the next one."""

import asyncio

import pytest
from pytest_mock import MockerFixture

from controller.floor import tasks


def test_a_task_that_swallows_its_end_is_ended_all_the_same(mocker: MockerFixture) -> None:
    mocker.patch.object(tasks, "AGAIN_S", 0.01)
    heard = 0

    async def deaf() -> None:
        nonlocal heard
        for _ in range(2):
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                heard += 1
        await asyncio.Event().wait()

    async def fails() -> None:
        raise ValueError

    async def run() -> None:
        running = [asyncio.create_task(deaf()), asyncio.create_task(fails())]
        await asyncio.sleep(0)
        await tasks.end(*running)
        assert all(each.done() for each in running)

    asyncio.run(run())
    assert heard == 2


def test_cleanup_is_not_interrupted_by_a_second_cancellation(mocker: MockerFixture) -> None:
    """A part waits for its own parts, one of which is slow: it is cancelled again meanwhile."""
    mocker.patch.object(tasks, "AGAIN_S", 0.01)
    cancelled = 0
    is_closed = False

    async def slow(may_end: asyncio.Event) -> None:
        nonlocal cancelled
        while not may_end.is_set():
            try:
                await may_end.wait()
            except asyncio.CancelledError:
                cancelled += 1

    async def part(may_end: asyncio.Event) -> None:
        nonlocal is_closed
        child = asyncio.create_task(slow(may_end))
        try:
            await asyncio.Event().wait()
        finally:
            try:
                await tasks.end(child)
            finally:
                is_closed = child.done()

    async def run() -> None:
        may_end = asyncio.Event()
        outer = asyncio.create_task(part(may_end))
        await asyncio.sleep(0)
        ending = asyncio.create_task(tasks.end(outer))
        while cancelled < 5 and not outer.done():
            await asyncio.sleep(0)
        ended_first = outer.done()
        may_end.set()
        await ending
        assert not ended_first, "it ended before its own part"
        assert outer.cancelled()

    asyncio.run(run())
    assert is_closed


def test_work_that_finishes_gives_its_result_and_its_error() -> None:
    async def fails() -> None:
        raise ZeroDivisionError

    async def run() -> None:
        assert await tasks.finish(asyncio.sleep(0, "result")) == "result"
        with pytest.raises(ZeroDivisionError):
            await tasks.finish(fails())

    asyncio.run(run())
