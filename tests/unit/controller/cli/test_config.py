"""`sabot config` as people script it."""

import subprocess
from pathlib import Path

from support import programs

EXAMPLE = Path(__file__).parents[4] / "deploy/table.example.toml"


def sabot(*words: str) -> subprocess.CompletedProcess[bytes]:
    return programs.call(*words)


def test_config_check_passes_the_example() -> None:
    run = sabot("config", "check", str(EXAMPLE))
    assert run.returncode == 0
    assert b"ready to start" in run.stdout
