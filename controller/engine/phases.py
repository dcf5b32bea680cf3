"""The one state machine: which happening leads from which phase to which, and by which guards.

Everything that says which phase may follow which is in `ROWS`. A word is carried out first, on a
value; what it did to the round (`Happening`) fires the machine, and the guards ask the table the
step would lead to. A happening with no row, or whose guards do not hold, leaves the phase as it is.
Rows are tried in order, so a row without guards is what is left.

Cards that lie face up pass through `revealing` in the step that lays the fourth.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from transitions import Event, Machine, Transition
from transitions.core import Condition

from controller.game.rulebook import Rulebook
from controller.round import position, shoe
from controller.round.position import Due
from controller.table.phases import AFTER_THE_CALL, PHASE_NAMES, ROUND_PHASES, Happening, Phase
from controller.table.state import Table


@dataclass(frozen=True)
class PhaseRow:
    """One edge of the drawing."""

    trigger: Happening
    source: Phase | frozenset[Phase]
    dest: Phase
    guards: tuple[str, ...] = ()


_H, _P = Happening, Phase

ROWS: tuple[PhaseRow, ...] = (
    # the table and its shoe
    PhaseRow(_H.TABLE_OPENED, _P.CLOSED, _P.READY, ("the_shoe_is_ready",)),
    PhaseRow(_H.TABLE_OPENED, _P.CLOSED, _P.CHANGING_SHOE),
    PhaseRow(_H.TABLE_CLOSED, _P.READY, _P.CLOSED),
    PhaseRow(_H.TABLE_CLOSED, _P.CHANGING_SHOE, _P.CLOSED),
    PhaseRow(_H.SHOE_LOADED, _P.CHANGING_SHOE, _P.READY, ("the_shoe_is_ready",)),
    PhaseRow(_H.SHOE_LOADED, _P.READY, _P.CHANGING_SHOE, ("cards_are_to_be_burned",)),
    PhaseRow(_H.CARD_BURNED, _P.CHANGING_SHOE, _P.READY, ("the_shoe_is_ready",)),
    PhaseRow(_H.SHOE_SPENT, _P.READY, _P.CHANGING_SHOE),
    # a round
    PhaseRow(_H.BETTING_OPENED, _P.READY, _P.BETTING),
    PhaseRow(_H.BETTING_CLOSED, _P.BETTING, _P.DEALING),
    PhaseRow(_H.CARD_LAID, _P.DEALING, _P.REVEALING, ("the_initial_deal_lies",)),
    PhaseRow(_H.CARDS_SHOWN, _P.REVEALING, _P.PLAYERS_THIRD, ("the_player_draws",)),
    PhaseRow(_H.CARDS_SHOWN, _P.REVEALING, _P.BANKERS_THIRD, ("the_banker_draws",)),
    PhaseRow(_H.CARDS_SHOWN, _P.REVEALING, _P.OUTCOME, ("the_hands_are_complete",)),
    PhaseRow(_H.CARDS_SHOWN, _P.PLAYERS_THIRD, _P.BANKERS_THIRD, ("the_banker_draws",)),
    PhaseRow(_H.CARDS_SHOWN, _P.PLAYERS_THIRD, _P.OUTCOME, ("the_hands_are_complete",)),
    PhaseRow(_H.CARDS_SHOWN, _P.BANKERS_THIRD, _P.OUTCOME, ("the_hands_are_complete",)),
    PhaseRow(_H.OUTCOME_ANNOUNCED, _P.OUTCOME, _P.SETTLING),
    PhaseRow(_H.ROUND_SETTLED, _P.SETTLING, _P.CLOSED, ("the_table_closes",)),
    PhaseRow(_H.ROUND_SETTLED, _P.SETTLING, _P.READY, ("the_shoe_is_ready",)),
    PhaseRow(_H.ROUND_SETTLED, _P.SETTLING, _P.CHANGING_SHOE),
    # when something went wrong
    PhaseRow(_H.BETTING_REOPENED, AFTER_THE_CALL, _P.BETTING),
    PhaseRow(_H.RECONSTRUCTED, AFTER_THE_CALL, _P.REVEALING, ("the_initial_deal_lies_face_down",)),
    PhaseRow(_H.RECONSTRUCTED, AFTER_THE_CALL, _P.PLAYERS_THIRD, ("the_player_draws",)),
    PhaseRow(_H.RECONSTRUCTED, AFTER_THE_CALL, _P.BANKERS_THIRD, ("the_banker_draws",)),
    PhaseRow(_H.RECONSTRUCTED, AFTER_THE_CALL, _P.OUTCOME, ("the_outcome_is_to_be_announced",)),
    PhaseRow(_H.ROUND_VOIDED, ROUND_PHASES, _P.CLOSED, ("the_table_closes",)),
    PhaseRow(_H.ROUND_VOIDED, ROUND_PHASES, _P.READY, ("the_shoe_is_ready",)),
    PhaseRow(_H.ROUND_VOIDED, ROUND_PHASES, _P.CHANGING_SHOE),
)


# A member is looked for anew wherever it is named: these are named at every card.
_CARD, _EXPOSURE, _NOTHING = Due.CARD, Due.EXPOSURE, Due.NOTHING
_PLAYERS_THIRD, _BANKERS_THIRD = Due.PLAYERS_THIRD, Due.BANKERS_THIRD


class Guards:
    """What the guards ask, of the table the step would lead to. The machine's model."""

    state: str
    """A phase by its value: the library takes half as long again over enum members."""

    table: Table

    def __init__(self, book: Rulebook) -> None:
        self._book = book

    def the_shoe_is_ready(self) -> bool:
        return shoe.is_ready(self.table)

    def cards_are_to_be_burned(self) -> bool:
        return not shoe.is_ready(self.table)

    def the_table_closes(self) -> bool:
        return not self.table.opened

    def the_initial_deal_lies(self) -> bool:
        return self._due() is not _CARD

    def the_initial_deal_lies_face_down(self) -> bool:
        return self._due() is _EXPOSURE

    def the_player_draws(self) -> bool:
        return self._due() is _PLAYERS_THIRD

    def the_banker_draws(self) -> bool:
        return self._due() is _BANKERS_THIRD

    def the_hands_are_complete(self) -> bool:
        return self._due() is _NOTHING

    def the_outcome_is_to_be_announced(self) -> bool:
        round_ = self.table.round
        return round_ is not None and not round_.announced and self.the_hands_are_complete()

    def _due(self) -> Due:
        """Row after row asks it of the same round, which keeps it."""
        round_ = self.table.round
        return _CARD if round_ is None else position.standing(self._book, round_).called_for


class _Guard(Condition):
    """A function of the model, which need not be looked for by its name."""

    func: Callable[[Guards], bool]


class _Taken(Transition):
    """A row that was come to."""

    condition_cls = _Guard
    conditions: list[_Guard]  # type: ignore[assignment]  # of its own class


class _Fired(Event):
    """A happening that was fired: the rows that leave this phase, in order, until one is taken."""

    transitions: dict[str, list[_Taken]]  # type: ignore[assignment]  # of the machine's own class

    def trigger(self, model: Any, *_: Any, **__: Any) -> bool:
        for row in self.transitions[model.state]:
            for guard in row.conditions:
                if not guard.func(model):
                    break
            else:
                model.state = row.dest
                return True
        return False


class _PhaseMachine(Machine):
    """Nothing is queued, nothing hangs on its hooks, and what it does is in the journal. The queue,
    the chains of callbacks with the data made for them, and the log lines that the library puts
    around each change for whoever needs them would take longer than all the rest of it."""

    event_cls = _Fired
    transition_cls = _Taken


class Phases:
    """The machine at work: one for a table, asked at every step that did something."""

    def __init__(self, book: Rulebook, rows: tuple[PhaseRow, ...] | None = None) -> None:
        self._guards = Guards(book)
        self._guards.state = PHASE_NAMES[Phase.CLOSED]
        self._leaves = _leaves(ROWS if rows is None else rows)

    def after(self, phase: Phase, table: Table) -> Phase:
        """The phase that what happened leads to."""
        guards = self._guards
        guards.table = table
        guards.state = PHASE_NAMES[phase]
        for happening in table.happened:
            event = self._leaves[guards.state].get(happening)
            if event is not None:
                event.trigger(guards)
        return _PHASES[guards.state]


_PHASES: Final = {name: phase for phase, name in PHASE_NAMES.items()}


@cache
def _leaves(rows: tuple[PhaseRow, ...]) -> dict[str, dict[Happening, Event]]:
    """What leaves each phase. One machine serves every table that goes by these rows: all that is a
    table's own is in its model. Asked first: the library warns of every trigger that has no row
    where it stands."""
    machine = _PhaseMachine(
        model=None,
        states=list(_PHASES),
        transitions=list(_transitions(rows)),
        initial=PHASE_NAMES[Phase.CLOSED],
        auto_transitions=False,
        queued=False,
    )
    leaves: dict[str, dict[Happening, Event]] = {name: {} for name in _PHASES}
    for row in rows:
        for source in _sources(row):
            leaves[PHASE_NAMES[source]][row.trigger] = machine.events[row.trigger.value]
    return leaves


def _transitions(rows: tuple[PhaseRow, ...]) -> Iterator[dict[str, Any]]:
    for row in rows:
        for source in _sources(row):
            yield {
                "trigger": row.trigger.value,
                "source": PHASE_NAMES[source],
                "dest": PHASE_NAMES[row.dest],
                "conditions": [getattr(Guards, guard) for guard in row.guards],
            }


def _sources(row: PhaseRow) -> frozenset[Phase]:
    """The phases it leaves; one that it would lead back to is not left."""
    sources = row.source if isinstance(row.source, frozenset) else frozenset({row.source})
    return sources - {row.dest}


_SETS = {
    ROUND_PHASES: ("round", "any phase of a round"),
    AFTER_THE_CALL: ("after_the_call", "any phase after the call"),
}
"""What many phases at once are drawn as, so that an edge for each need not be."""


def diagram() -> str:
    """The rows as a Mermaid diagram: one edge from phase to phase, with all that leads along it."""
    edges: dict[tuple[str, str], list[str]] = {}
    for row in ROWS:
        source = _SETS[row.source][0] if isinstance(row.source, frozenset) else row.source.value
        edges.setdefault((source, row.dest.value), []).append(_label(row))
    lines = ["stateDiagram-v2", *(f"    {name}: {text}" for name, text in _SETS.values())]
    lines.append(f"    [*] --> {Phase.CLOSED.value}")
    lines += [
        f"    {source} --> {dest}: {'<br/>'.join(labels)}"
        for (source, dest), labels in edges.items()
    ]
    return "\n".join(lines)


def _label(row: PhaseRow) -> str:
    guards = " and ".join(guard.replace("_", " ") for guard in row.guards)
    return row.trigger.value.replace("_", " ") + (f" [{guards}]" if guards else "")
