"""Starts Sabot's programs for tests: with pipes, to their end, or in this process."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from subprocess import DEVNULL, PIPE
from typing import IO, Any, Final
from unittest.mock import patch

import structlog

from controller import cli
from support.limits import MAX_WAIT_S

__all__ = ["DEVNULL", "PIPE", "call", "call_text", "run", "run_text", "start"]

_STREAMS: Final = ("stdin", "stdout", "stderr")


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


def call(*words: object, given: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
    """Runs `sabot WORDS` in this process, with files as its three streams. It takes a tenth of the
    time of a separate process, most of which goes into imports."""
    arguments = ["sabot", *map(str, words)]
    with ExitStack() as stack:
        files = [stack.enter_context(tempfile.TemporaryFile()) for _ in _STREAMS]
        files[0].write(given)
        files[0].seek(0)
        with _streams_from(files), _kept_signals(), patch.object(sys, "argv", arguments):
            code = _run_to_exit()
        output = []
        for file in files[1:]:
            file.seek(0)
            output.append(file.read())
    return subprocess.CompletedProcess(arguments, code, *output)


def call_text(*words: object, given: str = "") -> "subprocess.CompletedProcess[str]":
    done = call(*words, given=given.encode())
    output = (done.stdout.decode(), done.stderr.decode())
    return subprocess.CompletedProcess(done.args, done.returncode, *output)


def _run_to_exit() -> int:
    try:
        cli.run_command_line()
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        sys.stderr.write(f"{end.code}\n")
        return 1
    return 0


@contextmanager
def _streams_from(files: Sequence[IO[bytes]]) -> Iterator[None]:
    """Redirects the three streams to files, because the program may use the file descriptors as
    well as the objects of `sys`."""
    sys.stdout.flush()
    kept = [os.dup(number) for number in range(3)]
    with ExitStack() as stack:
        for number, (name, file) in enumerate(zip(_STREAMS, files, strict=True)):
            os.dup2(file.fileno(), number)
            mode = "w" if number else "r"
            stream = stack.enter_context(open(number, mode, encoding="utf-8", closefd=False))
            stack.enter_context(patch.object(sys, name, stream))
        try:
            yield
        finally:
            structlog.reset_defaults()
            sys.stdout.flush()
            sys.stderr.flush()
            for number, copy in enumerate(kept):
                os.dup2(copy, number)
                os.close(copy)


@contextmanager
def _kept_signals() -> Iterator[None]:
    kept = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    yield
    signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
    for each, handler in kept.items():
        signal.signal(each, handler)


def run_text(*words: object, given: str = "") -> "subprocess.CompletedProcess[str]":
    done = run(*words, given=given.encode())
    output = (done.stdout.decode(), done.stderr.decode())
    return subprocess.CompletedProcess(done.args, done.returncode, *output)


def _command(module: str, words: tuple[object, ...]) -> list[str]:
    return [sys.executable, "-m", module, *map(str, words)]
