"""Tests of a page that differ by size, language, theme or one entry of a list: the gate has some,
the second tier has all of them."""

from collections.abc import Collection, Iterable
from typing import Any

import pytest


def sisters(every: Iterable[str], *, gate: Collection[str]) -> list[Any]:
    """For `parametrize`: all of them, marked where the gate leaves them out."""
    found = list(every)
    assert set(gate) <= set(found), f"there is no {set(gate) - set(found)}"
    return [each if each in gate else left_to_browsers(each, id=each) for each in found]


def left_to_browsers(*values: object, **more: Any) -> Any:
    """One row of `parametrize` that the gate leaves out."""
    return pytest.param(*values, marks=pytest.mark.browsers, **more)
