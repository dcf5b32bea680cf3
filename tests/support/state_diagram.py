"""`python -m support.state_diagram`: draws the table's state into CONTRIBUTING.md."""

import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, get_args, get_origin, get_type_hints

import msgspec

from controller.table.state import Table

PAGE: Final = Path(__file__).parents[2] / "CONTRIBUTING.md"
BEGIN: Final = "<!-- the table's state, drawn from its structs -->\n"
END: Final = "<!-- end of the table's state -->\n"

STATE: Final = Table.__module__.rpartition(".")[0]
ONE, MAYBE, MANY, EITHER = "-->", "-.->", "--o", "==>"
"""A part that is always there; one that may be absent; any number; one of several structs."""

Part = type[msgspec.Struct]


def state_diagram() -> str:
    """The structs as a Mermaid graph: a line for each struct and each way it has its parts."""
    drawn: list[Part] = [Table]
    lines = ["graph LR"]
    for struct in drawn:  # which grows
        found: dict[str, list[str]] = {ONE: [], MAYBE: [], MANY: [], EITHER: []}
        for arrow, part in _parts(struct):
            found[arrow].append(part.__name__)
            if part.__module__.startswith(STATE) and part not in drawn:
                drawn.append(part)
        lines += [
            f"{struct.__name__} {arrow} {' & '.join(dict.fromkeys(names))}"
            for arrow, names in found.items()
            if names
        ]
    return "\n".join(lines)


def _parts(struct: Part) -> Iterator[tuple[str, Part]]:
    """What a struct is made of. Of structs from elsewhere only those of the table and the round
    are drawn."""
    top = struct.__name__ in ("Table", "Round")
    for kind in get_type_hints(struct).values():
        inner = get_args(kind)
        alternatives = inner if isinstance(kind, types.UnionType) else (kind,)
        many = get_origin(kind) in (tuple, dict)
        kinds = inner if many else alternatives
        structs = [each for each in kinds if _is_struct(each)]
        arrow = MANY if many else EITHER if len(structs) > 1 else MAYBE if len(kinds) > 1 else ONE
        for part in structs:
            if top or arrow == EITHER or part.__module__.startswith(STATE):
                yield arrow, part


def _is_struct(kind: Any) -> bool:
    return (
        isinstance(kind, type)
        and issubclass(kind, msgspec.Struct)
        and kind.__module__.startswith("controller.table.")
    )


def section() -> str:
    """What stands in CONTRIBUTING.md from one mark to the other."""
    return f"{BEGIN}```mermaid\n{state_diagram()}\n```\n{END}"


def main() -> None:
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    PAGE.write_text(before + section() + rest.partition(END)[2], "utf-8")


if __name__ == "__main__":
    main()
