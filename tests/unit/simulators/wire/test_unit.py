"""A device on its cable in memory: the words of the line, and words in general."""

import pytest

from simulators.kit.contract import Action, Refused
from simulators.registry import DEVICES, NoSuchDevice, make
from simulators.wire.unit import Unit
from support.rows import each_row

LOCK = b"\x02OPLK02\x031B"


def shoe() -> Unit:
    unit = Unit(make("shoe_angel_eye", {"burn": "no", "copies": 1}))
    unit.step(0)
    return unit


def test_hung_device_says_and_hears_nothing_and_goes_on_later() -> None:
    unit = shoe()
    unit.do("hang")
    unit.do("key")
    unit.hear(LOCK)
    assert unit.step(60) == b""
    unit.do("resume")
    assert unit.step(0)[2:4] == b"L\x81"
    assert unit.step(1) == b"", "the command went unheard"
    with pytest.raises(Refused, match="does not hang"):
        unit.do("resume")


def test_unplugged_device_works_on_unheard() -> None:
    unit = shoe()
    unit.do("unplug")
    assert not unit.connected
    unit.do("key")
    unit.hear(LOCK)
    assert unit.step(1) == b""
    with pytest.raises(Refused, match="out already"):
        unit.do("unplug")
    unit.do("plug")
    assert unit.step(1) == b""
    unit.do("key")
    assert unit.step(0)[1:2] == b"4", "the number of what went unheard is used up"
    with pytest.raises(Refused, match="in already"):
        unit.do("plug")


def test_silent_cable_is_no_lost_link() -> None:
    unit = shoe()
    unit.do("silence")
    unit.do("key")
    assert unit.step(1) == b""
    assert unit.connected
    unit.do("silence", on="no")
    unit.do("key")
    assert unit.step(0)[1:2] == b"4"


@pytest.mark.parametrize("line", ["out", "in"])
def test_cut_cable_unplugs(line: str) -> None:
    unit = shoe()
    unit.do("cut", after=4, line=line)
    unit.do("key")
    unit.hear(LOCK)
    out = unit.step(0.02)
    assert (len(out) == 4) == (line == "out")
    assert not unit.connected
    unit.do("plug")
    unit.do("key")
    assert unit.step(0)[:1] == b"\x05"


@each_row(
    "word, given, expected",
    [
        ("drop", {"count": 2}, b"L\x81\x03FD"),
        ("double", {"count": "1"}, b"\x05\x053L\x81\x03FD"),
        ("reorder", {"after": 1, "count": 1}, b"\x05L3\x81\x03FD"),
        ("flip", {"bit": 0}, b"\x043L\x81\x03FD"),
    ],
)
def test_faults_by_word(word: str, given: dict[str, object], expected: bytes) -> None:
    unit = shoe()
    unit.do(word, **given)
    unit.do("key")
    assert unit.step(0) == expected


def test_fault_on_the_way_in_spoils_a_command() -> None:
    unit = shoe()
    unit.do("flip", after=3, bit=0, line="in")
    unit.hear(LOCK)
    assert unit.step(0.01) == b"\x15\x02"


def test_delay_by_word() -> None:
    unit = shoe()
    unit.do("delay", seconds="0.5")
    unit.do("key")
    assert unit.step(0.4) == b""
    assert unit.step(0.2) != b""


def test_noise_by_word_loses_something() -> None:
    unit = shoe()
    unit.do("noise", percent=100)
    unit.do("key")
    assert unit.step(0) != b"\x053L\x81\x03FD"


def test_real_pace_takes_the_time_of_the_line() -> None:
    unit = Unit(make("shoe_angel_eye", {"copies": 1}), real_pace=True)
    assert unit.step(0) == b""
    assert unit.due_s() is not None
    out = b"".join(unit.step(0.001) for _ in range(26))
    assert len(out) == 12, "S and P, six bytes each, take 25 ms"
    assert unit.due_s() is None


@each_row(
    "word, given, says",
    [
        ("fly", {}, "there is no word 'fly'"),
        ("draw", {"colour": "red"}, "does not take colour"),
        ("draw", {"card": "1S"}, "is not a card"),
        ("press", {}, "press takes button too"),
        ("press", {"button": "x"}, "may be result"),
        ("key", {"locked": "perhaps"}, "yes or no"),
        ("drop", {"count": 0}, "1 to 65536"),
        ("drop", {"count": "few"}, "whole number"),
        ("drop", {"line": "up"}, "out, in"),
        ("flip", {"bit": 8}, "0 to 7"),
        ("delay", {"seconds": "soon"}, "takes seconds"),
        ("delay", {"seconds": -1}, "0 to 3600"),
        ("refuse", {"code": "xyz"}, "two hex digits"),
        ("preset", {"address": "1"}, "2 characters"),
        ("load", {"deck": "9S ZZ"}, "is not a card"),
        ("load", {"deck": "9S " * 1001}, "at most 1000 cards"),
    ],
)
def test_wrong_word_says_what_is_wrong(word: str, given: dict[str, object], says: str) -> None:
    with pytest.raises(Refused, match=says):
        shoe().do(word, **given)


@each_row(
    "says, choices",
    [
        ("yes (default) or no", ["yes", "no"]),
        ("yes (default); no", ["yes", "no"]),
        ("exit (default): the last card, error 4; midway: error 5", ["exit", "midway"]),
        ("mode, enter", ["mode", "enter"]),
        ("like 9S; the next one if left out", []),
        ("how many, 1 or 2", []),
        ("0-7, or by chance", []),
        ("how long (1)", []),
    ],
)
def test_field_that_says_so_is_a_choice(says: str, choices: list[str]) -> None:
    assert Action("do it", lambda: None, {"field": says}).choices("field") == choices


def test_unknown_device_is_named_with_the_known_ones() -> None:
    with pytest.raises(NoSuchDevice, match="did you mean shoe_angel_eye"):
        make("shoe_angel")
    with pytest.raises(NoSuchDevice, match="There are: shoe_angel_eye"):
        make("toaster")


@pytest.mark.parametrize("name", [name for name in DEVICES if name.startswith("shoe_")][:2])
def test_same_seed_same_shoe(name: str) -> None:
    def cards(seed: int) -> list[object]:
        unit = Unit(make(name, {}, seed))
        return [unit.do("draw") for _ in range(52)]

    assert cards(1) == cards(1)
    assert cards(1) != cards(2)
