"""Facts: worked out from what lies exposed, or asked of a person."""

from typing import Any

from msgspec.structs import replace

from controller.cases import facts
from controller.game.hands import Side
from controller.game.irregularities import COMPUTED, Fact, Ruling
from controller.table.cards import Drawn
from controller.table.case import Case, ReportedFacts
from drivers.cards import Card
from support.rows import each_row
from support.table.bench import BOTH_DRAW, NATURAL, Bench


def fits(bench: Bench, fact: Fact, *, case: Case | None = None) -> bool | Fact:
    ruling = Ruling("1", (), when={fact: True})
    return facts.fits_row(bench.table, case or Case("x", "dan"), ruling, bench.rules)


def down(*cards: str) -> Bench:
    return Bench(deal_face="down").deal(*cards)


def over() -> Bench:
    bench = Bench().deal(*NATURAL)
    bench.settle()
    return bench


def method_c() -> Bench:
    bench = Bench(hlga=True).open()
    bench.say("method", "ada", method="C", drawer="ann")
    return bench.deal("9H", wagers=(("ann", "player", 100),))


@each_row(
    "fact, holds, not_yet",
    [
        (Fact.BETS_CLOSED, lambda: Bench().deal(), lambda: Bench().bet()),
        (Fact.FIRST_CARD_DEALT, lambda: Bench().deal("9H"), lambda: Bench().deal()),
        (Fact.FIRST_CARD_DEALT, lambda: Bench().deal("9H"), over),
        (Fact.CARD_EXPOSED, lambda: Bench().deal("9H"), lambda: down("9H")),
        (Fact.OUTCOME_ESTABLISHED, lambda: Bench().deal(*NATURAL), lambda: Bench().deal("9H")),
        (Fact.OUTCOME_ESTABLISHED, lambda: Bench().deal(*NATURAL), lambda: down(*NATURAL)),
        (Fact.PLAYER_DRAWS, method_c, lambda: Bench().deal("9H")),
        (Fact.ROUND_IN_PLAY, lambda: Bench().bet(), over),
        (Fact.AFTER_THE_CALL, lambda: Bench().deal(), lambda: Bench().bet()),
        (Fact.AFTER_THE_CALL, lambda: Bench().deal(), over),
        (Fact.HANDS_COMPLETE, lambda: Bench().deal(*NATURAL), lambda: Bench().deal(*BOTH_DRAW)),
        (Fact.HANDS_COMPLETE, lambda: Bench().deal(*NATURAL), lambda: down(*NATURAL)),
    ],
)
def test_what_lies_there_says_it(fact: Fact, holds: Any, not_yet: Any) -> None:
    assert fits(holds(), fact) is True
    assert fits(not_yet(), fact) is False


def test_without_a_round_nothing_of_one_holds() -> None:
    bench = Bench().open()
    for fact in COMPUTED - {Fact.INITIAL_DEAL}:
        assert fits(bench, fact) is False


@each_row("cards, initial", [((), True), ((5,), False), ((4, 5), True), ((1,), True)])
def test_a_card_of_the_initial_deal_is_among_the_first_four(
    cards: tuple[int, ...], initial: bool
) -> None:
    """Where none is named it is the last two drawn."""
    bench = Bench().deal(*BOTH_DRAW, "4H")
    case = Case("x", "dan", about=ReportedFacts(cards=cards))
    assert fits(bench, Fact.INITIAL_DEAL, case=case) is initial


def test_places_count_from_the_rounds_own_first_card() -> None:
    bench = over()
    bench.deal(*BOTH_DRAW, "4H")
    assert [drawn.n for drawn in bench.round.cards] == [5, 6, 7, 8, 9]
    for card, initial in ((7, True), (9, False)):
        case = Case("x", "dan", about=ReportedFacts(cards=(card,)))
        assert fits(bench, Fact.INITIAL_DEAL, case=case) is initial


@each_row("round_, earlier", [(None, False), (2, False), (1, True)])
def test_a_case_is_of_an_earlier_round_if_it_names_one(round_: int | None, earlier: bool) -> None:
    bench = over()
    bench.bet()
    case = Case("x", "dan", about=ReportedFacts(round=round_))
    assert facts.is_of_earlier_round(bench.table, case) is earlier


def test_what_the_device_has_read_nobody_is_asked() -> None:
    read, unread = down("9H", "2C"), down("9H", "??")
    assert fits(read, Fact.VALUE_KNOWN) is True
    assert fits(unread, Fact.VALUE_KNOWN) is Fact.VALUE_KNOWN
    banker = Case("x", "dan", about=ReportedFacts(hand=Side.BANKER))
    player = Case("x", "dan", about=ReportedFacts(hand=Side.PLAYER))
    assert fits(unread, Fact.VALUE_KNOWN, case=banker) is Fact.VALUE_KNOWN
    assert fits(unread, Fact.VALUE_KNOWN, case=player) is True


def test_where_all_cards_are_dealt_face_up_none_is_so_by_mistake() -> None:
    assert fits(Bench().deal("9H"), Fact.DEALT_FACE_UP) is False
    assert fits(down("9H"), Fact.DEALT_FACE_UP) is Fact.DEALT_FACE_UP


@each_row("fact", [fact for fact in Fact if fact not in COMPUTED])
def test_what_cannot_be_worked_out_is_asked(fact: Fact) -> None:
    bench = down("??")
    assert fits(bench, fact) is fact
    for value in (True, False):
        case = Case("x", "dan", facts={fact.value: value})
        assert fits(bench, fact, case=case) is value


def test_what_is_known_already_to_be_otherwise_asks_nobody() -> None:
    bench = Bench().bet()
    ruling = Ruling("1", (), when={Fact.BETS_CLOSED: True, Fact.BELONGS: True})
    assert facts.fits_row(bench.table, Case("x", "dan"), ruling, bench.rules) is False
    assert facts.fits_row(bench.table, Case("x", "dan"), Ruling("1", ()), bench.rules) is True


def test_cards_that_came_together_are_those_named_or_the_last_two() -> None:
    round_ = Bench().deal("2H", "KC", "3D").round
    assert facts.affected_cards(round_, Case("x", "dan")) == (2, 3)
    assert facts.affected_cards(round_, Case("x", "dan", about=ReportedFacts(cards=(1,)))) == (1,)
    assert facts.affected_cards(None, Case("x", "dan")) == ()


def test_a_card_that_lies_aside_from_before_is_not_what_an_altered_order_doubts() -> None:
    # Reading 21: a report that names none doubts all; the card too many has its own report.
    bench = Bench("rws-commission-baccarat-4").deal(*NATURAL)
    round_ = replace(
        bench.round, cards=(*bench.round.cards, Drawn(5, Card("3D"), None, exposed=False))
    )
    cannot = {Fact.RECONSTRUCTABLE.value: False}
    altered = Case("order_altered", "dan", facts=cannot)
    assert facts.doubtful_cards(round_, altered, bench.rules) == (1, 2, 3, 4, 5)
    too_many = Case("excess_card", "dan", facts=cannot)
    assert facts.doubtful_cards(round_, too_many, bench.rules) == (5,)


def test_where_cards_cannot_be_put_right_those_that_were_named_are_in_doubt() -> None:
    bench = Bench().deal(*NATURAL)
    cannot = {Fact.RECONSTRUCTABLE.value: False}
    about = ReportedFacts(cards=(2,))
    case = Case("order_altered", "dan", about=about, facts=cannot)
    assert facts.doubtful_cards(bench.round, case, bench.rules) == (2,)
