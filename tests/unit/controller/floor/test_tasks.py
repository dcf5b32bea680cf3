"""A task that swallows its end once is ended all the same."""

import asyncio

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
