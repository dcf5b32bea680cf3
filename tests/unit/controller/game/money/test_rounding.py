"""Whole minor units: three ways to round, and the chip unit that needs none."""

from fractions import Fraction

import pytest

from controller.game.errors import BadAmount, NotWhole
from controller.game.money.rounding import Rounding, check_chip_unit
from controller.rulebooks import RULEBOOKS, rulebook
from support.clauses.clause_cases import DT, MBS, RWS, SANDS, TOURNAMENT
from support.rows import each_row


@each_row("rounding", Rounding)
def test_whole_payment_is_left_alone_by_every_rule(rounding: Rounding) -> None:
    assert rounding.apply(Fraction(95)) == 95
    assert rounding.apply(Fraction(0)) == 0


@each_row(
    "exact, down, half_up",
    [
        (Fraction(1, 20), 0, 0),
        (Fraction("9.45"), 9, 9),
        (Fraction("9.5"), 9, 10),
        (Fraction("10.5"), 10, 11),
        (Fraction("9.55"), 9, 10),
        (Fraction(5_000, 3), 1_666, 1_667),
    ],
)
def test_payment_with_a_remainder_is_rounded_by_the_rule(
    exact: Fraction, down: int, half_up: int
) -> None:
    assert Rounding.DOWN.apply(exact) == down
    assert Rounding.HALF_UP.apply(exact) == half_up


def test_payment_with_a_remainder_is_an_error_under_exact() -> None:
    with pytest.raises(NotWhole, match=r"19/2 minor units .* choose a rounding rule"):
        Rounding.EXACT.apply(Fraction("9.5"))


def test_rules_have_the_names_the_configuration_uses() -> None:
    assert [rounding.value for rounding in Rounding] == ["exact", "down", "half_up"]


@each_row("book_id", [MBS, RWS, DT])
@each_row("chip_unit", [1, 10, 30])
def test_chip_unit_that_cannot_express_the_commission_is_refused(
    book_id: str, chip_unit: int
) -> None:
    with pytest.raises(NotWhole) as refused:
        check_chip_unit(rulebook(book_id), chip_unit, Rounding.EXACT)
    assert str(refused.value) == (
        f"a chip unit of {chip_unit} minor units cannot express odds of 19/20 ({book_id}):"
        " use a chip unit that is a multiple of 20, or name a rounding rule"
    )


def test_half_odds_of_sands_super_need_a_chip_unit_of_two() -> None:
    with pytest.raises(NotWhole, match=r"odds of 1/2 .* multiple of 2, or"):
        check_chip_unit(rulebook(SANDS), 5, Rounding.EXACT)
    check_chip_unit(rulebook(SANDS), 2, Rounding.EXACT)


def test_whole_odds_of_tournament_take_any_chip_unit() -> None:
    check_chip_unit(rulebook(TOURNAMENT), 1, Rounding.EXACT)


@each_row("book_id", RULEBOOKS)
@each_row("chip_unit", [20, 100, 2_500])
def test_chip_unit_that_divides_is_fine_for_every_book(book_id: str, chip_unit: int) -> None:
    check_chip_unit(rulebook(book_id), chip_unit, Rounding.EXACT)


@pytest.mark.parametrize("rounding", [Rounding.DOWN, Rounding.HALF_UP])
def test_named_rounding_rule_lifts_the_check(rounding: Rounding) -> None:
    check_chip_unit(rulebook(MBS), 10, rounding)


@each_row("rounding", Rounding)
@each_row("chip_unit", [0, -100])
def test_chip_unit_that_is_no_amount_is_refused_under_every_rule(
    chip_unit: int, rounding: Rounding
) -> None:
    with pytest.raises(BadAmount, match=f"chip unit of {chip_unit} "):
        check_chip_unit(rulebook(MBS), chip_unit, rounding)
