"""The browser of a test process: the first test that needs it launches it, all modules share it."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Playwright, sync_playwright

from support.console.screens import ARGUMENTS, CHROMIUM

NO_BROWSER = f"browser tests are left out: there is no {CHROMIUM} (apt install {CHROMIUM.name})"


class SharedBrowser:
    """Chromium and Playwright's event loop, which runs in the thread of the tests.

    Between two calls of Playwright its loop stays marked as the running one of this thread. The
    mark is taken away while no browser test runs: else no other test could use `asyncio.run`.
    """

    def __init__(self) -> None:
        self._playwright: Playwright = sync_playwright().start()
        self._browser = self._playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        self._loop = asyncio.get_running_loop()

    @contextmanager
    def in_use(self) -> Iterator[Browser]:
        asyncio._set_running_loop(self._loop)
        try:
            yield self._browser
        finally:
            asyncio._set_running_loop(None)

    def close(self) -> None:
        with self.in_use() as browser:
            browser.close()
            self._playwright.stop()


SHARED = pytest.StashKey[SharedBrowser]()


@pytest.fixture(name="browser")
def shared_browser(pytestconfig: pytest.Config) -> Iterator[Browser]:
    """The shared browser; every test opens contexts of its own in it."""
    if not CHROMIUM.exists():
        pytest.skip(NO_BROWSER)
    shared = pytestconfig.stash.get(SHARED, None)
    if shared is None:
        shared = pytestconfig.stash[SHARED] = SharedBrowser()
        pytestconfig.add_cleanup(shared.close)
    with shared.in_use() as browser:
        yield browser
