"""Starts Sabot's programs as processes that `multiprocessing`'s fork server forks.

A program of ours imports for half a second and tests start hundreds; the fork server imports once.
Each program is a process of its own with its own pipes, signals and exit status. Tests that are
about a program's start run it by its name instead (`test_cli`, `test_service`, `test_restart`).
"""

import atexit
import contextlib
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import types
import weakref
from collections.abc import Mapping
from functools import cache
from io import TextIOWrapper
from multiprocessing.context import ForkServerContext
from multiprocessing.reduction import DupFd
from typing import IO, Any, Final

PIPE: Final = subprocess.PIPE
DEVNULL: Final = subprocess.DEVNULL
_running: "Final[weakref.WeakSet[Program]]" = weakref.WeakSet()


class Program:
    """A running program, with what tests need of `subprocess.Popen`."""

    def __init__(
        self,
        *words: object,
        module: str = "controller",
        stdin: int = PIPE,
        stdout: int = PIPE,
        stderr: int | None = None,
        text: bool = False,
        env: Mapping[str, str] | None = None,
    ) -> None:
        ends = [_ends(number, given) for number, given in enumerate((stdin, stdout, stderr))]
        theirs = [other for _, other in ends]
        self.args = list(map(str, words))
        context = _context()
        environment = dict(os.environ if env is None else env)
        self._process = context.Process(
            target=_run_program,
            args=(module, self.args, environment, os.getcwd(), _Streams(theirs)),
        )
        self._process.start()
        _running.add(self)
        for number, other in enumerate(theirs):
            if other != number:
                os.close(other)
        self.stdin, self.stdout, self.stderr = (
            None if end is None else _open(end, "wb" if number == 0 else "rb", text)
            for number, (end, _) in enumerate(ends)
        )
        assert self._process.pid is not None
        self.pid = self._process.pid

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        status = self.returncode
        if status is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0)
        return status

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def __enter__(self) -> "Program":
        return self

    def __exit__(self, *_: object) -> None:
        for stream in (self.stdout, self.stderr, self.stdin):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()
        self.wait()


def run(
    *words: object,
    given: bytes = b"",
    module: str = "controller",
    env: Mapping[str, str] | None = None,
    timeout: float = 60,
) -> "subprocess.CompletedProcess[bytes]":
    """Runs a program to its end, through files: a full pipe cannot block either side."""
    with (
        tempfile.TemporaryFile() as read,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
    ):
        read.write(given)
        read.seek(0)
        program = Program(
            *words,
            module=module,
            stdin=read.fileno(),
            stdout=out.fileno(),
            stderr=err.fileno(),
            env=env,
        )
        try:
            status = program.wait(timeout)
        except subprocess.TimeoutExpired:
            program.kill()
            program.wait()
            raise
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess(program.args, status, out.read(), err.read())


def run_text(*words: object, given: str = "") -> "subprocess.CompletedProcess[str]":
    done = run(*words, given=given.encode())
    streams = (done.stdout.decode(), done.stderr.decode())
    return subprocess.CompletedProcess(done.args, done.returncode, *streams)


def _ends(number: int, given: int | None) -> tuple[int | None, int]:
    """Our end of a stream and the program's."""
    if given is None:
        return None, number
    if given == DEVNULL:
        return None, os.open(os.devnull, os.O_RDWR)
    if given != PIPE:
        return None, os.dup(given)
    read, write = os.pipe()
    return (write, read) if number == 0 else (read, write)


def _open(descriptor: int, mode: str, text: bool) -> IO[Any]:
    stream = open(descriptor, mode, buffering=-1 if mode == "rb" else 0)  # noqa: SIM115
    return TextIOWrapper(stream, write_through=True) if text else stream


@cache
def _context() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["support.preloaded"])
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    try:
        context.Process(target=int).start()  # the server starts, and imports, with this path
        atexit.register(_kill_all)  # runs before that of multiprocessing, which is registered now
    finally:
        if before is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = before
    return context


def _kill_all() -> None:
    """Ends the programs that a failed test left: `multiprocessing` would wait for them for ever."""
    for program in _running:
        program.kill()


class _Streams:
    """Descriptors on their way to a process that is being started."""

    def __init__(self, descriptors: list[int]) -> None:
        self._descriptors = descriptors

    def __reduce__(self) -> tuple[Any, ...]:
        return _receive, (tuple(map(DupFd, self._descriptors)),)


def _receive(sent: tuple[Any, ...]) -> list[int]:
    return [each.detach() for each in sent]


# --- in the process that was forked ---------------------------------------------------------------


def _run_program(
    module: str, words: list[str], env: dict[str, str], folder: str, streams: list[int]
) -> None:
    for number, each in enumerate(streams):
        os.dup2(each, number)
        os.close(each)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(env)
    sys.stdin, sys.stdout, sys.stderr = (
        open(number, "r" if number == 0 else "w", closefd=False)  # noqa: SIM115
        for number in range(3)
    )
    sys.argv = ["sabot", *words]
    sys.modules["__main__"] = types.ModuleType("__main__")  # a program's name is that of its argv
    os._exit(_call_main(module, words))


def _call_main(module: str, words: list[str]) -> int:
    """The exit status of the program's own `main`, after all output was written."""
    try:
        if module == "controller":
            from controller import cli

            cli.main()
            status: object = 0
        else:
            from simulators.__main__ import main

            status = main(words)
    except SystemExit as end:
        status = end.code
    except BaseException:  # noqa: BLE001  # as the interpreter would
        sys.excepthook(*sys.exc_info())
        status = 1
    if isinstance(status, str):
        sys.stderr.write(f"{status}\n")
        status = 1
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):
            stream.flush()
    return status if isinstance(status, int) else 0
