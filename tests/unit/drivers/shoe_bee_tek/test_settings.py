"""What the settings refuse, what the alarms become, and that nothing is ever sent."""

from typing import get_args

import pytest

from drivers.commands import DeviceCommand, Lock
from drivers.errors import BadSetting, UnsupportedCommand
from drivers.events import ErrorRaised
from drivers.registry import find
from support.devices.device_says import heard, made, said
from support.rows import each_row


@each_row(
    "settings",
    [
        {"format": "C"},
        {"order": "suit"},
        {"silence_s": 0.0},
        {"silence_s": 11.0},
        {"silence_s": float("nan")},
        {"not_read_alarms": ["E3", ""]},
        {"not_read_alarms": [3]},
        {"not_read_alarms": "E3"},
        {"checksum": False},
        {"bawd": 9600},
    ],
)
def test_impossible_setting_is_refused_by_name(settings: dict[str, object]) -> None:
    with pytest.raises(BadSetting, match=next(iter(settings))):
        find("shoe_bee_tek").with_settings(settings)


@each_row(
    "alarm, word",
    [
        ("E3 Card Not Read", "read_failed"),
        ("E3", "read_failed"),
        ("E7 card not read", "read_failed"),
        ("E30 Card", "error 130"),
        ("E4 Card Jam", "error 104"),
        ("Jam", "error 99"),
        ("", "error 99"),
    ],
)
def test_alarm_is_a_card_not_read_where_the_settings_say_so(alarm: str, word: str) -> None:
    events = heard(made("shoe_bee_tek"), f" [GameAlarm]<Alarm:{alarm}> ".encode())
    assert said(events)[0] == word
    assert len(events) == (1 if word == "read_failed" else 3)


def test_house_says_which_alarms_mean_a_card_not_read() -> None:
    driver = made("shoe_bee_tek", {"not_read_alarms": ["E8"]})
    wire = b" [Game]<Alarm:E3 Card Not Read> [Game]<Alarm:E8 Mark Missing> "
    assert said(heard(driver, wire)) == [
        "error 103",
        "error_cleared 103",
        "events_lost",
        "read_failed",
    ]


def test_text_of_an_alarm_is_not_passed_on_because_it_may_name_a_card() -> None:
    events = heard(made("shoe_bee_tek"), b" [Game]<Alarm:E5 Wrong Card 9D> ")
    raised = events[0]
    assert isinstance(raised, ErrorRaised)
    assert "E5" in raised.says
    assert "9D" not in repr(events)


def test_damaged_card_is_in_no_repr() -> None:
    assert "9D" not in repr(heard(made("shoe_bee_tek"), b" [Gane]<Card:9D> "))
    assert "9D" not in repr(heard(made("shoe_bee_tek"), b" [Game]<Card:9D> "))


def test_shoe_is_sent_nothing_and_takes_no_command() -> None:
    driver = made("shoe_bee_tek")
    assert driver.feed(b" [Game]<Card:4S> ", 1.0).send == b""
    assert find("shoe_bee_tek").sheet.commands == ()
    assert Lock in get_args(DeviceCommand)
    with pytest.raises(UnsupportedCommand, match="Lock"):
        driver.ask(Lock(), 2.0)
