"""The machine as data: how many rows, edges and guards it has."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final, NamedTuple

ROWS_ARE_IN: Final = ("controller.engine.phases", "controller.table.phases")
MOVES_WERE_IN: Final = "controller.round.machine"


class Row(NamedTuple):
    """One way to a phase; a destination of None stays where it is."""

    trigger: str
    sources: frozenset[str]
    dest: str | None
    guards: tuple[str, ...]


@dataclass(frozen=True)
class Machine:
    rows: int
    edges: int
    """Arrows of the drawing: several rows may share one, and one may start at a group of phases."""
    pairs: int
    """Phases that a step can lead from and to, groups taken apart."""
    possible: int
    """Pairs a machine with as many phases could have."""
    guards: int
    """Guards with a name of their own."""
    where: str


def measured() -> Machine:
    """The product's machine, wherever it is; `LookupError` where it is nowhere known."""
    for name in ROWS_ARE_IN:
        if (found := _imported(name, "ROWS")) is not None:
            return counted(rows_of(found), name)
    if (found := _imported(MOVES_WERE_IN, "transitions")) is not None:
        return counted(list(_of_transitions(found())), MOVES_WERE_IN)
    raise LookupError(f"no ROWS in {' or '.join(ROWS_ARE_IN)}, no MOVES in {MOVES_WERE_IN}")


def _imported(name: str, what: str) -> Any:
    try:
        return getattr(import_module(name), what, None)
    except ModuleNotFoundError as missing:
        if missing.name is None or not name.startswith(missing.name):
            raise  # the module is there, and something it needs is not
        return None


def counted(rows: list[Row], where: str = "") -> Machine:
    edges = {(row.sources, row.dest) for row in rows if row.dest and row.sources != {row.dest}}
    pairs = {(source, dest) for sources, dest in edges for source in sources if source != dest}
    phases = {phase for row in rows for phase in (*row.sources, row.dest) if phase}
    guards = {guard for row in rows for guard in row.guards}
    possible = len(phases) * (len(phases) - 1)
    return Machine(len(rows), len(edges), len(pairs), possible, len(guards), where)


def rows_of(given: Iterable[Any]) -> list[Row]:
    """Rows as objects with these fields, or as tuples in this order; the source may be a group."""
    found: list[Row] = []
    for row in given:
        plain = isinstance(row, tuple) and not hasattr(row, "trigger")
        trigger, source, dest, guards = row if plain else _fields(row)
        several = source if isinstance(source, tuple | list | set | frozenset) else (source,)
        sources = frozenset(map(_text, several))
        found.append(Row(_text(trigger), sources, _dest(dest), tuple(map(_text, guards))))
    return found


def _fields(row: Any) -> tuple[Any, Any, Any, Any]:
    return row.trigger, row.source, row.dest, row.guards


def _dest(dest: Any) -> str | None:
    return None if dest is None else _text(dest)


def _text(named: Any) -> str:
    """Of an enum its value, of a function its name, of a text itself."""
    return str(getattr(named, "value", getattr(named, "__name__", named)))


def _of_transitions(rows: Iterable[dict[str, Any]]) -> Iterator[Row]:
    """As the `transitions` library takes them."""
    for row in rows:
        conditions = row.get("conditions", ())
        guards = (conditions,) if isinstance(conditions, str) else tuple(conditions)
        source = frozenset({_text(row["source"])})
        yield Row(row["trigger"], source, _dest(row["dest"]), guards)
