"""Another program of the same user looks into a running `sabot`, and finds the door shut."""

import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[5]
ORDINARY = ("setpriv", "--bounding-set=-all", "--inh-caps=-all", "--")
"""Root may look everywhere; the test wants two programs of one user without such powers."""
OPEN = "import sys; print('up', flush=True); sys.stdin.read()"
CLOSED = """
import sys
from controller import cli
cli.app = lambda: (print('up', flush=True), sys.stdin.read())
cli.main()
"""
LOOKS = """
import ctypes, os, sys
pid, found = int(sys.argv[1]), []
libc = ctypes.CDLL(None, use_errno=True)
if libc.ptrace(16, pid, None, None) == 0:  # PTRACE_ATTACH
    found.append("ptrace")
    os.waitpid(pid, 0x40000000)
    libc.ptrace(17, pid, None, None)
for name in ("mem", "environ", "maps"):
    try:
        open(f"/proc/{pid}/{name}", "rb").read(1 if name != "mem" else 0)
        found.append(name)
    except OSError:
        pass
print(*found)
"""


@contextmanager
def running(program: str) -> Iterator[int]:
    with subprocess.Popen(
        [*ORDINARY, sys.executable, "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"up\n"
        yield process.pid
        assert process.stdin is not None
        process.stdin.close()


def seen_of(pid: int) -> set[str]:
    looked = subprocess.run(
        [*ORDINARY, sys.executable, "-c", LOOKS, str(pid)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return set(looked.stdout.split())


def test_another_program_of_the_same_user_sees_nothing_of_a_running_sabot() -> None:
    with running(OPEN) as pid:
        able = seen_of(pid)
    if not able:
        pytest.skip("nobody can look into anybody on this machine")
    with running(CLOSED) as pid:
        assert seen_of(pid) == set()


def core_limits(program: str) -> str:
    """What a program may leave, as it says itself, in a shell that allows a core of any size."""
    most = resource.getrlimit(resource.RLIMIT_CORE)[1]
    assert most != 0, "nothing can be shown here: a test has closed this very process, or the shell"
    asks = program.replace("print('up', flush=True)", "None").replace(
        "sys.stdin.read()", "print(__import__('resource').getrlimit(4))"
    )
    done = subprocess.run(
        [sys.executable, "-c", asks],
        capture_output=True, text=True, check=True, timeout=60, cwd=ROOT, input="",
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (most, most)),
    )  # fmt: skip
    return done.stdout


def test_no_core_is_left_whatever_the_shell_allows() -> None:
    most = resource.getrlimit(resource.RLIMIT_CORE)[1]
    assert core_limits(OPEN) == f"{(most, most)}\n"
    assert core_limits(CLOSED) == "(0, 0)\n"
