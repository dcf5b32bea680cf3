"""The robot's own rules: its table of play, its wagers, its scripts."""

from collections.abc import Callable
from random import Random

import pytest

from simulators.dealer.mistakes import KINDS, Mistake, NotAScript, by_chance, by_script
from simulators.dealer.oracle import Disagreement, check_money, check_outcome, compare
from simulators.dealer.people import Wager, handler, wagers
from simulators.dealer.table_of_play import next_hand, outcome
from support.rows import each_row

OF_POINTS = "TA23456789"
"""A card with so many points, by place."""


def hand(*points: int) -> list[str]:
    return [OF_POINTS[each] + "S" for each in points]


def test_the_first_four_go_in_turn() -> None:
    assert next_hand([], []) == "player"
    assert next_hand(hand(1), []) == "banker"
    assert next_hand(hand(1), hand(1)) == "player"
    assert next_hand(hand(1, 1), hand(1)) == "banker"


@pytest.mark.parametrize("natural", [8, 9])
def test_a_natural_ends_the_draw(natural: int) -> None:
    assert next_hand(hand(0, natural), hand(0, 0)) is None
    assert next_hand(hand(0, 0), hand(0, natural)) is None


def test_the_player_draws_to_five_and_stands_on_six_and_seven() -> None:
    for total in range(6):
        assert next_hand(hand(0, total), hand(0, 0)) == "player"
    for total in (6, 7):
        for bank in range(8):
            due = "banker" if bank <= 5 else None
            assert next_hand(hand(0, total), hand(0, bank)) == due


# The rows of rule 3.14, each beside the Player's third cards 0 to 9: D draws, S stands.
ROWS = {
    0: "DDDDDDDDDD",
    1: "DDDDDDDDDD",
    2: "DDDDDDDDDD",
    3: "DDDDDDDDSD",
    4: "SSDDDDDDSS",
    5: "SSSSDDDDSS",
    6: "SSSSSSDDSS",
    7: "SSSSSSSSSS",
}


@each_row("bank", ROWS)
def test_the_bankers_third_card(bank: int) -> None:
    for third, what in enumerate(ROWS[bank]):
        due = next_hand(hand(0, 0, third), hand(0, bank))
        assert due == ("banker" if what == "D" else None)
    assert next_hand(hand(0, 0, 1), hand(0, 0, 1)) is None


def test_who_wins() -> None:
    assert outcome(hand(0, 7), hand(0, 6)) == "player"
    assert outcome(hand(0, 6), hand(0, 7)) == "banker"
    assert outcome(hand(9, 8), hand(0, 7)) == "tie"


def put(wager: str, amount: int = 100) -> Wager:
    return Wager("1-0", "ann", 1, wager, amount)


def test_how_wagers_come_out() -> None:
    player_wins = hand(0, 7), hand(0, 6)
    tied = hand(4, 4), hand(0, 8)
    assert put("player").should(*player_wins) == ("win", 100)
    assert put("banker").should(*player_wins) == ("lose", 0)
    assert put("banker").should(*player_wins[::-1]) == ("win", None)
    assert put("tie").should(*player_wins) == ("lose", 0)
    assert put("player").should(*tied) == ("push", 0)
    assert put("tie").should(*tied) == ("win", 800)
    assert put("player_pair").should(*tied) == ("win", 1100)
    assert put("banker_pair").should(*tied) == ("lose", 0)
    assert put("player_pair").should(["TS", "KS"], hand(0, 1)) == ("lose", 0), "a pair is of rank"


def test_the_robot_notices_what_the_table_has_wrong() -> None:
    right = {"player": hand(0, 7), "banker": hand(0, 6)}
    compare(right, {"player": [None, "7S"], "banker": ["TS", None]})
    totals = {"player": 7, "banker": 6}
    check_outcome(right, {"say_code": "say_player_wins", "say_gaps": totals})
    check_money([put("player")], right, [{"id": "1-0", "result": "win", "pays": 100}])
    wrongs: tuple[Callable[[], object], ...] = (
        lambda: compare(right, {"player": ["TS", "8S"], "banker": []}),
        lambda: compare(right, {"player": ["TS"], "banker": ["TS", "6S"]}),
        lambda: check_outcome(right, {"say_code": "say_banker_wins", "say_gaps": totals}),
        lambda: check_outcome(
            right, {"say_code": "say_player_wins", "say_gaps": {"player": 6, "banker": 6}}
        ),
        lambda: check_outcome(
            {"player": hand(0, 5), "banker": hand(0, 6)},
            {"say_code": "say_banker_wins", "say_gaps": {"player": 5, "banker": 6}},
        ),
        lambda: check_money([put("player")], right, [{"id": "1-0", "result": "win", "pays": 99}]),
        lambda: check_money([put("player")], right, [{"id": "1-0", "result": "push", "pays": 0}]),
        lambda: check_money([put("player")], right, []),
    )
    for wrong in wrongs:
        with pytest.raises(Disagreement):
            wrong()


def test_wagers_by_seed_and_whose_hand_it_is() -> None:
    assert wagers(Random(1), 1) == wagers(Random(1), 1)
    for seed in range(50):
        placed = wagers(Random(seed), 1, must="seat 3")
        assert any(w.player == "seat 3" and w.wager in ("player", "banker") for w in placed)
        assert len({w.id for w in placed}) == len(placed)
    first, equal = Wager("a", "ann", 1, "player", 500), Wager("b", "bob", 2, "player", 500)
    less = Wager("c", "seat 3", 3, "player", 400)
    assert handler([less, first, equal], "player") == "ann"
    assert handler([less], "banker") is None


def test_scripts() -> None:
    text = "right\n# a remark\nunreadable 3  # the third\n\nextra\n"
    assert list(by_script(text)) == [None, Mistake("unreadable", 3), Mistake("extra")]
    for bad in ("wrong", "two 7", "two 1 2", "two x"):
        with pytest.raises(NotAScript):
            by_script(f"right\n{bad}")


def test_chance_has_every_kind_and_its_share() -> None:
    random = Random(1)
    rounds = by_chance(random, 50)
    some = [next(rounds) for _ in range(400)]
    assert {each.kind for each in some if each} == set(KINDS)
    assert 120 < sum(each is not None for each in some) < 280
    assert [next(by_chance(random, 0)) for _ in range(100)] == [None] * 100
