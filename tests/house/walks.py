"""Four walks through a table that runs: a card from the wire to a page, a click, a void, a restart.

The table is `sabot demo` as people start it, with every call written down; it is spoken to through
its doors (back door of the shoe, HTTP, feed), so that a walk is measured in the same way whatever
the house looks like inside.

    python -m house.walks card      every function of that walk, once, indented by who calls it
"""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx
from websockets.sync.client import ClientConnection, connect

from house import calls
from house.calls import Call, Function, Trace, Trees
from house.source import ROOT

LIMIT_S: Final = 60.0
SETTLES_S: Final = 0.3
"""What a step leads to (a word to the shoe, the metrics) is over by then."""
IDLE_S: Final = 1.5
"""Beats, ticks and looks at the clock have all happened by then."""
QUIET: Final = ("--shuffler", "shuffler_reshuffled")
"""A shuffler that says nothing unless it is asked: no bytes come while the table is idle."""
ROUNDS: Final = 3
"""What happens by chance does not happen every time."""

_OURS: Final = {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}"}

RESTARTED: Final = """
{"at": 1, "from": "staff", "who": "pia", "role": "pit_supervisor", "do": "open_table"}
{"at": 2, "from": "staff", "who": "d17", "role": "dealer", "do": "load_shoe",\
 "with": {"deck_set": "blue", "verified_by": "pia", "cut": true}}
{"at": 2, "from": "staff", "who": "pia", "role": "pit_supervisor", "do": "approve"}
{"at": 3, "from": "staff", "who": "d17", "role": "dealer", "do": "open_betting"}
{"at": 4, "from": "staff", "who": "d17", "role": "dealer", "do": "close_betting"}
{"at": 5, "from": "shoe", "event": "card", "card": "9H"}
""".lstrip()


@dataclass(frozen=True)
class Walk:
    """What is called every time somebody goes that way, and is not called anyhow."""

    functions: set[Function]
    trees: Trees
    """One time of it, with all that happened by the way."""

    @property
    def files(self) -> set[str]:
        return {function.file for function in self.functions}

    def outline(self) -> Iterator[str]:
        return calls.outline(self.trees, self.functions)


@dataclass(frozen=True)
class Walks:
    walks: dict[str, Walk]

    @property
    def one_card(self) -> Call:
        """From the bytes that are fed to a driver to all that the step leads to in the loop."""
        return calls.smallest_with(
            self.walks["card"].trees, ("drivers/", "feed"), ("controller/journal/", "append")
        )


def walked() -> Walks:
    """All four; some seconds."""
    with tempfile.TemporaryDirectory() as folder:
        return Walks({**_demo(Path(folder) / "demo.json"), "restart": restarted(Path(folder))})


# --- a demo, spoken to through its doors --------------------------------------------------------


class Table:
    """A running demo: its pages, its shoe, and when what was asked of it happened."""

    def __init__(self, printed: str, feed: ClientConnection, http: httpx.Client) -> None:
        self._shoe = _address(r"shoe\s+", printed)
        self._feed = feed
        self._http = http
        self._keys = 0
        me = http.post("/api/sign-in", json={"who": "anna", "secret": "1111"}).json()
        self._csrf = {"X-Sabot-Csrf": me["csrf"]}

    def say(self, word: str, second: dict[str, str] | None = None, **given: Any) -> None:
        """A word from the dealer's page, until its step is on the public page."""
        self._keys += 1
        body = {"key": f"walk-{self._keys:04}", "with": given, "second": second}
        body = {name: value for name, value in body.items() if value is not None}
        answer = self._http.post(f"/api/words/{word}", json=body, headers=self._csrf)
        if answer.is_error:
            raise AssertionError(f"{word}: {answer.text}")
        self._see(word)

    def draw(self) -> None:
        self._do("draw")
        self._see("card")

    def end_the_shoes_round(self) -> None:
        self._do("press", button="forced_exit")
        self._see("gave_up")

    def _do(self, word: str, **given: Any) -> None:
        """At the back door of the shoe."""
        self._http.post(f"{self._shoe}/do/{word}", json=given).raise_for_status()

    def _see(self, what: str) -> None:
        until = time.monotonic() + LIMIT_S
        while time.monotonic() < until:
            if json.loads(self._feed.recv(LIMIT_S)).get("what") == what:
                return
        raise TimeoutError(f"no page has seen {what}")


def _address(before: str, printed: str) -> str:
    found = re.search(before + r"(http://[\w.:]+)", printed)
    if found is None:
        raise LookupError(f"the demo prints no address after {before!r}")
    return found[1]


def _timed(what: Callable[[], object], settles_s: float = SETTLES_S) -> tuple[int, int]:
    begin = time.monotonic_ns()
    what()
    time.sleep(settles_s)
    return begin, time.monotonic_ns()


def _demo(trace: Path) -> dict[str, Walk]:
    """Play to each walk in turn, note its time, and cut it out of the trace afterwards."""
    with _traced(trace, "demo", "--port", "0", *QUIET) as program:
        printed = _until(program, "Ctrl-C")
        url = _address(r"Open ", printed)
        with httpx.Client(base_url=url, timeout=LIMIT_S) as http, _feed(url) as feed:
            table = Table(printed, feed, http)
            rounds = [_round(table) for _ in range(ROUNDS)]
    found = Trace(trace)
    trees = {name: [found.between(*times[name]) for times in rounds] for name in rounds[0]}
    every = {name: set.intersection(*map(calls.functions, each)) for name, each in trees.items()}
    anyhow = every.pop("idle")
    return {name: Walk(functions - anyhow, trees[name][0]) for name, functions in every.items()}


def _round(table: Table) -> dict[str, tuple[int, int]]:
    """A round that ends void, and when each walk of it was walked."""
    time.sleep(IDLE_S / 2)  # the shoe may still be saying something
    times = {"idle": _timed(lambda: None, IDLE_S)}
    times["click"] = _timed(lambda: table.say("open_betting"))
    table.say("close_betting")
    table.draw()
    times["card"] = _timed(table.draw)
    table.say("report", what="simultaneous")
    table.say("answer", value=False)
    ben = {"who": "ben", "secret": "2222"}
    times["void"] = _timed(lambda: table.say("approve", ben))
    table.end_the_shoes_round()
    return times


@contextmanager
def _traced(trace: Path, *arguments: str) -> Iterator["subprocess.Popen[bytes]"]:
    """The program with its calls written down; it has ended, and well, after the block."""
    command = [sys.executable, "-m", "house.traced", str(trace), *arguments]
    pipe = subprocess.PIPE
    with (
        trace.with_suffix(".log").open("wb") as log,
        subprocess.Popen(command, env=_OURS, stdin=pipe, stdout=pipe, stderr=log) as program,
    ):
        try:
            yield program
            program.send_signal(signal.SIGTERM)
            program.communicate(timeout=LIMIT_S)
        except Exception as error:
            error.add_note(trace.with_suffix(".log").read_text("utf-8"))
            raise
        finally:
            program.kill()


def _until(program: "subprocess.Popen[bytes]", last: str) -> str:
    assert program.stdout is not None
    printed = ""
    for line in program.stdout:
        printed += line.decode()
        if last in printed:
            return printed
    raise LookupError(f"the program ended after {printed!r}")


def _feed(url: str) -> ClientConnection:
    return connect(url.replace("http", "ws", 1) + "/feed/public")


# --- a restart ----------------------------------------------------------------------------------


def restarted(folder: Path) -> Walk:
    """A table that was left in mid-round is opened again: from the command to where it stands."""
    table = ["table", "--jsonl", "--journal", str(folder / "journal.db")]
    _fed(RESTARTED, "controller", *table)
    trace = folder / "restart.json"
    _fed("", "house.traced", str(trace), *table)
    trees = Trace(trace).between(0, sys.maxsize)
    return Walk(calls.functions(trees), trees)


def _fed(lines: str, module: str, *arguments: str) -> None:
    command = [sys.executable, "-m", module, *arguments]
    subprocess.run(
        command, env=_OURS, input=lines, text=True, check=True, timeout=LIMIT_S, capture_output=True
    )


def main(names: list[str]) -> None:
    found = walked()
    for name, walk in found.walks.items():
        if name in names:
            print("\n".join(walk.outline()))  # noqa: T201
        print(f"{name}: {len(walk.functions)} functions in {len(walk.files)} files")  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
