"""`python -m simulators.floor`: a thousand tables, in several processes, and how long it took.

It prints one line of JSON: seconds from the moment a record was there to the floor's answer that it
is committed (p50, p99, most), records a second, and what went wrong.
"""

import argparse
import json
import multiprocessing
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from simulators.floor.process import Plan, run
from simulators.floor.table import Tally

FOR_EVER = 10.0**9


def plans(given: argparse.Namespace) -> list[Plan]:
    found = tuple(str(each) for each in sorted(Path(given.journals).glob("*.db")))
    if not found:
        make = "`make generate ONLY=floor-journals` makes them"
        raise SystemExit(f"{given.journals} has no journals: {make}")
    processes = min(given.processes, given.tables)
    share, more = divmod(given.tables, processes)
    start_at = time.time() + given.warm_up
    first, made = given.first, []
    for n in range(processes):
        count = share + (n < more)
        made.append(
            Plan(
                given.url, given.site, given.prefix, first, count, found, given.rate, start_at,
                given.seconds or FOR_EVER, given.shared, given.certificates, given.views,
                given.seed,
            )
        )  # fmt: skip
        first += count
    return made


def told(
    tallies: list[tuple[Tally, bool, float]], tables: int, seconds: float
) -> dict[str, object]:
    whole = Tally()
    for tally, _, _ in tallies:
        whole.add(tally)
    found = sorted(whole.latencies)
    return {
        "tables": tables,
        "records": whole.sent,
        "seconds": round(seconds, 3),
        "per_second": round(whole.sent / seconds, 1) if seconds else 0.0,
        "p50_ms": _at(found, 0.50),
        "p99_ms": _at(found, 0.99),
        "most_ms": _at(found, 1.0),
        "batches": whole.batches,
        "silent": whole.silent,
        "went_back": whole.went_back,
        "diverged": whole.diverged,
        "refused": whole.refused,
        "whole": all(each[1] for each in tallies),
        "client_cpu_s": round(sum(each[2] for each in tallies), 2),
    }


def _at(found: list[float], share: float) -> float | None:
    if not found:
        return None
    return round(1000 * found[min(len(found) - 1, int(share * len(found)))], 2)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m simulators.floor", description=__doc__)
    parser.add_argument("--url", required=True, help="of the broker: nats:// or tls://")
    parser.add_argument("--journals", required=True, help="a folder of journals, NAME.db each")
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=1.0, help="1 real, 10 tenfold, 0 at once")
    parser.add_argument("--seconds", type=float, default=0.0, help="0: until all is there")
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--shared", type=int, default=0, help="connections; 0: one a table")
    parser.add_argument("--site", default="sim")
    parser.add_argument("--prefix", default="t", help="of the tables' names")
    parser.add_argument("--first", type=int, default=1, help="number of the first table")
    parser.add_argument(
        "--certificates", help="a folder with TABLE/floor.crt, floor.key, floor-ca.crt"
    )
    parser.add_argument("--views", action="store_true", help="send a live view with each batch")
    parser.add_argument("--warm-up", type=float, default=3.0, help="seconds to connect all")
    parser.add_argument("--seed", type=int, default=1)
    return parser


def main() -> int:
    given = _parser().parse_args()
    made = plans(given)
    began = max(time.time(), made[0].start_at)
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(len(made), mp_context=context) as pool:
        tallies = list(pool.map(run, made))
    seconds = time.time() - began
    sys.stdout.write(json.dumps(told(tallies, given.tables, seconds)) + "\n")
    return 0 if all(each[1] for each in tallies) or given.seconds else 1


if __name__ == "__main__":
    sys.exit(main())
