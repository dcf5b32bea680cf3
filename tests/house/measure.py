"""`make house`: how the house is built, in figures, beside what they were before it was moved.

    python -m house.measure            a table
    python -m house.measure --json     for programs
    python -m house.measure --where    and, for what is counted, every place

A figure is no target: it shows where to look. What cannot be measured says why, and the program
then ends with status 1.
"""

import ast
import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cache, partial
from typing import Any, Final

from house import (
    calls,
    counts,
    imports,
    recursion,
    representations,
    rows,
    sentences,
    source,
    starting,
    told,
    walks,
)
from house.source import ROOT, Module

BEFORE_WAS: Final = "2026-11-16"
"""The day of the old figures: this program run on the last commit before 0.2.0. How many files the
worked example touches was counted by hand then."""

NOT_MEASURED: Final = "not measured"
FAILS: Final = (LookupError, OSError, AssertionError, subprocess.SubprocessError)


@dataclass(frozen=True)
class Figure:
    """One line of the table."""

    key: str
    says: str
    before: str
    now: str
    where: tuple[str, ...] = ()


@dataclass(frozen=True)
class Found:
    """What a measurement gives: the figure, and the places that were counted."""

    value: object
    where: Iterable[str] = ()


Measurement = tuple[str, str, str, Callable[[], Found]]
"""Key, what it says, what it was, and how it is measured."""


@cache
def _modules() -> list[Module]:
    return source.modules()


@cache
def _walked_once() -> walks.Walks | Exception:
    try:
        return walks.walked()
    except FAILS as error:
        return error


def _walked() -> walks.Walks:
    found = _walked_once()
    if isinstance(found, Exception):
        raise found
    return found


# --- rooms ------------------------------------------------------------------------------------


def _fullest_folder() -> Found:
    found = counts.modules_in_folders(_modules())
    (folder, most), *_ = found.most_common(1)
    return Found(f"{most} ({folder}/)", (f"{each}/ {n}" for each, n in found.most_common()))


def _top_floor(package: str) -> Found:
    found = counts.top_floor(_modules(), package)
    return Found(len(found), found)


def _circles(*, rooms: bool) -> Found:
    modules = _modules()
    graph = imports.graph(modules)
    found = imports.circles(imports.between_rooms(graph, modules) if rooms else graph)
    return Found(len(found), map(" <> ".join, found))


def _clashes() -> Found:
    found = counts.name_clashes(_modules())
    return Found(len(found), (f"{name}: {', '.join(where)}" for name, where in found.items()))


# --- machine, sentences, dictionaries -----------------------------------------------------------


def _machine(what: str) -> Found:
    found = rows.measured()
    of = f" of {found.possible}" if what == "pairs" else ""
    return Found(f"{getattr(found, what)}{of}", [found.where])


def _made(*, by_code: bool) -> Found:
    found = sentences.made(_modules())
    places = found.by_code if by_code else found.by_text
    return Found(len(places), places)


def _decisions(*packages: str) -> Found:
    places = [
        place
        for module in _modules()
        if module.path.parts[0] in packages
        for place in sentences.decisions(module.path, module.tree)
    ]
    return Found(len(places), places)


def _decisions_of_pages() -> Found:
    scripts = sorted((ROOT / "controller").rglob("*.js"))
    places = sentences.decisions_of_pages(scripts, ROOT)
    return Found(len(places), places)


def _decisions_of_tests() -> Found:
    places = [
        place
        for path in sorted((ROOT / "tests").rglob("*.py"))
        for place in sentences.decisions(path.relative_to(ROOT), ast.parse(path.read_text("utf-8")))
    ]
    return Found(len(places), places)


def _matched() -> Found:
    languages = (ROOT / "controller").rglob("lang/*.json")
    return Found(sentences.matched_by_english(languages))


def _dictionaries() -> Found:
    found = counts.free_dictionaries(_modules())
    return Found(found.total(), (f"{room} {n}" for room, n in found.most_common()))


# --- lengths and tests ----------------------------------------------------------------------------


def _lengths(of: Callable[[Iterable[Module]], counts.Lengths]) -> Found:
    found = of(_modules())
    return Found(str(found), [found.where])


def _helpers() -> Found:
    found = counts.loose_helpers(ROOT / "tests")
    return Found(len(found), found)


def _untested() -> Found:
    found = counts.without_a_test(_modules(), ROOT / "tests" / "unit")
    modules = sum(not module.path.name.startswith("__") for module in _modules())
    return Found(f"{len(found)} of {modules}", found)


def _example() -> Found:
    test = ROOT / "tests" / "proofs" / "test_worked_example.py"
    touched = counts.touched_by_the_worked_example(test)
    return Found(NOT_MEASURED if touched is None else touched)


def _representations() -> Found:
    found = representations.of_a_card()
    encoded = found.encodings["Encoder.encode"] + found.encodings["Decoder.decode"]
    where = (f"{form} {n}" for form, n in found.forms.most_common())
    return Found(f"{len(found.representations)} / {encoded}", where)


def _recursion() -> Found:
    found = recursion.below(recursion.LOOP, ROOT / "controller" / "runtime")
    return Found(len(found), found)


# --- running ------------------------------------------------------------------------------------


def _one_card() -> Found:
    found = calls.figures(_walked().one_card)
    return Found(f"{found.calls} / {found.files} / {found.crossings}")


def _walk(name: str) -> Found:
    walk = _walked().walks[name]
    return Found(f"{len(walk.functions)} / {len(walk.files)}", walk.outline())


def _told(name: str) -> Found:
    found = told.told(name)
    return Found(f"{len(found.steps)} / {len(found.files)}", found.lines)


def _help() -> Found:
    return Found(f"{starting.help_ratio():.1f}")


MEASUREMENTS: Final[tuple[Measurement, ...]] = (
    ("fullest_folder", "modules in the fullest folder", "33 (controller/)", _fullest_folder),
    *(
        (f"top_floor_{package}", f"modules on the top floor of {package}/", before,
         partial(_top_floor, package))
        for package, before in (("controller", "33"), ("drivers", "17"), ("simulators", "14"))
    ),
    ("cycles", "import cycles among modules", "0", partial(_circles, rooms=False)),
    ("cycles_of_rooms", "import cycles among rooms", "0", partial(_circles, rooms=True)),
    ("clashes", "class names with several meanings", "29", _clashes),
    ("rows", "rows of the machine", "1859", partial(_machine, "rows")),
    ("edges", "arrows in its drawing", "122", partial(_machine, "edges")),
    ("pairs", "phases joined by a step, of all pairs", "122 of 132", partial(_machine, "pairs")),
    ("guards", "guards with a name", "1", partial(_machine, "guards")),
    ("by_code", "sentences made with a code", "0", partial(_made, by_code=True)),
    ("by_text", "sentences made of text", "125", partial(_made, by_code=False)),
    ("matched", "sentences translated by matching English", "48", _matched),
    ("decisions", "decisions by a sentence, controller and drivers", "1",
     partial(_decisions, "controller", "drivers")),
    ("decisions_robot", "... in the emulators and the robot", "5",
     partial(_decisions, "simulators")),
    ("decisions_pages", "... in the pages", "1", _decisions_of_pages),
    ("decisions_tests", "... in tests", "46", _decisions_of_tests),
    ("dictionaries", "lines with dict[str, Any] in controller/", "84", _dictionaries),
    ("functions", "lines a function: middle / 95th percentile / longest", "6 / 19 / 44",
     partial(_lengths, counts.function_lengths)),
    ("files", "lines a file: middle / 95th percentile / longest", "134 / 310 / 472",
     partial(_lengths, counts.file_lengths)),
    ("helpers", "helper files loose in tests/", "33", _helpers),
    ("untested", "modules without a unit test of their name", "128 of 199", _untested),
    ("example", "files the worked example touches", "14", _example),
    ("recursion", "recursion in the loop: functions on a circle of calls", "13", _recursion),
    ("representations", "a card: representations / times encoded or decoded", "5 / 3",
     _representations),
    ("one_card", "one card in the loop: calls / files / crossings", "238 / 29 / 114", _one_card),
    *(
        each
        for name, before_told, before in (
            ("card", "35 / 20", "163 / 33"),
            ("click", "32 / 18", "122 / 30"),
            ("void", "40 / 17", "164 / 39"),
            ("restart", "21 / 10", "129 / 30"),
        )
        for each in (
            (f"told_{name}", f"{told.WALKS[name]}: functions / files, as told", before_told,
             partial(_told, name)),
            (f"walk_{name}", "... in all", before, partial(_walk, name)),
        )
    ),
    ("help", "`sabot --help`, times importing typer and msgspec", "6.4", _help),
)  # fmt: skip


def measured(measurements: Iterable[Measurement] = MEASUREMENTS) -> Iterator[Figure]:
    """Every figure in turn; what cannot be measured says why instead."""
    for key, says, before, measure in measurements:
        try:
            found = measure()
        except FAILS as error:
            yield Figure(key, says, before, f"{NOT_MEASURED}: {_why(error)}")
        else:
            yield Figure(key, says, before, str(found.value), tuple(found.where))


def _why(error: Exception) -> str:
    """With the last thing that a program said before it failed, where one did."""
    said = [line for note in getattr(error, "__notes__", ()) for line in note.splitlines()]
    return f"{error}; {said[-1]}" if said else str(error)


def failed(figures: Iterable[Figure]) -> bool:
    return any(figure.now.startswith(f"{NOT_MEASURED}:") for figure in figures)


def table(figures: Iterable[Figure], *, where: bool = False) -> Iterator[str]:
    yield f"{'':56}{BEFORE_WAS:22}now"
    for figure in figures:
        yield f"{figure.says:56}{figure.before:22}{figure.now}"
        if where:
            yield from (f"    {place}" for place in figure.where)


def as_json(figures: Iterable[Figure]) -> dict[str, Any]:
    return {"before_was": BEFORE_WAS, "figures": [asdict(figure) for figure in figures]}


def main(options: list[str]) -> int:
    if unknown := set(options) - {"--json", "--where"}:
        sys.stderr.write(f"no such option: {' '.join(sorted(unknown))}\n")
        return 2
    figures = list(measured())
    if "--json" in options:
        print(json.dumps(as_json(figures), indent=1))  # noqa: T201
    else:
        print("\n".join(table(figures, where="--where" in options)))  # noqa: T201
    return 1 if failed(figures) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
