"""Replay: the same code comes to the same table, or says at which record it does not."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from controller.engine.release import Release, state_of_table
from controller.engine.replay import Diverged, Replayer, WrittenByNewer, check_version
from controller.engine.replay import replay as replayed
from controller.journal.errors import SealBroken
from controller.journal.records import (
    CHECKPOINT,
    EMPTY,
    RECORD_FORMAT,
    RELEASE,
    SUMMARY,
    Record,
    canonical,
    chain_entry,
)
from controller.journal.seal import Sealer
from controller.table.phases import Phase
from controller.table.state import Table
from support.table.bench import BOTH_DRAW, NATURAL, Bench, rules_of

LATER = Release("later")


@pytest.fixture
def bench() -> Bench:
    """A settled round face down, a refusal, an irregularity: something of everything."""
    bench = Bench(deal_face="down").deal(*BOTH_DRAW, wagers=(("ann", "player", 100),))
    bench.refused("settle")
    bench.say("expose", hand="player")
    bench.say("expose", hand="banker")
    bench.card("9H")
    bench.say("expose", hand="player")
    bench.say("report", what="uncovered")
    return bench


def records(bench: Bench) -> list[Record]:
    return list(bench.journal.records())


def changed(record: Record, **body: Any) -> Record:
    return replace(record, body=canonical({**msgspec.json.decode(record.body), **body}))


def replay(bench: Bench, found: list[Record]) -> Table:
    return replayed(bench.rules, found, bench.sealer)


def test_every_record_fed_again_comes_to_the_same_table(bench: Bench) -> None:
    assert replay(bench, records(bench)) == bench.table


def test_from_the_checkpoint_on_is_enough(bench: Bench) -> None:
    found = records(bench)
    at = next(n for n, each in enumerate(found) if each.kind == CHECKPOINT)
    assert at > 0
    assert replay(bench, found[at:]) == bench.table


@pytest.mark.parametrize(
    "body", [{"accepted": False}, {"state": "ready"}, {"clause": "9.9"}, {"opened": []}]
)
def test_a_record_that_says_something_else_is_named(bench: Bench, body: dict[str, Any]) -> None:
    found = records(bench)
    place = max(n for n, each in enumerate(found) if b'"expose"' in each.body)
    found[place] = changed(found[place], **body)
    with pytest.raises(Diverged, match=f"record {found[place].seq}:"):
        replay(bench, found)


def test_a_refusal_is_compared_by_its_code_and_gaps(bench: Bench) -> None:
    found = records(bench)
    place = next(n for n, each in enumerate(found) if b'"refused"' in each.body)
    found[place] = changed(found[place], refused={"code": "not_now", "gaps": {"phase": "ready"}})
    with pytest.raises(Diverged):
        replay(bench, found)


def test_a_checkpoint_that_differs_from_what_came_before_is_named(bench: Bench) -> None:
    found = records(bench)
    place = next(n for n, each in enumerate(found) if each.kind == CHECKPOINT)
    state = msgspec.json.decode(found[place].body)["table"]
    found[place] = changed(found[place], table={**state, "method": "A"})
    with pytest.raises(Diverged, match=f"record {found[place].seq}:"):
        replay(bench, found)


def test_a_summary_that_says_something_else_is_named() -> None:
    bench = Bench().deal(*NATURAL, wagers=(("ann", "player", 100),))
    bench.settle()
    found = records(bench)
    place = next(n for n, each in enumerate(found) if each.kind == SUMMARY)
    found[place] = changed(found[place], dealer="somebody else")
    with pytest.raises(Diverged, match=f"record {found[place].seq}:"):
        replay(bench, found)


# --- steps of another release -------------------------------------------------------------------


def test_what_another_release_decided_is_taken_and_not_judged(bench: Bench) -> None:
    assert replayed(bench.rules, records(bench), bench.sealer, LATER) == bench.table


def test_a_step_that_these_rules_would_refuse_stays_taken(bench: Bench) -> None:
    """The same words under a house that would not have taken the wager, nor dealt face down."""
    stricter = rules_of(deal_face="up", track_wagers=False, decks=6)
    assert replayed(stricter, records(bench), bench.sealer, LATER) == bench.table
    with pytest.raises(Diverged):
        replayed(stricter, records(bench), bench.sealer)


def test_whoever_took_over_last_wrote_the_state_down() -> None:
    """What lies before that nobody decides any more: only its sealed cards are opened."""
    bench = Bench(deal_face="down").deal(*BOTH_DRAW)
    taken_over = state_of_table(RELEASE, RECORD_FORMAT, LATER, bench.rules.house, bench.table)
    nonsense = [
        changed(each, **{"in": {"from": "staff", "do": "gibberish"}}) if n == 3 else each
        for n, each in enumerate(records(bench))
    ]
    found = [*nonsense, chain_entry(EMPTY, taken_over)]
    assert replayed(bench.rules, found, bench.sealer, LATER) == bench.table
    assert all(drawn.card is not None for drawn in bench.round.cards), "and all are hidden"


def test_a_newer_format_is_refused_and_not_guessed_at(bench: Bench) -> None:
    found = records(bench)
    newer = replace(found[-1], version=RECORD_FORMAT + 1)
    with pytest.raises(WrittenByNewer, match=f"record {newer.seq} has format {RECORD_FORMAT + 1}"):
        replay(bench, [*found[:-1], newer])
    check_version(found[-1])


def test_a_newer_checkpoint_is_refused_too(bench: Bench) -> None:
    (kept,) = [each for each in records(bench) if each.kind == CHECKPOINT]
    with pytest.raises(WrittenByNewer):
        replay(bench, [replace(kept, version=RECORD_FORMAT + 1)])


def test_sealed_cards_open_with_their_own_key_only(bench: Bench) -> None:
    other = Sealer(bytes([1] * 32), bytes)
    with pytest.raises(SealBroken):
        replayed(bench.rules, records(bench), other)


def test_one_that_begins_anew_stands_nowhere(bench: Bench) -> None:
    replaying = Replayer(bench.rules)
    for record in records(bench):
        replaying.step(record, bench.sealer)
    replaying.restart()
    assert replaying.table == Table()
    for record in Bench(deal_face="down").deal(*NATURAL).journal.records():
        replaying.step(record, bench.sealer)
    assert replaying.table.phase is Phase.REVEALING
