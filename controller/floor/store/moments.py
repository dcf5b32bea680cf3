"""Converts a table's seconds since 1970 to PostgreSQL's time, for any clock."""

from datetime import UTC, datetime
from typing import Final

_EARLIEST: Final = datetime(1900, 1, 1, tzinfo=UTC)
_LATEST: Final = datetime(9000, 1, 1, tzinfo=UTC)
_FIRST_S: Final = _EARLIEST.timestamp()
_LAST_S: Final = _LATEST.timestamp()


def moment(at: float) -> datetime:
    """The time for the month and the hour; a value beyond the calendar is clamped to its ends."""
    if _FIRST_S <= at <= _LAST_S:
        return datetime.fromtimestamp(at, UTC)
    return _EARLIEST if at < 0 else _LATEST


def hour_of(at: float) -> datetime:
    return moment(at).replace(minute=0, second=0, microsecond=0)
