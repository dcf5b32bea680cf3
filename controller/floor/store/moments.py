"""A table's seconds since 1970 as PostgreSQL's time, whatever its clock says."""

from contextlib import suppress
from datetime import UTC, datetime
from typing import Final

_EARLIEST: Final = datetime(1900, 1, 1, tzinfo=UTC)
_LATEST: Final = datetime(9000, 1, 1, tzinfo=UTC)


def moment(at: float) -> datetime:
    """For the month and the hour it lies in; a clock beyond all calendars is at their ends."""
    with suppress(ValueError, OverflowError, OSError):
        return min(max(datetime.fromtimestamp(at, UTC), _EARLIEST), _LATEST)
    return _EARLIEST if at < 0 else _LATEST


def hour_of(at: float) -> datetime:
    return moment(at).replace(minute=0, second=0, microsecond=0)
