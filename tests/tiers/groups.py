"""The groups of `make test-all`: every check there is, in parts of a few minutes.

A new folder of tests with a second tier needs a group here (`test_everything.py`).
"""

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
WORKERS: Final = ("-n", "4", "--dist", "worksteal")
"""Four workers on two cores: one of them often waits for a device, a page or a disk."""
SECOND_TIER: Final = ("-m", "second_tier", "--timeout=3600")
SHOES: Final = (
    "shoe_angel_eye",
    "shoe_barcode_usb",
    "shoe_bee_tek",
    "shoe_feed",
    "shoe_line_reader",
    "by_hand",
)
STORIES: Final = "tests/scenario/test_stories.py"


@dataclass(frozen=True)
class Group:
    """A part of `make test-all` that runs and resumes as a whole."""

    name: str
    command: tuple[str, ...]
    report_option: str = ""
    """How the command is asked for a JUnit report; empty: it counts as one case."""
    needs_root: bool = False


def pytest_group(name: str, *arguments: str) -> Group:
    command = (sys.executable, "-m", "pytest", "--quiet", *WORKERS, *arguments)
    return Group(name, command, "--junitxml={}")


def program_group(name: str, module: str, *arguments: str) -> Group:
    return Group(name, (sys.executable, "-m", module, *arguments))


def make_group(
    name: str, target: str, report_option: str = "", *, needs_root: bool = False
) -> Group:
    command = ("make", "--no-print-directory", target)
    return Group(name, command, report_option, needs_root)


def all_groups(hours: float) -> list[Group]:
    """Every group in the order of the run. The searches run for `hours` each."""
    time = str(hours)
    return [
        make_group("static", "check"),
        pytest_group("first-tier"),
        pytest_group("unit", *SECOND_TIER, "tests/unit"),
        pytest_group("scenario", *SECOND_TIER, "tests/scenario", f"--ignore={STORIES}"),
        *(pytest_group(f"stories-{shoe}", *SECOND_TIER, STORIES, "-k", shoe) for shoe in SHOES),
        pytest_group("hil", *SECOND_TIER, "tests/hil"),
        pytest_group("browser", *SECOND_TIER, "tests/browser"),
        pytest_group("floor", *SECOND_TIER, "tests/floor"),
        pytest_group("repository", *SECOND_TIER, "tests/repository"),
        pytest_group("proofs", *SECOND_TIER, "tests/proofs"),
        program_group("fuzz", "fuzz", str(round(hours * 600))),
        program_group("adversary", "adversary", time),
        program_group("erring", "judge.erring", time),
        program_group("floor-faults", "floor", time),
        program_group("floor-scene", "floor.scene", "dist/floor-scene"),
        make_group("deploy", "deploy-tests", "PYTEST_ARGS=--junitxml={}", needs_root=True),
    ]


def can_run(group: Group) -> bool:
    return os.geteuid() == 0 or not group.needs_root
