"""Stories at a table in memory whose journal is kept: played for what they do, not for what they
expect, and stopped wherever a test wants."""

import json
import random
import re
from pathlib import Path
from typing import Any, Final

import msgspec

from controller.engine.session import Session, open_session
from controller.journal.memory import MemoryJournal
from controller.journal.seal import Sealer
from controller.rulebooks import rulebook
from controller.table.rules import HouseRules, Rules
from controller.table.state import Table
from controller.terminal.json_lines import JsonLines
from controller.views import audience
from controller.views.structs.encoding import plain
from scenario.story import Link, stories


class Stoppable:
    """A table in memory for a story: its journal is kept, and what it led to after each record."""

    def __init__(self) -> None:
        self.journal = MemoryJournal()
        self.sealer = Sealer(bytes(32), random.Random(1).randbytes)
        self.rules: Rules
        self.session: Session
        self.tables: list[Table] = []

    def open(self, book: str, house: dict[str, Any]) -> Link:
        self.rules = Rules(rulebook(book), msgspec.convert({"rulebook": book, **house}, HouseRules))
        self.begin()
        return Link(self.send, self.pit, dict, self.restart)

    def begin(self) -> None:
        """What is left after a stop is the journal."""
        self.session = open_session(self.rules, self.journal, self.sealer)
        self.lines = JsonLines(self.session)

    def send(self, message: dict[str, Any]) -> dict[str, Any]:
        answer = plain(self.lines.answer(json.dumps(message).encode()))
        self.tables.append(self.table)
        return answer

    def restart(self, _: list[str]) -> dict[str, Any]:
        self.begin()
        self.tables.append(self.table)
        return {**self.pit(), "reason": None, "clause": None}

    def pit(self) -> dict[str, Any]:
        return plain(audience.pit(self.table, self.rules))

    @property
    def table(self) -> Table:
        return self.session.machine.table


def once() -> dict[Path, str]:
    """Every story with the first of its books."""
    return dict(reversed(stories()))


def steps_only(text: str) -> str:
    """A story without what it expects."""
    return "\n".join(line for line in text.splitlines() if not _EXPECTS.match(line))


_EXPECTS: Final = re.compile(
    r"Table |Player has|Banker has|Aside:|Nobody has|Decided by|Next:|Dealer says:|The road is"
    r"|The prompt |The round is void|Card \d+ goes|\w+'s \w+ (wins|gets)|\w+ handles|\w+ has the"
)
