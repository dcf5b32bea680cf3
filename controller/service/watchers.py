"""Watches of a running table: clock, files, the jobs of the night, misreading devices.

Each watch runs every second and costs almost nothing. A fault of files or journal holds the table;
the others only send a notice, and play goes on.
"""

import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

import structlog

from controller.config.file import Config
from controller.messages.codes import Code
from controller.messages.sentence import Sentence, sentence
from controller.runtime.loop import Clock
from controller.service.metrics import reads
from controller.table.commands.device_events import ClockSteppedEvent, NoticeEvent, SelfTestEvent
from controller.table.commands.registry import Payload
from controller.upkeep import nightly, results
from controller.views import figures
from controller.views.structs.devices import DeviceView

LOOK_AT_RESULTS_S: Final = 5.0
_HOUR_S: Final = 3600.0

Tell = Callable[[Payload], None]
"""Sends a command to the table on behalf of its own machine."""

log = structlog.get_logger()


class Holding:
    """The reasons that hold the table, by their finder; each change is sent to the table."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._bad: dict[str, list[str]] = {}
        self._lock = threading.Lock()

    def found(self, who: str, bad: list[str]) -> None:
        """Set the current findings of `who`; an empty list withdraws them."""
        with self._lock:
            if self._bad.get(who, []) == bad:
                return
            self._bad[who] = bad
            every = [each for many in self._bad.values() for each in many]
            self._tell(SelfTestEvent(bad=tuple(every)))


class ClockWatch:
    """Detects jumps of the wall clock against the steady clock."""

    def __init__(self, clock: Clock, most_s: float, tell: Tell) -> None:
        self._clock = clock
        self._most = most_s
        self._tell = tell
        self._apart = self._measured()

    def _measured(self) -> float:
        assert self._clock.wall is not None
        return self._clock.wall() - self._clock.monotonic()

    def look(self) -> None:
        apart = self._measured()
        step = round(apart - self._apart, 1)
        if abs(step) > self._most:
            self._apart = apart
            log.warning("clock_stepped", seconds=step)
            self._tell(ClockSteppedEvent(seconds=step))


class FileWatch:
    """Checks installed files and configuration periodically, in its own thread."""

    def __init__(
        self,
        config: Config,
        file: Path,
        clock: Clock,
        holding: Holding,
        site_key: Path | None = None,
    ) -> None:
        self._config, self._file, self._site_key = config, file, site_key
        self._clock = clock
        self._holding = holding
        self._every = config.checks.verify_every_h * _HOUR_S
        self._next = clock.monotonic() + self._every
        self.checking: threading.Thread | None = None

    def look(self) -> None:
        busy = self.checking is not None and self.checking.is_alive()
        if busy or self._clock.monotonic() < self._next:
            return
        self._next = self._clock.monotonic() + self._every
        self.checking = threading.Thread(target=self._check, name="file check", daemon=True)
        self.checking.start()

    def _check(self) -> None:
        found = nightly.check_files(self._config, self._file, self._site_key)
        bad = [each for each in found if not each.good]
        log.log(40 if bad else 20, "files_checked", bad=[str(each) for each in bad])
        self._holding.found("files", [each.what for each in bad])


class ResultWatch:
    """Reads the results of the jobs of the night. A failed check holds the table until a good one;
    a failed backup, or a job that has not run for days, sends a notice."""

    def __init__(self, config: Config, clock: Clock, holding: Holding, tell: Tell) -> None:
        self._config = config
        self._clock = clock
        self._holding = holding
        self._tell = tell
        self._next = clock.monotonic()
        self._told: dict[str, Sentence] = {}

    def look(self) -> None:
        if self._clock.monotonic() < self._next:
            return
        self._next = self._clock.monotonic() + LOOK_AT_RESULTS_S
        for job in results.JOBS:
            self._look_at(job)

    def _look_at(self, job: results.Job) -> None:
        assert self._clock.wall is not None
        result = results.last(self._config, job.name)
        if result is None:
            return
        if job.name == results.NIGHT:
            self._holding.found(job.name, [] if result.good else [job.name])
        days = results.overdue(result, self._clock.wall())
        if not result.good:
            log.warning("upkeep", job=job.name, says=result.text)
            self._say(job, sentence(Code.JOB_FAILED, job=job.name))
        elif days is not None:
            log.warning("upkeep", job=job.name, days=days, unit=job.unit)
            self._say(job, sentence(Code.JOB_LATE, job=job.name, days=days))
        else:
            self._told.pop(job.name, None)

    def _say(self, job: results.Job, sentence_: Sentence) -> None:
        """Send the notice once, until it changes."""
        if self._told.get(job.name) != sentence_:
            self._told[job.name] = sentence_
            self._tell(NoticeEvent(note=sentence_))


class MisreadWatch:
    """Flags a device above its misread limit, once a run."""

    def __init__(self, devices: Callable[[], Iterable[DeviceView]], most: float, tell: Tell):
        self._devices = devices
        self._most = most
        self._tell = tell
        self._flagged: set[str] = set()

    def look(self) -> None:
        for device in self._devices():
            name, (cards, misreads) = device.name, reads(device.counts)
            if name not in self._flagged and figures.too_many(cards, misreads, self._most):
                self._flagged.add(name)
                log.warning("misreads", device=name, misreads=misreads, of=cards)
                sentence_ = sentence(
                    Code.DEVICE_MISREADS, device=name, misreads=misreads, cards=cards
                )
                self._tell(NoticeEvent(note=sentence_))
