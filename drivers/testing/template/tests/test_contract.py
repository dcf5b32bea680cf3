"""Sabot's own contract suite: in memory, and with the emulator as a program on a wire."""

from drivers.testing.suite.test_contract import *  # noqa: F403
from drivers.testing.suite.test_on_the_wire import *  # noqa: F403

DRIVERS = ("example_shoe",)
