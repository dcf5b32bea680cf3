"""Every vector whole, byte by byte, cut everywhere and between garbage; and lives without end."""

from typing import Any

import pytest

from drivers.commands import Lock, NewShoe
from drivers.errors import BadSetting, UnsupportedCommand
from drivers.registry import find
from drivers.shoe_line_reader.codec import LINE_LONGEST
from drivers.testing.cuts import cuts
from drivers.testing.vectors import vectors_of
from support.devices.device_says import heard, made, said
from support.rows import each_row

NAME = "shoe_line_reader"
VECTORS = vectors_of("shoe_line_reader")
GARBAGE = [b"\x00\xff~noise\r\n", b"S2\r\n", b"21\r", b"\xb5\n", b"\x80" * 200 + b"\n"]

every_vector = each_row("vector", VECTORS)


@every_vector
def test_vector_however_it_is_cut(vector: dict[str, Any]) -> None:
    data = bytes.fromhex(vector["hex"])
    for pieces in cuts(data):
        assert said(heard(made(NAME, vector.get("settings")), *pieces)) == vector["says"]


@every_vector
def test_garbage_before_and_after_costs_no_card(vector: dict[str, Any]) -> None:
    settings = vector.get("settings", {})
    if settings.get("end") == "etx" or vector["says"][-1:] == ["notice"]:
        return
    data = bytes.fromhex(vector["hex"])
    for garbage in GARBAGE:
        words = said(heard(made(NAME, settings), garbage + data))
        assert words == ["bad_frame", *vector["says"]], garbage
        if data.endswith((b"\r", b"\n")):
            words = said(heard(made(NAME, settings), data + garbage))
            assert words == [*vector["says"], "bad_frame"], garbage


def test_a_new_shoe_forgets_which_labels_were_read() -> None:
    driver = made(NAME)
    assert said(heard(driver, b"S21\r\nHA8\r\n")) == ["card 2S", "card AH"]
    driver.ask(NewShoe(), 2.0)
    assert said(heard(driver, b"S21\r\n", at=3.0)) == ["card 2S"]


def test_a_lost_link_makes_no_second_card_of_a_label() -> None:
    driver = made(NAME)
    heard(driver, b"S21\r\n")
    driver.feed(b"HA", 2.0)
    assert said(list(driver.hello(2.1).events)) == ["bad_frame"]
    assert said(heard(driver, b"S21\r\n", at=3.0)) == ["notice"]


def test_a_line_that_has_begun_is_given_up_in_silence_and_blanks_are_no_line() -> None:
    driver = made(NAME, {"silence_s": 0.25})
    driver.feed(b"\r\n \r\n ", 1.0)
    assert driver.deadline() is None
    driver.feed(b"S2", 1.0)
    assert driver.deadline() == 1.25
    assert driver.tick(1.2).events == ()
    assert said(list(driver.feed(b"1\r\n", 1.5).events)) == ["bad_frame", "bad_frame"]


def test_a_line_without_end_is_told_once_and_not_kept() -> None:
    driver = made(NAME)
    for _ in range(20):
        assert driver.feed(b"x" * LINE_LONGEST, 1.0).events == ()
    assert said(heard(driver, b"\r\nS21\r\n")) == ["bad_frame", "card 2S"]


def test_no_face_is_in_what_is_said_of_a_line() -> None:
    for line in (b"9D1\r\n", b"D91\r\n", b"\x00D91\r\n"):
        assert "D9" not in repr(heard(made(NAME), line))


def test_it_takes_no_command() -> None:
    with pytest.raises(UnsupportedCommand, match="Lock"):
        made(NAME).ask(Lock(), 1.0)


@each_row(
    "settings",
    [
        {"table": "suit_rank_deck"},
        {"labels": {"A": "9H"}},
        {"prefix": "<XYZ>"},
        {"suffix": "x" * 17},
        {"cut_label": "S21"},
        {"cut_label": "x", "no_read_label": "X"},
        {"table": "own", "labels": {}},
        {"table": "own", "labels": {"a": "9H", "A": "9D"}},
        {"table": "own", "labels": {"AB": "9X"}},
        {"table": "own", "labels": {"A B": "9H"}},
        {"end": "crlf"},
        {"check": "crc"},
        {"silence_s": 0.0},
    ],
)
def test_an_impossible_setting_is_refused_by_name(settings: dict[str, object]) -> None:
    with pytest.raises(BadSetting, match=f"{NAME}.*{[*settings][-1]}"):
        find(NAME).with_settings(settings)
