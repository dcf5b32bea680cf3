"""One step: judged, worked out on a value, recorded, then taken; every word in every phase."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from controller.engine.phases import ROWS
from controller.engine.session import Session
from controller.engine.step import TableMachine
from controller.game.hands import Side
from controller.game.irregularities import Fact
from controller.game.roles import Role
from controller.journal.memory import MemoryJournal
from controller.journal.records import CHECKPOINT, RECORD_FORMAT, STEP, Entry, Record
from controller.messages.codes import Code
from controller.messages.sentence import sentence
from controller.table.agenda.order import has_holds, may_be_sent
from controller.table.cards import Drawn
from controller.table.case import AwaitsFact, Case
from controller.table.commands.message import Message, new_message
from controller.table.commands.registry import REGISTRY, Payload
from controller.table.holds import Hold, HoldReason
from controller.table.phases import Phase
from controller.table.state import (
    AnnouncedStage,
    BettingStage,
    CardCountCheck,
    DayStage,
    DealingStage,
    GamingDay,
    PlacedWager,
    PlayHistory,
    PlaySettings,
    Round,
    Shoe,
    Table,
    change_part,
)
from drivers.cards import Card
from support.rows import each_row
from support.table.bench import NATURAL, Bench, code, rules_of, sealer_of, why

RULES = rules_of()
SHOE = Shoe(1, "blue", 8, "shuffler", burn_left=0)
WAGER = PlacedWager("w1", "ann", 1, "banker", 2000)
ORDER = (Side.PLAYER, Side.BANKER, Side.PLAYER, Side.BANKER, Side.PLAYER)


def lying(*codes: str, exposed: bool = True) -> tuple[Drawn, ...]:
    """Cards in drawn order, on the hands they belong to."""
    sealed: dict[str, Any] = {} if exposed else {"commitment": "c", "salt": "00"}
    return tuple(
        Drawn(n, Card(card), side, exposed=exposed, **sealed)
        for n, (card, side) in enumerate(zip(codes, ORDER, strict=False), start=1)
    )


OPEN = Table(phase=Phase.CHANGING_SHOE, day=GamingDay(DayStage.OPEN), play=PlaySettings("B"))
READY = replace(OPEN, phase=Phase.READY, shoe=SHOE, history=PlayHistory(shoes=1))


def in_round(phase: Phase, cards: tuple[Drawn, ...] = (), **more: Any) -> Table:
    settings: dict[str, Any] = {"stage": DealingStage(), "wagers": (WAGER,), **more}
    face_down = any(not d.exposed for d in cards)
    round_ = Round(1, "B", face_down=face_down, cards=cards, **settings)
    return replace(READY, phase=phase, history=PlayHistory(1, 1), round=round_)


DEALING = in_round(Phase.DEALING, lying("2H"))
CASE = Case("simultaneous", "d1", awaits=AwaitsFact(Fact.ORDER_KNOWN, Role.DEALER), asker="d1")
STANDS = {
    "closed": Table(),
    "changing_shoe": OPEN,
    "ready": READY,
    "betting": in_round(Phase.BETTING, stage=BettingStage()),
    "dealing": DEALING,
    "revealing": in_round(Phase.REVEALING, lying("2H", "KC", "3D", "6S", exposed=False)),
    "players_third": in_round(Phase.PLAYERS_THIRD, lying("2H", "KC", "3D", "6S")),
    "bankers_third": in_round(Phase.BANKERS_THIRD, lying("6H", "KC", "KD", "5S")),
    "outcome": in_round(Phase.OUTCOME, lying("9H", "KC", "KD", "5S")),
    "settling": in_round(Phase.SETTLING, lying("9H", "KC", "KD", "5S"), stage=AnnouncedStage()),
    "halted by a case": replace(DEALING, case=CASE),
    "halted by a latch": replace(DEALING, latches=(Hold(HoldReason.PAUSED),)),
    "halted by a doubt": change_part(
        DEALING, "card_count", stage=CardCountCheck(sentence(Code.SHOE_EVENTS_LOST))
    ),
    "suspended": change_part(DEALING, "clocks", restarted_at=0.0),
}
"""A plain table for every phase and every way to be held."""

GIVEN: dict[str, dict[str, Any]] = {
    "load_shoe": {"deck_set": "red", "verified_by": "pia", "cut": True},
    "limits": {"minimum": 100},
    "swap_device": {"device": "shoe", "identity": "usb", "asset": "S2", "reason": "jammed"},
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
    "option": {"choice": "play", "player": "ann"},
    "decide": {"text": "so be it"},
    "correct": {"n": 1, "card": "3H", "reason": "misread"},
    "enter_card": {"card": "3H"},
    "count": {"cards": 1},
    "card": {"card": "5H"},
    "excess": {"card": "5H"},
    "excess_named": {"card": "5H"},
    "result": {"winner": "banker"},
    "error": {"code": 9},
    "noted": {"what": "a door"},
}


def said(verb: str) -> Message[Payload]:
    """The word as somebody who may do anything would say it."""
    source = REGISTRY[verb].speakers[0]
    who = {"who": "g1", "role": "gaming_shift_manager"} if source == "staff" else {}
    return new_message(source, verb, at=1.0, **who, **GIVEN.get(verb, {}))


def table_at(now: Table, journal: MemoryJournal | None = None) -> Session:
    return Session(TableMachine(RULES, sealer_of(), now), journal or MemoryJournal())


def edges() -> set[tuple[Phase, Phase]]:
    return {
        (source, row.dest)
        for row in ROWS
        for source in (row.source if isinstance(row.source, frozenset) else (row.source,))
    }


@each_row("verb", REGISTRY)
def test_every_word_is_carried_out_or_refused_and_recorded(verb: str) -> None:
    for stands, now in STANDS.items():
        is_carried_out_or_refused_and_recorded(verb, now, stands)


def is_carried_out_or_refused_and_recorded(verb: str, now: Table, stands: str) -> None:
    session = table_at(now)
    answer = session.handle(said(verb))
    table, records = session.machine, list(session.journal.records())
    assert [each.kind for each in records].count(STEP) == 1, f"{stands}: every step is one record"
    body = msgspec.json.decode(records[0].body)
    assert body["accepted"] is answer.accepted, stands
    if not may_be_sent(REGISTRY[verb], now):
        refused = Code.NOT_WHILE_HELD if has_holds(now) else Code.NOT_NOW
        assert why(answer) == sentence(refused, phase=now.phase), "a phase, and not a held state"
    if answer.accepted:
        ends = table.table.phase
        assert ends is now.phase or (now.phase, ends) in edges()
        assert table.table.happened == (), "nothing is left over for the next step"
    else:
        assert table.table is now
        assert body["refused"] == {"code": why(answer).code, "gaps": why(answer).params}


def legal() -> Iterator[tuple[str, str]]:
    for stands, now in STANDS.items():
        yield from ((stands, verb) for verb, spec in REGISTRY.items() if may_be_sent(spec, now))


def test_most_legal_words_are_taken_from_the_plain_tables_above() -> None:
    """Guards the walk itself: if the tables above went stale everything would be refused."""
    found = list(legal())
    taken = sum(table_at(STANDS[stands]).handle(said(verb)).accepted for stands, verb in found)
    assert taken > len(found) * 0.7


def test_every_word_can_be_said_somewhere() -> None:
    assert {verb for _, verb in legal()} == set(REGISTRY)


# --- in which order -----------------------------------------------------------------------------


class Watching(MemoryJournal):
    """Notes where the table stands when its records are appended, or fails."""

    def __init__(self) -> None:
        super().__init__()
        self.table = table_at(READY, self)
        self.seen: list[Table] = []
        self.full = False

    def append(self, *entries: Entry) -> list[Record]:
        if self.full:
            raise OSError("disk full")
        self.seen.append(self.table.machine.table)
        return super().append(*entries)


def test_a_decision_alone_changes_nothing() -> None:
    machine = table_at(READY).machine
    answer, (entry,) = machine.decide(said("open_betting"))
    assert (answer.table.phase, entry.kind) == (Phase.BETTING, STEP)
    assert machine.table is READY


def test_the_record_is_down_before_anything_is_taken() -> None:
    journal = Watching()
    journal.table.handle(said("open_betting"))
    assert journal.seen == [READY]
    assert journal.table.machine.table.phase is Phase.BETTING


@pytest.mark.parametrize("verb", ["open_betting", "close_betting"])
def test_an_append_that_fails_leaves_everything_as_it_was(verb: str) -> None:
    """Also for a step that would be refused: what is not on disk was never said."""
    journal = Watching()
    journal.full = True
    with pytest.raises(OSError, match="disk full"):
        journal.table.handle(said(verb))
    assert journal.table.machine.table is READY
    assert journal.table.machine.state == "ready"


def test_a_table_goes_on_after_an_append_that_failed_once() -> None:
    journal = Watching()
    journal.full = True
    with pytest.raises(OSError, match="disk full"):
        journal.table.handle(said("open_betting"))
    journal.full = False
    assert journal.table.handle(said("open_betting")).accepted


def test_a_clock_that_was_put_back_undoes_nothing() -> None:
    bench = Bench().open()
    bench.hear(new_message("system", "notice", at=1000.0, says="late"))
    bench.at = 10.0
    bench.say("open_betting")
    assert bench.table.at == 1000.0
    *_, record = bench.journal.records()
    assert record.at == 1000.0


# --- who may say what ---------------------------------------------------------------------------


def test_a_word_of_somebody_else_is_refused_by_both_names() -> None:
    answer = Bench().open().not_taken(new_message("shoe", "open_betting"))
    assert why(answer) == sentence(Code.NOT_YOUR_WORD, speaker="shoe", word="open_betting")


def test_what_is_not_now_is_refused_before_its_fields_are_looked_at() -> None:
    bench = Bench()
    assert code(bench.refused("open_betting", anyway=True)) == "not_now"
    bench.open()
    assert code(bench.refused("open_betting", anyway=True)) == "no_such_field"


def test_people_count_before_they_say_anything_else() -> None:
    bench = Bench().deal("9H")
    bench.device("events_lost")
    for verb in ("expose", "report", "suspend", "decide"):
        assert code(bench.refused(verb, **GIVEN.get(verb, {}))) == "count_first"
    bench.device("lid_open")
    bench.say("count", cards=1)


def test_a_text_that_is_no_card_is_refused_and_recorded() -> None:
    bench = Bench().deal()
    assert (
        code(bench.not_taken(new_message("shoe", "card", card="joker")))
        == "field_not_as_it_must_be"
    )


# --- what is recorded and answered --------------------------------------------------------------


def test_a_record_has_the_step_its_state_its_clause_and_its_place() -> None:
    bench = Bench().deal(*NATURAL)
    bench.say("report", what="uncovered")
    *_, record = bench.journal.records()
    body = msgspec.json.decode(record.body)
    assert (body["state"], body["clause"]) == ("halted", "6.1")
    assert (record.kind, record.version, record.shoe, record.round) == ("step", RECORD_FORMAT, 1, 1)
    assert record.at == bench.at
    bench.say("decide", "gus", text="it stands")
    body = msgspec.json.decode(bench.bodies()[-1])
    assert (body["state"], body["clause"]) == ("outcome", "6.1"), "of the case that it closed"


def test_cards_are_opened_once_in_the_record_of_the_step_that_shows_them() -> None:
    bench = Bench().deal("9H", "2C")
    opened = [msgspec.json.decode(body).get("opened", []) for body in bench.bodies()[-2:]]
    assert [[each["card"] for each in cards] for cards in opened] == [["9H"], ["2C"]]


def test_a_refusal_is_recorded_as_code_gaps_and_clause_and_no_sentence() -> None:
    bench = Bench().bet()
    bench.refused("place", player="ann", wager="player", amount=1, position=99)
    body = msgspec.json.decode(bench.bodies()[-1])
    assert body["refused"] == {"code": "no_such_position", "gaps": {"position": 99}}
    assert body["clause"] == bench.rules.book.layouts[0].clause
    assert "state" not in body


def test_a_shoe_begins_with_the_table_itself_in_the_append_of_its_step() -> None:
    bench = Bench().open()
    *_, step, kept = bench.journal.records()
    assert (step.kind, kept.kind) == (STEP, CHECKPOINT)
    assert msgspec.convert(msgspec.json.decode(kept.body)["table"], Table) == bench.table


def test_an_answer_tells_state_and_prompt_of_the_table_it_led_to() -> None:
    bench = Bench()
    answer = bench.say("open_table", "pia")
    bench.say("load_shoe", deck_set="blue", verified_by="pia", cut=True)
    assert answer.state == "changing_shoe"
    assert answer.prompt.do.code == "prompt_load_shoe"


# --- time ---------------------------------------------------------------------------------------


def offered(**house: Any) -> Bench:
    bench = Bench(option_timeout_s=30.0, **house).deal("9H", "2C", wagers=(("ann", "tie", 100),))
    bench.say("report", what="simultaneous", cards=[1, 2], order=[1, 2])
    bench.say("answer", value=True)
    assert bench.state == "halted"
    return bench


def test_a_choice_that_comes_too_late_is_refused() -> None:
    bench = offered()
    late = new_message("player", "option", who="ann", choice="withdraw", at=bench.at + 100)
    assert code(bench.not_taken(late)) == "nothing_offered"


@pytest.mark.parametrize(("by", "verb"), [("system", "time_is_up"), ("shoe", "unlocked")])
def test_an_offer_that_has_run_its_time_is_closed_by_what_comes_next(by: str, verb: str) -> None:
    """A word for a held table is judged before time is taken: what ends the offer finds it open."""
    bench = offered()
    assert bench.hear(new_message(by, verb, at=bench.at + 100)).accepted
    assert bench.state == "dealing"
    (wager,) = bench.round.wagers
    assert wager.returned_by is None, "silence plays on"
