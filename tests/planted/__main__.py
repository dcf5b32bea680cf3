"""python -m planted: plants each fault of the list and reports which test notices it.

The result of each fault is written to `result.json` as soon as it is known.
"""

import argparse
import json
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final

from planted import mutants
from planted.edits import Fault
from planted.removed_checks import REMOVED_CHECKS
from planted.runner import Copy, Outcome

RESULT: Final = Path(__file__).with_name("result.json")
FAULTS: Final = 60
Result = dict[str, dict[str, Any]]


def main(arguments: Sequence[str]) -> int:
    options = _options(arguments)
    if options.draw:
        mutants.keep(FAULTS - len(REMOVED_CHECKS))
    faults = (*REMOVED_CHECKS, *mutants.kept())
    drawn = len(faults) - len(REMOVED_CHECKS)
    _show(f"{len(REMOVED_CHECKS)} removed checks and {drawn} mutants, seed {mutants.SEED}")
    wanted = [each for each in faults if any(part in each.name for part in options.only or [""])]
    result: Result = json.loads(RESULT.read_text("utf-8")) if RESULT.exists() else {}
    result = {each.name: result[each.name] for each in faults if each.name in result}
    if options.resume:
        wanted = [each for each in wanted if not _is_done(result.get(each.name), options.tier)]
    run(wanted, options.tier, options.jobs, result)
    _show(*table(faults, result))
    return 0 if all(result.get(each.name, {}).get("test") for each in wanted) else 1


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="planted", description=__doc__)
    parser.add_argument("--only", action="append", metavar="NAME", help="faults whose name has it")
    parser.add_argument(
        "--tier",
        choices=("near", "first", "all"),
        default="all",
        help="how far to look: the nearest tests, the first tier, or both tiers",
    )
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="copies of the tree")
    parser.add_argument("--resume", action="store_true", help="leave out what result.json has")
    parser.add_argument("--draw", action="store_true", help="draw the mutants again first")
    return parser.parse_args(arguments)


def _is_done(known: dict[str, Any] | None, tier: str) -> bool:
    """Whether a test noticed it, or none did in a run that looked as far."""
    order = ("near", "first", "all")
    return known is not None and (
        known["test"] is not None or order.index(known["looked"]) >= order.index(tier)
    )


def run(faults: Sequence[Fault], tier: str, jobs: int, result: Result) -> None:
    """Each fault in a copy that no other uses meanwhile; `result` is written as it grows."""
    with tempfile.TemporaryDirectory(prefix="planted-") as folder, ThreadPoolExecutor(jobs) as pool:
        free: SimpleQueue[Copy] = SimpleQueue()
        copies = [Copy(Path(folder) / str(number)) for number in range(jobs)]
        for each in copies:
            free.put(each)

        def tried(fault: Fault) -> tuple[Fault, Outcome]:
            copy = free.get()
            try:
                return fault, copy.notices(fault, tier)
            finally:
                free.put(copy)

        try:
            for done in as_completed([pool.submit(tried, fault) for fault in faults]):
                fault, outcome = done.result()
                result[fault.name] = {**asdict(outcome), "looked": tier}
                text = json.dumps(result, indent=1, ensure_ascii=False, sort_keys=True)
                RESULT.write_text(text + "\n", encoding="utf-8")
                _show(line_of(fault, result[fault.name]))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            for each in copies:
                each.stop()


def _show(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def line_of(fault: Fault, found: dict[str, Any]) -> str:
    by = found["test"] or f"NOT NOTICED (looked: {found['looked']}) {found['remark']}"
    return f"{fault.name:62} {found['seconds']:7.1f} s  {found['stage'] or '-':11}  {by}"


def table(faults: Sequence[Fault], result: Result) -> list[str]:
    """The totals: how many each stage noticed, and which no test did."""
    known = [result[each.name] for each in faults if each.name in result]
    stages = Counter(each["stage"] for each in known if each["test"])
    missed = [each.name for each in faults if not result.get(each.name, {"test": 1})["test"]]
    first = sum(each["tier"] == "first" for each in known)
    return [
        "",
        *(f"{stage:12} {count:3}" for stage, count in stages.most_common()),
        f"first tier: {first} of {len(known)}; all: {sum(stages.values())} of {len(known)}",
        *(f"not noticed: {name}" for name in missed),
    ]


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    sys.exit(main(sys.argv[1:]))
