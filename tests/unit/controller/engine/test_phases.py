"""The one state machine: its rows, and that its phase is what an onlooker sees on the layout."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.engine.phases import ROWS, PhaseRow, Phases
from controller.round import position
from controller.table.commands.registry import REGISTRY
from controller.table.phases import AFTER_THE_CALL, Phase, RoundEvent
from controller.table.state import DayStage, GamingDay, Table
from drivers.cards import DECK
from support import phase_oracle
from support.rows import each_row
from support.table.bench import NATURAL, Bench, rules_of

BOOK = rules_of().book


def sources(row: PhaseRow) -> frozenset[Phase]:
    return row.source if isinstance(row.source, frozenset) else frozenset({row.source})


# --- the rows -----------------------------------------------------------------------------------


def test_every_happening_has_a_row_and_every_phase_is_reached() -> None:
    assert {row.trigger for row in ROWS} == set(RoundEvent)
    assert {row.dest for row in ROWS} == set(Phase)
    assert frozenset().union(*map(sources, ROWS)) == set(Phase), "and left again"


def test_every_guard_is_a_predicate_of_the_model_and_every_one_is_used() -> None:
    named = {guard for row in ROWS for guard in row.guards}
    predicates = {name for name in vars(Phases) if name.startswith(("is_", "has_", "needs_"))}
    assert named == predicates


def test_nothing_comes_after_what_is_left() -> None:
    """A row without guards always holds, so one behind it could never be taken."""
    taken: set[tuple[RoundEvent, Phase]] = set()
    for row in ROWS:
        for source in sources(row):
            assert (row.trigger, source) not in taken, row
            if not row.guards:
                taken.add((row.trigger, source))


def test_no_phase_is_reached_but_by_a_row() -> None:
    assert not [name for name in dir(Phases(BOOK)) if name.startswith("to_")]


def test_a_happening_with_no_row_here_leaves_the_phase() -> None:
    table = Table(day=GamingDay(DayStage.OPEN), happened=(RoundEvent.ROUND_SETTLED,))
    assert Phases(BOOK).after(Phase.READY, table) is Phase.READY


def test_several_happenings_of_one_step_are_taken_in_order() -> None:
    """The fourth card of a face-up round passes through revealing."""
    bench = Bench().deal(*NATURAL[:3])
    assert bench.phase == "dealing"
    bench.card(NATURAL[3])
    assert bench.phase == "outcome"


def test_what_leads_nowhere_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    """A card shown while others are due is no event of the log: there are six a round."""
    Bench().deal(*NATURAL)
    assert not caplog.records


def test_the_phase_a_step_starts_from_is_given() -> None:
    """One machine serves every step: the result of the last one does not count."""
    phases = Phases(BOOK)
    opened = Table(day=GamingDay(DayStage.OPEN), happened=(RoundEvent.TABLE_OPENED,))
    assert phases.after(Phase.CLOSED, opened) is Phase.CHANGING_SHOE
    assert phases.after(Phase.CLOSED, opened) is Phase.CHANGING_SHOE


def test_without_its_row_a_phase_is_not_left() -> None:
    rows = tuple(row for row in ROWS if row.trigger is not RoundEvent.TABLE_OPENED)
    opened = Table(day=GamingDay(DayStage.OPEN), happened=(RoundEvent.TABLE_OPENED,))
    assert Phases(BOOK, rows).after(Phase.CLOSED, opened) is Phase.CLOSED


@each_row(
    "command, event",
    [
        ("open_table", RoundEvent.TABLE_OPENED),
        ("open_betting", RoundEvent.BETTING_OPENED),
        ("close_betting", RoundEvent.BETTING_CLOSED),
        ("settle", RoundEvent.ROUND_SETTLED),
    ],
)
def test_a_command_is_legal_in_the_phases_that_its_event_leaves(
    command: str, event: RoundEvent
) -> None:
    left = frozenset().union(*(sources(row) for row in ROWS if row.trigger is event))
    assert REGISTRY[command].phases == left


# --- what an onlooker sees ----------------------------------------------------------------------


def onlooker(table: Table) -> Phase:
    return phase_oracle.phase(BOOK, table)


FACE = st.sampled_from(DECK).map(str)
ROUND = st.lists(FACE, min_size=6, max_size=6)


def play_on(bench: Bench, cards: list[str]) -> None:
    """Whatever is due is done, until the round is over; the onlooker agrees after every step."""
    bench.say("open_betting")
    bench.say("close_betting")
    while bench.phase not in ("ready", "changing_shoe"):
        assert bench.table.phase is onlooker(bench.table)
        due = position.due_card(BOOK, bench.round)
        if bench.state == "halted":
            return  # an irregularity has come up: the stories deal with them
        if bench.phase == "outcome":
            bench.say("announce")
        elif bench.phase == "settling":
            bench.say("settle")
        elif due is position.Due.EXPOSURE:
            hidden = next(d for d in bench.round.cards if not d.exposed)
            assert hidden.hand is not None
            bench.say("expose", hand=hidden.hand.value)
        else:
            bench.card(cards.pop(0))
    assert bench.table.phase is onlooker(bench.table)


@pytest.mark.parametrize("face", ["up", "down"])
@settings(max_examples=40)
@given(rounds=st.lists(ROUND, min_size=1, max_size=3))
def test_the_phase_is_what_an_onlooker_sees(face: str, rounds: list[list[str]]) -> None:
    bench = Bench(deal_face=face).open()
    assert bench.table.phase is onlooker(bench.table)
    for cards in rounds:
        if bench.state == "ready":
            play_on(bench, list(cards))


# --- when something went wrong ------------------------------------------------------------------


def reconstructed(*cards: str, order: list[int]) -> Bench:
    """Two cards came at once; their order is said, and the cards are laid by it."""
    bench = Bench().deal(*cards)
    bench.say("report", what="simultaneous", cards=sorted(order), order=order)
    bench.say("answer", value=True)
    bench.say("approve", "pia")
    assert bench.state == bench.phase, bench.table.case
    return bench


@each_row(
    "cards, order, phase",
    [
        (("9H", "2C"), [2, 1], "dealing"),
        (("2H", "9C", "KD", "6S"), [2, 1], "outcome"),
        (("KH", "9C", "KD", "5S"), [2, 1], "outcome"),
        (("6H", "KC", "5D", "KS"), [2, 1], "players_third"),
        (("KH", "6C", "KD", "2S"), [2, 1], "bankers_third"),
    ],
)
def test_cards_laid_anew_lead_to_the_phase_they_make(
    cards: tuple[str, ...], order: list[int], phase: str
) -> None:
    bench = reconstructed(*cards, order=order)
    assert bench.phase == phase == onlooker(bench.table).value


@each_row("phase", sorted(AFTER_THE_CALL, key=lambda each: each.value))
def test_a_void_round_leads_from_every_phase_to_the_next_round(phase: Phase) -> None:
    for closes in (True, False):
        table = Table(
            day=GamingDay(DayStage.CLOSED if closes else DayStage.OPEN),
            happened=(RoundEvent.ROUND_VOIDED,),
        )
        wanted = Phase.CLOSED if closes else Phase.CHANGING_SHOE
        assert Phases(BOOK).after(phase, table) is wanted
    ready = Bench().open().table
    voided = Table(
        day=GamingDay(DayStage.OPEN), shoe=ready.shoe, happened=(RoundEvent.ROUND_VOIDED,)
    )
    assert Phases(BOOK).after(phase, voided) is Phase.READY
