"""The clause register: every numbered clause of every document, and its implementation in Sabot.

`clauses/<book>.toml` lists them. If a clause is a row of the rulebook, its place is found in the
rows themselves. The tests of each clause are in `clause_tests.json`, written by `make generate`
because tests are not installed.
"""

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from functools import cache
from importlib.resources import files

from controller.game.rulebook import Rulebook
from controller.game.wagers import Wager
from controller.rulebooks import rulebook

_HERE = files("controller.rulebooks")


class ClauseKind(Enum):
    """How the software implements a clause."""

    ENFORCED = "enforced"
    """Software enforces it."""
    GUIDED = "guided"
    """Software prompts a person who does it."""
    SHOWN = "shown"
    """Software shows it."""
    DEFINITION = "definition"
    OUTSIDE = "outside"
    """Not for software; `why` gives the reason."""
    PENDING = "pending"
    """Planned."""


@dataclass(frozen=True, slots=True)
class ClauseRow:
    """A row of a rulebook: its path, its type, its clause."""

    path: str
    value: object
    clause: str


@dataclass(frozen=True, slots=True)
class Clause:
    id: str
    text: str
    kind: ClauseKind
    where: tuple[str, ...]
    tests: tuple[str, ...]
    why: str | None = None


def clauses(book_id: str) -> tuple[Clause, ...]:
    """The register of one book, in document order."""
    book = rulebook(book_id)
    listed = tomllib.loads(_HERE.joinpath("clauses", f"{book_id}.toml").read_text("utf-8"))
    rows = _paths_by_clause(book)
    tests = clause_tests().get(book_id, {})
    return tuple(
        Clause(
            number,
            entry["says"],
            ClauseKind(entry["kind"]),
            where=(*rows.get(number, ()), *entry.get("where", ())),
            tests=tuple(tests.get(number, ())),
            why=entry.get("why"),
        )
        for number, entry in listed.items()
    )


@cache
def _translations() -> Mapping[str, Mapping[str, str]]:
    """By language: translations of clause texts, keyed by the English text. Books share many
    sentences."""
    folder = _HERE.joinpath("clauses", "languages")
    return {
        file.name.removesuffix(".toml"): tomllib.loads(file.read_text("utf-8"))
        for file in folder.iterdir()
        if file.name.endswith(".toml")
    }


def in_other_languages(text: str) -> dict[str, str]:
    """The text of a clause in every language that has it."""
    return {language: texts[text] for language, texts in _translations().items() if text in texts}


@cache
def clause_tests() -> Mapping[str, Mapping[str, list[str]]]:
    """The tests of each clause, by book and number."""
    found: Mapping[str, Mapping[str, list[str]]] = json.loads(
        _HERE.joinpath("clause_tests.json").read_text("utf-8")
    )
    return found


def _paths_by_clause(book: Rulebook) -> dict[str, list[str]]:
    module = "controller/rulebooks/" + book.id.replace("-", "_") + ".py"
    paths: dict[str, list[str]] = {}
    for row in rows(book):
        paths.setdefault(row.clause, []).append(f"{module}: {row.path}")
    return paths


def rows(book: Rulebook) -> Iterator[ClauseRow]:
    """Every row of the book that names a clause, with its path from the book."""
    yield from _walk(book, "")
    if book.void_returns is not None:
        yield ClauseRow("void_returns", book.void_returns, book.void_returns)


def _walk(value: object, path: str) -> Iterator[ClauseRow]:
    if isinstance(value, Wager):
        yield ClauseRow(f"{path}.area", value, value.area)
        yield ClauseRow(f"{path}.offered", value, value.offered)
    clause = getattr(value, "clause", None)
    if isinstance(clause, str):
        yield ClauseRow(path, value, clause)
    for name, part in _parts(value):
        yield from _walk(part, f"{path}.{name}" if path else name)


def _parts(value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, tuple):
        yield from ((str(getattr(part, "id", place)), part) for place, part in enumerate(value))
    elif is_dataclass(value):
        yield from ((field.name, getattr(value, field.name)) for field in fields(value))
