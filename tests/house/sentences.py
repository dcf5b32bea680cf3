"""Sentences: which are codes, which are prose, and what is decided by reading prose.

A guess by looks, made to be the same guess today and tomorrow: prose is two words in a row, or one
with a capital letter that a text is asked to begin with. `--where` lists every place, so that a
wrong guess is seen.
"""

import ast
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from house.source import Module

SAID: Final = frozenset({"Ask", "Hold", "Notice", "Offer", "Prompt", "Question", "Refused"})
"""What carries a sentence to people, by the name it is made with."""

_PROSE: Final = re.compile(r"[A-Za-z']{2,},? (?:a |an )?[a-z]{2,}")
_ONE_WORD: Final = re.compile(r"[A-Z][a-z]{2,}[.:]?")
_SENTENCE: Final = re.compile(r"\b(reason|do|prompt|detail|notices?|stopped_by|asks?)\b")
"""Names under which the table's sentences are kept; what a command prints is none of them."""
_ASKED_OF_TEXT: Final = frozenset({"startswith", "endswith", "removeprefix"})
_PATTERNS: Final = frozenset({"compile", "match", "search", "fullmatch", "sub", "findall"})
_JS: Final = re.compile(
    r"(?:\.(?:startsWith|endsWith|includes|indexOf|search)\(|[!=]==?)\s*([\"'`])(?P<text>.+?)\1"
)


@dataclass
class Said:
    """Where sentences are made, by how they are named."""

    by_code: list[str] = field(default_factory=list)
    by_text: list[str] = field(default_factory=list)


def made(modules: Iterable[Module]) -> Said:
    """Every sentence that the controller makes: with a code, or out of a text that stands there."""
    ours = [module for module in modules if module.path.parts[0] == "controller"]
    constants = {name for module in ours for name in _constant_texts(module.tree)}
    found = Said()
    for module in ours:
        for node in ast.walk(module.tree):
            if not isinstance(node, ast.Call) or not (node.args or node.keywords):
                continue
            first = node.args[0] if node.args else node.keywords[0].value
            if _is_code(first):
                found.by_code.append(f"{module.path}:{node.lineno}")
            elif _name(node.func) in SAID and _is_text(first, constants):
                found.by_text.append(f"{module.path}:{node.lineno}")
    return found


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


def _is_code(node: ast.expr) -> bool:
    """`Code.NOT_NOW`."""
    return isinstance(node, ast.Attribute) and _name(node.value) == "Code"


def _is_text(node: ast.expr, constants: set[str]) -> bool:
    if isinstance(node, ast.Name | ast.Attribute):
        return _name(node) in constants
    if isinstance(node, ast.BinOp | ast.IfExp):
        return any(
            isinstance(each, ast.expr) and _is_text(each, constants)
            for each in ast.iter_child_nodes(node)
        )
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def _constant_texts(tree: ast.Module) -> Iterator[str]:
    """Names in capitals that stand for a text."""
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Constant):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if isinstance(node.value.value, str):
                yield from (name for each in targets if (name := _name(each)).isupper())


def decisions(path: Path | str, tree: ast.AST) -> list[str]:
    """Places where a program asks what a sentence reads like."""
    return [
        f"{path}:{node.lineno}"
        for node in ast.walk(tree)
        if (isinstance(node, ast.Call) and _asks_by_call(node))
        or (isinstance(node, ast.Compare) and _asks_by_comparing(node))
    ]


def _asks_by_call(node: ast.Call) -> bool:
    if not isinstance(node.func, ast.Attribute) or not node.args:
        return False
    texts = list(_texts(node.args[0]))
    if _name(node.func.value) == "re" and node.func.attr in _PATTERNS:
        return any(map(_is_prose, texts))
    asked = node.func.attr in _ASKED_OF_TEXT
    return asked and any(_is_prose(text) or _ONE_WORD.fullmatch(text) for text in texts)


def _asks_by_comparing(node: ast.Compare) -> bool:
    sides = [node.left, *node.comparators]
    prose = [side for side in sides if any(map(_is_prose, _texts(side)))]
    others = " ".join(ast.unparse(side) for side in sides if side not in prose)
    return bool(prose) and _SENTENCE.search(others) is not None


def _texts(node: ast.expr) -> Iterator[str]:
    for each in node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]:
        if isinstance(each, ast.Constant) and isinstance(each.value, str):
            yield each.value


def _is_prose(text: str) -> bool:
    return _PROSE.search(text) is not None


def decisions_of_pages(scripts: Iterable[Path], root: Path) -> list[str]:
    """The same in JavaScript, line by line."""
    return [
        f"{script.relative_to(root)}:{number}"
        for script in scripts
        for number, line in enumerate(script.read_text("utf-8").splitlines(), start=1)
        if any(_is_prose(found["text"]) for found in _JS.finditer(line))
    ]


def matched_by_english(languages: Iterable[Path]) -> int:
    """Sentences of the table that a language file finds by matching English, gaps and all."""
    tables = (json.loads(each.read_text("utf-8")).get("table", {}) for each in languages)
    return max((sum("{" in key and " " in key for key in table) for table in tables), default=0)
