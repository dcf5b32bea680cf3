"""Hold and results against the exact odds, held to figures that were worked out elsewhere."""

import math
import random
from functools import cache
from itertools import accumulate

import pytest

from controller.floor.trends import (
    EXACT,
    FEW,
    Stretch,
    chance,
    mix,
    moments,
    spread,
    trend,
    variance_of,
)
from controller.game.hands import Score
from controller.game.odds import score_orderings
from controller.rulebooks import rulebook
from support.rows import each_row

BOOK = "mbs-baccarat-8"


def test_results_come_as_often_as_every_table_of_odds_says() -> None:
    """Eight decks: the figures that every book on the game prints."""
    results = moments(BOOK).results
    assert results["banker"] == pytest.approx(0.458597, abs=1e-6)
    assert results["player"] == pytest.approx(0.446247, abs=1e-6)
    assert results["tie"] == pytest.approx(0.095156, abs=1e-6)


def test_means_are_the_edges_and_deviations_those_of_the_literature() -> None:
    odds = moments(BOOK)
    assert odds.mean["banker"] == pytest.approx(0.010579, abs=1e-6)
    assert odds.mean["player"] == pytest.approx(0.012351, abs=1e-6)
    assert odds.mean["tie"] == pytest.approx(0.143596, abs=1e-6)
    assert math.sqrt(odds.product["banker", "banker"]) == pytest.approx(0.927, abs=1e-3)
    assert math.sqrt(odds.product["player", "player"]) == pytest.approx(0.951, abs=1e-3)
    assert math.sqrt(odds.product["tie", "tie"]) == pytest.approx(2.64, abs=1e-2)
    # What one loses the other wins.
    assert odds.product["banker", "player"] < -0.8


@cache
def orderings() -> tuple[list[Score], list[float]]:
    found = score_orderings(rulebook(BOOK).play, 8)
    return [*found], [*accumulate(map(float, found.values()))]


def drawn(rounds: int, seed: int) -> list[Score]:
    """Rounds as they fall, by the orderings of a full shoe."""
    scores, up_to = orderings()
    return random.Random(seed).choices(scores, cum_weights=up_to, k=rounds)


def kept_of(score: Score, stakes: dict[str, int]) -> int:
    """Another way to settle: by hand."""
    kept = 0.0
    winner = score.outcome.value
    if winner != "tie":
        kept += stakes["player"] * (1 if winner == "banker" else -1)
        kept += stakes["banker"] * (1 if winner == "player" else -0.95)
    kept += stakes["tie"] * (-8 if winner == "tie" else 1)
    return round(kept)


def test_ninety_five_nights_of_a_hundred_lie_in_the_band() -> None:
    """Six hundred nights of 40 rounds with wagers on all three, settled by hand."""
    stakes = {"banker": 40_000, "player": 20_000, "tie": 2_000}
    pairs = [("banker", "banker"), ("banker", "player"), ("banker", "tie"), ("player", "player")]
    pairs += [("player", "tie"), ("tie", "tie")]
    products = {pair: 40.0 * stakes[pair[0]] * stakes[pair[1]] for pair in pairs}
    staked = {kind: 40 * each for kind, each in stakes.items()}
    inside = 0
    for night in range(600):
        kept = sum(kept_of(score, stakes) for score in drawn(40, night))
        (point,) = trend(BOOK, [Stretch(0.0, 40, staked, products, kept)], {}).hold
        inside += point.low <= point.value <= point.high
    assert 0.93 < inside / 600 < 0.97


def test_without_the_covariance_the_band_would_be_wrong() -> None:
    """A pair that cancels leaves little to chance: taken apart, each would have its own."""
    odds = moments(BOOK)
    both = {("banker", "banker"): 1.0, ("player", "player"): 1.0, ("banker", "player"): 1.0}
    apart = {("banker", "banker"): 1.0, ("player", "player"): 1.0}
    assert variance_of(odds, both) < 0.01 * variance_of(odds, apart)


def test_a_house_that_is_robbed_lies_outside() -> None:
    """Every tenth lost wager of 2,000 was paid back."""
    stakes = {"banker": 10_000, "player": 0, "tie": 0}
    kept = 0
    for n, score in enumerate(drawn(4000, 7)):
        gain = kept_of(score, stakes)
        kept += 0 if gain > 0 and n % 10 == 0 else gain
    products = {("banker", "banker"): 4000.0 * 10_000**2}
    found = trend(BOOK, [Stretch(0.0, 4000, {"banker": 40_000_000}, products, kept)], {})
    assert found.hold[-1].value < found.hold[-1].low
    assert found.chance < 0.01


def test_the_mix_of_results_has_a_band_that_narrows() -> None:
    expected = moments(BOOK).results
    few = mix(expected, {"B": 46, "P": 44, "T": 10})
    many = mix(expected, {"B": 46_000, "P": 44_000, "T": 10_000})
    assert all(row.low <= row.seen <= row.high for row in few)
    assert few[0].high - few[0].low > 30 * (many[0].high - many[0].low)
    assert many[2].chance < 0.01  # ten of a hundred are too many ties
    assert mix(expected, {}) == []


@pytest.mark.parametrize("ties", [1, 2])
def test_few_results_are_as_likely_as_they_are(ties: int) -> None:
    """One tie of one round comes in every tenth; a normal curve has it in one of five hundred."""
    expected = moments(BOOK).results
    _, _, tie = mix(expected, {"T": ties})
    assert tie.chance == pytest.approx(expected["tie"] ** ties)
    assert (tie.low, tie.high) == (0.0, 1.0 if ties == 1 else 0.5)


def test_what_is_counted_out_meets_what_is_normal() -> None:
    for seen in (940, 1000, 1050):
        exact, normal = spread(EXACT, 0.5, seen), spread(EXACT + 1, 0.5, seen)
        assert exact == pytest.approx(normal, abs=0.02)


def test_of_few_rounds_nothing_is_said_of_the_hold() -> None:
    hour = Stretch(0.0, FEW - 1, {"banker": 100}, {("banker", "banker"): 1e4}, 100)
    more = Stretch(60.0, 1, {"banker": 100}, {("banker", "banker"): 1e4}, 100)
    assert not trend(BOOK, [hour], {}).enough
    assert trend(BOOK, [hour, more], {}).enough


def test_hours_add_up_in_their_order() -> None:
    hour = Stretch(7200.0, 1, {"banker": 100}, {("banker", "banker"): 1e4}, 100)
    before = Stretch(3600.0, 1, {"banker": 100}, {("banker", "banker"): 1e4}, -95)
    found = trend(BOOK, [hour, before], {})
    assert [point.at for point in found.hold] == [3600.0, 7200.0]
    assert [point.value for point in found.hold] == [-0.95, 0.025]
    assert (found.drop, found.kept, found.rounds) == (200, 5, 2)


def test_nothing_staked_is_nothing_to_say() -> None:
    assert trend(BOOK, [], {}).hold == []
    assert chance(0.0, 0.0) == 1.0


@each_row(
    "book",
    [
        "mbs-baccarat-8",
        "mbs-dragon-tiger-baccarat",
        "mbs-sands-super-baccarat",
        "mbs-baccarat-tournament-5",
        "rws-commission-baccarat-4",
    ],
)
def test_every_wager_of_every_book_has_its_variance(book: str) -> None:
    odds = moments(book)
    for wager in rulebook(book).wagers:
        assert odds.product[wager.id, wager.id] > 0


def test_a_wager_that_this_release_does_not_know_leaves_its_hour_out() -> None:
    known = Stretch(0.0, 10, {"banker": 1000}, {("banker", "banker"): 1e5}, 12)
    newer = Stretch(3600.0, 7, {"banker": 1000, "super_nine": 5}, {}, 400)
    found = trend(BOOK, [known, newer], {"B": 5, "P": 5, "?": 7})
    assert (found.rounds, found.drop, found.kept, found.left_out) == (10, 1000, 12, 7)
    assert sum(each.seen for each in found.mix) == 1
