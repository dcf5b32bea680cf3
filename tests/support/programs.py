"""Programs of ours without the half second each takes to import itself.

A process that has everything imported waits; to start a program it forks, and what was forked runs
the program's own `main` on the pipes it was given. So it is a process like any other, with its own
number, descriptors and exit status, to be killed at any moment: what is saved is the importing
alone. How a program comes up by itself is tested where that is the question (`test_cli`,
`test_service`, `test_restart`, the packages).
"""

import atexit
import contextlib
import ctypes
import gc
import itertools
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from io import TextIOWrapper
from typing import IO, Any, Final

PIPE: Final = subprocess.PIPE
DEVNULL: Final = subprocess.DEVNULL
LONGEST: Final = 1 << 20
LATER: Final = (
    "anyio._backends._asyncio",
    "anyio.streams.memory",
    "controller.upkeep.machine.hardening",
    "rich._emoji_codes",
    "typer._click._textwrap",
    "typer._click.decorators",
    "typer.rich_utils",
    "uvicorn.lifespan.on",
    "uvicorn.loops.asyncio",
    "uvicorn.protocols.http.h11_impl",
)
"""What a program imports only when it comes to it. The one with boxes around what is wrong comes
after structlog, which must not find it (`controller.cli`)."""
_ADOPTS_ORPHANS: Final = 36
"""PR_SET_CHILD_SUBREAPER: what is forked further below becomes a child, to be waited for."""


class Program:
    """One that runs; of `subprocess.Popen` what tests need."""

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
        ours: list[int | None] = []
        theirs: list[int] = []
        for number, given in enumerate((stdin, stdout, stderr)):
            end, other = _ends(number, given)
            ours.append(end)
            theirs.append(other)
        self.args = list(map(str, words))
        self.pid = _forked(module, self.args, dict(os.environ if env is None else env), theirs)
        for number, other in enumerate(theirs):
            if other != number:
                os.close(other)
        self.stdin, self.stdout, self.stderr = (
            None if end is None else _opened(end, "wb" if number == 0 else "rb", text)
            for number, end in enumerate(ours)
        )
        self.returncode: int | None = None

    def poll(self) -> int | None:
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if self.poll() is None:
            watched = os.pidfd_open(self.pid)
            try:
                if not select.select([watched], [], [], timeout)[0]:
                    raise subprocess.TimeoutExpired(self.args, timeout or 0)
            finally:
                os.close(watched)
        status = self.poll()
        assert status is not None
        return status

    def send_signal(self, which: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, which)

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
    """To its end. Through files: nobody has to read one pipe while writing another."""
    with (
        tempfile.TemporaryFile() as read,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
    ):
        read.write(given)
        read.seek(0)
        streams = {"stdin": read.fileno(), "stdout": out.fileno(), "stderr": err.fileno()}
        program = Program(*words, module=module, env=env, **streams)
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
    said = (done.stdout.decode(), done.stderr.decode())
    return subprocess.CompletedProcess(done.args, done.returncode, *said)


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


def _opened(descriptor: int, mode: str, text: bool) -> IO[Any]:
    stream = open(descriptor, mode, buffering=-1 if mode == "rb" else 0)  # noqa: SIM115
    return TextIOWrapper(stream, write_through=True) if text else stream


# --- the process that waits -----------------------------------------------------------------------


_WAITS: Final = """
import socket
from support import programs
programs.wait_for_orders(socket.socket(fileno={}))
"""
"""As text, so that a program asked for its own name does not find a module's."""


@cache
def _nursery() -> socket.socket:
    ctypes.CDLL(None).prctl(_ADOPTS_ORPHANS, 1, 0, 0, 0)
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    process = subprocess.Popen(
        [sys.executable, "-c", _WAITS.format(theirs.fileno())],
        pass_fds=[theirs.fileno()],
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    theirs.close()

    def ends() -> None:
        ours.close()
        process.wait()

    atexit.register(ends)
    return ours


_ORDERS: Final = itertools.count(1)


def _forked(module: str, words: list[str], env: dict[str, str], streams: list[int]) -> int:
    order = next(_ORDERS)
    asked = {"order": order, "module": module, "words": words, "env": env, "cwd": os.getcwd()}
    nursery = _nursery()
    socket.send_fds(nursery, [json.dumps(asked).encode()], streams)
    while True:
        answered, pid = map(int, nursery.recv(64).split())
        if answered == order:
            return pid
        # A test ran out of time while it waited for this one: taken for ours, every later test
        # would end the wrong program.
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def wait_for_orders(orders: socket.socket) -> None:
    _import_all()
    # Else the first collection in whatever is forked writes to every page that it shares with us.
    gc.collect()
    gc.freeze()
    while True:
        asked, streams, _, _ = socket.recv_fds(orders, LONGEST, 3)
        if not asked:
            return
        wanted = json.loads(asked)
        tells, told = os.pipe()
        middle = os.fork()
        if middle == 0:
            child = os.fork()
            if child == 0:
                for each in (orders.fileno(), tells, told):
                    os.close(each)
                _become(wanted, streams)
            os.write(told, f"{wanted['order']} {child}".encode())
            os._exit(0)
        os.waitpid(middle, 0)  # only now is the child an orphan, and whoever asked may wait for it
        orders.send(os.read(tells, 64))
        for each in (tells, told, *streams):
            os.close(each)


def _import_all() -> None:
    from importlib import import_module

    from controller import cli

    for name in cli.SUBCOMMANDS:
        cli.load(name)
    import_module("simulators.__main__")
    for name in LATER:
        import_module(name)
    for registry, ours in (("drivers.registry", "OURS"), ("simulators.registry", "DEVICES")):
        devices = import_module(registry)
        for name in getattr(devices, ours):
            devices.find(name)
    import_module("controller.runtime.this_release")._code()
    import_module("controller.runtime.prepared_types").prepare_types()


def _become(asked: dict[str, Any], streams: list[int]) -> None:
    for number, each in enumerate(streams):
        os.dup2(each, number)
        os.set_inheritable(number, True)
        if each > 2:
            os.close(each)
    os.chdir(asked["cwd"])
    os.environ.clear()
    os.environ.update(asked["env"])
    sys.stdin, sys.stdout, sys.stderr = (
        open(number, "r" if number == 0 else "w", closefd=False)  # noqa: SIM115
        for number in range(3)
    )
    sys.argv = ["sabot", *asked["words"]]
    os._exit(_ended(asked["module"], asked["words"]))


def _ended(module: str, words: list[str]) -> int:
    """How the program ended, with what it had left to say said."""
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
