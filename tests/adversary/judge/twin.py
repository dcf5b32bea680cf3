"""The same lines at two tables that differ in nothing but faces nobody may see.

What is taken, refused and shown must be the same: else a sealed card can be told by asking.
"""

import re
from itertools import cycle
from typing import Final

from adversary.setting import Line, Setting, table_of
from controller.table.state import Table
from controller.views import audience

COMMITMENT: Final = re.compile(r"[0-9a-f]{64}")


def told_apart(chosen: Setting, now: Table, before: list[Line], line: Line) -> str | None:
    """What the tables differ in at the end, if they do: `now`, as the lines before led to it, and
    one at which cards that still lie face down in the end had other faces."""
    one, end = _said(chosen, now, [line])
    hidden = [face for face in _hidden(end) if face in chosen.cards]
    named = repr([each for each in (*before, line) if each.get("event") != "card"])
    swap = _other_faces(hidden, [face for face in chosen.spare if face not in named])
    lines = [_with_other_faces(each, swap) for each in (*before, line)]
    two = _said(chosen, table_of(chosen).ready, lines)[0]
    if one == two:
        return None
    return f"{line} tells {', '.join(swap)} from {', '.join(swap.values())}"


def _other_faces(hidden: list[str], free: list[str]) -> dict[str, str]:
    """Faces that decide as much as can be, nine against two: few others decide the same."""
    swap = {}
    for face, rank in zip(hidden, cycle("92KQ"), strict=False):
        likely = [each for each in free if each[0] == rank] or free
        if likely:
            swap[face] = likely[0]
            free.remove(likely[0])
    return swap


def _with_other_faces(line: Line, swap: dict[str, str]) -> Line:
    return {**line, "card": swap.get(line["card"], line["card"])} if "card" in line else line


def _said(chosen: Setting, at: Table, lines: list[Line]) -> tuple[object, Table]:
    """What comes of the last line, and the table then."""
    table = table_of(chosen)
    table.machine.load_state(at)
    answers = [table.take(line) for line in lines]
    accepted = {answer.accepted for answer in answers[:-1]} <= {True}
    last, now = answers[-1], table.machine.table
    seen = COMMITMENT.sub("*", repr(audience.render_views(now, table.rules)))
    return (accepted, last.accepted, repr(last.why), last.clause, last.state, seen), now


def _hidden(table: Table) -> list[str]:
    cards = (*(table.round.cards if table.round else ()), *table.carried)
    return [drawn.card for drawn in cards if not drawn.exposed and drawn.card is not None]
