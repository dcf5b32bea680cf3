"""A program that the fork server forked is a process like any other."""

import signal
import subprocess
from pathlib import Path

import pytest

from support import programs


def test_program_has_its_own_environment_folder_and_streams(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = programs.run("config", "check", "no-such.toml")
    assert done.returncode != 0
    assert b"no-such.toml" in done.stderr
    assert done.stdout == b""


def test_killed_program_reports_its_signal() -> None:
    with programs.Program("table", "--jsonl") as table:
        assert table.poll() is None
        with pytest.raises(subprocess.TimeoutExpired):
            table.wait(0.01)
        table.kill()
        assert table.wait(60) == -signal.SIGKILL


def test_program_reads_its_input_to_the_end() -> None:
    done = programs.run_text("table", "--jsonl", given="no line\nno other\n")
    assert (done.returncode, done.stdout.count("error")) == (1, 2)
