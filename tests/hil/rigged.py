"""A run on a bench: refuse any unit but the one named, speak with the person, keep what happened.

A pytest plugin that `tests/conftest.py` registers when `--rig` is given.
"""

import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Final, NoReturn

import pytest

from drivers import registry
from drivers.errors import DeviceError
from drivers.events import Identified
from drivers.io import ports
from drivers.io.capture import Capture
from drivers.io.identity import line_for
from hil.hands import APerson
from hil.report import Report, Row, html
from hil.rigs import BadRig, Rig, load
from hil.units import Place, Unit

WRONG_UNIT: Final = 10
"""The exit status when the unit on the port is not the one the rig names."""
RUN: Final = pytest.StashKey["RigRun"]()


def configure(config: pytest.Config) -> None:
    """`--rig` was given."""
    if getattr(config.option, "numprocesses", None):
        raise pytest.UsageError("a rig has one unit: leave out -n")
    try:
        rig = load(Path(config.option.rig))
    except BadRig as error:
        raise pytest.UsageError(str(error)) from error
    out = Path(config.option.rig_out or f"hil-{time.strftime('%Y%m%d-%H%M%S')}").absolute()
    out.mkdir(parents=True, exist_ok=True)
    option = config.option
    option.xmlpath = option.xmlpath or str(out / "junit.xml")
    option.timeout = 0  # a person takes as long as a person takes; `wait_s` of the rig is the limit
    option.randomly_reorganize = False
    config.stash[RUN] = run = RigRun(config, rig, out)
    config.pluginmanager.register(run, "sabot-rig")


class RigRun:
    def __init__(self, config: pytest.Config, rig: Rig, out: Path) -> None:
        self.rig, self.out = rig, out
        self._config = config
        self._unit: Unit | None = None
        self._capture: Capture | None = None
        self._facts: dict[str, str] = {}
        self._rows: list[Row] = []
        self._left_out: list[str] = []

    # --- the person ---------------------------------------------------------------------------

    def say(self, text: str) -> None:
        with self._capturing().global_and_fixture_disabled():
            sys.stdout.write(f"\n>> {text}\n")
            sys.stdout.flush()

    def ask(self, text: str) -> str:
        """What the person types; empty when nobody is there."""
        capturing = self._capturing()
        capturing.suspend(in_=True)
        try:
            sys.stdout.write(f"\n>> {text} ")
            sys.stdout.flush()
            return sys.stdin.readline().strip()
        finally:
            capturing.resume()

    def _capturing(self) -> Any:
        return self._config.pluginmanager.getplugin("capturemanager")

    # --- the unit -----------------------------------------------------------------------------

    def unit(self) -> Unit:
        """The same one for the whole run, so that its capture is one conversation."""
        if self._unit is None:
            rig = self.rig
            hands = APerson(self.say, rig.sheet, rig.wait_s, rig.quiet_s)
            self._unit = Unit(
                registry.find(rig.driver),
                rig.port,
                hands,
                rig.settings,
                enrolled=rig.identity,
                capture=self._capture,
            )
        return self._unit

    def let_go(self) -> None:
        """Another program is to have the port."""
        if self._unit is not None:
            self._unit.close()
            self._unit = None

    def must_be(self, told: Identified) -> None:
        """A device that tells its firmware is compared with the rig."""
        if told.firmware and told.firmware != self.rig.firmware:
            self._refuse(
                f"the unit says that its firmware is {told.firmware}, and the rig names "
                f"{self.rig.firmware}: correct the rig file"
            )

    def _refuse(self, why: str) -> NoReturn:
        pytest.exit(f"REFUSED: {why}", WRONG_UNIT)

    # --- the run ------------------------------------------------------------------------------

    def pytest_sessionstart(self) -> None:
        rig = self.rig
        try:
            port = ports.open_port(rig.port, line_for(rig.sheet, rig.settings), rig.identity)
        except DeviceError as error:
            self._refuse(str(error))
        found = port.identity
        port.close()
        typed = self.ask(f"Type the asset number on the plate of the {rig.driver} at {rig.port}:")
        if typed != rig.asset:
            self._refuse(
                f"the plate says {typed or 'nothing'}, and the rig names {rig.asset}: put the "
                "right unit on the bench, or take the rig file of this one"
            )
        self._facts = {
            "driver": rig.driver,
            "asset": rig.asset,
            "firmware": rig.firmware,
            "port": rig.port,
            "identity": found.enrolment,
            "settings": ", ".join(f"{k} = {v}" for k, v in rig.settings.items()) or "defaults",
            "commit": commit(self._config.rootpath),
            "began": time.strftime("%Y-%m-%d %H:%M:%S %z"),
        }
        about = {**self._facts, "settings": rig.settings}
        self._capture = Capture((self.out / "capture.jsonl").open("wb"), about, time.monotonic)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Only what concerns a unit, and what a person can do to this one."""
        concern = [item for item in items if self._concerns(item)]
        kept = [item for item in concern if not self._cannot(item)]
        self._left_out = [
            f"{says(item)} ({why})" for item in concern if (why := self._cannot(item))
        ]
        items[:] = kept

    def _concerns(self, item: pytest.Item) -> bool:
        params = getattr(getattr(item, "callspec", None), "params", {})
        of_unit = isinstance(params.get("unit"), Place) or "driver_name" in params
        return of_unit or params.get("open_table") == "unit"

    def _cannot(self, item: pytest.Item) -> str:
        names = getattr(item, "fixturenames", ())
        if "struck_shoe" in names:
            return "a person cannot strike a byte on the line"
        if "pulled" in names and not self.rig.can_unplug:
            return "the rig says that this port does not go away"
        return ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when != "call" and report.outcome == "passed":
            return
        facts = dict(report.user_properties)
        sentence = str(facts.pop("says", ""))
        why = report.longreprtext.strip().splitlines()[-1] if report.failed else ""
        name = report.nodeid.rpartition("::")[2]
        self._rows.append(Row(name, sentence, report.outcome, report.duration, why, facts))

    def pytest_sessionfinish(self) -> None:
        self.let_go()
        if self._capture is None:
            return  # refused before anything was sent
        self._capture.close()
        page = html(Report(self._facts, self._rows, self._left_out))
        (self.out / "report.html").write_text(page, encoding="utf-8")
        self.say(f"Report, JUnit and capture are in {self.out}")

    @property
    def facts(self) -> dict[str, str]:
        return dict(self._facts)


def says(item: pytest.Item) -> str:
    """The first sentence of what a test says about itself."""
    text = getattr(getattr(item, "function", None), "__doc__", None) or item.name
    return " ".join(str(text).split()).strip()


def commit(root: Path) -> str:
    """Which state of Sabot ran."""
    asked = ["git", "-C", str(root), "describe", "--always", "--dirty", "--abbrev=40"]
    try:
        return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
