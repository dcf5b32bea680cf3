"""python -m bench [NAME ...]: run every benchmark, or those named, and print the ratios with
their targets, which are reported and never asserted."""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from bench import (
    console,
    devices,
    first_load,
    floods,
    floor,
    floor_figures,
    game,
    journal,
    other_wires,
    pages,
    screens,
    stages,
    studio,
    table,
    uplink,
)


def in_a_folder(run: Callable[[Path], None]) -> Callable[[], None]:
    def with_folder() -> None:
        with tempfile.TemporaryDirectory(prefix="sabot-bench-") as name:
            run(Path(name))

    return with_folder


BENCHMARKS: dict[str, Callable[[], None]] = {
    "game": game.against_the_floor,
    "bet": game.cost_a_bet,
    "decided": game.decided_once_warm,
    "odds": game.whole_books,
    "append": in_a_folder(journal.append_against_a_bare_commit),
    "opening": in_a_folder(journal.opening_a_long_journal),
    "instructions": stages.instructions,
    "card": in_a_folder(table.card_against_commit),
    "memory": table.memory_stays_flat,
    "wagers": studio.both_many_wagers,
    "shoe": studio.whole_shoes,
    "frames": devices.frames_a_second,
    "wire": in_a_folder(devices.wires_to_disk),
    "stages": in_a_folder(stages.wire_by_stage),
    "other_wires": in_a_folder(other_wires.main),
    "uplink": in_a_folder(uplink.against_without),
    "weight": pages.weight,
    "pixels": in_a_folder(pages.wire_to_pixels),
    "feeds": in_a_folder(console.feeds_against_bare_sockets),
    "floods": floods.main,
    "floor": in_a_folder(floor.main),
    "floor_figures": in_a_folder(floor_figures.main),
    "screens": screens.main,
    "first_load": first_load.main,
}


def main(only: list[str]) -> int:
    unknown = [name for name in only if name not in BENCHMARKS]
    if unknown:
        sys.stderr.write(f"no such benchmark: {unknown[0]}; there are {' '.join(BENCHMARKS)}\n")
        return 2
    for name in only or BENCHMARKS:
        BENCHMARKS[name]()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
