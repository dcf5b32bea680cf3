"""The Angel Eye's line on stepped time: copies, numbers, commands and their refusals."""

import pytest

from simulators.kit.settings import WrongSetting
from simulators.registry import make
from simulators.wire.unit import Unit
from support.rows import each_row

LOCK = b"\x02OPLK02\x031B"
CLEAR = b"\x02OPEC00\x0318"
KEEP = b"\x02OPEC01\x0319"


def shoe(**settings: object) -> Unit:
    unit = Unit(make("shoe_angel_eye", {"burn": "no", **settings}))
    unit.step(1.0)
    return unit


def numbers(out: bytes) -> str:
    return "".join(chr(part[0]) for part in out.split(b"\x05")[1:])


def test_event_leaves_three_times_at_0_50_and_100_ms() -> None:
    unit = shoe()
    unit.do("draw", card="8S")
    frame = unit.step(0)
    assert frame[2:5] == b"D\x81\xb8"
    assert [unit.step(0.01) for _ in range(11)] == [
        *[b""] * 4,
        frame,
        *[b""] * 4,
        frame,
        b"",
    ]


def test_next_event_begins_behind_the_third_copy() -> None:
    unit = shoe()
    unit.do("draw", card="8S")
    unit.do("draw", card="5C")
    assert numbers(unit.step(0)) == "3"
    assert numbers(unit.step(0.05)) == "3"
    assert numbers(unit.step(0.05)) == "34"
    assert numbers(unit.step(0.1)) == "44"
    assert unit.step(10) == b""


def test_copies_and_their_spacing_are_settings() -> None:
    unit = shoe(copies=2, spacing_s=0.2)
    unit.do("key")
    assert numbers(unit.step(0) + unit.step(0.19)) == "3"
    assert numbers(unit.step(0.01) + unit.step(5)) == "3"


@pytest.mark.parametrize(("stops", "copies"), [(False, "333"), (True, "3")])
def test_acknowledgement_ends_the_copies_only_where_it_is_set(stops: bool, copies: str) -> None:
    unit = shoe(stop_on_ack=stops)
    unit.do("key")
    out = unit.step(0)
    unit.hear(b"\x06")
    assert numbers(out + unit.step(1)) == copies
    unit.hear(b"\x06")
    unit.do("key")
    assert numbers(unit.step(0)) == "4", "an acknowledgement of nothing ends nothing"


@pytest.mark.parametrize(("sequence", "follow"), [("1-9", "345678912345"), ("0-9", "345678901234")])
def test_numbers_wrap_as_either_source_has_it(sequence: str, follow: str) -> None:
    unit = shoe(sequence=sequence, copies=1)
    for _ in follow:
        unit.do("key")
    assert numbers(unit.step(0)) == follow


def test_s_that_uses_up_no_number_gives_it_to_the_next_event() -> None:
    unit = Unit(make("shoe_angel_eye", {"copies": 1, "s_advances": "no"}))
    assert numbers(unit.step(0)) == "11"


def test_restart_resets_the_counter_or_keeps_it() -> None:
    unit = shoe(copies=1)
    unit.do("key")
    assert numbers(unit.step(0)) == "3"
    unit.do("restart")
    assert numbers(unit.step(0)) == "12"
    unit.do("restart", counter="kept")
    assert numbers(unit.step(0)) == "34"


def test_lost_event_uses_up_its_number() -> None:
    unit = shoe(copies=1)
    unit.do("lose", count=2)
    for _ in range(3):
        unit.do("key")
    assert numbers(unit.step(0)) == "5"


def test_error_is_cancelled_behind_the_answer() -> None:
    unit = shoe(copies=1)
    unit.do("unreadable")
    unit.step(0)
    unit.hear(CLEAR)
    assert unit.step(0) == b""
    out = unit.step(0.01)
    assert out[:1] == b"\x06"
    assert out[3:5] == b"e\x81"


def test_overdraw_is_kept_by_command() -> None:
    unit = shoe(copies=1)
    unit.do("overdraw", card="6H")
    unit.step(0)
    unit.hear(KEEP)
    out = unit.step(0.01)
    assert out[0] == 0x06
    assert [part[1:-3] for part in out.split(b"\x05")[1:]] == [b"e\x82", b"R\x81\xc6"]


@each_row(
    "command, answer",
    [
        (b"\x02OPLK02\x0319", b"\x15\x02"),
        (b"\x02OPLK02\x031b", b"\x15\x02"),
        (b"\x02OPLK2\x032B", b"\x15\x11"),
        (b"\x02OPLK021\x0300", b"\x15\x11"),
        (b"\x02XXLK02\x0304", b"\x15\x13"),
        (b"\x02OPZZ02\x031C", b"\x15\x14"),
        (b"\x02OPLK03\x031A", b"\x15\x11"),
        (CLEAR, b"\x15\xff"),
        (KEEP, b"\x15\xff"),
        (b"\x02OPGP00\x0309", b"\x06"),
    ],
)
def test_command_is_answered_by_what_is_wrong_with_it(command: bytes, answer: bytes) -> None:
    unit = shoe()
    for byte in command:
        unit.hear(bytes((byte,)))
    assert unit.step(0.01) == answer


def test_clear_does_not_end_an_overdraw() -> None:
    unit = shoe(copies=1)
    unit.do("overdraw")
    unit.step(0)
    unit.hear(CLEAR)
    assert unit.step(0.01) == b"\x15\xff"
    assert unit.shown()["device"]["error"] == 2


def test_command_without_its_end_is_given_up() -> None:
    unit = shoe()
    unit.hear(b"\x02OPLK02")
    assert unit.step(0.4) == b""
    assert unit.step(0.1) == b"\x15\x03"
    unit.hear(b"\x02OPLK02\x031")
    assert unit.step(0.5) == b"\x15\x11"
    unit.hear(b"\x02" + b"O" * 20)
    assert unit.step(0) == b"\x15\x03"


def test_command_that_begins_anew_counts_from_there() -> None:
    unit = shoe()
    unit.hear(b"noise\x15\x02OPL" + LOCK)
    assert unit.step(0.01) == b"\x06"


def test_second_command_before_the_answer_finds_it_busy() -> None:
    unit = shoe()
    unit.hear(LOCK + LOCK)
    assert unit.step(0.01) == b"\x15\x21\x06"


def test_flood_of_commands_is_not_kept() -> None:
    unit = shoe()
    unit.hear(LOCK * 1000)
    assert unit.step(1) == b"\x15\x21" * 3 + b"\x06"


def test_flood_of_endless_commands_is_not_kept() -> None:
    unit = shoe()
    unit.hear((b"\x02" + b"O" * 15) * 1000)
    assert unit.step(1) == b"\x15\x03" * 4


def test_ignored_command_has_no_answer_and_no_effect() -> None:
    unit = shoe()
    unit.do("ignore")
    unit.hear(LOCK)
    assert unit.step(5) == b""
    assert unit.shown()["device"]["locked"] is False
    unit.hear(LOCK)
    assert unit.step(0.01) == b"\x06"


@each_row(
    "key, value",
    [("copies", 0), ("sequence", "a-z"), ("bcc", 1), ("deck", "9S 1S"), ("decks", 0)],
)
def test_wrong_setting_names_itself(key: str, value: object) -> None:
    with pytest.raises(WrongSetting, match="shoe_angel_eye"):
        make("shoe_angel_eye", {key: value})
