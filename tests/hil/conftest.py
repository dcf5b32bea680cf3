"""The contract suite in `make test`: emulators are forked from a program that has imported all."""

import pytest

from drivers.testing.bench.emulated import Start
from drivers.testing.plugin import *  # noqa: F403
from support.devices.emulated import forked


@pytest.fixture(scope="session")  # type: ignore[no-redef]  # replaces the plugin's
def start_emulator() -> Start:
    return forked
