"""Applies a fault to the modules of this process: what the adversary searches is not a copy."""

import ast
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

from planted.edits import ROOT, Fault


def replacements(fault: Fault) -> Iterator[tuple[Any, Any, Any]]:
    """A target, the name of an attribute of it or a key in it, and what it is with the fault.

    A function that differs gets other code, so that whoever imported it by name gets that too. If
    a table that is made at import differs, the tables of its module are filled again."""
    for file, text in fault.texts().items():
        module = import_module(file.removesuffix(".py").replace("/", "."))
        sound = (ROOT / file).read_text("utf-8")
        yield from _of_module(module, ast.parse(sound), ast.parse(text))


def _of_module(
    module: ModuleType, sound: ast.Module, faulty: ast.Module
) -> Iterator[tuple[Any, Any, Any]]:
    known = {ast.dump(node) for node in sound.body}
    differs = [node for node in faulty.body if ast.dump(node) not in known]
    functions = [node for node in differs if isinstance(node, ast.FunctionDef)]
    run: list[ast.stmt] = [*functions]
    if len(differs) > len(functions):
        run += [node for node in faulty.body if isinstance(node, ast.Assign | ast.AnnAssign)]
    names = dict(vars(module))
    exec(compile(ast.Module(run, []), str(module.__file__), "exec"), names)
    for node in functions:
        yield getattr(module, node.name), "__code__", names[node.name].__code__
    for name, table in vars(module).items():
        if isinstance(table, dict) and names[name] is not table and not name.startswith("__"):
            for key, value in names[name].items():
                yield table, key, value
