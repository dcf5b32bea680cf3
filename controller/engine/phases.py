"""The phase machine: which event of a step leads from which phase to which, and under which guards.

`ROWS` alone decides which phase may follow which. A step is first worked out on a value. The events
that it emitted then trigger the machine, and the guards judge the table the step would lead to. An
event without a row for the phase, or whose guards do not hold, leaves the phase as it is. Rows are
tried in order, so a row without guards is the default.

A face-up round passes through `revealing` within the step that deals the fourth card.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypedDict

from transitions import Machine

from controller.game.rulebook import Rulebook
from controller.round import position, shoe
from controller.round.position import Due
from controller.table.phases import AFTER_THE_CALL, ROUND_PHASES, Phase, RoundEvent
from controller.table.state import Table


@dataclass(frozen=True)
class PhaseRow:
    """One edge of the diagram."""

    trigger: RoundEvent
    source: Phase | frozenset[Phase]
    dest: Phase
    guards: tuple[str, ...] = ()
    """Methods of `Phases` that must all return true."""


_H, _P = RoundEvent, Phase

ROWS: tuple[PhaseRow, ...] = (
    # the table and its shoe
    PhaseRow(_H.TABLE_OPENED, _P.CLOSED, _P.READY, ("is_shoe_ready",)),
    PhaseRow(_H.TABLE_OPENED, _P.CLOSED, _P.CHANGING_SHOE),
    PhaseRow(_H.TABLE_CLOSED, _P.READY, _P.CLOSED),
    PhaseRow(_H.TABLE_CLOSED, _P.CHANGING_SHOE, _P.CLOSED),
    PhaseRow(_H.SHOE_LOADED, _P.CHANGING_SHOE, _P.READY, ("is_shoe_ready",)),
    PhaseRow(_H.SHOE_LOADED, _P.READY, _P.CHANGING_SHOE, ("needs_burn",)),
    PhaseRow(_H.CARD_BURNED, _P.CHANGING_SHOE, _P.READY, ("is_shoe_ready",)),
    PhaseRow(_H.SHOE_SPENT, _P.READY, _P.CHANGING_SHOE),
    # a round
    PhaseRow(_H.BETTING_OPENED, _P.READY, _P.BETTING),
    PhaseRow(_H.BETTING_CLOSED, _P.BETTING, _P.DEALING),
    PhaseRow(_H.CARD_LAID, _P.DEALING, _P.REVEALING, ("has_initial_deal",)),
    PhaseRow(_H.CARDS_SHOWN, _P.REVEALING, _P.PLAYERS_THIRD, ("needs_players_third",)),
    PhaseRow(_H.CARDS_SHOWN, _P.REVEALING, _P.BANKERS_THIRD, ("needs_bankers_third",)),
    PhaseRow(_H.CARDS_SHOWN, _P.REVEALING, _P.OUTCOME, ("has_complete_hands",)),
    PhaseRow(_H.CARDS_SHOWN, _P.PLAYERS_THIRD, _P.BANKERS_THIRD, ("needs_bankers_third",)),
    PhaseRow(_H.CARDS_SHOWN, _P.PLAYERS_THIRD, _P.OUTCOME, ("has_complete_hands",)),
    PhaseRow(_H.CARDS_SHOWN, _P.BANKERS_THIRD, _P.OUTCOME, ("has_complete_hands",)),
    PhaseRow(_H.OUTCOME_ANNOUNCED, _P.OUTCOME, _P.SETTLING),
    PhaseRow(_H.ROUND_SETTLED, _P.SETTLING, _P.CLOSED, ("is_table_closing",)),
    PhaseRow(_H.ROUND_SETTLED, _P.SETTLING, _P.READY, ("is_shoe_ready",)),
    PhaseRow(_H.ROUND_SETTLED, _P.SETTLING, _P.CHANGING_SHOE),
    # when something went wrong
    PhaseRow(_H.BETTING_REOPENED, AFTER_THE_CALL, _P.BETTING),
    PhaseRow(_H.RECONSTRUCTED, AFTER_THE_CALL, _P.REVEALING, ("needs_exposure",)),
    PhaseRow(_H.RECONSTRUCTED, AFTER_THE_CALL, _P.PLAYERS_THIRD, ("needs_players_third",)),
    PhaseRow(_H.RECONSTRUCTED, AFTER_THE_CALL, _P.BANKERS_THIRD, ("needs_bankers_third",)),
    PhaseRow(_H.RECONSTRUCTED, AFTER_THE_CALL, _P.OUTCOME, ("needs_announcement",)),
    PhaseRow(_H.ROUND_VOIDED, ROUND_PHASES, _P.CLOSED, ("is_table_closing",)),
    PhaseRow(_H.ROUND_VOIDED, ROUND_PHASES, _P.READY, ("is_shoe_ready",)),
    PhaseRow(_H.ROUND_VOIDED, ROUND_PHASES, _P.CHANGING_SHOE),
)


class Phases:
    """The phase machine of one table. It is the machine's model: it holds the phase and the guards.

    The library adds `state`, `trigger`, and for each event a method and `may_<event>`.
    """

    state: Phase
    trigger: Callable[[str, Table], bool]

    def __init__(self, book: Rulebook, rows: tuple[PhaseRow, ...] | None = None) -> None:
        self._book = book
        self._machine = Machine(
            model=self,
            states=Phase,
            transitions=[_transition(row) for row in (ROWS if rows is None else rows)],
            initial=Phase.CLOSED,
            auto_transitions=False,
        )
        self._events = {phase: frozenset(self._machine.get_triggers(phase)) for phase in Phase}

    def after(self, phase: Phase, table: Table) -> Phase:
        """The phase that the events of a step lead to, `table` being what the step leads to."""
        if self.state is not phase:
            self._machine.set_state(phase, self)
        for event in table.happened:
            if event.value in self._events[self.state]:  # any other is an error to the library
                self.trigger(event.value, table)
        return self.state

    # --- guards ------------------------------------------------------------------------------

    def is_shoe_ready(self, table: Table) -> bool:
        return shoe.is_ready(table)

    def needs_burn(self, table: Table) -> bool:
        return not shoe.is_ready(table)

    def is_table_closing(self, table: Table) -> bool:
        return not table.day.is_open

    def has_initial_deal(self, table: Table) -> bool:
        return self._due(table) is not Due.CARD

    def needs_exposure(self, table: Table) -> bool:
        return self._due(table) is Due.EXPOSURE

    def needs_players_third(self, table: Table) -> bool:
        return self._due(table) is Due.PLAYERS_THIRD

    def needs_bankers_third(self, table: Table) -> bool:
        return self._due(table) is Due.BANKERS_THIRD

    def has_complete_hands(self, table: Table) -> bool:
        return self._due(table) is Due.NOTHING

    def needs_announcement(self, table: Table) -> bool:
        round_ = table.round
        return round_ is not None and not round_.announced and self.has_complete_hands(table)

    def _due(self, table: Table) -> Due:
        """What the round waits for; the round caches it."""
        round_ = table.round
        return Due.CARD if round_ is None else position.due_card_in_public(self._book, round_)


class TransitionRow(TypedDict):
    """The arguments of `Machine.add_transition`."""

    trigger: str
    source: Phase | list[Phase]
    dest: Phase
    conditions: list[str]


def _transition(row: PhaseRow) -> TransitionRow:
    return {
        "trigger": row.trigger.value,
        "source": list(row.source) if isinstance(row.source, frozenset) else row.source,
        "dest": row.dest,
        "conditions": list(row.guards),
    }
