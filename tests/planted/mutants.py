"""Faults drawn by chance: one small change of an expression or a statement.

`draw` takes as many as there are places left beside the removed checks, in turn from each room, by
one seed. What it drew is kept in `mutants.json`, so that a later change of the product does not
draw others; `equivalent.json` lists what it drew and nobody could notice, with the reason.
"""

import ast
import json
import re
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any, Final

from planted.edits import ROOT, Edit, Fault

HERE: Final = Path(__file__).parent
KEPT: Final = HERE / "mutants.json"
EQUIVALENT: Final = HERE / "equivalent.json"
SEED: Final = 28
ROOMS: Final = {
    room: f"controller/{room}"
    for room in ("game", "round", "cases", "engine", "journal", "runtime", "console", "uplink")
} | {"floor": "controller/floor", "drivers": "drivers"}
NOT_OF_THE_PRODUCT: Final = ("drivers/testing/", "controller/floor/store/migrations/")
"""The kit that drivers are tested with, and migrations, which run once in a database's life."""

FLIPPED: Final[dict[type[ast.cmpop], str]] = {
    ast.Lt: ">=", ast.LtE: ">", ast.Gt: "<=", ast.GtE: "<", ast.Eq: "!=", ast.NotEq: "==",
    ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in",
}  # fmt: skip
LOGS: Final = frozenset({"debug", "info", "warning", "error", "exception", "log"})


class Source:
    """The text of a module, by its lines."""

    def __init__(self, path: Path) -> None:
        self.file = path.relative_to(ROOT).as_posix()
        self.text = path.read_text("utf-8")
        self._starts = [0]
        for line in self.text.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        self._lines = self.text.splitlines()

    def at(self, line: int, column: int) -> int:
        """The place of a character; the parser counts columns in bytes."""
        return self._starts[line - 1] + len(self._lines[line - 1].encode()[:column].decode("utf-8"))

    def span(self, node: ast.expr | ast.stmt | ast.keyword) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return (
            self.at(node.lineno, node.col_offset),
            self.at(node.end_lineno, node.end_col_offset),
        )

    def edit(self, begin: int, end: int, new: str) -> Edit:
        """The change, as whole lines: these are easier to find again, and to read."""
        first = self.text.rfind("\n", 0, begin) + 1
        last = self.text.find("\n", end)
        old, line = self.text[first:last], self.text.count("\n", 0, first) + 1
        changed = self.text[first:begin] + new + self.text[end:last]
        return Edit(self.file, old, changed, line)


Changed = tuple[str, int, int, str]
"""An operator, and the text it puts in place of what lies between two places."""


class Operators(ast.NodeVisitor):
    """Collects every change of a module that an operator makes."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.found: list[Changed] = []
        self._returns: list[ast.expr | None] = []

    def _between(self, one: ast.expr, other: ast.expr, pattern: str, new: str, name: str) -> None:
        begin, end = self.source.span(one)[1], self.source.span(other)[0]
        text = self.source.text[begin:end]
        changed = re.sub(pattern, new, text, count=1)
        if changed != text:
            self.found.append((name, begin, end, changed))

    def visit_Compare(self, node: ast.Compare) -> None:
        if len(node.ops) == 1:
            pattern = r"is not|not in|is|in|[<>=!]=|[<>]"
            new = FLIPPED[type(node.ops[0])]
            self._between(node.left, node.comparators[0], pattern, new, "comparison flipped")
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        was, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        self._between(node.values[0], node.values[1], rf"\b{was}\b", new, f"{was} is {new}")
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            begin, _ = self.source.span(node)
            self.found.append(("not removed", begin, begin + len("not "), ""))
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if type(node.value) is int:
            self.found.append(("constant +1", *self.source.span(node), str(node.value + 1)))

    def visit_Call(self, node: ast.Call) -> None:
        if _is_log(node):
            return
        given: list[ast.expr | ast.keyword] = [*node.args, *node.keywords]
        if len(given) > 1 and node.keywords:
            begin, end = self.source.span(given[-2])[1], self.source.span(given[-1])[1]
            self.found.append(("argument dropped", begin, end, ""))
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is None or isinstance(node.value, ast.Constant):
            return
        named = self._returns[-1]
        values = ("True", "False") if _is_bool(named) else ("None",)
        for value in values:
            self.found.append((f"return {value}", *self.source.span(node.value), value))
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call) and not _is_log(node.value):
            self._delete(node)
        if not isinstance(node.value, ast.Constant):  # a docstring is none
            self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        self._delete(node)  # what a refusal is worded like is not drawn

    def visit_Assign(self, node: ast.Assign) -> None:
        if isinstance(node.targets[0], ast.Attribute | ast.Subscript):
            self._delete(node)
        self.visit(node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def _delete(self, node: ast.stmt) -> None:
        self.found.append(("statement deleted", *self.source.span(node), "pass"))

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._returns.append(node.returns)
        for each in (*node.args.defaults, *(d for d in node.args.kw_defaults if d), *node.body):
            self.visit(each)
        self._returns.pop()

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for each in node.body:
            self.visit(each)

    def visit_Assert(self, node: ast.Assert) -> None:
        """Every run of the line would notice."""

    def visit_If(self, node: ast.If) -> None:
        if ast.unparse(node.test) != "TYPE_CHECKING":
            self.generic_visit(node)


def _is_log(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Attribute) and node.func.attr in LOGS


def _is_bool(named: ast.expr | None) -> bool:
    return isinstance(named, ast.Name) and named.id == "bool"


def mutants_of(path: Path) -> list[tuple[str, Edit]]:
    """Every operator's change of a file."""
    source = Source(path)
    operators = Operators(source)
    operators.visit(ast.parse(source.text))
    return [(name, source.edit(begin, end, new)) for name, begin, end, new in operators.found]


def _compiles(edit: Edit) -> bool:
    try:
        ast.parse(edit.edited((ROOT / edit.file).read_text("utf-8")))
    except SyntaxError:
        return False
    return True


def draw(count: int, seed: int = SEED) -> list[dict[str, Any]]:
    """So many mutants, in turn from each room: first an operator, then one of its changes. One that
    is known to be equivalent is drawn again, which changes no other."""
    known = {(row["file"], row["old"], row["new"]) for row in read(EQUIVALENT)}
    changes = {room: _by_operator(ROOT / folder) for room, folder in ROOMS.items()}
    drawn: list[dict[str, Any]] = []
    for place in range(count):
        room, random = list(ROOMS)[place % len(ROOMS)], Random(f"{seed}:{place}")
        while len(drawn) == place:
            operator = random.choice(sorted(changes[room]))
            edit = random.choice(changes[room][operator])
            row = {"room": room, "operator": operator, **asdict(edit)}
            fresh = row not in drawn and (edit.file, edit.old, edit.new) not in known
            if fresh and _compiles(edit):
                drawn.append(row)
    return drawn


def _by_operator(folder: Path) -> dict[str, list[Edit]]:
    found: dict[str, list[Edit]] = {}
    for path in sorted(folder.rglob("*.py")):
        if not path.relative_to(ROOT).as_posix().startswith(NOT_OF_THE_PRODUCT):
            for operator, edit in mutants_of(path):
                found.setdefault(operator, []).append(edit)
    return found


def read(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))
    return found


def kept() -> tuple[Fault, ...]:
    """The mutants that are planted."""
    return tuple(
        Fault(
            f"{row['file']}:{row['line']} {row['operator']}",
            (Edit(row["file"], row["old"], row["new"], row["line"]),),
        )
        for row in read(KEPT)
    )


def keep(count: int) -> None:
    """Writes the mutants that the seed draws from the product as it is now."""
    text = json.dumps(draw(count), indent=1, ensure_ascii=False)
    KEPT.write_text(text + "\n", encoding="utf-8")
