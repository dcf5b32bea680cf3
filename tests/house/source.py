"""The product's own source, parsed once: what every figure is counted from."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
PACKAGES: Final = ("controller", "drivers", "simulators")


@dataclass(frozen=True)
class Module:
    """One Python file of the product."""

    path: Path
    """From the top of the repository: controller/game/hands.py."""
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @property
    def name(self) -> str:
        """As it is imported: controller.game.hands; a package by its folder."""
        parts = self.path.with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    @property
    def folder(self) -> str:
        return self.path.parent.as_posix()

    @property
    def room(self) -> str:
        """The folder below the package, or the package itself for what stands on its top floor."""
        return "/".join(self.path.parts[:2]) if len(self.path.parts) > 2 else self.path.parts[0]

    @property
    def is_package(self) -> bool:
        return self.path.name == "__init__.py"

    @property
    def lines(self) -> int:
        return self.text.count("\n")

    def functions(self) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield node


def modules(root: Path = ROOT, packages: tuple[str, ...] = PACKAGES) -> list[Module]:
    """Every Python file below the packages, in order of its path."""
    found = sorted(path for package in packages for path in (root / package).rglob("*.py"))
    return [Module(path.relative_to(root), path.read_text("utf-8")) for path in found]
