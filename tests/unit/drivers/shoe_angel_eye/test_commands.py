"""Commands: one at a time, answered, refused or timed out, and never sent again."""

import pytest

from drivers.commands import ClearError, Home, Lock, StartShuffle, Unlock
from drivers.errors import BadSetting, UnsupportedCommand
from drivers.events import BadFrame, CommandDone, CommandRefused, CommandTimedOut, Event
from drivers.registry import find
from drivers.shoe_angel_eye import SHEET
from drivers.testing.cuts import flips
from support.devices.angel_frames import Bench, cards, drawn, frame, shoe
from support.rows import each_row

WRITES: dict[str, object] = {"read_only": False, "sequence": "1-9"}
CARD = frame("1", drawn("P", 1, "8S"))


def _asked() -> Bench:
    bench = Bench(WRITES)
    assert len(bench.driver.ask(Lock(), bench.at).send) == 10
    return bench


def _answers(events: list[Event]) -> list[Event]:
    kinds = (CommandDone, CommandRefused, CommandTimedOut)
    return [event for event in events if isinstance(event, kinds)]


def test_a_read_only_shoe_is_sent_nothing() -> None:
    driver = shoe()
    for command in SHEET.commands:
        with pytest.raises(UnsupportedCommand, match=r"read-only .* set read_only = false"):
            driver.ask(command(), 0.0)  # type: ignore[call-arg]  # none of its takes a field
    assert driver.deadline() is None


@pytest.mark.parametrize("command", [StartShuffle(), Home()])
def test_a_shoe_cannot_shuffle(command: StartShuffle | Home) -> None:
    with pytest.raises(UnsupportedCommand, match="is a shoe"):
        shoe(WRITES).ask(command, 0.0)


def test_events_may_come_between_command_and_answer() -> None:
    bench = _asked()
    bench.hear(CARD * 3 + b"\x06" + frame("2", b"P"), 0.5)
    assert cards(bench.events) == ["8S"]
    assert _answers(bench.events) == [CommandDone("Lock")]


def test_only_the_first_answer_counts() -> None:
    bench = _asked()
    bench.hear(b"\x06\x06\x15\x02")
    assert _answers(bench.events) == [CommandDone("Lock")]


def test_no_answer_within_three_seconds_is_told_and_nothing_is_sent_again() -> None:
    bench = _asked()
    assert bench.driver.deadline() == 3.0
    assert bench.wait(2.9) == []
    step = bench.driver.tick(3.0)
    assert (step.events, step.send) == ((CommandTimedOut("Lock"),), b"")
    assert bench.driver.deadline() is None
    bench.hear(b"\x06", 0.5)
    assert _answers(bench.events) == []


def test_a_second_command_waits_for_the_first() -> None:
    bench = _asked()
    step = bench.driver.ask(Unlock(), 1.0)
    assert step.send == b""
    assert step.events == (CommandRefused("Unlock", "Lock has not been answered yet"),)
    bench.hear(b"\x06")
    assert bench.driver.ask(Unlock(), 1.0).send[-4:] == b"1\x0318"


def test_a_command_asked_after_the_time_out_tells_it_and_is_sent() -> None:
    bench = _asked()
    step = bench.driver.ask(ClearError(), 5.0)
    assert step.events == (CommandTimedOut("Lock"),)
    assert len(step.send) == 10


def test_a_lost_link_takes_the_answer_along() -> None:
    bench = _asked()
    assert bench.reconnect(0.5) == [CommandTimedOut("Lock")]
    assert bench.driver.ask(Unlock(), 1.0).send


def test_a_refusal_says_why_in_words() -> None:
    bench = _asked()
    (refused,) = bench.hear(b"\x15\x02")
    assert isinstance(refused, CommandRefused)
    assert "command_bcc" in refused.why


def test_nak_with_a_code_nobody_knows_is_no_answer() -> None:
    bench = _asked()
    bench.hear(b"\x15\x31" + CARD)
    assert cards(bench.events) == ["8S"]
    assert _answers(bench.wait(5.0)) == [CommandTimedOut("Lock")]


def test_a_damaged_event_is_no_answer() -> None:
    """A flipped bit makes F an acknowledgement and a start byte a refusal."""
    for bad in flips(CARD):
        bench = _asked()
        bench.hear(bad + CARD)
        assert _answers(bench.events) == []
        assert cards(bench.events) == ["8S"]


def test_the_data_sheet_lists_what_can_be_asked_and_set() -> None:
    registered = find("shoe_angel_eye")
    assert registered.sheet is SHEET
    assert (SHEET.baud, SHEET.numbered, SHEET.packets) == (4800, True, False)
    for key, setting in SHEET.settings.items():
        assert len(setting.says) > 20
        for value in setting.choices or ():
            registered.with_settings({key: value})
    assert all(each.endswith(".") for each in SHEET.unknown)


@each_row(
    "settings, says",
    [
        ({"seq": "1-9"}, "no setting 'seq'"),
        ({"sequence": "1-8"}, "learn, 1-9, 0-9, any"),
        ({"repeat_window_s": 0.0}, "0.2 to 10 s"),
        ({"command_timeout_s": 90}, "0.1 to 60 s"),
    ],
)
def test_a_setting_that_cannot_be_is_refused(settings: dict[str, object], says: str) -> None:
    with pytest.raises(BadSetting, match=says):
        find("shoe_angel_eye").make(settings)  # type: ignore[call-arg]


def test_checksums_can_be_ignored_on_a_bench_and_lower_case_refused() -> None:
    wrong = CARD[:-2] + b"00"
    assert cards(Bench({"check_bcc": False}).hear(wrong)) == ["8S"]
    assert cards(Bench().hear(wrong)) == []
    lower = CARD[:-2] + CARD[-2:].lower()
    assert lower != CARD
    assert cards(Bench().hear(lower)) == ["8S"]
    strict = Bench({"bcc_case": "upper"})
    strict.hear(lower)
    (report,) = strict.wait(2.0)
    assert isinstance(report, BadFrame)


def test_a_reply_that_nobody_asked_for_is_a_notice_of_its_length() -> None:
    text = b"\x02" + b"A" * 40 + b"\x03"
    digits = f"{0x41 * 0 ^ 0x03:02X}".encode()
    (notice,) = Bench().hear(text + digits)
    assert "40 bytes" in repr(notice)
    too_long = b"\x02" + b"A" * 70 + b"\x03" + digits
    bench = Bench()
    bench.hear(too_long)
    assert isinstance(bench.wait(2.0)[0], BadFrame)
