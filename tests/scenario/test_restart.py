"""A real table process is killed with SIGKILL while lines arrive, and goes on where it stopped."""

import contextlib
import json
import os
import random
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from controller.config.file import DEMO
from controller.journal.audit import verify
from controller.runtime.open_table import replay_table
from support import programs
from support.programs import DEVNULL

SABOT = Path(sys.executable).with_name("sabot")


def staff(do: str, who: str = "d1", role: str = "dealer", **given: Any) -> dict[str, Any]:
    return {"from": "staff", "who": who, "role": role, "do": do, "with": given}


def rounds(rng: random.Random) -> list[dict[str, Any]]:
    """Rounds of four cards: where a third is due the rest of the round is refused, and kept."""
    lines = [
        staff("open_table", "p1", "pit_supervisor"),
        staff("load_shoe", deck_set="blue", verified_by="p1", cut=True),
        staff("approve", "p1", "pit_supervisor"),
    ]
    deck = [rank + suit for rank in "A23456789TJQK" for suit in "SHDC"] * 2
    rng.shuffle(deck)
    for number in range(6):
        lines += [
            staff("open_betting"),
            staff("place", player="ann", wager="banker", amount=2000, position=1, id=f"w{number}"),
            staff("close_betting"),
        ]
        lines += [{"from": "shoe", "event": "card", "card": deck.pop()} for _ in range(4)]
        lines += [staff("announce"), staff("settle")]
    return lines


class Table:
    """The real process on a real file."""

    def __init__(self, journal: Path) -> None:
        words = ("table", "--jsonl", "--journal", journal)
        self.process = programs.start(*words, stderr=DEVNULL)

    def send(self, line: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(line).encode() + b"\n")
        self.process.stdin.flush()

    def answer(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found

    def kill(self) -> list[dict[str, Any]]:
        """SIGKILL with lines still on their way in; what had been answered is read out."""
        os.kill(self.process.pid, signal.SIGKILL)
        assert self.process.stdout is not None
        rest = self.process.stdout.read().splitlines(keepends=True)
        self.process.wait()
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.stdout.close()
        return [json.loads(line) for line in rest if line.endswith(b"\n")]


@pytest.mark.parametrize("seed", range(4))
def test_killed_table_keeps_every_answered_step_once_and_in_order(
    seed: int, tmp_path: Path
) -> None:
    kill_in_mid_stream(seed, tmp_path)


@pytest.mark.second_tier
@pytest.mark.parametrize("seed", range(4, 60))
def test_killed_table_keeps_every_answered_step_many_times(seed: int, tmp_path: Path) -> None:
    kill_in_mid_stream(seed, tmp_path)


def kill_in_mid_stream(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    journal = tmp_path / "table.db"
    lines = rounds(rng)
    for at, line in enumerate(lines):
        line["at"] = float(at)
    stop = rng.randrange(3, len(lines) - 4)
    table = Table(journal)
    answered = []
    for line in lines[:stop]:
        table.send(line)
        answered.append(table.answer())
    for line in lines[stop : stop + 3]:  # bytes are arriving while it dies
        table.send(line)
    answered += table.kill()
    check_journal(journal, lines, answered)


def check_journal(
    journal: Path, lines: list[dict[str, Any]], answered: list[dict[str, Any]]
) -> None:
    verdict = verify(journal)
    assert verdict.good, str(verdict)
    kept = recorded(journal)
    assert len(answered) <= len(kept) <= len(answered) + 3
    assert [line["at"] for line in kept] == [line["at"] for line in lines[: len(kept)]]
    table = replay_table(DEMO.rules(), journal)
    cards = [line for line in kept if line.get("event") == "card"]
    assert table.shoe is None or table.shoe.drawn == len(cards)


def recorded(journal: Path) -> list[dict[str, Any]]:
    """The steps as they lie on disk, the table's own left out."""
    run = programs.run("journal", "export", journal, "--jsonl")
    assert run.returncode == 0, run.stderr
    records = [json.loads(line) for line in run.stdout.splitlines()]
    steps = [record["body"]["in"] for record in records if record["kind"] == "step"]
    return [step for step in steps if step["from"] != "system"]


def test_restart_in_mid_round_asks_at_once_and_goes_on(tmp_path: Path) -> None:
    journal = tmp_path / "table.db"
    lines = rounds(random.Random(7))[:8]
    first = Table(journal)
    for at, line in enumerate(lines):
        first.send(line | {"at": float(at)})
        before = first.answer()
    first.kill()
    second = Table(journal)
    # Anything but the answer is refused: the question is asked before anything else.
    second.send(staff("announce") | {"at": 50.0})
    refused = second.answer()
    assert (refused["accepted"], refused["state"]) == (False, "suspended")
    assert refused["prompt"]["code"] == "prompt_was_play_interrupted"
    second.send(staff("answer", "p1", "pit_supervisor", value=False) | {"at": 51.0})
    resumed = second.answer()
    second.kill()
    assert resumed["state"] == before["state"]
    assert resumed["hands"] == before["hands"]


def test_lost_end_of_the_journal_is_said_and_holds_the_table(tmp_path: Path) -> None:
    """An old copy is put back; the head kept elsewhere knows more, and nobody plays over that."""
    journal = tmp_path / "table.db"
    start = rounds(random.Random(7))[:3]
    natural = [{"from": "shoe", "event": "card", "card": c} for c in ("9H", "KC", "KD", "5S")]
    calls = [staff("open_betting"), staff("close_betting")]
    whole_round = [*calls, *natural, staff("announce"), staff("settle")]
    play(journal, start)
    old = {path.name: path.read_bytes() for path in tmp_path.glob("table.db*")}
    assert play(journal, whole_round, at=10.0)[-1]["state"] == "ready"
    for name in ("table.db", "table.db-wal", "table.db-shm"):
        (tmp_path / name).unlink(missing_ok=True)
        if name in old:
            (tmp_path / name).write_bytes(old[name])
    (refused,) = play(journal, [staff("open_betting")], at=50.0)
    assert (refused["accepted"], refused["state"]) == (False, "halted")
    assert [hold["what"] for hold in refused["held"]] == ["journal_loss"]
    (asked,) = play(journal, [staff("resume", "p1", "pit_supervisor")], at=60.0)
    assert asked["state"] == "halted", "one person alone does not clear it"
    (resumed,) = play(journal, [staff("approve", "p2", "pit_supervisor")], at=70.0)
    assert resumed["state"] == "ready"


def play(journal: Path, lines: list[dict[str, Any]], at: float = 0.0) -> list[dict[str, Any]]:
    """One life of the process, ended by SIGKILL."""
    table = Table(journal)
    answers = []
    for place, line in enumerate(lines):
        table.send(line | {"at": at + place})
        answers.append(table.answer())
    table.kill()
    return answers


def test_power_failure_after_a_restart_gives_the_books_answer(tmp_path: Path) -> None:
    journal = tmp_path / "table.db"
    lines = rounds(random.Random(7))[:7]  # one card lies exposed: nothing is established
    first = Table(journal)
    for at, line in enumerate(lines):
        first.send(line | {"at": float(at)})
        first.answer()
    first.kill()
    second = Table(journal)
    second.send(staff("answer", "p1", "pit_supervisor", value=True) | {"at": 51.0})
    asked = second.answer()
    second.kill()
    assert asked["clause"] == "5.17.1"
    assert [offer["to"] for offer in asked["offers"]] == ["ann"]
