"""A Debian machine in a folder, booted with its own systemd; for `make test-all ONLY=deploy`.

The root is made once with debootstrap from the package sources of this machine and kept in
`dist/`; every test session plays on a copy.
"""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
BASE: Final = ROOT / "dist" / "deploy" / "base"
PACKAGES: Final = ",".join(
    ("systemd", "systemd-sysv", "dbus", "udev", "python3", "python3-venv", "ca-certificates",
     "logrotate", "procps", "curl", "adduser")
)  # fmt: skip
LIMIT_S: Final = 600


def make_base(base: Path = BASE, *more: str) -> None:
    """A bare Debian 12 with what the manual asks to be there before the installer runs."""
    if (base / "made").exists():
        return
    shutil.rmtree(base, ignore_errors=True)
    base.parent.mkdir(parents=True, exist_ok=True)
    source = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()[0]
    print(f"Making a bare Debian 12 in {base}: a minute or two, once.", flush=True)  # noqa: T201
    include = ",".join((PACKAGES, *more))
    command = ["debootstrap", "--variant=minbase", f"--include={include}", "bookworm"]
    subprocess.run([*command, str(base), source], check=True, stdout=subprocess.DEVNULL)
    (base / "made").touch()


class Machine:
    """One booted root. `run` is a command in it, as root."""

    def __init__(
        self, folder: Path, *, network: bool, binds: dict[str, str], base: Path = BASE
    ) -> None:
        subprocess.run(["cp", "-a", str(base), str(folder)], check=True)
        (folder / "etc/machine-id").write_text("uninitialized\n")
        self.folder = folder
        self._options = [] if network else ["--private-network"]
        self._options += [f"--bind-ro={source}:{target}" for source, target in binds.items()]
        self._process: subprocess.Popen[bytes] | None = None
        self.environment = {
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": "/root",
        }

    def boot(self) -> None:
        with (self.folder.parent / f"{self.folder.name}.console").open("wb") as console:
            self._process = subprocess.Popen(
                ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--boot",
                 "--console=pipe", "--resolv-conf=bind-host", "-D", str(self.folder),
                 *self._options],
                stdin=subprocess.DEVNULL, stdout=console, stderr=console,
            )  # fmt: skip
        self.wait("the machine is up", self._is_up)

    def _is_up(self) -> bool:
        if not self._leader():
            return False
        found = self.run("systemctl is-system-running", check=False)
        return found.stdout.strip() in ("running", "degraded")

    def _leader(self) -> int | None:
        """The machine's own first process, as this machine numbers it."""
        assert self._process is not None
        assert self._process.poll() is None, "nspawn ended: see the .console file"
        pid = self._process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return int(children[0]) if children else None

    def run(
        self, command: str, *, check: bool = True, given: str = ""
    ) -> "subprocess.CompletedProcess[str]":
        leader = self._leader()
        assert leader is not None
        enter = ["nsenter", "--target", str(leader), "--all"]
        found = subprocess.run(
            [*enter, "sh", "-c", f"cd /; {command}"], env=self.environment, input=given, text=True,
            capture_output=True, timeout=600, check=False,
        )  # fmt: skip
        if check and found.returncode:
            log = self._journal()
            raise AssertionError(
                f"{command}\n{found.returncode}\n{found.stdout}\n{found.stderr}\n{log}"
            )
        return found

    def says(self, command: str) -> str:
        return self.run(command).stdout.strip()

    def wait(self, what: str, until: Callable[[], bool]) -> float:
        """Wait until it is so; gives the seconds it took."""
        began = time.monotonic()
        while not until():
            if time.monotonic() - began > LIMIT_S:
                raise AssertionError(f"{what}: not within {LIMIT_S} s\n{self._journal()}")
            time.sleep(0.05)
        return time.monotonic() - began

    def _journal(self) -> str:
        if self._leader() is None:
            return ""
        return self.run("journalctl --no-pager -n 30 -o cat", check=False).stdout

    def stop(self) -> None:
        if self._process is None:
            return
        leader = self._leader()
        if leader is not None:
            os.kill(leader, signal.SIGRTMIN + 4)  # systemd: power off
        try:
            self._process.wait(LIMIT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None
