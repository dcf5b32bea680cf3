"""The units as systemd itself reads them, without starting anything."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from controller.upkeep.integrity import LOOK_FIRST
from support.limits import MAX_WAIT_S
from support.rows import each_row

DEPLOY = Path(__file__).parents[3] / "deploy"
UNITS = sorted(
    each
    for folder in ("systemd", "floor")
    for kind in ("service", "timer")
    for each in DEPLOY.glob(f"{folder}/*.{kind}")
)
MAX_EXPOSURE = {
    "sabot.service": 1.3,
    "sabot-backup.service": 0.4,
    "sabot-verify.service": 0.4,
    "sabot-kiosk.service": 2.2,
    "sabot-floor.service": 1.6,
    "sabot-floor-backup.service": 1.0,
}
"""By `systemd-analyze security`; 10 is everything open. The kiosk is a browser on a seat: it needs
the screen, loopback, executable memory, and namespaces for its own pages."""
LIMIT_S = MAX_WAIT_S


def analyze(*words: str | Path) -> "subprocess.CompletedProcess[str]":
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("systemd is not installed")
    return subprocess.run(
        [program, *words], capture_output=True, text=True, timeout=LIMIT_S, check=False
    )


def keys_of(unit: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in unit.read_text().splitlines():
        key, equals, value = line.partition("=")
        if equals and not line.startswith("#"):
            found.setdefault(key, []).append(value)
    return found


def test_systemd_understands_every_line(tmp_path: Path) -> None:
    for unit in UNITS:  # programs that a table PC has and this machine need not have
        text = re.sub(r"(?m)^ExecStart=\S+", "ExecStart=/bin/true", unit.read_text())
        (tmp_path / unit.name).write_text(text)
    done = analyze("verify", "--man=no", *(tmp_path / unit.name for unit in UNITS))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@each_row("name", MAX_EXPOSURE)
def test_the_services_are_hardly_exposed(name: str) -> None:
    (unit,) = (each for each in UNITS if each.name == name)
    done = analyze("security", "--offline=true", unit)
    level = re.search(r"exposure level for \S+: ([\d.]+)", done.stdout)
    assert level, done.stderr
    assert float(level.group(1)) <= MAX_EXPOSURE[name], done.stdout


def test_the_table_is_supervised_as_its_program_expects() -> None:
    table = keys_of(DEPLOY / "systemd" / "sabot.service")
    assert table["Type"] == ["notify"]
    assert table["Restart"] == ["always"]
    assert table["RestartPreventExitStatus"] == [str(LOOK_FIRST)]
    assert table["User"] == ["sabot"]
    assert float(table["WatchdogSec"][0].removesuffix("s")) >= 3, "a beat comes every second"


def test_every_timer_has_its_service_and_every_job_its_timer() -> None:
    jobs = {unit.stem for unit in UNITS if keys_of(unit).get("Type") == ["oneshot"]}
    assert jobs == {unit.stem for unit in UNITS if unit.suffix == ".timer"}
