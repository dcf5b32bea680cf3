"""A table in memory for stories: the product's own lines, a stepped clock, no wire."""

import json
import random
from typing import Any

import msgspec

from controller.engine.session import open_session
from controller.journal.memory import MemoryJournal
from controller.journal.seal import Sealer
from controller.rulebooks import rulebook
from controller.table.rules import HouseRules, Rules
from controller.terminal.json_lines import JsonLines
from controller.views import audience
from controller.views.structs.encoding import plain
from scenario.story import Link
from support import phase_oracle
from support.table.agenda_check import AgendaCheck
from support.table.step_replay import StepReplay


def open_in_memory(book: str, house: dict[str, Any], journal: MemoryJournal | None = None) -> Link:
    rules = Rules(rulebook(book), msgspec.convert({"rulebook": book, **house}, HouseRules))
    journal = MemoryJournal() if journal is None else journal
    sealer = Sealer(bytes(32), random.Random(1).randbytes)
    session = open_session(rules, journal, sealer)
    lines = JsonLines(session)
    replay = StepReplay(rules, journal, sealer)
    check_agenda = AgendaCheck(rules)

    def restart(_: list[str]) -> dict[str, Any]:
        """The process stops and comes back: all that is left is the journal."""
        nonlocal session, lines
        session = open_session(rules, journal, sealer)
        lines = JsonLines(session)
        check_phase()
        return {**pit(), "reason": None, "clause": None}

    def send(message: dict[str, Any]) -> dict[str, Any]:
        answer = plain(lines.answer(json.dumps(message).encode()))
        # After every single step the journal alone must lead to the same table.
        replay.check(session.machine.table)
        check_phase()
        return answer

    def check_phase() -> None:
        """Where the machine has got to is what an onlooker would say."""
        table = session.machine.table
        assert table.phase is phase_oracle.phase(rules.book, table)
        check_agenda(table)

    def pit() -> dict[str, Any]:
        return plain(audience.pit(session.machine.table, rules))

    def where() -> dict[str, list[str]]:
        table = session.machine.table
        in_play = table.round is not None and not table.round.over
        cards = table.round.cards if table.round and in_play else ()
        aside = [drawn for drawn in cards if drawn.hand is None]
        return {"aside": [drawn.card or "??" for drawn in (*table.carried, *aside)]}

    return Link(send, pit, where, restart)
