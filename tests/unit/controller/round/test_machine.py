"""The machine as data: built as it must be, and every state x trigger pair walked."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from transitions import Machine

from controller.game.hands import Side
from controller.journal.records import Entry
from controller.journal.seal import Sealer
from controller.round import machine
from controller.round.machine import MOVES, TRIGGERS, State
from controller.round.rules import House, Message, Rules
from controller.round.state import Case, Drawn, Round, Shoe, Table, Wager
from controller.round.words import WORDS
from controller.rulebooks import rulebook
from controller.table import TableMachine

RULES = Rules(rulebook("mbs-baccarat-8"), House("mbs-baccarat-8", burn="none"))
SHOE = Shoe(1, "blue", 8, "shuffler", burn_left=0)
WAGER = Wager("w1", "ann", 1, "banker", 2000)


def drawn(*codes: str) -> tuple[Drawn, ...]:
    """Cards as they lie face up, in drawn order."""
    sides = (Side.PLAYER, Side.BANKER, Side.PLAYER, Side.BANKER, Side.PLAYER)
    return tuple(
        Drawn(n, code, side, exposed=True)
        for n, (code, side) in enumerate(zip(codes, sides, strict=False), start=1)
    )


def hidden(*codes: str) -> tuple[Drawn, ...]:
    return tuple(
        Drawn(d.n, d.card, d.hand, exposed=False, commitment="c", salt="00") for d in drawn(*codes)
    )


def in_round(cards: tuple[Drawn, ...] = (), **more: object) -> Table:
    settings = {"betting": False, "wagers": (WAGER,), **more}
    round_ = Round(1, "B", face_down=any(not d.exposed for d in cards), cards=cards, **settings)
    return Table(opened=True, method="B", shoe=SHOE, shoes=1, rounds=1, round=round_)


READY = Table(opened=True, method="B", shoe=SHOE, shoes=1)
TABLES = {
    State.CLOSED: Table(),
    State.CHANGING_SHOE: Table(opened=True, method="B"),
    State.READY: READY,
    State.BETTING: in_round(betting=True),
    State.DEALING: in_round(drawn("2H")),
    State.REVEALING: in_round(hidden("2H", "KC", "3D", "6S")),
    State.PLAYERS_THIRD: in_round(drawn("2H", "KC", "3D", "6S")),
    State.BANKERS_THIRD: in_round(drawn("6H", "KC", "KD", "5S")),
    State.OUTCOME: in_round(drawn("9H", "KC", "KD", "5S")),
    State.SETTLING: in_round(drawn("9H", "KC", "KD", "5S"), announced=True),
    State.HALTED: Table(
        opened=True,
        method="B",
        shoe=SHOE,
        shoes=1,
        rounds=1,
        round=in_round(drawn("2H")).round,
        case=Case("simultaneous", "d1", asked="order_known", role="dealer"),
    ),
    State.SUSPENDED: Table(
        opened=True, suspended=True, shoe=SHOE, shoes=1, round=in_round(drawn("2H")).round
    ),
}
GIVEN = {
    "load_shoe": {"deck_set": "red", "verified_by": "pia", "cut": True},
    "method": {"method": "B"},
    "place": {"player": "bob", "wager": "tie", "amount": 100, "position": 2},
    "raise": {"id": "w1", "amount": 100},
    "withdraw": {"id": "w1"},
    "expose": {"hand": "player"},
    "reveal_first": {"hand": "player"},
    "accept_cards": {"hand": "player", "player": "ann"},
    "refuse_cards": {"hand": "player", "player": "ann"},
    "report": {"what": "uncovered"},
    "answer": {"value": False},
    "decide": {"text": "so be it"},
    "correct": {"n": 1, "card": "3H", "reason": "misread"},
    "enter_card": {"card": "3H"},
}


def message(word: str) -> Message:
    """The word as somebody who may do anything would say it."""
    speaker = WORDS[word].speakers[0]
    if speaker == "staff":
        who = {"who": "g1", "role": "gaming_shift_manager"}
        return Message(speaker, do=word, given=GIVEN.get(word, {}), at=1.0, **who)
    card = "5H" if word in ("card", "excess") else None
    return Message(speaker, event=word, card=card, code=9, winner="banker", at=1.0)


def table_in(state: State) -> tuple[TableMachine, list[Entry]]:
    records: list[Entry] = []
    sealer = Sealer(bytes(32), random.Random(1).randbytes)
    return TableMachine(RULES, records.append, sealer, TABLES[state]), records


@pytest.mark.parametrize("state", State)
def test_each_state_fits_what_the_table_knows(state: State) -> None:
    assert table_in(state)[0].state is state


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("state", State)
def test_every_pair_moves_as_the_rows_say_or_is_refused_and_recorded(
    state: State, word: str
) -> None:
    table, records = table_in(state)
    before = table.table
    answer = table.handle(message(word))
    assert len(records) == 1, "every step is one record"
    if word not in MOVES[state]:
        assert not answer.accepted
        assert "not now" in (answer.reason or "")
    if answer.accepted:
        assert table.state in (state, *MOVES[state][word])
    else:
        assert answer.reason
        assert table.table is before
        assert table.state is state


def legal_moves() -> Iterator[tuple[State, str]]:
    for state in State:
        for word in MOVES[state]:
            yield state, word


def test_most_legal_moves_are_taken_from_the_plain_tables_above() -> None:
    """Guards the walk itself: if the tables above went stale everything would be refused."""
    taken = sum(table_in(state)[0].handle(message(word)).accepted for state, word in legal_moves())
    assert taken > len(list(legal_moves())) * 0.7


def test_words_and_triggers_are_the_same() -> None:
    assert set(TRIGGERS) == set(WORDS)


def test_every_callback_has_a_name_that_resolves() -> None:
    names = {
        row[key] for row in machine.transitions() for key in ("conditions", "after") if key in row
    }
    assert all(callable(getattr(TableMachine, name)) for name in (*names, "journal"))


def test_every_guarded_row_is_followed_by_the_refusal() -> None:
    rows: dict[tuple[str, State], list[dict[str, object]]] = {}
    for row in machine.transitions():
        rows.setdefault((row["trigger"], row["source"]), []).append(row)
    for alternatives in rows.values():
        assert "conditions" not in alternatives[-1]
        assert alternatives[-1]["after"] == "leave_as_is"
        assert all(row["conditions"] == "leads_here" for row in alternatives[:-1])


def test_machine_is_built_with_no_way_round_the_rows() -> None:
    table, _ = table_in(State.READY)
    assert not hasattr(table, "to_SETTLING")
    built = table._machine
    assert isinstance(built, Machine)
    assert built.send_event
    assert not built.has_queue
    assert not built.ignore_invalid_triggers


def test_failing_journal_leaves_everything_as_it_was() -> None:
    def full(_: Entry) -> None:
        raise OSError("disk full")

    table = TableMachine(RULES, full, Sealer(bytes(32), random.Random(1).randbytes), READY)
    with pytest.raises(OSError, match="disk full"):
        table.handle(message("open_betting"))
    assert table.state is State.READY
    assert table.table is READY


def test_diagram_in_the_readme_is_drawn_from_the_rows() -> None:
    readme = (Path(__file__).parents[4] / "README.md").read_text("utf-8")
    assert f"```mermaid\n{machine.diagram()}\n```" in readme
