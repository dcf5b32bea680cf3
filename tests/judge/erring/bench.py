"""The product's table in memory, as people and devices reach it: by JSON lines."""

from collections.abc import Callable
from functools import lru_cache
from random import Random
from typing import Any

import msgspec

from controller.engine.session import open_session
from controller.game.money.rounding import Rounding
from controller.journal.bodies import JsonLine
from controller.journal.memory import MemoryJournal
from controller.journal.seal import Sealer
from controller.rulebooks import rulebook
from controller.table.commands.message import message_from_line
from controller.table.commands.people import ReportCommand
from controller.table.commands.registry import REGISTRY
from controller.table.commands.reports import FORMS
from controller.table.rules import HouseRules, Rules
from controller.views import audience
from controller.views.structs.encoding import plain
from judge.erring.staff import Line

View = dict[str, Any]


class Bench:
    """One table. `said` is the script so far, for whoever looks into a difference."""

    def __init__(
        self, book: str, house: dict[str, Any], spoils: Callable[[View], None] | None = None
    ) -> None:
        rules = Rules(
            rulebook(book),
            msgspec.convert({"rulebook": book, **house}, HouseRules),
            Rounding.HALF_UP,
        )
        self.rules = rules
        self._session = open_session(rules, MemoryJournal(), Sealer(bytes(32), Random(1).randbytes))
        self._at = 0.0
        self._view: View | None = None
        self._spoils = spoils
        self.said: list[Line] = []
        self.accepted = True
        self.code: str | None = None
        self.clause: str | None = None

    def say(self, line: Line) -> bool:
        """Whether the table took it."""
        self._at += 1
        said = message_from_line(msgspec.convert({"at": self._at, **line}, JsonLine))
        answer = self._session.handle(said)
        self._view = None
        self.accepted, self.clause = answer.accepted, answer.clause
        self.code = None if answer.why is None else str(answer.why.code)
        self.said.append({**line, "accepted": answer.accepted} if answer.accepted else {
            **line, "accepted": False, "code": self.code, "clause": answer.clause
        })  # fmt: skip
        return answer.accepted

    @property
    def phase(self) -> str:
        return self._session.machine.state

    @property
    def view(self) -> View:
        if self._view is None:
            self._view = plain(audience.pit(self._session.machine.table, self.rules))
            if self._spoils is not None:
                self._spoils(self._view)
        return self._view


@lru_cache
def has_field(word: str, field: str, report: str | None = None) -> bool:
    """Whether the table has this field of a word, or of a report, already: what is planned and not
    there yet is left out."""
    if report is not None and (report not in FORMS or field not in FORMS[report].fields):
        return False
    struct = (
        ReportCommand if report is not None else REGISTRY[word].struct if word in REGISTRY else None
    )
    return struct is not None and field in struct.__struct_fields__


def has_word(word: str) -> bool:
    return word in REGISTRY
