"""Rows of `parametrize` by tier: tests of a page that differ by size, language, theme or one entry
of a list have a row or two in the first tier and the rest in the second."""

from collections.abc import Collection, Iterable
from typing import Any

import pytest


def split_tiers(every: Iterable[str], *, first: Collection[str]) -> list[Any]:
    """Rows for `parametrize`: all of them, marked where they are not of the first tier."""
    found = list(every)
    assert set(first) <= set(found), f"there is no {set(first) - set(found)}"
    return [each if each in first else in_second_tier(each, id=each) for each in found]


def in_second_tier(*values: object, **more: Any) -> Any:
    """One row of `parametrize` that belongs to the second tier."""
    return pytest.param(*values, marks=pytest.mark.second_tier, **more)
