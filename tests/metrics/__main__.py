"""`make metrics`: figures of the code's structure, beside what they were on 18 November 2026.

python -m metrics            a table
python -m metrics --where    and every place that was counted
"""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from metrics import counts
from metrics.card import card_forms
from metrics.source import Module, modules

BEFORE: Final = json.loads(Path(__file__).with_name("before.json").read_text("utf-8"))


class Metric(NamedTuple):
    """One figure, the number of places it counts, and how many there should be at most."""

    label: str
    target: int
    places: Callable[[list[Module]], list[str]]


METRICS: Final = (
    Metric("places that order the agenda", 1, counts.agenda_orders),
    Metric("of_older_form", 0, counts.older_forms),
    Metric("loose dictionaries in controller/", 20, counts.loose_dictionaries),
    Metric("public class names with two meanings", 10, counts.ambiguous_class_names),
    Metric(f"folders over {counts.MAX_MODULES} modules", 0, counts.full_folders),
    Metric("methods of the loop that can call themselves", 0, counts.recursive_methods),
    Metric("representations of a card, wire to snapshot", 5, card_forms),
    Metric("words of the old dialect", 377, counts.dialect_words),
    Metric("code in controller/, without imports", 31_000, counts.controller_lines),
)


def rows(product: list[Module], *, where: bool = False) -> Iterator[str]:
    """The table, line by line."""
    yield _row("", "before", "now", "target")
    for metric in METRICS:
        places = metric.places(product)
        yield _row(metric.label, BEFORE[metric.places.__name__], len(places), metric.target)
        if where:
            yield from (f"    {place}" for place in places)
    yield _row("lines of code by room, with imports")
    lines = counts.lines_by_room(product)
    for room in sorted(lines.keys() | BEFORE["lines"].keys()):
        yield _row(f"  {room}", BEFORE["lines"].get(room, 0), lines[room])


def _row(label: str, before: object = "", now: object = "", target: object = "") -> str:
    return f"{label:48}{before:>8}{now:>8}{target:>8}".rstrip()


def main(options: list[str]) -> None:
    for row in rows(modules(), where="--where" in options):
        print(row)  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
