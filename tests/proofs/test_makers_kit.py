"""A maker with the wheel and no checkout: what the page "Add a device" says under "As a package of
your own".

A new virtual environment outside the checkout, with Sabot from its wheel. What Sabot stands on is
the copy that these tests use, by a path file: nothing is fetched.
"""

import json
import os
import re
import subprocess
import sys
import sysconfig
import venv
from dataclasses import dataclass
from pathlib import Path

import pytest

from metrics.source import ROOT
from simulators.panel import panel
from support.console.demo_program import running_demo
from support.devices.emulated import LIMIT_S
from support.feeds import open_feed

pytestmark = pytest.mark.second_tier

NAME = "acme_shoe"
PROMISED = {
    "README.md",
    "pyproject.toml",
    "acme_shoe/PROTOCOL.md",
    "acme_shoe/sheet.py",
    "acme_shoe/codec.py",
    "acme_shoe/driver.py",
    "acme_shoe/vectors.json",
    "acme_shoe_emulator/machine.py",
    "acme_shoe_emulator/interface.py",
    "tests/test_contract.py",
    "tests/test_acme_shoe.py",
}


@dataclass(frozen=True)
class Maker:
    """Who has an empty folder, and an environment with the wheel in it."""

    environment: Path
    folder: Path

    def run(self, *command: str | Path, at: Path | None = None) -> subprocess.CompletedProcess[str]:
        program, *words = map(str, command)
        return subprocess.run(
            [str(self.environment / "bin" / program), *words],
            cwd=at or self.folder,
            capture_output=True,
            text=True,
            check=False,
            timeout=250,
            env={"PATH": os.environ["PATH"], "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        )

    @property
    def package(self) -> Path:
        return self.folder / NAME

    def install(self, what: Path) -> None:
        """As pip would with an index, but for what is there already."""
        command = [sys.executable, "-m", "pip", "--python", str(self.environment / "bin/python")]
        options = ["install", "-q", "--no-deps", "--no-index", "--no-build-isolation"]
        subprocess.run([*command, *options, what], check=True, capture_output=True, timeout=250)


@pytest.fixture(scope="module")
def maker(tmp_path_factory: pytest.TempPathFactory) -> Maker:
    root = tmp_path_factory.mktemp("maker")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(root / "dist")]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=250)
    made = Maker(root / "environment", root / "empty")
    made.folder.mkdir()
    venv.create(made.environment, symlinks=True)
    site = next(made.environment.glob("lib/python*/site-packages"))
    (site / "gate.pth").write_text(sysconfig.get_paths()["purelib"] + "\n", encoding="utf-8")
    made.install(next((root / "dist").glob("*.whl")))
    written = made.run("sabot", "driver", "new", NAME)
    assert written.returncode == 0, written.stderr
    made.install(made.package)
    return made


def test_the_package_has_what_was_promised_and_nothing_of_the_checkout(maker: Maker) -> None:
    files = {str(path.relative_to(maker.package)) for path in maker.package.rglob("*")}
    assert files >= PROMISED
    where = maker.run("python", "-c", "import drivers, simulators; print(drivers.__file__)")
    assert where.stdout.startswith(str(maker.environment))


def test_its_tests_are_green(maker: Maker) -> None:
    ran = maker.run("python", "-m", "pytest", "-q", at=maker.package)
    assert ran.returncode == 0, ran.stdout
    assert re.search(r"^\d\d passed", ran.stdout, re.MULTILINE), ran.stdout


def test_a_driver_that_tells_nothing_does_not_pass(maker: Maker) -> None:
    driver = maker.package / NAME / "driver.py"
    whole = driver.read_text("utf-8")
    silent = whole.replace("return Step(told) if told else NOTHING", "return NOTHING")
    driver.write_text(silent, encoding="utf-8")
    try:
        ran = maker.run("python", "-m", "pytest", "-q", "-k", "vectors_come", at=maker.package)
    finally:
        driver.write_text(whole, encoding="utf-8")
    assert ran.returncode == 1
    assert "1 failed" in ran.stdout, ran.stdout


def test_its_emulator_deals_a_round_in_the_demo(maker: Maker) -> None:
    """Its bench page is there as ours is, and the robot deals from it."""
    sabot = maker.environment / "bin" / "sabot"
    with running_demo("--shoe", NAME, sabot=sabot) as told:
        url, shoe, _ = re.findall(r"http://127\.0\.0\.1:\d+(?=\s)", told)
        assert {"draw", "unreadable", "error"} <= set(panel.ask(shoe, "/words"))
        assert panel.ask(shoe, "/state")["device"]["cards_left"] == 416
        with open_feed(f"{url.replace('http', 'ws')}/feed/public") as feed:
            panel.ask(shoe, "/robot/fast", {})
            results: list[str] = []
            while not results:
                message = json.loads(feed.recv(timeout=LIMIT_S))
                results = message["view"]["results"] if message["type"] != "beat" else results


def test_a_package_that_cannot_be_imported_is_named_and_harms_nobody_else(maker: Maker) -> None:
    site = next(maker.environment.glob("lib/python*/site-packages"))
    broken = {site / NAME / "__init__.py", site / f"{NAME}_emulator" / "__init__.py"}
    whole = {path: path.read_text("utf-8") for path in broken}
    for path in broken:
        path.write_text("raise ImportError('no licence here')\n", encoding="utf-8")
    try:
        listed = maker.run("sabot", "device", "list")
        assert listed.returncode == 0
        assert "driver 'acme_shoe' in acme_shoe cannot be used" in listed.stdout
        assert "no licence here" in listed.stdout
        assert "Angel Eye" in listed.stdout
        assert NAME in maker.run("python", "-m", "simulators", "--help").stdout
        asked = maker.run("python", "-m", "simulators", NAME, "--pty", "x")
        assert (asked.returncode, "no licence here" in asked.stderr) == (2, True), asked.stderr
        testing = site / "drivers" / "testing"
        options: list[str | Path] = [
            "-p",
            "pytest_timeout",
            "-p",
            "drivers.testing.options",
            "-c",
            testing / "hil.ini",
            testing / "suite",
        ]
        suite = maker.run("python", "-m", "pytest", *options, "--collect-only", "-q")
        assert suite.returncode == 0, suite.stdout
        theirs = [line for line in suite.stdout.splitlines() if NAME in line]
        assert [line.rpartition("::")[2] for line in theirs] == [f"test_it_can_be_used[{NAME}]"]
        named = maker.run("sabot", "hil", "--driver", NAME)
        assert (named.returncode, "no licence here" in named.stderr) == (1, True), named.stderr
        ours = maker.run("sabot", "hil", "--driver", "shuffler_reshuffled")
        assert ours.returncode == 0, ours.stdout
        assert not list(maker.folder.glob("hil-*"))
    finally:
        for path, text in whole.items():
            path.write_text(text, encoding="utf-8")
