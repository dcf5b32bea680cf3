"""`sabot config` as people script it."""

import subprocess
import sys
from pathlib import Path

SABOT = Path(sys.executable).with_name("sabot")
EXAMPLE = Path(__file__).parents[4] / "deploy/table.example.toml"


def sabot(*words: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([SABOT, *words], capture_output=True, check=False, timeout=60)


def test_config_check_passes_the_example() -> None:
    run = sabot("config", "check", str(EXAMPLE))
    assert run.returncode == 0
    assert b"it can start" in run.stdout
