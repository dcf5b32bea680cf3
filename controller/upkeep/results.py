"""What the jobs of the night found last: one small file each, for the doctor and the running table.

The jobs run as services of their own, so a file is how the table hears of them. A job that could
not even write its file shows by the age of the last one.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from controller.config.file import Config

NIGHT: Final = "night"
BACKUP: Final = "backup"
MAX_DAYS: Final = 2
"""Both jobs run daily: after two days without a result somebody should look."""

_DAY_S: Final = 86_400.0


class JobResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    at: float
    """Seconds since 1970."""
    good: bool
    text: str = msgspec.field(name="says")


@dataclass(frozen=True)
class Job:
    """A job and the unit that runs it."""

    name: str
    title: str
    unit: str


JOBS: Final = (
    Job(NIGHT, "nightly check", "sabot-verify"),
    Job(BACKUP, "backup", "sabot-backup"),
)


def keep(config: Config, job: str, result: JobResult) -> None:
    """Whole, in place of the last one."""
    path = _path(config, job)
    path.parent.mkdir(mode=0o700, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.write_bytes(msgspec.json.encode(result) + b"\n")
    fresh.replace(path)


def last(config: Config, job: str) -> JobResult | None:
    """None where the job has never run; what cannot be read counts as a bad result."""
    path = _path(config, job)
    try:
        return msgspec.json.decode(path.read_bytes(), type=JobResult)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        return JobResult(0.0, good=False, text=f"{path}: {error}")


def overdue(result: JobResult, now: float) -> int | None:
    """For how many days nothing was done, where that is too long."""
    days = int((now - result.at) // _DAY_S)
    return days if days >= MAX_DAYS else None


def _path(config: Config, job: str) -> Path:
    return Path(config.journal.path).parent / "upkeep" / f"{job}.json"
