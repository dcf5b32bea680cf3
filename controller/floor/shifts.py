"""Shifts: the parts of a site's day by which people's work is totalled. No I/O but the tz database.

Work is counted by whole hours of UTC. An hour counts for the shift in which it begins: if a zone is
half an hour off, so is the edge of a shift.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_ON_THE_HOUR: Final = re.compile(r"([01]\d|2[0-3]):00")


class BadShifts(ValueError):
    """A fault of the settings, with its key."""

    def __init__(self, key: str, text: str) -> None:
        super().__init__(text)
        self.key = key


@dataclass(frozen=True)
class SiteShift:
    """One shift of one day, in seconds since 1970."""

    begins: float
    ends: float


@dataclass(frozen=True)
class Shifts:
    zone: tzinfo
    hours: tuple[int, ...]
    """The hours at which shifts begin by the zone's clock, in order."""

    @classmethod
    def of(cls, zone: str, begin: Iterable[str]) -> "Shifts":
        """Makes the shifts; raises `BadShifts`."""
        hours = []
        for each in begin:
            if not (found := _ON_THE_HOUR.fullmatch(each)):
                raise BadShifts("shifts", f"{each!r} is no full hour such as 06:00")
            hours.append(int(found.group(1)))
        if not hours or len(set(hours)) < len(hours):
            raise BadShifts("shifts", "name each beginning once, and one at least")
        return cls(_zone(zone), tuple(sorted(hours)))

    def around(self, at: float) -> SiteShift:
        """The shift that contains a moment."""
        local = datetime.fromtimestamp(at, self.zone)
        edges = sorted(self._edge(local, days, hour) for days in (-1, 0, 1) for hour in self.hours)
        begins = max(each for each in edges if each <= at)
        return SiteShift(begins, min(each for each in edges if each > at))

    def _edge(self, local: datetime, days: int, hour: int) -> float:
        """An hour of the zone's clock; for an hour that a change of clocks omits, the one after
        it."""
        day = local.date() + timedelta(days=days)
        wall = datetime(day.year, day.month, day.day, hour, tzinfo=self.zone)
        return wall.astimezone(UTC).timestamp()


def _zone(name: str) -> tzinfo:
    if name == "UTC":
        return UTC  # also where there is no tz database
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise BadShifts("zone", f"there is no zone {name!r} in the tz database") from None
