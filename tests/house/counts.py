"""Figures that are counted from the source without running it."""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from house.source import Module

FREE_DICTIONARY: Final = "dict[str, Any]"


def modules_in_folders(modules: Iterable[Module]) -> Counter[str]:
    """How many modules each folder has; `__init__` is the folder itself."""
    return Counter(module.folder for module in modules if not module.is_package)


def top_floor(modules: Iterable[Module], package: str) -> list[str]:
    """What stands directly in a package."""
    return [m.path.name for m in modules if m.folder == package and not m.is_package]


def free_dictionaries(modules: Iterable[Module]) -> Counter[str]:
    """Lines of the controller with a dictionary of anything, by room."""
    found: Counter[str] = Counter()
    for module in modules:
        if module.path.parts[0] == "controller":
            found[module.room] += sum(FREE_DICTIONARY in line for line in module.text.splitlines())
    return +found


@dataclass(frozen=True)
class Lengths:
    """How long things are, in lines."""

    middle: int
    most: int
    """The 95th percentile: one in twenty is longer."""
    longest: int
    where: str

    def __str__(self) -> str:
        return f"{self.middle} / {self.most} / {self.longest}"


def _lengths(found: Sequence[tuple[int, str]]) -> Lengths:
    ordered = sorted(found)
    longest, where = ordered[-1]
    at = (len(ordered) - 1) * 95 // 100
    return Lengths(ordered[(len(ordered) - 1) // 2][0], ordered[at][0], longest, where)


def function_lengths(modules: Iterable[Module]) -> Lengths:
    """From `def` to the last line, docstring included."""
    return _lengths(
        [
            ((node.end_lineno or node.lineno) - node.lineno + 1, f"{module.path}:{node.name}")
            for module in modules
            for node in module.functions()
        ]
    )


def file_lengths(modules: Iterable[Module]) -> Lengths:
    return _lengths([(module.lines, str(module.path)) for module in modules if module.lines])


def name_clashes(modules: Iterable[Module]) -> dict[str, list[str]]:
    """Public classes of controller and drivers that share a name, and where they are.

    Emulators are left out: they write the same devices a second time."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for module in modules:
        if module.path.parts[0] == "simulators":
            continue
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(module.name)
    return {name: where for name, where in sorted(found.items()) if len(set(where)) > 1}


def loose_helpers(tests: Path) -> list[str]:
    """Python files that lie about in `tests/` itself."""
    return sorted(each.name for each in tests.glob("*.py") if each.name != "conftest.py")


def without_a_test(modules: Iterable[Module], unit: Path) -> list[str]:
    """Modules that have no unit test of their own name where one would look for it."""
    return [
        str(module.path)
        for module in modules
        if not module.path.name.startswith("__")
        and not (unit / module.path.with_name(f"test_{module.path.name}")).exists()
    ]


def touched_by_the_worked_example(test: Path) -> int | None:
    """How many files the example of CONTRIBUTING touches, as its test says; None without it."""
    if not test.exists():
        return None
    found = re.search(r"^FILES_TOUCHED(?:: [\w\[\]]+)? = (\d+)$", test.read_text("utf-8"), re.M)
    if found is None:
        raise LookupError(f"{test.name} exists and has no line `FILES_TOUCHED = n`")
    return int(found[1])
