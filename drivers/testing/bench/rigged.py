"""A run on a bench: refuse any unit except the named one, instruct the person, store the results.

A pytest plugin that `drivers.testing.options` registers when `--rig` is given.
"""

import io
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Generator
from importlib import import_module, metadata
from pathlib import Path
from typing import Any, Final, NoReturn

import msgspec
import pytest

from drivers import registry
from drivers.errors import BadSetting, DeviceError, UnsupportedCommand
from drivers.events import Identified
from drivers.hil import deck, page, report
from drivers.hil.report import BenchReport, CheckOutcome, ReportPart, Row, UnitFacts
from drivers.hil.results import ASK_THE_MAKER, TriedPart, deck_advice, driver_failed, saw, tried
from drivers.io import ports
from drivers.io.capture import Capture
from drivers.io.deck_check import Findings
from drivers.io.identity import line_for
from drivers.testing.bench.hands import APerson
from drivers.testing.bench.rigs import BadRig, Rig, load
from drivers.testing.bench.units import DidNotCome, Place, Unit

WRONG_UNIT: Final = 10
"""The exit status when the unit on the port is not the one in the rig file."""
RUN: Final = pytest.StashKey["RigRun"]()
JUNIT: Final = "junit.xml"
CAPTURE: Final = "capture.jsonl"
RUNNER: Final = "runner.txt"
"""The file for the test runner's output; written only if the bench program itself failed."""
MUTE: Final = (
    "Not waited for: the driver's program tells nothing of the messages that were recorded of such "
    "a unit."
)


def configure(config: pytest.Config) -> None:
    """Register the plugin; `--rig` was given."""
    if getattr(config.option, "numprocesses", None):
        raise pytest.UsageError("a rig has one unit: leave out -n")
    try:
        rig = load(Path(config.option.rig))
    except BadRig as error:
        raise pytest.UsageError(str(error)) from error
    out = Path(config.option.rig_out or f"hil-{time.strftime('%Y%m%d-%H%M%S')}").absolute()
    if (out / report.FILE).exists():
        raise pytest.UsageError(f"{out} has a report already, which stays: name another folder")
    option = config.option
    # Create the folder only when the run has begun: a refused run leaves no files.
    aside = Path(tempfile.mkdtemp(prefix="sabot-hil-"))
    option.xmlpath = str(aside / JUNIT)
    option.timeout = 0  # a person needs as long as it takes; `wait_s` of the rig is the limit
    option.randomly_reorganize = False
    config.stash[RUN] = run = RigRun(config, rig, out, aside)
    config.pluginmanager.register(run, "sabot-rig")


class RigRun:
    def __init__(self, config: pytest.Config, rig: Rig, out: Path, aside: Path) -> None:
        self.rig, self.out = rig, out
        self._aside = aside
        self._runner = io.StringIO()
        self._config = config
        self._unit: Unit | None = None
        self._capture: Capture | None = None
        self._facts: UnitFacts | None = None
        self._began = self._stopped = ""
        self._rows: list[Row] = []
        self._deck: Findings | None = None
        self._gone: tuple[int, ...] = ()

    # --- the person ---------------------------------------------------------------------------

    def say(self, text: str) -> None:
        with self._capturing().global_and_fixture_disabled():
            sys.stdout.write(f"\n>> {text}\n")
            sys.stdout.flush()

    def ask(self, text: str) -> str:
        """Return what the person types; empty without a terminal."""
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
        """Return the unit; it is the same for the whole run, so that its capture is continuous."""
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
        """Close the port, so that another program can open it."""
        if self._unit is not None:
            self._unit.close()
            self._unit = None

    def must_be(self, told: Identified) -> None:
        """Compare the device's firmware with the rig file, if the device reports it."""
        if told.firmware and told.firmware != self.rig.firmware:
            self._stopped = "The unit has another firmware than its rig file says."
            self._refuse(
                f"the unit says that its firmware is {told.firmware}, and the rig names "
                f"{self.rig.firmware}: correct the rig file"
            )

    def _refuse(self, why: str) -> NoReturn:
        """Stop with a reason of one line; pytest's own output is not for technicians."""
        sys.stderr.write(f"REFUSED: {why}\n")
        pytest.exit(why, WRONG_UNIT)

    # --- the run ------------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self) -> None:
        """Keep the test runner's output out of the terminal: only test authors need it."""
        reporter = self._config.pluginmanager.getplugin("terminalreporter")
        reporter._tw = type(reporter._tw)(self._runner)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        """Refuse a unit that is not the one in the rig file, before the collection."""
        rig = self.rig
        try:
            found = ports.look(rig.port, line_for(rig.sheet, rig.settings), rig.identity)
        except DeviceError as error:
            self._refuse(str(error))
        typed = self.ask(f"Type the asset number on the plate of the {rig.driver} at {rig.port}:")
        if typed != rig.asset:
            self._refuse(
                f"the plate says {typed or 'nothing'}, and the rig names {rig.asset}: put the "
                "right unit on the bench, or take the rig file of this one"
            )
        self._facts = report.unit_facts(
            rig.sheet, rig.settings, found, asset=rig.asset, firmware=rig.firmware
        )
        self._began = _now()
        about = {**self.facts, "settings": rig.settings}
        try:
            self.out.mkdir(parents=True, exist_ok=True)
            file = (self.out / CAPTURE).open("wb")
        except OSError as error:
            self._refuse(f"{self.out} cannot be written: {error.strerror}")
        self._capture = Capture(file, about, time.monotonic)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep only the tests of a unit that a person can do with this one."""
        concern = [item for item in items if self._concerns(item)]
        items[:] = [item for item in concern if not self._cannot(item)]
        for item in concern:
            if why := self._cannot(item):
                row = said(item)
                left_out = CheckOutcome.LEFT_OUT
                self._rows.append(Row(item.name, row.part, row.tried, left_out, do=why))

    def _concerns(self, item: pytest.Item) -> bool:
        params = getattr(getattr(item, "callspec", None), "params", {})
        of_unit = isinstance(params.get("unit"), Place) or "driver_name" in params
        return of_unit or params.get("open_table") == "unit"

    def _cannot(self, item: pytest.Item) -> str:
        names = getattr(item, "fixturenames", ())
        if "struck_shoe" in names:
            return "A person cannot strike a byte on the line; it is tried on the emulator."
        if "pulled" in names and not self.rig.can_unplug:
            return "The rig file says that this port does not go away."
        return ""

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Skip the tests after the driver raised: no person works for a driver that has failed."""
        unit = self._unit if "unit" in getattr(item, "fixturenames", ()) else None
        if unit is not None and unit.failed is not None:
            raise unit.failed

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        made = yield
        if call.when == "call" or not made.passed:
            error = call.excinfo.value if call.excinfo else None
            self._rows.append(self._row(said(item), made, error))
        return made

    def _row(self, row: TriedPart, made: pytest.TestReport, error: BaseException | None) -> Row:
        facts: dict[str, Any] = dict(made.user_properties)
        name = made.nodeid.rpartition("::")[2]
        if made.skipped:
            why = MUTE if str(error) == MUTE else "It does not apply to this unit."
            return Row(name, row.part, row.tried, CheckOutcome.LEFT_OUT, do=why)
        if "serial" in facts and self._facts is not None:
            self._facts = msgspec.structs.replace(self._facts, serial=str(facts["serial"]))
        text, do = saw(facts), row.do
        if "deck" in facts:
            self._deck = msgspec.convert(facts["deck"], Findings)
            self._gone = tuple(facts.get("gone", ()))
            text = deck.in_short(self._deck, self._gone)
            do = deck_advice(self._deck, self._gone)
        if error is not None and (kind := raised_by(self.rig.driver, error)):
            text, do = driver_failed(kind), ASK_THE_MAKER
        elif isinstance(error, DidNotCome):
            text = str(error)
        elif made.failed and not ("deck" in facts or "verdict" in facts):
            text = row.failed  # the identity is not what differed
        outcome = CheckOutcome.FAILED if made.failed else CheckOutcome.PASSED
        return Row(name, row.part, row.tried, outcome, made.duration, text, do)

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        self.let_go()
        if self._facts is None:
            return  # refused before anything was sent
        if exitstatus == pytest.ExitCode.INTERRUPTED:
            self._stopped = "It was stopped before its end."
        elif exitstatus not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, WRONG_UNIT):
            self._stopped = f"The bench program itself failed: send {self.out / RUNNER} with it."
            (self.out / RUNNER).write_text(self._runner.getvalue(), encoding="utf-8")

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self) -> None:
        """Write the report, after `junit.xml` is written."""
        if self._capture is not None:
            self._capture.close()
            self._keep()
        shutil.rmtree(self._aside, ignore_errors=True)

    def _keep(self) -> None:
        assert self._facts is not None
        if (self._aside / JUNIT).exists():
            shutil.move(self._aside / JUNIT, self.out / JUNIT)
        reported = BenchReport(
            unit=self._facts,
            began=self._began,
            ended=_now(),
            sabot=this_sabot(),
            rows=tuple(self._rows),
            deck=self._deck,
            gone=self._gone,
            stopped=self._stopped,
        )
        (self.out / report.FILE).write_bytes(report.written(reported))
        attachments = (report.FILE, JUNIT, CAPTURE)
        (self.out / report.PAGE).write_text(page.html(reported, attachments), encoding="utf-8")
        for line in page.summary(reported):
            sys.stdout.write(f"{line}\n")
        sys.stdout.write(f"The report is {self.out / report.PAGE}\n")

    @property
    def facts(self) -> dict[str, str]:
        """Return the facts about the unit for the capture and for JUnit."""
        if self._facts is None:
            return {}
        return {
            **msgspec.structs.asdict(self._facts),
            "port": self.rig.port,
            "sabot": this_sabot(),
            "began": self._began,
        }


def said(item: pytest.Item) -> TriedPart:
    """Return the sentences of a test: from the bench's tables, its docstring or its story."""
    params = getattr(getattr(item, "callspec", None), "params", {})
    story = params.get("path")
    if isinstance(story, Path):
        return tried(item.name, _about(story), ReportPart.STORY)
    doc = getattr(getattr(item, "function", None), "__doc__", None) or ""
    place = params.get("unit")
    kind = registry.find(place.driver).sheet.kind if isinstance(place, Place) else "shoe"
    part = ReportPart.UNIT if "unit" in params else ReportPart.DRIVER
    return tried(item.name, " ".join(str(doc).split()), part, kind)


def raised_by(driver: str, error: BaseException) -> str:
    """Return the error's name if the driver raised it or let it through; otherwise empty. The
    errors by which a driver may refuse are no failure."""
    module = import_module(registry.find(driver).where)
    package = (module.__spec__.parent if module.__spec__ else "") or module.__name__
    for each in (error, error.__cause__):
        if each is None or isinstance(each, UnsupportedCommand | BadSetting):
            continue
        for frame, _ in traceback.walk_tb(each.__traceback__):
            where = str(frame.f_globals.get("__name__"))
            if where == package or where.startswith(f"{package}."):
                return type(each).__name__
    return ""


def _about(story: Path) -> str:
    """Return the first line of a story, which states what happens."""
    return story.read_text("utf-8").partition("\n")[0].lstrip("# ").strip()


def _now() -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S %z")


def this_sabot() -> str:
    """Return which Sabot ran: its version, and the commit of a checkout."""
    try:
        version = metadata.version("sabot")
    except metadata.PackageNotFoundError:
        version = "unknown"
    root = Path(registry.__file__).parents[1]
    asked = ["git", "-C", str(root), "describe", "--always", "--dirty", "--abbrev=40"]
    if not (root / ".git").exists():
        return version
    try:
        text = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return version
    return f"{version} ({text})"
