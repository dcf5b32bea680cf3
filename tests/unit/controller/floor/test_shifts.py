"""Shifts of a site's day: each moment lies in one, whatever the clocks do."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from controller.floor.shifts import BadShifts, Shifts
from support.rows import each_row


def at(text: str, zone: str = "UTC") -> float:
    local = ZoneInfo(zone) if zone != "UTC" else UTC
    return datetime.fromisoformat(text).replace(tzinfo=local).timestamp()


def test_the_night_belongs_to_the_evening_before() -> None:
    shifts = Shifts.of("UTC", ["22:00", "06:00", "14:00"])
    night = shifts.around(at("2026-11-18T05:59:59"))
    assert (night.begins, night.ends) == (at("2026-11-17T22:00"), at("2026-11-18T06:00"))
    morning = shifts.around(at("2026-11-18T06:00"))
    assert (morning.begins, morning.ends) == (night.ends, at("2026-11-18T14:00"))


def test_one_shift_is_a_whole_day() -> None:
    day = Shifts.of("Asia/Singapore", ["06:00"]).around(at("2026-11-18T03:00", "Asia/Singapore"))
    assert day.begins == at("2026-11-17T06:00", "Asia/Singapore")
    assert day.ends - day.begins == 24 * 3600


@pytest.mark.parametrize(("day", "hours"), [("2026-03-29", 7), ("2026-10-25", 9)])
def test_a_night_in_which_clocks_change_is_shorter_or_longer(day: str, hours: int) -> None:
    night = Shifts.of("Europe/Monaco", ["06:00", "14:00", "22:00"]).around(
        at(f"{day}T01:00", "Europe/Monaco")
    )
    assert night.ends - night.begins == hours * 3600
    assert night.ends == at(f"{day}T06:00", "Europe/Monaco")


@each_row(
    "zone, begin, key",
    [
        ("Mars/Olympus", ["06:00"], "zone"),
        ("../etc/passwd", ["06:00"], "zone"),
        ("UTC", ["06:30"], "shifts"),
        ("UTC", ["24:00"], "shifts"),
        ("UTC", ["06:00", "06:00"], "shifts"),
        ("UTC", [], "shifts"),
    ],
)
def test_what_no_day_can_be_made_of_says_which_key(zone: str, begin: list[str], key: str) -> None:
    with pytest.raises(BadShifts) as bad:
        Shifts.of(zone, begin)
    assert bad.value.key == key
