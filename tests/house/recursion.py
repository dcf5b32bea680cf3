"""Recursion: functions that a function calls, and that can come back to themselves.

Counted from the source. `self.name` is a method of the same class, `self.part.name` one of the
class that `__init__` puts there, `module.name` and `name` a function of the folder. A reference
counts as a call: a method that is handed on is called by whoever has it.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final, TypeAlias

Graph: TypeAlias = dict[str, set[str]]
"""By `module.function` or `module.Class.method`, what it refers to of the same kind."""


LOOP: Final = "loop.Loop.run"


def below(start: str, folder: Path) -> list[str]:
    """The functions of the folder that `start` leads to and that are on a circle of calls."""
    graph = _graph({path.stem: ast.parse(path.read_text("utf-8")) for path in folder.glob("*.py")})
    assert start in graph, f"no function {start} in {folder}"
    return sorted(name for name in _reached(graph, start) if name in _reached(graph, name))


def _reached(graph: Graph, start: str) -> set[str]:
    """What is reached from there in one call or more."""
    reached, waiting = set[str](), [start]
    while waiting:
        new = graph.get(waiting.pop(), set()) - reached
        reached |= new
        waiting += new
    return reached


def _graph(modules: dict[str, ast.Module]) -> Graph:
    found: Graph = {}
    for module, tree in modules.items():
        names = _names(module, tree, modules)
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                found[f"{module}.{node.name}"] = set(_references(node, names))
            elif isinstance(node, ast.ClassDef):
                own = {**names, **_parts(node, names), "self": f"{module}.{node.name}"}
                for each in node.body:
                    if isinstance(each, ast.FunctionDef):
                        name = f"{module}.{node.name}.{each.name}"
                        found[name] = set(_references(each, own))
    return {name: {each for each in to if each in found} for name, to in found.items()}


def _names(module: str, tree: ast.Module, modules: dict[str, ast.Module]) -> dict[str, str]:
    """What the module's names stand for: its own, and what it imports of the folder."""
    found = {
        node.name: f"{module}.{node.name}"
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            last = node.module.rpartition(".")[2]
            for each in node.names:
                whole = f"{last}.{each.name}" if last in modules else each.name
                found[each.asname or each.name] = whole
    return found


def _parts(node: ast.ClassDef, names: dict[str, str]) -> dict[str, str]:
    """The classes of what `self` has: `self.part = Class(...)`."""
    found = {}
    for each in ast.walk(node):
        if isinstance(each, ast.Assign) and isinstance(each.value, ast.Call):
            made, target = each.value.func, ast.unparse(each.targets[0])
            if isinstance(made, ast.Name) and made.id in names:
                found[target] = names[made.id]
    return found


def _references(function: ast.FunctionDef, names: dict[str, str]) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute):
            owner = ast.unparse(node.value)
            if owner in names:
                yield f"{names[owner]}.{node.attr}"
        elif isinstance(node, ast.Name) and node.id in names:
            yield names[node.id]
