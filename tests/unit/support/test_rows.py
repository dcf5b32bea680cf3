"""A table that runs as one case reports every row that failed."""

import pytest

from support.rows import each_row


def test_every_failed_row_is_named() -> None:
    seen: list[int] = []

    @each_row("number", [1, 2, 3])
    def check(number: int) -> None:
        seen.append(number)
        assert number == 2

    with pytest.raises(ExceptionGroup, match=r"2 of 3 rows failed:\n  1\n  3") as failed:
        check()
    assert (seen, len(failed.value.exceptions)) == ([1, 2, 3], 2)


def test_skip_in_a_row_does_not_hide_the_failure_of_another() -> None:
    @each_row("number", [1, 2])
    def check(number: int) -> None:
        assert number == 2
        pytest.skip("not here")

    with pytest.raises(ExceptionGroup, match="1 of 2 rows failed"):
        check()
