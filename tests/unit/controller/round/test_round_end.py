"""The end of a round: announced, settled, void, settled anew, and what follows it."""

import pytest
from msgspec.structs import replace

from controller.game.money.rounding import Rounding
from controller.round import position, round_end
from controller.table.refused import Refused
from controller.table.state import SettledStage, change_part
from controller.views import audience
from controller.views.structs.encoding import plain
from support.rows import each_row
from support.table.bench import BOTH_DRAW, NATURAL, Bench, code

WAGERS = (("ann", "player", 1000), ("bob", "banker", 1000), ("cem", "tie", 100))


def paid(bench: Bench) -> dict[str, tuple[str, int, int]]:
    return {each.player: (each.result, each.pays, each.returned) for each in bench.round.paid}


def test_totals_may_be_announced_while_cards_are_due_and_nothing_changes() -> None:
    bench = Bench().deal(*BOTH_DRAW)
    bench.say("announce")
    assert bench.phase == "players_third"
    assert not bench.round.announced


def test_every_wager_is_paid_or_collected_and_the_road_has_a_token() -> None:
    bench = Bench().deal(*NATURAL, wagers=WAGERS)
    bench.settle()
    assert paid(bench) == {
        "ann": ("win", 1000, 1000),
        "bob": ("lose", 0, 0),
        "cem": ("lose", 0, 0),
    }
    assert bench.table.history.results == ("P",)
    assert bench.round.over
    assert bench.phase == "ready"


@each_row(
    "cards, token",
    [
        (NATURAL, "P"),
        (("2H", "9C", "KD", "KS"), "B"),
        (("9H", "9C", "KD", "KS"), "T"),
        (("4H", "2C", "4D", "KS"), "Pp"),
        (("9H", "KC", "KD", "KS"), "Pb"),
        (("4H", "KC", "4D", "KS"), "Pbp"),
    ],
)
def test_a_token_tells_who_won_and_which_hands_were_pairs(
    cards: tuple[str, ...], token: str
) -> None:
    bench = Bench().deal(*cards)
    bench.settle()
    assert bench.table.history.results == (token,)


def test_a_void_round_gives_every_wager_back_and_has_no_token() -> None:
    bench = Bench().deal("9H", wagers=WAGERS)
    bench.say("report", what="wrong_count")
    bench.say("approve", "pia")
    assert {who: each[2] for who, each in paid(bench).items()} == {
        "ann": 1000,
        "bob": 1000,
        "cem": 100,
    }
    assert all(each[:2] == ("push", 0) for each in paid(bench).values())
    assert bench.round.void_by == "5.1.1"
    assert bench.table.history.results == ()
    assert bench.phase == "ready"


def corrected(card: str, n: int = 4) -> Bench:
    """A settled round, then a card of it is another."""
    bench = Bench().deal(*NATURAL, wagers=WAGERS)
    bench.settle()
    bench.say("correct", n=n, card=card, reason="misread")
    return bench


def test_a_corrected_result_supersedes_the_published_one() -> None:
    bench = corrected("7S")
    bench.say("approve", "pia")
    assert paid(bench)["cem"] == ("win", 800, 100)
    assert paid(bench)["ann"] == ("push", 0, 1000)
    assert [each.result for each in bench.round.superseded] == ["win", "lose", "lose"]
    assert bench.table.history.results == ("T",)
    assert bench.round.interventions.corrected


def test_a_second_correction_is_compared_with_the_first_settlement() -> None:
    bench = corrected("7S")
    bench.say("approve", "pia")
    bench.say("correct", n=4, card="6S", reason="it was right")
    bench.say("approve", "pia")
    assert [each.result for each in bench.round.superseded] == ["win", "lose", "lose"]
    assert paid(bench)["ann"] == ("win", 1000, 1000)


def test_a_correction_that_leaves_a_card_due_is_a_wrong_number_of_cards() -> None:
    bench = Bench().deal("8H", "2C", "KD", "5S")
    bench.settle()
    bench.say("correct", n=1, card="2H", reason="a two")
    bench.say("approve", "pia")
    case = bench.table.case
    assert case is not None
    assert (case.id, case.clause) == ("wrong_number", "6.1")
    assert [drawn.card for drawn in bench.round.cards] == ["8H", "2C", "KD", "5S"], "until decided"


def test_a_wager_that_went_back_is_told_with_its_clause() -> None:
    bench = Bench().deal("9H", "2C", wagers=WAGERS)
    bench.say("report", what="simultaneous")
    bench.say("answer", order=[1, 2])
    bench.player("option", "ann", choice="withdraw")
    bench.say("close_offer", "pia")
    bench.card("KD", "6S")
    bench.settle()
    (ann,) = [each for each in bench.round.paid if each.player == "ann"]
    assert (ann.result, ann.returned, ann.clause) == ("push", 1000, "5.8.1")


def test_what_cannot_be_paid_in_whole_units_needs_a_rounding_rule() -> None:
    bench = Bench().deal("2H", "9C", "KD", "KS", wagers=(("bob", "banker", 1),))
    bench.say("announce")
    dealt = position.dealt_round(bench.rules.book, bench.round)
    exact = replace(bench.table, round=change_part(bench.round, "terms", rounding=Rounding.EXACT))
    with pytest.raises(Refused) as refused:
        round_end.settlement(exact, dealt, bench.rules)
    assert refused.value.reason.code == "payment_not_whole"


def test_a_wager_under_the_minimum_passes_once_and_the_player_is_remembered() -> None:
    bench = Bench(minimum=1000).open()
    for warned, result in ((("ann",), "win"), ((), "push")):
        bench.bet(("ann", "player", 500))
        bench.say("close_betting", anyway=True)
        bench.card(*NATURAL)
        bench.settle()
        settled = bench.round.stage
        assert isinstance(settled, SettledStage)
        assert settled.warned == warned
        assert paid(bench)["ann"][0] == result
    assert bench.table.day.under_minimum_before == ("ann",)


def test_the_device_is_lost_with_the_drawers_wager() -> None:
    for wager, keeps in (("player", "ann"), ("banker", None)):
        bench = Bench(hlga=True).open()
        bench.say("method", "ada", method="C", drawer="ann")
        bench.deal(*NATURAL, wagers=(("ann", wager, 1000),))
        bench.say("expose", hand="player")
        bench.say("expose", hand="banker")
        bench.settle()
        assert bench.table.play.drawer == keeps


# --- chips that move after a settlement ---------------------------------------------------------


def correct(bench: Bench, n: int, card: str) -> None:
    bench.say("correct", n=n, card=card, reason="misread")
    bench.say("approve", "pia")


def moves(bench: Bench) -> list[tuple[str, str, int, str | None]]:
    rows = plain(audience.pit(bench.table, bench.rules))["chips"]
    return [(each["from"], each["to"], each["amount"], each["clause"]) for each in rows]


def test_a_corrected_settlement_says_which_chips_move() -> None:
    """Player 9, Banker 8 becomes a tie, and then Banker 9 to Player 8."""
    bench = Bench().deal(*NATURAL, wagers=WAGERS)
    bench.settle()
    assert moves(bench) == []
    correct(bench, 4, "7S")
    tie = [
        ("ann", "house", 1000, "4.1"),
        ("house", "bob", 1000, "4.1"),
        ("house", "cem", 900, "4.1"),
    ]
    assert moves(bench) == tie
    bench.restart()
    assert moves(bench) == tie
    correct(bench, 1, "8H")
    since = [
        ("ann", "house", 1000, "4.1"),
        ("house", "bob", 950, "4.1"),
        ("cem", "house", 900, "4.1"),
    ]
    assert moves(bench) == [*tie, *since], "each against what lay there before"
    assert bench.table.notices[-1].code == "chips_from_player"


def test_a_void_after_the_settlement_moves_chips_too() -> None:
    bench = Bench("rws-commission-baccarat-4").deal(*NATURAL, wagers=WAGERS)
    bench.settle()
    lies = {"player": [1, 2, 3], "banker": [4]}
    bench.say("report", what="wrong_number", lies=lies, facts={"reconstructable": False})
    bench.say("approve", "pia")
    assert moves(bench) == [
        ("ann", "house", 1000, "5.15"),
        ("house", "bob", 1000, "5.15"),
        ("house", "cem", 100, "5.15"),
    ]


def test_a_void_before_the_settlement_moves_none() -> None:
    bench = Bench().deal("9H", wagers=WAGERS)
    bench.say("report", what="wrong_count")
    bench.say("approve", "pia")
    assert moves(bench) == []


def test_many_moves_are_one_notice_and_a_list() -> None:
    wagers = tuple((f"p{n}", "player", 100) for n in range(1, 15))
    bench = Bench(track_wagers=True, positions=14).deal(*NATURAL, wagers=wagers)
    bench.settle()
    correct(bench, 4, "7S")
    assert len(moves(bench)) == 14
    assert [note.code for note in bench.table.notices][-1] == "chips_move"


def test_nothing_is_paid_while_a_correction_waits() -> None:
    bench = Bench().deal(*NATURAL, wagers=WAGERS)
    bench.say("announce")
    bench.say("correct", n=4, card="7S", reason="misread")
    assert code(bench.refused("settle")) == "second_person_first"
    bench.restart()
    bench.say("answer", "pia", value=False)
    assert code(bench.refused("settle")) == "second_person_first"
    bench.say("approve", "paul")
    bench.settle()
    assert {who: result for who, (result, *_) in paid(bench).items()} == {
        "ann": "push",
        "bob": "push",
        "cem": "win",
    }
