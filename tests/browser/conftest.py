"""A browser for the process, a context for each window, a console for each test."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from support.console.browsers import shared_browser
from support.console.screens import Screen, screen
from support.console.table_in_hand import Console, console

__all__ = ["shared_browser"]

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
