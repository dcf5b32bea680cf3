"""What the robot finds: differences between the table and the judge."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

Line = dict[str, Any]


class Difference(Exception):
    """The table and the judge disagree. `kind` is the same for all of one sort."""

    def __init__(self, kind: str, expected: object, seen: object, why: str = "") -> None:
        super().__init__(f"{kind}: the documents say {expected}, the table {seen} {why}".strip())
        self.kind = kind
        self.expected, self.seen, self.why = expected, seen, why
        self.way = ""
        self.seed = 0
        self.script: list[Line] = []


class TableIsStuck(Difference):
    """The robot did what it was asked and the table does not go on."""


@dataclass
class Tally:
    rounds: int = 0
    words: int = 0
    tables: int = 0
    void: int = 0
    settled: int = 0
    reports: Counter[str] = field(default_factory=Counter)
    """By what was reported and what the judge says of it."""
    different: list[Difference] = field(default_factory=list)

    def kinds(self) -> Counter[str]:
        return Counter(each.kind for each in self.different)
