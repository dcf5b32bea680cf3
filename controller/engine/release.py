"""The release and the rules that decide steps.

Each record of a step was decided by one release under one configuration. In replay the same pair
decides the step again and must get the same result; any other pair applies the recorded effect and
does not judge it. So a release that opens the journal of another records that it takes over, and
the state that it found.
"""

from typing import Final

import msgspec

from controller.engine.effects import PlainState, state
from controller.journal.bodies import HasBody
from controller.journal.records import Entry, canonical
from controller.table.rules import HouseRules
from controller.table.state import Table


class CannotGoOn(Exception):
    """This release cannot open the journal; the text states why, and what to do."""


class RulesChanged(CannotGoOn):
    """The cards on the table are played by a rulebook that the configuration does not name."""


class Release(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    version: str = ""
    """The version; empty in memory, where nothing outlives the program."""
    decides: str = ""
    """A digest of the code and of the configuration that decide steps."""
    rulebook: str = ""


class StateOfTable(msgspec.Struct, frozen=True):
    """The body of a checkpoint, and of the record by which a release takes over."""

    release: Release
    house: msgspec.Raw
    """The house's options within the rulebook, for readers."""
    table: msgspec.Raw
    """The table in the format of the release that wrote it."""

    def plain(self) -> PlainState:
        return PlainState(msgspec.json.decode(self.table))


def state_of_table(
    kind: str, version: int, release: Release, house: HouseRules, table: Table
) -> Entry:
    """The complete state between two steps, without hidden cards."""
    written = [msgspec.Raw(canonical(each)) for each in (house, state(table).fields)]
    body = canonical(StateOfTable(release, *written))
    return Entry(kind, version, table.at, table.history.shoes, table.history.rounds, body)


_STATE: Final = msgspec.json.Decoder(StateOfTable)


def state_of(record: HasBody) -> StateOfTable:
    """The state in a checkpoint, or in the record of a takeover."""
    return _STATE.decode(record.body)


NAMELESS: Final = Release()


def check_rulebook(now: Table, before: Release | None, after: Release) -> None:
    """Refuse a change of rulebook unless the table is closed: cards in play keep their rules."""
    if now.day.is_open and before is not None and before.rulebook != after.rulebook:
        raise RulesChanged(
            f"the table is open and plays by {before.rulebook}, and the configuration says "
            f"{after.rulebook}: put {before.rulebook} back, close the table, then change it"
        )
