"""Questions on standard input, answers on standard output, one JSON line each."""

import json
import sys
from collections.abc import Callable

import structlog
import typer

from controller.terminal import rule_questions

log = structlog.get_logger()


def answer_lines(answer: Callable[[bytes], rule_questions.Answer]) -> None:
    """Until the input ends; the exit status says whether every line could be answered."""
    bad = 0
    for found in rule_questions.answers(sys.stdin.buffer, answer):
        bad += "error" in found
        sys.stdout.write(json.dumps(found) + "\n")
        sys.stdout.flush()  # whoever asks line by line is waiting for it
    if bad:
        log.warning("lines_not_answered", count=bad)
        raise typer.Exit(1)
