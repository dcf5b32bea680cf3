"""What is derived from records alone, held to the table that wrote them."""

from collections import Counter

from controller.engine.hold_list import hold_views
from controller.engine.replay import Replayer
from controller.engine.summaries import RoundSummary
from controller.floor.projections.hold_tracker import Followed
from controller.floor.projections.record_projection import UNREADABLE, Derived, take
from controller.floor.store.severity import Severity
from controller.journal.records import CHECKPOINT, SUMMARY, Entry, Head, Record, chain_entry
from controller.table.holds import HoldReason
from judge.erring.ways import WAYS
from support.floor.erring import erring_table, sealer
from support.rows import each_row
from support.table.bench import NATURAL, Bench

DEEP = b'{"more":' + b"[" * 5000 + b"]" * 5000 + b"}"
"""Nested deeper than a reader goes."""


@each_row("way", range(len(WAYS)))
def test_open_exceptions_are_the_tables_own_holds_after_every_record(way: int) -> None:
    records, rules = erring_table(way, 1)
    followed, derived, table = Followed(), Derived(), Replayer(rules)
    compared = 0
    for record in records:
        take(record, followed, derived)
        table.step(record, sealer())
        if not followed.house:
            continue
        wanted = Counter((hold.cause, hold.since) for hold in hold_views(table.table, rules))
        assert Counter((each.what, each.since) for each in followed.open) == wanted, record.seq
        compared += bool(wanted)
        for hold in hold_views(table.table, rules):
            told = next(
                each
                for (_, key), each in derived.exceptions.items()
                if (key.what, key.since) == (hold.cause, hold.since)
            )
            role = None if hold.role is None else hold.role.value
            assert (told.sentence, told.clause, told.role) == (hold.text, hold.clause, role)
            assert told.severity is Severity.STOPPED
    assert compared, "nothing went wrong at this table"
    assert not any(each.kind == UNREADABLE for each in derived.exceptions.values())
    still = {each.key for each in followed.open}
    opened = {key for _, key in derived.exceptions}
    assert opened == still | {each.hold.key for each in derived.closed}


def test_rounds_are_the_tables_summaries() -> None:
    records, _ = erring_table(0, 2)
    derived, followed = Derived(), Followed()
    for record in records:
        take(record, followed, derived)
    assert [row.seq for row in derived.rounds] == [r.seq for r in records if r.kind == SUMMARY]
    for row in derived.rounds:
        told = row.summary
        staked = sum(each.staked for each in told.wagers.values())
        assert told.drop == (0 if told.void else staked)
        assert row.rulebook == ""  # nobody's release, in memory


def told(bench: Bench) -> Derived:
    followed, derived = Followed(), Derived()
    for record in bench.journal.records():
        take(record, followed, derived)
    return derived


def test_devices_are_counted_by_their_words() -> None:
    bench = Bench()
    bench.say("open_table", "pia")
    bench.say("load_shoe", deck_set="blue", verified_by="pia", cut=True)
    bench.say("approve", "pia")
    bench.say("open_betting")
    bench.say("close_betting")
    for code in NATURAL[:3]:
        bench.device("card", card=code)
    bench.device("read_failed")
    bench.device("link_lost")
    bench.device("link_up")
    (count,) = told(bench).devices.values()
    assert (count.cards, count.misreads, count.link_losses) == (4, 1, 1)


def test_lost_journal_is_an_alarm() -> None:
    bench = Bench()
    bench.say("open_table", "pia")
    bench.say("load_shoe", deck_set="blue", verified_by="pia", cut=True)
    bench.say("approve", "pia")
    bench.device("journal_loss", "system", says="gone")
    found = told(bench).exceptions.values()
    assert [(each.what, each.severity, each.second) for each in found] == [
        (HoldReason.JOURNAL_LOSS.value, Severity.ALARM, True)
    ]


@each_row("kind", ["step", SUMMARY, CHECKPOINT])
@each_row("body", [b"", b"{}", b"\xff", b"[1]", b'{"in":{"from":7}}', DEEP])
def test_unreadable_record_is_told_and_the_next_is_read(kind: str, body: bytes) -> None:
    first = chain_entry(Head(0, bytes(32)), Entry(kind, 1, 5.0, 1, 1, body))
    derived, followed = Derived(), Followed()
    take(first, followed, derived)
    (row,) = derived.exceptions.values()
    assert (row.kind, row.seq) == (UNREADABLE, 1)
    records, _ = erring_table(0, 2)
    for record in records:
        take(record, followed, derived)
    assert derived.rounds


def test_record_of_another_kind_says_nothing() -> None:
    derived = Derived()
    take(Record("keys", 4, 1.0, 0, 0, b"anything", seq=1, digest=b""), Followed(), derived)
    assert derived == Derived()


def test_summary_is_of_the_tables_own_type() -> None:
    records, _ = erring_table(0, 2)
    derived, followed = Derived(), Followed()
    for record in records:
        take(record, followed, derived)
    assert all(isinstance(row.summary, RoundSummary) for row in derived.rounds)
