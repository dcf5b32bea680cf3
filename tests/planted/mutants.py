"""Faults drawn by chance: one small change of an expression or a statement.

`draw` takes as many as there are places left beside the removed checks, in turn from each room, by
one seed. What it drew is kept in `mutants.json`, so that a later change of the product does not
draw others; `equivalent.json` lists what it drew and nobody could notice, with the reason.
"""

import ast
import json
import re
from collections.abc import Iterable, Iterator
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


Change = tuple[str, int, int, str]
"""An operator, and the text that it puts in place of what lies between two places."""


def changes(node: ast.AST, source: Source, *, is_bool: bool = False) -> Iterator[Change]:
    """What the operators make of a node and of those within it. `is_bool`: the function around it
    returns a truth value."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        is_bool = isinstance(node.returns, ast.Name) and node.returns.id == "bool"
    yield from _of_expression(node, source)
    yield from _of_statement(node, source, is_bool)
    for each in _within(node):
        yield from changes(each, source, is_bool=is_bool)


def _of_expression(node: ast.AST, source: Source) -> Iterator[Change]:
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            pattern = r"is not|not in|is|in|[<>=!]=|[<>]"
            yield from _between(
                source, left, right, pattern, FLIPPED[type(op)], "comparison flipped"
            )
        case ast.BoolOp(op=op, values=[left, right, *_]):
            was, new = ("and", "or") if isinstance(op, ast.And) else ("or", "and")
            yield from _between(source, left, right, rf"\b{was}\b", new, f"{was} is {new}")
        case ast.UnaryOp(op=ast.Not()):
            begin, _ = source.span(node)
            yield "not removed", begin, begin + len("not "), ""
        case ast.Constant(value=value) if type(value) is int:
            yield "constant +1", *source.span(node), str(value + 1)
        case ast.Call(args=args, keywords=[*_, last]) if not _is_log(node):
            given: list[ast.expr | ast.keyword] = [*args, *node.keywords]
            if len(given) > 1:
                yield "argument dropped", source.span(given[-2])[1], source.span(last)[1], ""


def _of_statement(node: ast.AST, source: Source, is_bool: bool) -> Iterator[Change]:
    match node:
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            for new in ("True", "False") if is_bool else ("None",):
                yield f"return {new}", *source.span(value), new
        case ast.Expr(value=ast.Call() as call) if not _is_log(call):
            yield "statement deleted", *source.span(node), "pass"
        case ast.Raise() | ast.Assign(targets=[ast.Attribute() | ast.Subscript(), *_]):
            yield "statement deleted", *source.span(node), "pass"


def _between(
    source: Source, one: ast.expr, other: ast.expr, pattern: str, new: str, name: str
) -> Iterator[Change]:
    begin, end = source.span(one)[1], source.span(other)[0]
    text = source.text[begin:end]
    if (changed := re.sub(pattern, new, text, count=1)) != text:
        yield name, begin, end, changed


def _within(node: ast.AST) -> Iterable[ast.AST]:
    """The nodes of a node that may be changed: no docstring, annotation, log or decorator. What is
    asserted, every run of the line would notice; how a refusal is worded is not drawn."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return [*node.args.defaults, *filter(None, node.args.kw_defaults), *node.body]
        case ast.ClassDef():
            return node.body
        case ast.Assign() | ast.AnnAssign():
            return [node.value] if node.value else []
        case ast.Call() if not _is_log(node):
            return ast.iter_child_nodes(node)
        case (
            ast.Call() | ast.Assert() | ast.Raise() | ast.If(test=ast.Name(id="TYPE_CHECKING"))
            | ast.Expr(value=ast.Constant()) | ast.Return(value=ast.Constant())
        ):  # fmt: skip
            return []
    return ast.iter_child_nodes(node)


def _is_log(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Attribute) and node.func.attr in LOGS


def mutants_of(path: Path) -> list[tuple[str, Edit]]:
    """Every operator's change of a file."""
    source = Source(path)
    found = changes(ast.parse(source.text), source)
    return [(name, source.edit(begin, end, new)) for name, begin, end, new in found]


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
