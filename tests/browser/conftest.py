"""A browser for each module, a context for each window, a console for each test."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from support.console.screens import ARGUMENTS, CHROMIUM, Screen, screen
from support.console.table_in_hand import Console, console

NO_BROWSER = f"browser tests are left out: there is no {CHROMIUM} (apt install {CHROMIUM.name})"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Not for the whole session: while it runs, no other test of the worker could use asyncio."""
    if not CHROMIUM.exists():
        pytest.skip(NO_BROWSER)
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield found
        found.close()


Serve = Callable[..., Console]
Open = Callable[..., Screen]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """`serve(hlga=True)` starts a console of a house like that."""
    with ExitStack() as running:

        def started(**house: Any) -> Console:
            return running.enter_context(console(tmp_path, **house))

        yield started


@pytest.fixture
def at(browser: Browser) -> Iterator[Open]:
    """`at(console, "dana", "/dealer")` opens a window; a script error in any fails the test."""
    screens: list[Screen] = []

    def opened(where: Console, who: str | None = None, path: str = "/", **more: Any) -> Screen:
        found = screen(browser, where, **more)
        screens.append(found)
        return found.go(path) if who is None else found.sign_in(who, path)

    yield opened
    for each in screens:
        each.context.close()
    assert [error for each in screens for error in each.errors] == []
