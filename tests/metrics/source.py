"""The product's source, parsed once."""

import ast
import io
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
PACKAGES: Final = ("controller", "drivers", "simulators")

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Module:
    """One Python file, with its path from the top of the repository."""

    path: Path
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @property
    def name(self) -> str:
        """As it is imported; a package by its folder."""
        parts = self.path.with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    @property
    def package(self) -> str:
        return self.path.parts[0]

    @property
    def room(self) -> str:
        """The folder below the package, or the package for a module that stands directly in it."""
        return "/".join(self.path.parts[:2]) if len(self.path.parts) > 2 else self.package

    def functions(self) -> Iterator[FunctionNode]:
        return (node for node in ast.walk(self.tree) if isinstance(node, FunctionNode))

    def classes(self) -> Iterator[ast.ClassDef]:
        return (node for node in ast.walk(self.tree) if isinstance(node, ast.ClassDef))

    def code_lines(self) -> set[int]:
        """Lines without blank lines, comments and docstrings."""
        tokens = tokenize.generate_tokens(io.StringIO(self.text).readline)
        lines = {
            line
            for token in tokens
            if token.type != tokenize.COMMENT and token.string.strip()
            for line in range(token.start[0], token.end[0] + 1)
        }
        return lines - _lines_of(filter(_is_docstring, ast.walk(self.tree)))

    def import_lines(self) -> set[int]:
        imports = (ast.Import, ast.ImportFrom)
        return _lines_of(node for node in ast.walk(self.tree) if isinstance(node, imports))


def _is_docstring(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _lines_of(nodes: Iterable[ast.AST]) -> set[int]:
    return {
        line
        for node in nodes
        if isinstance(node, ast.stmt)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }


def modules(root: Path = ROOT, packages: tuple[str, ...] = PACKAGES) -> list[Module]:
    """Every Python file of the packages, in order of its path."""
    found = sorted(path for package in packages for path in (root / package).rglob("*.py"))
    return [Module(path.relative_to(root), path.read_text("utf-8")) for path in found]
