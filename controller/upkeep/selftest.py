"""The self-test: checks that must pass before the table opens a device.

Each check tests one thing and reports what it found; a failed check includes the remedy. None of
them opens a device: the operating system reports whether a port exists.
"""

import os
import shutil
import stat
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from typing import Final

from controller.config.file import Config, Device
from controller.journal import audit
from controller.journal.errors import JournalError
from controller.journal.head import sync_folder
from controller.upkeep.machine import binding

RELEASED_AT: Final = datetime(2026, 11, 1, tzinfo=UTC).timestamp()
"""The earliest plausible time, updated with each release."""


class Grade(Enum):
    GOOD = "good"
    WARNING = "warning"
    """The table may start; a person should check."""
    BAD = "bad"
    """The table does not start."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    check: str
    """An id; the catalogues contain its name for the table's screens."""
    grade: Grade
    text: str
    do: str = ""

    def __str__(self) -> str:
        return f"{self.check.replace('_', ' ')}: {self.text}" + (f". {self.do}" if self.do else "")


@dataclass(frozen=True)
class Machine:
    """The machine's reported state; tests replace it."""

    now: Callable[[], float]
    free_disk: Callable[[Path], int] = lambda path: shutil.disk_usage(path).free
    free_memory: Callable[[], int] = lambda: _available(Path("/proc/meminfo"))
    port_there: Callable[[str], bool] = lambda path: Path(path).exists()
    identity: Callable[[], Mapping[str, str]] = binding.identity


def run(config: Config, machine: Machine, released_at: float = RELEASED_AT) -> list[CheckResult]:
    """Run every check, whatever the earlier ones found. `released_at` is the earliest plausible
    time."""
    journal = Path(config.journal.path)
    return [
        _disk(journal.parent, config.checks.free_disk_mb, machine),
        _syncs("journal_disk", journal.parent),
        _syncs("head_disk", Path(config.journal.head).parent),
        _memory(config.checks.free_memory_mb, machine),
        _key(Path(config.journal.key), journal),
        _clock(journal, config.checks.clock_step_s, machine, released_at),
        *_devices(config, machine),
    ]


def bad(results: Iterable[CheckResult]) -> list[CheckResult]:
    return [result for result in results if result.grade is Grade.BAD]


def _disk(folder: Path, least_mb: int, machine: Machine) -> CheckResult:
    name = "disk_space"
    try:
        free = machine.free_disk(folder) // 1_000_000
    except OSError as error:
        return CheckResult(name, Grade.BAD, f"{folder}: {error.strerror}", "Make that folder")
    text = f"{free} MB are free for the journal"
    if free < least_mb:
        do = f"Free some: {least_mb} MB are needed (checks.free_disk_mb)"
        return CheckResult(name, Grade.BAD, text, do)
    return CheckResult(name, Grade.GOOD, text)


def _syncs(name: str, folder: Path) -> CheckResult:
    """Check that the disk can sync, without which no record is durable."""
    probe = folder / f".probe-{os.getpid()}"
    try:
        with probe.open("wb") as out:
            out.write(b"sabot")
            out.flush()
            os.fsync(out.fileno())
        sync_folder(folder)
    except OSError as error:
        do = f"Check that {folder} exists, belongs to the service and is a local disk"
        return CheckResult(name, Grade.BAD, f"cannot be written: {error.strerror}", do)
    finally:
        probe.unlink(missing_ok=True)
    return CheckResult(name, Grade.GOOD, "writes and syncs")


def _memory(least_mb: int, machine: Machine) -> CheckResult:
    free = machine.free_memory() // 1_000_000
    text = f"{free} MB are free"
    if free < least_mb:
        do = f"Close other programs: {least_mb} MB are needed (checks.free_memory_mb)"
        return CheckResult("memory", Grade.BAD, text, do)
    return CheckResult("memory", Grade.GOOD, text)


def _available(meminfo: Path) -> int:
    for line in meminfo.read_text(encoding="ascii").splitlines():
        name, _, rest = line.partition(":")
        if name == "MemAvailable":
            return int(rest.split()[0]) * 1024
    raise OSError(f"{meminfo} tells no MemAvailable")


def _key(path: Path, journal: Path) -> CheckResult:
    name = "key_file"
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        if journal.exists():
            do = f"Put it back at {path}: the journal's sealed cards open with no other"
            return CheckResult(name, Grade.BAD, "it is missing, and the journal needs it", do)
        return CheckResult(name, Grade.GOOD, "none yet: it is made with the journal")
    except OSError as error:
        return CheckResult(name, Grade.BAD, f"{path}: {error.strerror}", "Give the service access")
    if mode & 0o077:
        return CheckResult(name, Grade.BAD, "others may read it", f"chmod 600 {path}")
    return CheckResult(name, Grade.GOOD, "it is there and private")


def _clock(journal: Path, step_s: float, machine: Machine, released_at: float) -> CheckResult:
    name, now = "clock", machine.now()
    do = "Set the clock (timedatectl) before the table opens"
    if now < released_at:
        return CheckResult(name, Grade.BAD, "it is earlier than this program was made", do)
    try:
        last = audit.last_time(journal)
    except JournalError as error:
        return CheckResult(name, Grade.WARNING, f"not compared with the journal: {error}")
    if last is not None and now < last - step_s:
        text = f"it is {last - now:.0f} s behind the journal's last record"
        return CheckResult(name, Grade.WARNING, text, do)
    return CheckResult(name, Grade.GOOD, "not earlier than the journal")


def _devices(config: Config, machine: Machine) -> Iterable[CheckResult]:
    for name, device in (("shoe", config.shoe), ("shuffler", config.shuffler)):
        if device is not None and device.port:  # people who enter cards have no unit
            yield _port(f"{name}_port", device, machine)
            if config.site.mode == "live":
                yield _enrolment(name, device)


def _enrolment(name: str, device: Device) -> CheckResult:
    """Check that a live table's device is a unit confirmed by a person."""
    what = f"{name}_enrolment"
    if device.identity is None or device.asset is None:
        do = f"Stop the table, `sabot device enrol {name}`, start it again"
        return CheckResult(what, Grade.BAD, "nobody has confirmed which unit it is", do)
    return CheckResult(what, Grade.GOOD, f"unit {device.asset} is known by {device.identity}")


def _port(name: str, device: Device, machine: Machine) -> CheckResult:
    if not device.port.startswith("/"):
        return CheckResult(name, Grade.GOOD, f"{device.port} is reached over the network or USB")
    if not machine.port_there(device.port):
        # A table may start before its shoe is switched on: it shows that and waits.
        do = "Plug the adapter in; `sabot device list` shows what is there"
        return CheckResult(name, Grade.WARNING, f"{device.port} is not there", do)
    return CheckResult(name, Grade.GOOD, f"{device.port} is there")
