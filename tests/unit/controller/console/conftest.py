"""A console of a table in memory, and one open screen."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.console.consoles import Browser, Console


@pytest.fixture
def console(tmp_path: Path) -> Console:
    return Console(tmp_path)


@pytest.fixture
def browser(console: Console) -> Iterator[Browser]:
    with console.browser() as browser:
        yield browser
