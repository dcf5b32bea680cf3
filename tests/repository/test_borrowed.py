"""Private parts of other people's libraries are borrowed in few modules, each for a reason and for
the release it was written for: under another one its test fails until somebody has looked."""

import ast
import asyncio.events
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Final, NamedTuple

from controller.console.http import uvicorn_adapter
from support.rows import each_row

ROOT: Final = Path(__file__).parents[2]
FOLDERS: Final = ("controller", "drivers", "simulators", "deploy", "tests")
UNDOCUMENTED: Final = ("uvicorn.protocols.",)
"""Private, although no name of theirs begins with an underscore."""
DOCUMENTED: Final = frozenset({"os._exit", "asyncio._set_running_loop"})
"""Public, although they begin with one."""


class Borrowed(NamedTuple):
    library: str
    release: str
    why: str


BORROWED: Final = {
    "controller/console/http/uvicorn_adapter.py": Borrowed(
        "uvicorn",
        uvicorn_adapter.WRITTEN_FOR,
        "connections are known before their first byte is parsed; ASGI begins with a request",
    ),
    "tests/support/clauses/broken_rows.py": Borrowed(
        "pytest", "9.2.0", "an item runs again with another rulebook; a plugin's hook runs it once"
    ),
    "tests/unit/controller/runtime/test_msgspec_warmup.py": Borrowed(
        "msgspec", "0.22.0", "no public part tells when a struct is worked out"
    ),
}


def is_private(name: str) -> bool:
    hidden = any(part.startswith("_") and not part.startswith("__") for part in name.split("."))
    return hidden or name.startswith(UNDOCUMENTED)


def imported(tree: ast.AST, ours: frozenset[str]) -> Iterator[tuple[str, str]]:
    """What a module imports from elsewhere: the name it has here, and its whole name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found = [(each.asname or each.name.partition(".")[0], each) for each in node.names]
            yield from ((here, each.name if each.asname else here) for here, each in found)
            yield from (("", each.name) for _, each in found)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            foreign = node.module.partition(".")[0] not in ours
            for each in node.names if foreign else ():
                yield each.asname or each.name, f"{node.module}.{each.name}"


def names_of(path: Path) -> Iterator[str]:
    """Whole names of all that a module uses of others, also in programs that it holds as text."""
    ours = frozenset({*FOLDERS, "support", *(each.stem for each in path.parent.glob("*"))})
    ours |= {each.stem for each in (ROOT / "tests").iterdir()}
    tree = ast.parse(path.read_text("utf-8"))
    for each in (tree, *programs_in(tree)):
        known = dict(imported(each, ours))
        yield from (whole for _, whole in imported(each, ours))
        for node in ast.walk(each):
            if isinstance(node, ast.Attribute):
                first, _, rest = ast.unparse(node).partition(".")
                if first in known and rest.replace(".", "").isidentifier():
                    yield f"{known[first]}.{rest}"


def programs_in(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        text = node.value if isinstance(node, ast.Constant) else None
        if isinstance(text, str) and "\nimport " in text:
            try:
                yield ast.parse(text)
            except SyntaxError:
                continue


def test_nothing_private_is_borrowed_elsewhere() -> None:
    found: dict[str, set[str]] = {}
    for path in (each for folder in FOLDERS for each in sorted((ROOT / folder).rglob("*.py"))):
        private = {each for each in names_of(path) if is_private(each)} - DOCUMENTED
        foreign = {each for each in private if not each.startswith("__")}
        if foreign:
            found[path.relative_to(ROOT).as_posix()] = foreign
    assert {path: names for path, names in found.items() if path not in BORROWED} == {}
    assert set(found) == set(BORROWED)


@each_row("path, borrowed", BORROWED.items())
def test_what_is_borrowed_is_of_the_release_it_was_written_for(
    path: str, borrowed: Borrowed
) -> None:
    library, release, why = borrowed
    assert version(library) == release, f"{path}: look at {library} again ({why})"


def test_a_loop_is_marked_by_what_asyncio_offers_to_makers_of_loops() -> None:
    assert "_set_running_loop" in asyncio.events.__all__
