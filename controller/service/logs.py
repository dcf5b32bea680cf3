"""Logging set-up for all programs: readable in a terminal, JSON lines elsewhere, always on stderr.

Every line passes `without_cards` first: a card's face, a frame or a device's own result may belong
to a face-down card, so none is ever written.
"""

import logging
import sys
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Protocol, TextIO

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from drivers.cards import Card
from drivers.io import traffic

LEVELS: Final = {
    "traffic": traffic.TRAFFIC,
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
}

_TELLING: Final = frozenset({"card", "cards", "frame", "winner", "salt", "given", "hands", "pin"})
_HIDDEN: Final = "not shown"


class Writing(Protocol):
    """A stream that takes log lines."""

    def write(self, text: str, /) -> object: ...
    def flush(self) -> None: ...


def configure(
    stream: TextIO | None = None, level: int = logging.INFO, also: Writing | None = None
) -> None:
    """Configure logging; call once, at the start of a program. Standard output is for the answers.

    `also` gets every line as JSON, whatever the stream is.
    """
    out = sys.stderr if stream is None else stream
    if also is not None or not out.isatty():
        show: list[Processor] = [
            structlog.processors.JSONRenderer(default=_unknown),
        ]
    else:
        show = [structlog.dev.ConsoleRenderer()]
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            own_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            only_where,
            without_cards,
            *show,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(max(level, logging.DEBUG)),
        logger_factory=structlog.WriteLoggerFactory(out if also is None else _Both(out, also)),  # type: ignore[arg-type]
        cache_logger_on_first_use=False,
    )
    traffic.log.handlers = [_Wire()]
    traffic.log.propagate = False
    traffic.log.setLevel(level)


class _Wire(logging.Handler):
    """Forward wire bytes from the standard library's loggers: structlog has no level under
    DEBUG."""

    def emit(self, record: logging.LogRecord) -> None:
        fields = getattr(record, "fields", {})
        structlog.get_logger().debug(record.getMessage(), **fields, own_level="traffic")


def own_level(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    if "own_level" in event:
        event["level"] = event.pop("own_level")
    return event


def only_where(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Reduce an exception to its type and the lines it passed, because its text may quote a
    card."""
    exc_info = event.pop("exc_info", None)
    if not exc_info:
        return event
    error = exc_info if isinstance(exc_info, BaseException) else sys.exc_info()[1]
    if error is not None:
        frames = traceback.extract_tb(error.__traceback__)
        event["error"] = type(error).__name__
        event["where"] = [f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames]
    return event


def without_cards(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Return the line without any value that could reveal a card."""
    return {key: _HIDDEN if key in _TELLING else _safe(value) for key, value in event.items()}


def _safe(value: Any) -> Any:
    if isinstance(value, Card):
        return _HIDDEN
    if isinstance(value, bytes | bytearray | memoryview):
        return f"{len(value)} bytes"
    if isinstance(value, Mapping):
        return {key: _HIDDEN if key in _TELLING else _safe(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_safe(inner) for inner in value]
    return value


def _unknown(value: object) -> str:
    """Reduce any other value to its type, because its printed form may contain a card."""
    return type(value).__name__


class _Both:
    def __init__(self, *outs: Writing) -> None:
        self._outs = outs

    def write(self, text: str) -> None:
        for out in self._outs:
            out.write(text)

    def flush(self) -> None:
        for out in self._outs:
            out.flush()


class RotatingFile:
    """A log file that rotates by size: FILE, FILE.1, FILE.2 and so on; the oldest is deleted. A
    line that the disk refuses is dropped here, so a full disk never stops the table; systemd's
    journal still has the line."""

    def __init__(self, path: Path, most_bytes: int, keep: int) -> None:
        self._path = path
        self._most = most_bytes
        self._keep = keep
        self._file = path.open("ab", buffering=0)
        self.dropped = 0
        """Count of lines that the disk refused."""

    def write(self, text: str) -> None:
        try:
            self._file.write(text.encode())
            if self._file.tell() >= self._most:
                self._put_aside()
        except OSError:
            self.dropped += 1

    def flush(self) -> None:
        """Do nothing: there is no buffer."""

    def close(self) -> None:
        self._file.close()

    def _put_aside(self) -> None:
        self._file.close()
        for number in range(self._keep, 0, -1):
            older = self._path if number == 1 else self._aside(number - 1)
            if older.exists():
                older.replace(self._aside(number))
        self._file = self._path.open("ab", buffering=0)

    def _aside(self, number: int) -> Path:
        return self._path.with_name(f"{self._path.name}.{number}")
