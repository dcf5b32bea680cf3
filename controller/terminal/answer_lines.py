"""Reads questions on standard input and writes answers on standard output, one JSON line each."""

import json
import sys
from collections.abc import Callable

import msgspec
import structlog
import typer

from controller.terminal import rule_questions
from controller.terminal.rule_questions import LineError
from controller.views.structs.encoding import plain

log = structlog.get_logger()


def answer_lines(answer: Callable[[bytes], msgspec.Struct]) -> None:
    """Answers lines until the input ends; the exit status is 0 only if every line was valid."""
    bad = 0
    for found in rule_questions.answers(sys.stdin.buffer, answer):
        bad += isinstance(found, LineError)
        sys.stdout.write(json.dumps(plain(found)) + "\n")
        sys.stdout.flush()  # an interactive client waits for it
    if bad:
        log.warning("lines_not_answered", count=bad)
        raise typer.Exit(1)
