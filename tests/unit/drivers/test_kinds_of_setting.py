"""Settings that are lists or have limits: written as TOML has them, checked like every other."""

import pytest

from drivers.contract import DataSheet, Setting
from drivers.errors import BadSetting
from drivers.registry import checked
from support.rows import each_row

SHEET = DataSheet(
    name="shoe_for_this_test",
    kind="shoe",
    maker="",
    model="",
    link="serial",
    numbered=False,
    checked="",
    serial_number=False,
    settings={
        "words": Setting(("one",), None, "some words"),
        "wait_s": Setting(0.5, None, "how long", unit="s", between=(0.1, 10.0)),
    },
)


def test_list_is_taken_for_a_setting_of_several_values() -> None:
    assert checked(SHEET, {"words": ["two", "three"]})["words"] == ("two", "three")


@each_row("value", ["two", 2, {"two": "three"}])
def test_what_is_no_list_is_refused_by_name(value: object) -> None:
    with pytest.raises(BadSetting, match="words"):
        checked(SHEET, {"words": value})


@each_row("value", [0.1, 1, 10])
def test_number_within_its_limits_is_taken(value: float) -> None:
    taken = checked(SHEET, {"wait_s": value})["wait_s"]
    assert taken == value
    assert isinstance(taken, float)


@each_row("value", [0.09, 0, -1, 11, float("nan"), float("inf")])
def test_number_beyond_its_limits_is_refused_with_them(value: float) -> None:
    with pytest.raises(BadSetting, match=r"wait_s = .* may be 0\.1 to 10 s"):
        checked(SHEET, {"wait_s": value})
