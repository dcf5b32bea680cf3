"""No thread of a table is the first to read a struct: two that were at once ended the process."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[4]
READS_ROUNDS = """
import sys
from pathlib import Path

import msgspec
import msgspec._utils

from support.console.plain_screens import Screen
from support.console.table_in_hand import console

works_out = msgspec._utils._get_class_mro_and_typevar_mappings
late = []


def watched(struct):
    late.append(struct)
    return works_out(struct)


with console(Path(sys.argv[1])) as table:
    desk = table.desk
    desk.open_shoe()
    for word in ("open_betting", "close_betting"):
        desk.act(word)
    msgspec._utils._get_class_mro_and_typevar_mappings = watched
    desk.draw("9H", "2C", "KD", "6S")
    for word in ("announce", "settle"):
        desk.act(word)
    screen = Screen(table.url)
    screen.sign_in("max", "3333")
    for path in ("rounds", "rounds/1/1", "rounds/1/1/proof", "report?since=0&until=9"):
        told = screen.ask(f"/api/{path}")
        assert "status" not in told, (path, told)
    screen.say("limits", minimum=100)
assert late == [], late
late_one = type("LateOne", (msgspec.Struct,), {"__annotations__": {"n": int}})
msgspec.json.decode(b'{"n": 1}', type=late_one)
assert late == [late_one], "what is watched is what msgspec does"
"""
AT_ONCE = """
import sys, threading

sys.setswitchinterval(1e-6)
import msgspec
from controller.engine.effects import state
from controller.runtime.msgspec_warmup import prepare_types
from controller.table.state import Table

prepare_types()
plain, together = state(Table()), threading.Barrier(4)


def read():
    together.wait()
    msgspec.convert(plain, Table)


threads = [threading.Thread(target=read) for _ in range(4)]
for each in threads:
    each.start()
for each in threads:
    each.join()
"""


def run(program: str, *given: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program, *map(str, given)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={"PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}", "PATH": ""},
        timeout=250,
        check=False,
    )


def test_a_console_and_its_table_read_no_struct_for_the_first_time(tmp_path: Path) -> None:
    done = run(READS_ROUNDS, tmp_path)
    assert done.returncode == 0, done.stderr


def test_threads_that_read_one_at_once_live_on() -> None:
    """Two of five such processes ended by a fault of memory before."""
    for _ in range(4):
        done = run(AT_ONCE)
        assert done.returncode == 0, done.stderr
