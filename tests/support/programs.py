"""Starts Sabot's programs as tests need them: with pipes, or to their end."""

import subprocess
import sys
from collections.abc import Mapping
from subprocess import DEVNULL, PIPE
from typing import Any

from support.limits import MAX_WAIT_S

__all__ = ["DEVNULL", "PIPE", "run", "run_text", "start"]


def start(
    *words: object,
    module: str = "controller",
    stdin: int = PIPE,
    stderr: int | None = None,
    text: bool = False,
    env: Mapping[str, str] | None = None,
) -> "subprocess.Popen[Any]":
    """Starts `sabot WORDS`, or `python -m MODULE WORDS`, with its output in a pipe."""
    return subprocess.Popen(
        _command(module, words), stdin=stdin, stdout=PIPE, stderr=stderr, text=text, env=env
    )


def run(*words: object, given: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
    """Runs `sabot WORDS` to its end."""
    command = _command("controller", words)
    return subprocess.run(
        command, input=given, capture_output=True, timeout=MAX_WAIT_S, check=False
    )


def run_text(*words: object, given: str = "") -> "subprocess.CompletedProcess[str]":
    done = run(*words, given=given.encode())
    output = (done.stdout.decode(), done.stderr.decode())
    return subprocess.CompletedProcess(done.args, done.returncode, *output)


def _command(module: str, words: tuple[object, ...]) -> list[str]:
    return [sys.executable, "-m", module, *map(str, words)]
