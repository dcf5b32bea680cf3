"""The doctor's page: the health of a table PC in a form to be read out on the telephone."""

import platform
import subprocess
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Final

import msgspec

from controller.config.file import Config
from controller.engine.release import CannotGoOn
from controller.journal.errors import JournalError
from controller.upkeep import figures, nightly, results, selftest
from controller.upkeep.integrity import FileFinding
from controller.upkeep.selftest import Grade, Machine

DAY_S: Final = 86_400.0
_ANSWER_S: Final = 5.0


class ReadyDevice(msgspec.Struct, frozen=True):
    name: str
    driver: str
    link: str


class ReadyAnswer(msgspec.Struct, frozen=True):
    """The fields of `/readyz` that the doctor reads, ready or not."""

    devices: list[ReadyDevice] = []
    stopped_by: str | None = None
    detail: str | None = None
    """Why the table accepts nothing more."""


Ask = Callable[[str], ReadyAnswer]
"""Returns the JSON answer of an address on this machine; raises `OSError`."""


@dataclass(frozen=True)
class Patient:
    """The machine's sources that the doctor reads; tests replace them."""

    config: Config
    config_file: Path
    machine: Machine
    ask: Ask
    unit_state: Callable[[], str]
    site_key: Path | None = None


def examine(patient: Patient, backups: Path) -> list[FileFinding]:
    """Return every finding, in the order of a telephone call."""
    return [
        FileFinding("release", good=True, text=f"Sabot {version('sabot')}, {platform.platform()}"),
        _service(patient),
        _table(patient),
        *_self_test(patient),
        *nightly.check_files(patient.config, patient.config_file, patient.site_key),
        nightly.can_open(patient.config),
        *_misreads(patient),
        *(_job(patient, job) for job in results.JOBS),
        _backup(backups, datetime.fromtimestamp(patient.machine.now(), UTC)),
    ]


def _service(patient: Patient) -> FileFinding:
    state = patient.unit_state()
    good = state in ("active", "unknown")
    return FileFinding(
        "service", good=good, text=state if good else f"{state}: journalctl -u sabot"
    )


def _table(patient: Patient) -> FileFinding:
    """Report the running table's state: why it has stopped, and how its devices are."""
    console = patient.config.console
    scheme = "https" if console.tls_cert else "http"
    try:
        answer = patient.ask(f"{scheme}://{console.host}:{console.port}/readyz")
    except (OSError, ValueError) as error:
        return FileFinding("table", good=False, text=f"its console does not answer: {error}")
    devices = "; ".join(f"{each.name} ({each.driver}) {each.link}" for each in answer.devices)
    stopped = answer.stopped_by or answer.detail
    parts = [f"stopped: {stopped}" if stopped else "running", devices or "no devices"]
    return FileFinding("table", good=stopped is None, text="; ".join(parts))


def _self_test(patient: Patient) -> Iterable[FileFinding]:
    for result in selftest.run(patient.config, patient.machine):
        good = result.grade is Grade.GOOD
        yield FileFinding(
            result.check, good=good, text=result.text + (f". {result.do}" if result.do else "")
        )


def _misreads(patient: Patient) -> Iterable[FileFinding]:
    """Report each device's misreads of the last day from the journal, so that a restart loses
    none."""
    now, loaded = patient.machine.now(), patient.config
    try:
        found = figures.of_journal(loaded, now - DAY_S, now)
    except (JournalError, CannotGoOn) as error:
        yield FileFinding("misreads", good=False, text=str(error))
        return
    for name, device in sorted(found.devices.items()):
        if device.cards:
            good = not device.too_many(loaded.checks.errors_per_thousand)
            text = f"{device.misreads} of {device.cards} cards in the last day"
            yield FileFinding(
                f"{name}'s misreads", good=good, text=text if good else f"{text}: have it checked"
            )


def _job(patient: Patient, job: results.Job) -> FileFinding:
    """Report the last result of a job of the night."""
    last = results.last(patient.config, job.name)
    if last is None:
        return FileFinding(job.title, good=False, text=f"never done: systemctl start {job.unit}")
    days = results.overdue(last, patient.machine.now())
    if days is not None:
        text = f"not for {days} days: systemctl status {job.unit}.timer"
        return FileFinding(job.title, good=False, text=text)
    when = datetime.fromtimestamp(last.at, UTC)
    return FileFinding(job.title, good=last.good, text=f"{when:%Y-%m-%d %H:%M} UTC: {last.text}")


def _backup(folder: Path, now: datetime) -> FileFinding:
    """Report whether there is a recent copy in the folder. The folder is checked directly, because
    the backup job's own result may be wrong."""
    what, made = "newest copy", sorted(folder.glob("journal-*.db"))
    if not made:
        return FileFinding(what, good=False, text=f"none in {folder}: systemctl start sabot-backup")
    last = datetime.strptime(made[-1].name.split("-")[1], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    days = (now - last).days
    text = f"{days} days old: {made[-1].name}"
    return FileFinding(what, good=days < results.MAX_DAYS, text=text)


def page(findings: list[FileFinding]) -> str:
    """Format the findings, faults first."""
    wrong = [each for each in findings if not each.good]
    head = f"{len(wrong)} of {len(findings)} findings need somebody" if wrong else "all is well"
    ordered = [*wrong, *(each for each in findings if each.good)]
    return "\n".join([f"Sabot doctor: {head}", "", *map(str, ordered)]) + "\n"


def ask_console(address: str) -> ReadyAnswer:
    """Ask the console. A 503 is an answer too: it contains why the table is not ready."""
    try:
        with urllib.request.urlopen(address, timeout=_ANSWER_S) as answer:
            found = answer.read()
    except urllib.error.HTTPError as refused:
        with refused:
            found = refused.read()
    return msgspec.json.decode(found, type=ReadyAnswer)


def systemd_state() -> str:
    """Return the state from `systemctl is-active`; unknown without systemd."""
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
