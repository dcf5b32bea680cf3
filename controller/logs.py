"""Logging is set up once, here: readable in a terminal, JSON lines elsewhere, always on stderr."""

import logging
import sys
from typing import TextIO

import structlog
from structlog.typing import Processor


def configure(stream: TextIO | None = None, level: int = logging.INFO) -> None:
    """Call once, at the start of a program. Standard output belongs to the answers."""
    out = sys.stderr if stream is None else stream
    in_terminal = out.isatty()
    show: list[Processor] = (
        [structlog.dev.ConsoleRenderer()]
        if in_terminal
        else [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            *show,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(out),
        cache_logger_on_first_use=False,
    )
