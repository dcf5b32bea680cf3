"""What was called on a walk: trees of calls, cut out of a trace by time, and their figures."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

IMPORTING: Final = "<module>"


class Function(NamedTuple):
    file: str
    name: str

    def __str__(self) -> str:
        return f"{self.file}: {self.name}"


@dataclass
class Call:
    """One call of a function of the product, and what it called in turn."""

    function: Function
    at: int
    calls: list["Call"] = field(default_factory=list)

    def all(self) -> Iterator["Call"]:
        """This one and everything below, in the order of calling."""
        waiting = [self]
        while waiting:
            call = waiting.pop()
            yield call
            waiting.extend(reversed(call.calls))


Trees: TypeAlias = list[Call]


@dataclass(frozen=True)
class Figures:
    """How far a call travels through the house."""

    calls: int
    files: int
    crossings: int
    """Calls into another file than the caller's."""


class Trace:
    """All that `house.traced` has written down."""

    def __init__(self, path: Path) -> None:
        found = json.loads(path.read_text("utf-8"))
        functions = [Function(*each) for each in found["functions"]]
        self.threads = [list(_roots(functions, events)) for events in found["threads"]]

    def between(self, begin: int, end: int) -> Trees:
        """What was called in that time and not while importing, each tree as high up as it goes."""
        return [
            call for roots in self.threads for call in _highest(_not_importing(roots), begin, end)
        ]


def _roots(functions: list[Function], events: Iterable[tuple[int, int]]) -> Iterator[Call]:
    open_calls: list[Call] = []
    for at, number in events:
        if number >= 0:
            call = Call(functions[number], at)
            if open_calls:
                open_calls[-1].calls.append(call)
            else:
                yield call
            open_calls.append(call)
        elif open_calls:
            open_calls.pop()


def _highest(calls: Iterable[Call], begin: int, end: int) -> Iterator[Call]:
    for call in calls:
        if begin <= call.at < end:
            yield Call(call.function, call.at, list(_highest(call.calls, begin, end)))
        elif call.at < begin:
            yield from _highest(call.calls, begin, end)


def _not_importing(calls: Iterable[Call]) -> Trees:
    return [
        Call(call.function, call.at, _not_importing(call.calls))
        for call in calls
        if call.function.name != IMPORTING
    ]


def functions(trees: Trees) -> set[Function]:
    return {call.function for tree in trees for call in tree.all()}


def smallest_with(trees: Trees, *names: tuple[str, str]) -> Call:
    """The lowest call under which all of these happen, each a beginning of a file's path and a
    function's name; `LookupError` where there is none."""
    best: Call | None = None
    waiting = list(trees)
    while waiting:
        call = waiting.pop()
        if _has_all(call, names):
            best = call
            waiting = list(call.calls)
    if best is None:
        raise LookupError(f"no call has all of {names} below it")
    return best


def _has_all(call: Call, names: Iterable[tuple[str, str]]) -> bool:
    found = [(each.function.file, each.function.name.rpartition(".")[2]) for each in call.all()]
    return all(
        any(file.startswith(where) and name == called for file, called in found)
        for where, name in names
    )


def figures(tree: Call) -> Figures:
    every = list(tree.all())
    crossings = sum(
        below.function.file != call.function.file for call in every for below in call.calls
    )
    return Figures(len(every), len({call.function.file for call in every}), crossings)


def outline(trees: Trees, only: set[Function]) -> Iterator[str]:
    """Each of these functions once, where it is called first, indented by who calls it."""
    told: set[Function] = set()

    def tell(call: Call, depth: int) -> Iterator[str]:
        if call.function in only - told:
            told.add(call.function)
            yield f"{'  ' * depth}{call.function}"
        for below in call.calls:
            yield from tell(below, depth + 1)

    for tree in sorted(trees, key=lambda call: call.at):
        yield from tell(tree, 0)
