"""`python -m simulators dealer`: the robot as a program, with a table it starts itself.

It prints JSON lines: ready, every round, and a final summary. SIGTERM and Ctrl-C end it after its
current command.
"""

import argparse
import json
import os
import select
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from random import Random

from simulators.dealer.links import BackDoor, Shoe, Stopped, Stuck, Table, TableProcess
from simulators.dealer.mistakes import KINDS, Mistake, NotAScript, by_chance, by_script
from simulators.dealer.oracle import Disagreement
from simulators.dealer.paper import PaperShoe
from simulators.dealer.plan import Plan
from simulators.dealer.robot import Robot

SAYS = "a robot that plays whole shoes, rightly or wrongly"

EPILOG = f"""examples, with the back door of a running shoe, and without any device:
  python -m simulators dealer --shoe http://127.0.0.1:8100 --rounds 60 -- \\
      sabot table --jsonl --shoe shoe_angel_eye --port /tmp/shoe
  python -m simulators dealer --shoes 1 --wrong 10 -- sabot table --jsonl

A script has one line a round: right, or one of {", ".join(KINDS)}, and the
card of the round it happens at. An exit status of 1: table and robot disagree about the cards. 2:
the robot is stuck."""


def options(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--shoe", metavar="URL", help="back door of the shoe; else one of paper")
    parser.add_argument("--seed", type=int, default=0, help="of everything by chance (0)")
    parser.add_argument("--rounds", type=int, default=1_000_000, help="at most so many")
    parser.add_argument("--shoes", type=int, help="at most so many; without it, for ever")
    parser.add_argument("--method", choices=("A", "B", "C"), default="", help="of dealing")
    parser.add_argument("--verified-by", default=Plan.verified_by, help="a name, or `shuffler`")
    parser.add_argument("--discard", action="store_true", help="discard a card one too many")
    wrong = parser.add_mutually_exclusive_group()
    wrong.add_argument("--wrong", type=int, default=0, metavar="PERCENT", help="of rounds (0)")
    wrong.add_argument("--script", type=Path, metavar="FILE", help="what goes wrong in which round")
    parser.add_argument(
        "--pace", type=float, default=0.0, help="1: as a dealer does; 10: ten times; 0: at once"
    )
    parser.add_argument(
        "--begins", type=int, default=0, help="time of the first word, with a shoe of paper (0)"
    )
    parser.add_argument("table", nargs="+", metavar="TABLE", help="the command that runs a table")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    try:
        return _run(arguments)
    except (Stuck, NotAScript, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except Disagreement as error:
        sys.stderr.write(f"table and robot disagree: {error}\n")
        return 1


def _run(arguments: argparse.Namespace) -> int:
    random = Random(arguments.seed)
    rounds = _rounds(arguments, random)
    plan = Plan(
        arguments.method,
        arguments.verified_by,
        keeps_excess=not arguments.discard,
        on_a_wire=arguments.shoe is not None,
    )
    with ExitStack() as stack:
        wake = stack.enter_context(_wake_on_signals())
        process = stack.enter_context(
            TableProcess(
                arguments.table, arguments.begins if arguments.shoe is None else None, wake
            )
        )
        table, shoe = _seats(arguments, process)

        def pause(seconds: float) -> None:
            wait = seconds / arguments.pace if arguments.pace > 0 else 0.0
            if select.select([wake], [], [], wait)[0]:
                raise Stopped

        robot = Robot(table, shoe, random, plan, pause, _print)
        _print({"ready": "dealer"})
        with suppress(Stopped):
            robot.play(rounds, arguments.rounds, arguments.shoes)
        _print({"played": robot.tally.shown()})
    return 0


def _rounds(arguments: argparse.Namespace, random: Random) -> Iterator[Mistake | None]:
    if arguments.script is not None:
        return by_script(arguments.script.read_text(encoding="utf-8"))
    return by_chance(random, arguments.wrong)


def _seats(arguments: argparse.Namespace, process: TableProcess) -> tuple[Table, Shoe]:
    if arguments.shoe is not None:
        return process, BackDoor(arguments.shoe)
    paper = PaperShoe(process, arguments.seed)
    return paper, paper


@contextmanager
def _wake_on_signals() -> Iterator[int]:
    """Yield a descriptor that becomes readable on SIGTERM or SIGINT."""
    reads, writes = os.pipe()
    os.set_blocking(writes, False)

    def handle(*_: object) -> None:
        os.write(writes, b".")

    before = {each: signal.signal(each, handle) for each in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield reads
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
        os.close(reads)
        os.close(writes)


def _print(line: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()
