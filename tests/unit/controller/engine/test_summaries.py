"""A round in one record: result, cards, void, rulings, corrections, money, dealer, records."""

from typing import Any

import msgspec

from controller.engine.summaries import RejectedPart, RoundSummary, WagerTotals
from controller.journal.records import STEP, SUMMARY, Record
from support.rows import each_row
from support.table.bench import BOTH_DRAW, NATURAL, Bench

WAGERS = (("ann", "player", 100), ("bob", "banker", 200), ("cho", "player", 50))


def records(bench: Bench) -> list[Record]:
    return [each for each in bench.journal.records() if each.kind == SUMMARY]


def summaries(bench: Bench) -> list[RoundSummary]:
    return [msgspec.json.decode(each.body, type=RoundSummary) for each in records(bench)]


def settled(**house: Any) -> Bench:
    bench = Bench(**house).deal(*NATURAL, wagers=WAGERS)
    bench.settle()
    return bench


def test_a_round_ends_with_its_summary_in_the_append_of_its_last_step() -> None:
    bench = settled()
    *_, step, kept = bench.journal.records()
    assert (step.kind, kept.kind) == (STEP, SUMMARY)
    assert (kept.shoe, kept.round) == (1, 1)
    (found,) = summaries(bench)
    assert (found.result, found.void) == (bench.table.history.results[-1], None)
    assert [*found.player, *found.banker] == [NATURAL[0], NATURAL[2], NATURAL[1], NATURAL[3]]
    assert (found.deck_set, found.method) == ("blue", bench.round.method)


def test_stakes_and_payments_are_counted_by_the_kind_of_wager() -> None:
    bench = settled()
    (found,) = summaries(bench)
    paid = {each.id: each for each in bench.round.paid}
    assert set(found.wagers) == {"player", "banker"}
    ours = [paid[wager.id] for wager in bench.round.wagers if wager.wager == "player"]
    assert found.wagers["player"] == WagerTotals(
        2, 150, sum(each.pays for each in ours), sum(each.returned for each in ours)
    )
    assert found.wagers["player"].kept + found.wagers["banker"].kept == 350 - sum(
        each.pays + each.returned for each in bench.round.paid
    )


def test_it_names_its_first_and_last_record() -> None:
    bench = settled()
    (found,) = summaries(bench)
    by_number = {each.seq: each for each in bench.journal.records()}
    assert b'"open_betting"' in by_number[found.first].body
    assert b'"settle"' in by_number[found.last].body
    assert records(bench)[0].seq == found.last + 1


def test_the_dealer_is_who_opened_the_betting_and_not_who_spoke_last() -> None:
    bench = Bench().deal("9H", wagers=WAGERS)
    bench.say("report", what="wrong_count")
    bench.say("approve", "pia")
    (found,) = summaries(bench)
    assert found.void is not None
    assert found.dealer == "dan", "the void was approved by somebody else"
    assert found.result is None
    assert [each.clause for each in found.rulings] == [found.void]
    assert all(each.kept == 0 for each in found.wagers.values())


def test_a_card_that_was_never_exposed_is_not_told() -> None:
    bench = Bench(deal_face="down").deal(*BOTH_DRAW, wagers=WAGERS)
    bench.say("report", what="wrong_count")
    bench.say("approve", "pia")
    (found,) = summaries(bench)
    assert [*found.player, *found.banker] == [None] * 4
    assert not any(card in records(bench)[0].body.decode() for card in BOTH_DRAW)


def test_a_correction_writes_another_that_names_the_one_it_supersedes() -> None:
    bench = settled()
    n = bench.round.cards[0].n
    was = bench.round.cards[0].card
    bench.say("correct", n=n, card="8D", reason="misread")
    assert len(records(bench)) == 1, "asking changes nothing"
    bench.say("approve", "pia")
    first, second = summaries(bench)
    assert second.supersedes == records(bench)[0].seq
    assert first.supersedes is None
    assert second.corrected
    (made,) = second.corrections
    assert (made.n, made.was, made.now) == (n, was, "8D")
    assert (made.by, made.approved_by, made.reason) == ("dan", "pia", "misread")
    assert (second.first, second.began, second.ended) == (first.first, first.began, first.ended)
    assert second.last > first.last


def test_a_settled_round_that_becomes_void_gets_another() -> None:
    bench = settled()
    bench.say("report", what="uncovered")
    bench.say("decide", "gus", text="it does not stand", outcome="void")
    first, *_, last = summaries(bench)
    assert (first.void, first.result is None) == (None, False)
    assert (last.void is None, last.result) == (False, None)
    assert last.supersedes is not None


def test_a_round_that_becomes_void_at_the_next_shoe_is_still_of_its_own() -> None:
    bench = settled()
    bench.device("cut_card")
    bench.load(deck_set="red")
    assert len(records(bench)) == 1, "a new shoe says nothing about the last round"
    bench.say("report", what="uncovered")
    bench.say("decide", "gus", text="it does not stand", outcome="void")
    first, last = summaries(bench)
    assert (first.shoe, first.deck_set, first.void) == (1, "blue", None)
    assert (last.shoe, last.round, last.deck_set) == (1, 1, "blue")
    assert (last.void, last.result, last.supersedes) == ("6.1", None, records(bench)[0].seq)
    assert last.player == first.player
    assert {each.returned for each in last.wagers.values()} == {150, 200}
    bench.say("open_betting")
    assert bench.table.history.gone is None


def test_a_part_that_was_rejected_is_told_with_its_clause() -> None:
    bench = Bench("rws-commission-baccarat-4", differential=500).bet(("ann", "player", 900))
    bench.say("report", what="differential")
    bench.say("decide", text="over", outcome="remove", remove=[{"id": "w1", "amount": 400}])
    bench.say("close_betting")
    bench.card(*NATURAL)
    bench.settle()
    (found,) = summaries(bench)
    assert found.rejected == [RejectedPart("w1", "ann", "player", 400, "5.1")]
    assert found.wagers["player"].staked == 500


def test_a_foreign_card_found_on_a_settled_round_settles_nothing_anew() -> None:
    bench = settled()
    first = bench.table.history.results[-1]
    bench.say("report", what="foreign_card", cards=[bench.round.cards[0].n])
    assert (bench.table.rulings[-1].clause, bench.table.case) == ("5.1.2", None)
    assert {each.result for each in summaries(bench)} == {first}
    assert not any(each.corrected for each in summaries(bench))


def test_what_changes_nothing_of_the_round_writes_none() -> None:
    bench = settled()
    bench.device("lid_open")
    bench.device("lid_closed")
    bench.say("resume", "pia")
    assert len(records(bench)) == 1


@each_row("ref", ["studio-17/0042", "9", "A" * 64])
def test_the_name_a_round_has_elsewhere_goes_through(ref: str) -> None:
    bench = Bench().open()
    bench.say("open_betting", ref=ref)
    assert bench.round.ref == ref
    bench.say("close_betting")
    bench.card(*NATURAL)
    bench.settle()
    (found,) = summaries(bench)
    assert found.ref == ref
    bench.say("open_betting")
    assert bench.round.ref is None, "it was the name of one round"


@each_row("ref", ["", " ", "two words", "A" * 65, "=cmd()", 7, "line\nbreak"])
def test_a_name_that_other_systems_could_stumble_over_is_refused(ref: object) -> None:
    bench = Bench().open()
    bench.refused("open_betting", ref=ref)
    bench.say("open_betting")
