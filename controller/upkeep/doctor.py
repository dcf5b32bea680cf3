"""One page of what is right and wrong with a table PC, made to be read out on the telephone."""

import json
import platform
import subprocess
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from controller.config import Config
from controller.upkeep import nightly, selftest
from controller.upkeep.nightly import Finding
from controller.upkeep.selftest import Grade, Machine

BACKUP_DAYS_MOST: Final = 2
_ANSWER_S: Final = 5.0

Ask = Callable[[str], dict[str, Any]]
"""Gives the JSON answer of an address on this machine; raises `OSError`."""


@dataclass(frozen=True)
class Patient:
    """What the doctor looks at; tests put other things there."""

    config: Config
    config_file: Path
    machine: Machine
    ask: Ask
    unit_state: Callable[[], str]


def examine(patient: Patient, backups: Path) -> list[Finding]:
    """Every finding, in the order one would ask on the telephone."""
    return [
        Finding("release", good=True, says=f"Sabot {version('sabot')}, {platform.platform()}"),
        _service(patient),
        _table(patient),
        *_self_test(patient),
        *nightly.check_files(patient.config, patient.config_file),
        nightly.can_open(patient.config),
        _backup(backups, datetime.fromtimestamp(patient.machine.now(), UTC)),
    ]


def _service(patient: Patient) -> Finding:
    state = patient.unit_state()
    good = state in ("active", "unknown")
    return Finding("service", good=good, says=state if good else f"{state}: journalctl -u sabot")


def _table(patient: Patient) -> Finding:
    """What the running table says of itself: why it has stopped, and how its devices are."""
    console = patient.config.console
    scheme = "https" if console.tls_cert else "http"
    try:
        said = patient.ask(f"{scheme}://{console.host}:{console.port}/readyz")
    except (OSError, ValueError) as error:
        return Finding("table", good=False, says=f"its console does not answer: {error}")
    devices = "; ".join(
        f"{each['name']} ({each['driver']}) {each['link']}" for each in said.get("devices", [])
    )
    stopped = said.get("stopped_by")
    parts = [f"stopped: {stopped}" if stopped else "running", devices or "no devices"]
    return Finding("table", good=stopped is None, says="; ".join(parts))


def _self_test(patient: Patient) -> Iterable[Finding]:
    for result in selftest.run(patient.config, patient.machine):
        good = result.grade is Grade.GOOD
        yield Finding(
            result.check, good=good, says=result.says + (f". {result.do}" if result.do else "")
        )


def _backup(folder: Path, now: datetime) -> Finding:
    made = sorted(folder.glob("journal-*.db"))
    if not made:
        return Finding("backup", good=False, says=f"none in {folder}: systemctl start sabot-backup")
    last = datetime.strptime(made[-1].name.split("-")[1], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    days = (now - last).days
    says = f"the last is {days} days old: {made[-1].name}"
    return Finding("backup", good=days <= BACKUP_DAYS_MOST, says=says)


def page(findings: list[Finding]) -> str:
    """What is wrong comes first."""
    wrong = [each for each in findings if not each.good]
    head = f"{len(wrong)} of {len(findings)} findings need somebody" if wrong else "all is well"
    ordered = [*wrong, *(each for each in findings if each.good)]
    return "\n".join([f"Sabot doctor: {head}", "", *map(str, ordered)]) + "\n"


def ask_console(address: str) -> dict[str, Any]:
    """A 503 is an answer too: the table says why it is not ready."""
    try:
        with urllib.request.urlopen(address, timeout=_ANSWER_S) as answer:
            found = json.load(answer)
    except urllib.error.HTTPError as refused:
        with refused:
            found = json.load(refused)
    return found if isinstance(found, dict) else {}


def systemd_state() -> str:
    """As `systemctl is-active` tells it; unknown where systemd does not run."""
    try:
        asked = subprocess.run(
            ["systemctl", "is-active", "sabot.service"],
            capture_output=True,
            text=True,
            timeout=_ANSWER_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return "unknown"
    return asked.stdout.strip() or "unknown"
