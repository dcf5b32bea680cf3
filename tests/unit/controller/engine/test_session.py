"""A session: opened where its journal stops, a checkpoint a shoe, the head kept a round."""

import pytest

from controller.engine.release import Release
from controller.engine.session import open_session
from controller.journal.errors import JournalUnwritable
from controller.journal.memory import MemoryJournal
from controller.journal.records import CHECKPOINT, RELEASE
from controller.messages.codes import Code
from controller.messages.sentence import sentence
from support.table.bench import NATURAL, Bench, rules_of, sealer_of


def kinds(bench: Bench) -> list[str]:
    return [record.kind for record in bench.journal.records()]


def test_a_table_goes_on_where_its_journal_stops() -> None:
    bench = Bench().deal("9H", "2C", wagers=(("ann", "player", 100),))
    before = bench.table
    bench.restart()
    assert bench.table.round == before.round
    assert bench.table.shoe == before.shoe
    assert bench.state == "suspended"
    assert bench.table.clocks.restarted_at == bench.at


def test_a_restart_is_a_step_of_its_own_and_is_recorded() -> None:
    bench = Bench().deal("9H")
    before = bench.journal.head.seq
    bench.restart()
    assert bench.journal.head.seq == before + 1
    assert b'"restarted"' in bench.bodies()[-1]


def test_a_second_restart_keeps_the_time_of_the_first() -> None:
    bench = Bench().deal("9H")
    bench.restart()
    first = bench.at
    bench.restart()
    assert bench.table.clocks.restarted_at == first


def test_a_table_that_was_closed_says_nothing_of_a_restart() -> None:
    journal = MemoryJournal()
    session = open_session(rules_of(), journal, sealer_of())
    assert [record.kind for record in journal.records()] == [RELEASE], "who decides, and no more"
    assert session.machine.state == "closed"


def test_who_takes_over_says_so_and_once() -> None:
    bench = Bench().deal("9H")
    first = bench.session
    assert first.took_over, "the journal was empty: nobody decided before"
    bench.restart()
    assert not bench.session.took_over
    later = open_session(bench.rules, bench.journal, bench.sealer, 50.0, Release("later"))
    assert later.took_over
    assert kinds(bench).count(RELEASE) == 2
    again = open_session(bench.rules, bench.journal, bench.sealer, 60.0, Release("later"))
    assert not again.took_over
    assert kinds(bench).count(RELEASE) == 2


def test_every_shoe_begins_with_a_checkpoint_and_the_head_is_kept() -> None:
    bench = Bench().open()
    assert kinds(bench)[-1] == CHECKPOINT
    assert bench.journal.kept == bench.journal.head
    bench.say("load_shoe", deck_set="red", verified_by="pia", cut=True)
    bench.say("approve", "pia")
    assert kinds(bench).count(CHECKPOINT) == 2


def test_the_head_is_kept_when_a_round_is_over_and_not_before() -> None:
    bench = Bench().deal(*NATURAL)
    kept = bench.journal.kept
    bench.say("announce")
    assert bench.journal.kept == kept
    bench.say("settle")
    assert bench.journal.kept == bench.journal.head


def test_a_void_round_is_over_too() -> None:
    bench = Bench().deal("9H")
    bench.say("report", what="wrong_count")
    bench.say("approve", "pia")
    assert bench.journal.kept == bench.journal.head


def test_a_journal_that_takes_nothing_any_more_stops_the_table_as_it_is() -> None:
    bench = Bench().open()
    before = bench.table
    bench.journal.fail("the disk is full")
    with pytest.raises(JournalUnwritable):
        bench.say("open_betting")
    assert bench.table is before


def test_a_table_played_under_what_no_book_allows_goes_on_with_a_notice() -> None:
    bench = Bench("rws-commission-baccarat-4", excess="burn").deal(*NATURAL)
    bench.card("4H")
    bench.restart()
    wants = sentence(Code.EXCESS_NOT_ALLOWED, policy="burn", clause="5.7")
    assert wants in bench.table.notices
    assert "excess_not_allowed" not in Bench(excess="burn").open().notices
