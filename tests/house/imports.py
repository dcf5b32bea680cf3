"""Who imports whom, late imports and those for types included, and where that runs in a circle."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from typing import TypeAlias

from house.source import Module

Graph: TypeAlias = dict[str, set[str]]


def graph(modules: Iterable[Module]) -> Graph:
    """Each module and those of the same collection that it names in an import."""
    known = {module.name: module for module in modules}
    return {name: set(_imported(module, known)) - {name} for name, module in known.items()}


def _imported(module: Module, known: Mapping[str, Module]) -> Iterator[str]:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom):
            yield from _from(node, module, known)


def _from(node: ast.ImportFrom, module: Module, known: Mapping[str, Module]) -> Iterator[str]:
    """`from a.b import c` is an import of a.b.c where that is a module, else of a.b."""
    base = node.module or ""
    if node.level:
        parts = module.name.split(".")
        kept = len(parts) - node.level + module.is_package
        base = ".".join([*parts[:kept], *([base] if base else [])])
    for alias in node.names:
        inner = f"{base}.{alias.name}"
        if inner in known:
            yield inner
        elif base in known:
            yield base


def between_rooms(of_modules: Graph, modules: Iterable[Module]) -> Graph:
    """The same graph with every room for one; modules of a top floor stand for themselves."""
    rooms = {
        module.name: module.room.replace("/", ".") if "/" in module.room else module.name
        for module in modules
    }
    found: Graph = {room: set() for room in rooms.values()}
    for name, imported in of_modules.items():
        found[rooms[name]] |= {rooms[each] for each in imported} - {rooms[name]}
    return found


def circles(of: Graph) -> list[list[str]]:
    """Groups in which everything leads to everything else (Tarjan), the largest first."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    path: list[str] = []
    found: list[list[str]] = []
    numbers = count()

    def visit(name: str) -> None:
        order[name] = low[name] = next(numbers)
        path.append(name)
        for other in of[name]:
            if other not in order:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in path:
                low[name] = min(low[name], order[other])
        if low[name] == order[name]:
            group = path[path.index(name) :]
            del path[path.index(name) :]
            if len(group) > 1:
                found.append(sorted(group))

    for name in of:
        if name not in order:
            visit(name)
    return sorted(found, key=lambda group: (-len(group), group))
