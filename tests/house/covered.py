"""Which tests the coverage figure counts: unit tests, without those that try every case there is.

What is followed takes two and a half times as long, so the gate follows nothing and `make coverage`
does. Unit tests say where a line is tried on purpose; a story runs half the product by the way.
Those that go through every hand or flip every bit would cost most and reach nothing new. What runs
in a program of its own is not followed, and not counted.
"""

from pathlib import Path
from typing import Final

import pytest
from coverage import Coverage

from house.source import ROOT

COUNTED: Final = ROOT / "tests" / "unit"
EXHAUSTIVE: Final = frozenset(
    {
        "controller/game/test_decided_by_force.py",
        "controller/console/http/test_openapi.py",
        "controller/game/money/test_settlement_by_the_rows.py",
        "controller/game/test_every_hand.py",
        "controller/game/test_odds.py",
        "controller/journal/test_power_cut.py",
        "controller/table/words/test_message.py",
        "drivers/shoe_angel_eye/test_damage.py",
        "drivers/shoe_angel_eye/test_unplugged.py",
        "drivers/shoe_barcode_usb/test_damage.py",
        "drivers/shoe_bee_tek/test_damage.py",
        "drivers/shoe_line_reader/test_damage.py",
        "house/test_measure.py",
    }
)


def counts(test: Path) -> bool:
    if not test.is_relative_to(COUNTED):
        return False
    return test.relative_to(COUNTED).as_posix() not in EXHAUSTIVE


class Following:
    """Follows lines while modules are imported and while tests run that count, their fixtures
    included."""

    def __init__(self) -> None:
        self._coverage = Coverage(config_file=str(ROOT / "pyproject.toml"))
        self._coverage.start()
        self._follows = True

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> None:
        wanted = counts(item.path)
        if wanted != self._follows:
            self._follows = wanted
            (self._coverage.start if wanted else self._coverage.stop)()

    def pytest_sessionfinish(self) -> None:
        self._coverage.stop()
        self._coverage.save()


def register(config: pytest.Config) -> None:
    config.pluginmanager.register(Following())
