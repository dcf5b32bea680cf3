"""The contract of every registered driver, as `sabot hil` runs it from the installed package."""

from drivers import registry
from drivers.testing.suite.test_contract import *  # noqa: F403
from drivers.testing.suite.test_on_the_wire import *  # noqa: F403
from simulators import registry as emulators


def test_every_driver_of_ours_has_an_emulator() -> None:
    wired = {name for name in registry.OURS if registry.find(name).sheet.link != "none"}
    assert wired == set(emulators.DEVICES)
