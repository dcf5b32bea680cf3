"""One test over a table: all rows run as one case, and a failure names its rows."""

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest


def each_row(
    names: str, rows: Iterable[Any]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run the test once for every row, in one case: `pytest.mark.parametrize` without its cost.

    The rows share the fixtures of the case: rows that each need their own `tmp_path`, or that
    carry marks, stay parametrised.
    """
    keys = [name.strip() for name in names.split(",")]
    table = [_row(keys, row) for row in rows]
    assert table, "a table without rows proves nothing"

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def run_rows(**fixtures: Any) -> None:
            failures: list[tuple[str, Exception]] = []
            for label, values in table:
                try:
                    test(**fixtures, **values)
                except BaseException as failure:
                    failure.add_note(f"row: {label}")
                    if not isinstance(failure, Exception):  # a time-out, an interruption, a skip
                        _raise_failures(failures, len(table))
                        raise
                    failures.append((label, failure))
            _raise_failures(failures, len(table))

        signature = inspect.signature(test)
        fixtures = [each for name, each in signature.parameters.items() if name not in keys]
        run_rows.__signature__ = signature.replace(parameters=fixtures)  # type: ignore[attr-defined]
        return run_rows

    return decorate


def _raise_failures(failures: list[tuple[str, Exception]], rows: int) -> None:
    if failures:
        named = "".join(f"\n  {label}" for label, _ in failures)
        message = f"{len(failures)} of {rows} rows failed:{named}\n"
        raise ExceptionGroup(message, [each for _, each in failures])


def _row(keys: list[str], row: Any) -> tuple[str, dict[str, Any]]:
    """What names the row in a failure, and its values by name."""
    if isinstance(row, type(pytest.param())):
        assert not row.marks, "a row with marks of its own is a case of its own"
        label, values = row.id, tuple(row.values)
    else:
        label, values = None, (row,) if len(keys) == 1 else tuple(row)
    label = str(label or ", ".join(getattr(value, "__name__", repr(value)) for value in values))
    return label[:300], dict(zip(keys, values, strict=True))
