"""Limits that make no sense are refused where they are made; what the books do with limits is
tested clause by clause under `rulebooks/`."""

import pytest

from controller.game.errors import BadAmount
from controller.game.money.limits import Range, TableLimits


@pytest.mark.parametrize("amount", [0, -1])
def test_limit_that_is_no_amount_is_refused_by_name(amount: int) -> None:
    with pytest.raises(BadAmount, match=f"a minimum of {amount} is not an amount"):
        Range(minimum=amount)
    with pytest.raises(BadAmount, match=f"a maximum of {amount} is not an amount"):
        Range(maximum=amount)


def test_minimum_over_the_maximum_is_refused() -> None:
    with pytest.raises(BadAmount, match="the minimum 2001 is over the maximum 2000"):
        Range(minimum=2_001, maximum=2_000)


def test_minimum_equal_to_the_maximum_is_a_range() -> None:
    assert Range(minimum=2_000, maximum=2_000).minimum == 2_000


def test_negative_differential_is_refused_and_none_at_all_is_not() -> None:
    with pytest.raises(BadAmount, match="a differential of -1 is not an amount"):
        TableLimits(differential=-1)
    assert TableLimits(differential=0).differential == 0
