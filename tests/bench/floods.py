"""How long a dealer's word takes under each flood, beside how long it takes without.

Console, flood and dealer are programs of their own, the journal is on disk, argon2 is the real one,
and words come on a connection that is kept, as a page's do. Turns in rotation, each flood beside
its own calm. What share of one core the console and the flood's own program took is printed too: in
life the second is somebody else's.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

from controller.console.auth.accounts import Accounts
from support.console.console_to_kill import Program
from support.console.plain_screens import LIMIT_S, Screen

FLOODS = {"readers": 1000, "halves": 1250, "strangers": 12}
SAID = {
    "readers": "1,000 public readers",
    "halves": "1,250 half-sent requests",
    "strangers": "12 threads of unknown names",
}
WORDS = 100
TURNS = 4
BETWEEN_S = 0.03
"""A dealer's pace, and faster."""
PIN = "246813"
REST_S = 0.5
MAX_REST_S = 10.0


class Dealer:
    """Places a wager and takes it back, and sees how long each word takes."""

    def __init__(self, url: str) -> None:
        self._placed = self._said = 0
        screen, other = Screen(url), Screen(url)
        screen.sign_in("sam", PIN)
        other.sign_in("mia", PIN)
        screen.say("open_table")
        screen.say("load_shoe", deck_set="red", verified_by="mia", cut=True)
        assert other.say("approve")["accepted"]
        assert screen.say("open_betting")["accepted"]
        self._headers = {"Cookie": screen.cookie, "X-Sabot-Csrf": screen.csrf}
        self._line = HTTPConnection(url.removeprefix("http://"), timeout=LIMIT_S)

    def words(self, count: int) -> list[float]:
        took = []
        for _ in range(count // 2):
            self._placed += 1
            wager = {"player": "ann", "position": 1, "wager": "player", "amount": 1000}
            took.append(self._say("place", id=f"w{self._placed}", **wager))
            took.append(self._say("withdraw", id=f"w{self._placed}"))
        return took

    def _say(self, word: str, **given: object) -> float:
        self._said += 1
        body = json.dumps({"key": f"word-{self._said:06}", "with": given})
        began = time.perf_counter()
        self._line.request("POST", f"/api/commands/{word}", body, self._headers)
        answer = self._line.getresponse()
        said = answer.read()
        took = time.perf_counter() - began
        assert answer.status == 200, said
        time.sleep(BETWEEN_S)
        return took


@contextmanager
def flooded(console: Program, kind: str, told: dict[str, float]) -> Iterator[None]:
    port = str(console.port)
    command = [sys.executable, "-m", "bench.flooding", port, kind, str(FLOODS[kind])]
    began, took = time.monotonic(), console.cpu_s
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        assert program.stdout.readline() == "under way\n"
        yield
        program.stdin.close()
        seen = json.loads(program.stdout.readline())
        seen |= {"console_s": console.cpu_s - took, "lasted_s": time.monotonic() - began}
        for name, count in seen.items():
            told[name] = told.get(name, 0) + count


def at_rest(console: Program) -> None:
    """What the flood before has left behind is not calm."""
    until = time.monotonic() + MAX_REST_S
    before = -1.0
    while console.cpu_s != before and time.monotonic() < until:
        before = console.cpu_s
        time.sleep(REST_S)


def p99(took: list[float]) -> float:
    return statistics.quantiles(took, n=100)[98]


def main() -> None:
    calm: dict[str, list[float]] = {kind: [] for kind in FLOODS}
    took: dict[str, list[float]] = {kind: [] for kind in FLOODS}
    told: dict[str, dict[str, float]] = {kind: {} for kind in FLOODS}
    with tempfile.TemporaryDirectory() as name, Path(name, "log").open("wb") as log:
        accounts = Accounts(Path(name) / "staff.json")
        accounts.add("sam", "pit_supervisor", PIN)
        accounts.add("mia", "pit_manager", PIN)
        program = Program(Path(name), log)
        try:
            dealer = Dealer(program.url)
            dealer.words(WORDS // 4)
            for turn, kind in enumerate([*FLOODS] * TURNS, 1):
                sys.stderr.write(f"floods: {turn} of {len(FLOODS) * TURNS}, {SAID[kind]}\n")
                at_rest(program)
                calm[kind] += dealer.words(WORDS)
                with flooded(program, kind, told[kind]):
                    took[kind] += dealer.words(WORDS)
        finally:
            program.close()
    for kind, says in SAID.items():
        without, seen = p99(calm[kind]), told[kind]
        sys.stdout.write(
            f"floods: a dealer's word under {says}: p99 {p99(took[kind]) / without:.2f} times "
            f"without ({without * 1000:.1f} ms), median {statistics.median(took[kind]) * 1000:.1f} "
            f"beside {statistics.median(calm[kind]) * 1000:.1f} ms, {len(took[kind])} words each "
            f"(target 3); {seen['tried']:,} requests, {seen['server_errors']} answered 5xx; of one "
            f"core the console took {seen['console_s'] / seen['lasted_s']:.0%}, the flood's own "
            f"program {seen['cpu_s'] / seen['lasted_s']:.0%}\n"
        )


if __name__ == "__main__":
    main()
