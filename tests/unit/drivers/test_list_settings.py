"""A setting that is a list: written as TOML has it, checked like every other."""

import pytest

from drivers.contract import DataSheet, Setting
from drivers.errors import BadSetting
from drivers.registry import checked

SHEET = DataSheet(
    name="shoe_for_this_test",
    kind="shoe",
    maker="",
    model="",
    link="serial",
    numbered=False,
    checked="",
    serial_number=False,
    settings={"words": Setting(("one",), None, "some words")},
)


def test_list_is_taken_for_a_setting_of_several_values() -> None:
    assert checked(SHEET, {"words": ["two", "three"]}) == {"words": ("two", "three")}


@pytest.mark.parametrize("value", ["two", 2, {"two": "three"}])
def test_what_is_no_list_is_refused_by_name(value: object) -> None:
    with pytest.raises(BadSetting, match="words"):
        checked(SHEET, {"words": value})
