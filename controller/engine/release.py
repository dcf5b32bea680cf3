"""Who decides: which release, by which rules.

Each record of a step was decided by one release under one configuration. The same two decide it
again in replay and must come to the same; any other takes the recorded effect and judges nothing.
So a release that finds the table in another's hands writes down that it takes over, and the state
in which it found it.
"""

from typing import Final

import msgspec

from controller.engine.effects import PlainState, state
from controller.journal.bodies import HasBody
from controller.journal.records import Entry, canonical
from controller.table.rules import HouseRules
from controller.table.state import Table


class CannotGoOn(Exception):
    """Why this release cannot open the journal, and what to do."""


class RulesChanged(CannotGoOn):
    """The cards on the table are played by another rulebook than the configuration names."""


class Release(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    version: str = ""
    """As it is called; empty in memory, where nothing outlives the program."""
    decides: str = ""
    """A digest of the code and of the configuration that decide."""
    rulebook: str = ""


class StateOfTable(msgspec.Struct, frozen=True):
    """The body of a checkpoint, and of the record by which a release takes over."""

    release: Release
    house: msgspec.Raw
    """What the house chose within the rulebook, so that whoever reads knows."""
    table: msgspec.Raw
    """In the form of the release that wrote it."""

    def plain(self) -> PlainState:
        return PlainState(msgspec.json.decode(self.table))


def state_of_table(
    kind: str, version: int, release: Release, house: HouseRules, table: Table
) -> Entry:
    """All that is carried from one step to the next, with no hidden card in it."""
    written = [msgspec.Raw(canonical(each)) for each in (house, state(table).fields)]
    body = canonical(StateOfTable(release, *written))
    return Entry(kind, version, table.at, table.history.shoes, table.history.rounds, body)


_STATE: Final = msgspec.json.Decoder(StateOfTable)


def state_of(record: HasBody) -> StateOfTable:
    """What a checkpoint, or a release that took over, has written down."""
    return _STATE.decode(record.body)


NAMELESS: Final = Release()


def check_rulebook(now: Table, before: Release | None, after: Release) -> None:
    """Another rulebook comes to a closed table, and never to cards that are being played."""
    if now.day.is_open and before is not None and before.rulebook != after.rulebook:
        raise RulesChanged(
            f"the table is open and plays by {before.rulebook}, and the configuration says "
            f"{after.rulebook}: put {before.rulebook} back, close the table, then change it"
        )
