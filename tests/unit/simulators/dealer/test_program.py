"""`python -m simulators dealer` as a program, with the product's table as another."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from support.limits import MAX_WAIT_S

LIMIT_S = MAX_WAIT_S
TABLE = (sys.executable, "-m", "controller", "table", "--jsonl")


def started(*options: str, table: tuple[str, ...] = TABLE) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "simulators", "dealer", *options, "--", *table]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finished(process: "subprocess.Popen[str]") -> tuple[int, list[Any], str]:
    out, errors = process.communicate(timeout=LIMIT_S)
    return process.returncode, [json.loads(line) for line in out.splitlines()], errors


def test_it_plays_a_script_and_says_what_came_of_it(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("right\nunreadable 3\nright\n")
    status, lines, errors = finished(started("--script", str(script), "--seed", "4"))
    assert status == 0, errors
    assert lines[0] == {"ready": "dealer"}
    assert [line["round"] for line in lines[1:-1]] == [1, 2, 3]
    assert lines[-1]["played"]["rounds"] == 3
    assert lines[-1]["played"]["mistakes"] == {"unreadable": 1}


def test_a_signal_ends_it_after_the_word_it_is_saying() -> None:
    with started("--pace", "0.001") as process:  # a word takes it half an hour
        assert process.stdout is not None
        assert json.loads(process.stdout.readline()) == {"ready": "dealer"}
        process.send_signal(signal.SIGTERM)
        status, lines, errors = finished(process)
    assert status == 0, errors
    assert lines[-1]["played"]["rounds"] == 0


def test_a_table_that_ends_leaves_it_stuck() -> None:
    status, _, errors = finished(started(table=("true",)))
    assert status == 2
    assert "the table has ended" in errors


def test_a_table_that_cannot_be_started_or_a_script_nobody_understands(tmp_path: Path) -> None:
    status, _, errors = finished(started(table=(str(tmp_path / "nothing"),)))
    assert status == 2
    assert "nothing" in errors
    script = tmp_path / "script"
    script.write_text("sing")
    status, _, errors = finished(started("--script", str(script)))
    assert status == 2
    assert "line 1" in errors


def test_a_table_that_is_wrong_is_told_so(tmp_path: Path) -> None:
    """It answers as a table would, and calls every round for the Banker."""
    liar = tmp_path / "liar.py"
    liar.write_text(LIAR)
    status, _, errors = finished(started(table=(sys.executable, str(liar), *TABLE)))
    assert status == 1
    assert "disagree" in errors


LIAR = """
import subprocess, sys
table = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
for line in sys.stdin:
    table.stdin.write(line)
    table.stdin.flush()
    answer = table.stdout.readline()
    print(answer.rstrip().replace("say_player_wins", "say_banker_wins"), flush=True)
table.stdin.close()
table.wait()
table.stdout.close()
"""
