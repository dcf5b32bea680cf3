"""The last results of the jobs of the night: one small file each, for the doctor and the running
table.

The jobs run as separate services, so they pass their results through files. A job that could not
even write its file is detected by the age of the last one.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from controller.config.file import Config

NIGHT: Final = "night"
BACKUP: Final = "backup"
MAX_DAYS: Final = 2
"""Both jobs run daily: after two days without a result a person should check."""

_DAY_S: Final = 86_400.0


class JobResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    at: float
    """Seconds since 1970."""
    good: bool
    text: str = msgspec.field(name="says")


@dataclass(frozen=True)
class Job:
    """A job and its systemd unit."""

    name: str
    title: str
    unit: str


JOBS: Final = (
    Job(NIGHT, "nightly check", "sabot-verify"),
    Job(BACKUP, "backup", "sabot-backup"),
)


def keep(config: Config, job: str, result: JobResult) -> None:
    """Replace the last result atomically."""
    path = _path(config, job)
    path.parent.mkdir(mode=0o700, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.write_bytes(msgspec.json.encode(result) + b"\n")
    fresh.replace(path)


def last(config: Config, job: str) -> JobResult | None:
    """Return the last result; None where the job has never run. An unreadable file counts as a bad
    result."""
    path = _path(config, job)
    try:
        return msgspec.json.decode(path.read_bytes(), type=JobResult)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        return JobResult(0.0, good=False, text=f"{path}: {error}")


def overdue(result: JobResult, now: float) -> int | None:
    """Return the days without a result, if there are too many."""
    days = int((now - result.at) // _DAY_S)
    return days if days >= MAX_DAYS else None


def _path(config: Config, job: str) -> Path:
    return Path(config.journal.path).parent / "upkeep" / f"{job}.json"
