"""The check that an emulator and a table share nothing but bytes can see it when they do."""

import subprocess
import sys
from pathlib import Path

import pytest

from support.devices.held_modules import EMULATORS, PRODUCT, held, telling


@pytest.mark.second_tier
@pytest.mark.parametrize(
    ("program", "packages"),
    [
        ("import simulators.wire.unit", EMULATORS),
        ("import controller.engine.step", PRODUCT),
        ("import controller.engine.step, simulators.wire.unit", PRODUCT | EMULATORS),
        ("import importlib; importlib.import_module('drivers.cards')", frozenset({"drivers"})),
        ("pass", frozenset()),
    ],
)
def test_a_program_tells_which_packages_it_held(
    program: str, packages: frozenset[str], tmp_path: Path
) -> None:
    file = tmp_path / "held"
    subprocess.run([sys.executable, "-c", program], env=telling(file), check=True, timeout=60)
    assert held(file) == packages
