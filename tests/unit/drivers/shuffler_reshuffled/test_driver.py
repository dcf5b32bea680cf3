"""ReShuffled's driver against the vectors, damage, silence and the board's known defects."""

import json
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers import registry
from drivers.commands import DealHands, DeviceCommand, Home, Lock, ShutDown, StartShuffle
from drivers.contract import Driver
from drivers.errors import BadSetting, FrameError, UnsupportedCommand
from drivers.events import (
    BadFrame,
    CommandDone,
    CommandRefused,
    CommandTimedOut,
    Event,
    Notice,
    ShuffleVerified,
    Verdict,
)
from drivers.shuffler_reshuffled.codec import MAX_FRAME_BYTES, Format, format_fault
from drivers.testing.cuts import flips, same_however_cut
from support.rows import each_row

VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[4] / "drivers/shuffler_reshuffled/vectors.json").read_text()
)
SHUFFLE = StartShuffle(mode="shuffle")
OK = bytes.fromhex("3A4F4B2344373336443932440A")
ASKED: dict[str, DeviceCommand] = {
    "IN": Home(),
    "SH": SHUFFLE,
    "D5": DealHands(1, 5),
    "A5": DealHands(4, 5),
    "XX": ShutDown(),
}


def driver(**settings: object) -> Driver:
    made = registry.find("shuffler_reshuffled").with_settings(settings)
    assert made.hello(0.0).send == b"", "IN may move cards: nobody asked for it"
    return made


def settings_of(vector: dict[str, Any]) -> dict[str, object]:
    return {key: value for key, value in vector["settings"].items() if key != "padding"}


def format_of(vector: dict[str, Any]) -> Format:
    return Format(
        crc_covers_hash=vector["settings"].get("crc_covers") == "data_and_hash",
        end=b";" if vector["settings"].get("end") == "semicolon" else b"\n",
    )


def named(side: str) -> list[Any]:
    return [pytest.param(v, id=f"{v['n']}-{v['says']}") for v in VECTORS if v["from"] == side]


def answer(text: str) -> tuple[Event, ...]:
    if text == "OK":
        return (CommandDone("start"), ShuffleVerified(Verdict.NOT_VERIFIED))
    why = f"the board answers {text}; what that means is not documented: look at the machine"
    return (CommandRefused("start", why, int(text[1])),)


@each_row("vector", named("host"))
def test_a_command_leaves_as_the_published_bytes(vector: dict[str, Any]) -> None:
    step = driver(**settings_of(vector)).ask(ASKED[vector["text"]], 1.0)
    assert step.send == bytes.fromhex(vector["hex"])
    assert step.events == ()


@each_row("before", [b"", b"Error", b"\xff\x00", b":O", b":OK#D73", b"Fehl"])
@each_row("vector", named("device"))
def test_an_answer_is_the_same_however_it_is_cut(vector: dict[str, Any], before: bytes) -> None:
    def read(pieces: Iterable[bytes]) -> tuple[Event, ...]:
        shuffler = driver(**settings_of(vector))
        shuffler.ask(SHUFFLE, 1.0)
        return tuple(event for piece in pieces for event in shuffler.feed(piece, 2.0).events)

    stream = before + bytes.fromhex(vector["hex"]) + b"garbage"
    assert same_however_cut(stream, read) == answer(vector["text"])


@each_row("vector", named("device"))
def test_a_flipped_bit_never_gives_an_answer(vector: dict[str, Any]) -> None:
    """A flipped end leaves the frame waiting for the next one."""
    for damaged in flips(bytes.fromhex(vector["hex"])):
        shuffler = driver(**settings_of(vector))
        shuffler.ask(SHUFFLE, 1.0)
        events = shuffler.feed(damaged, 2.0).events
        assert all(isinstance(event, BadFrame | Notice) for event in events), damaged
        assert shuffler.deadline() is not None, "still waiting"


@each_row("vector", VECTORS)
def test_the_codec_reads_every_vector(vector: dict[str, Any]) -> None:
    frame = bytes.fromhex(vector["hex"])
    assert format_of(vector).from_bytes(frame[:-1]) == vector["text"]


@given(
    st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", min_size=2, max_size=2),
    st.booleans(),
    st.booleans(),
)
def test_round_trip(text: str, covers_hash: bool, short: bool) -> None:
    form = Format(crc_covers_hash=covers_hash, short_crc=short)
    frame = form.to_bytes(text)
    assert len(frame) == 13
    assert form.from_bytes(frame[:-1]) == text


@given(st.binary(max_size=200))
def test_noise_gives_no_answer_and_raises_nothing(noise: bytes) -> None:
    shuffler = driver()
    shuffler.ask(SHUFFLE, 1.0)
    for event in shuffler.feed(noise, 2.0).events:
        assert isinstance(event, BadFrame | Notice | CommandRefused)


def test_a_megabyte_of_noise_leaves_the_driver_able_to_hear() -> None:
    shuffler = driver()
    shuffler.ask(SHUFFLE, 1.0)
    noise = Random(7).randbytes(1 << 20)
    for at in range(0, len(noise), 4096):
        shuffler.feed(noise[at : at + 4096], 2.0)
    shuffler.feed(b"\n", 2.0)
    assert shuffler.feed(OK, 3.0).events == answer("OK")


def test_a_line_over_the_limit_is_told_and_the_next_one_is_read() -> None:
    shuffler = driver()
    shuffler.ask(SHUFFLE, 1.0)
    assert shuffler.feed(b"x" * (MAX_FRAME_BYTES + 1), 2.0).events == ()
    (bad, *rest) = shuffler.feed(b"\n" + OK, 2.0).events
    assert isinstance(bad, BadFrame)
    assert tuple(rest) == answer("OK")


def test_the_short_checksum_can_be_refused() -> None:
    short = b":E2#400F83F"
    assert Format().from_bytes(short) == "E2"
    with pytest.raises(FrameError):
        Format(short_crc=False).from_bytes(short)
    shuffler = driver(short_crc="refuse")
    shuffler.ask(SHUFFLE, 1.0)
    (event,) = shuffler.feed(short + b"\n", 2.0).events
    assert isinstance(event, BadFrame)


@each_row("code", [1, 2, 3, 4])
def test_a_fault_printed_as_text_refuses_the_request(code: int) -> None:
    shuffler = driver()
    shuffler.ask(Home(), 1.0)
    (event,) = shuffler.feed(b"Fehler: %d\r\n" % code, 1.1).events
    assert isinstance(event, CommandRefused)
    assert (event.command, event.code) == ("home", code)
    assert format_fault(b"nothing") is None
    (again,) = shuffler.feed(b"Fehler: %d\r\n" % code, 1.2).events
    assert isinstance(again, Notice), "nothing is asked any more"


def test_the_word_error_before_an_answer_does_no_harm() -> None:
    shuffler = driver()
    shuffler.ask(Home(), 1.0)
    assert shuffler.feed(b"Error" + OK, 1.1).events == (CommandDone("home"),)


def test_requests_printed_back_are_told_once() -> None:
    shuffler = driver()
    echo = b"Received a request: :SH#A848D5CA\nrequest check ok\n"
    shuffler.ask(SHUFFLE, 1.0)
    first = shuffler.feed(echo, 1.1).events
    assert [type(event) for event in first] == [Notice, BadFrame]
    assert shuffler.feed(OK, 1.2).events == answer("OK")
    shuffler.ask(SHUFFLE, 2.0)
    assert [type(event) for event in shuffler.feed(echo, 2.1).events] == [BadFrame]


def test_silence_times_out_once_and_nothing_is_sent_again() -> None:
    shuffler = driver(motion_timeout_s=10.0)
    shuffler.ask(SHUFFLE, 1.0)
    assert shuffler.deadline() == 11.0
    assert shuffler.tick(10.9).events == ()
    step = shuffler.tick(11.0)
    assert step.events == (CommandTimedOut("start"),)
    assert step.send == b""
    assert shuffler.deadline() is None
    assert shuffler.tick(100.0).events == ()
    (late,) = shuffler.feed(OK, 101.0).events
    assert isinstance(late, Notice)


def test_shutting_down_has_its_own_limit() -> None:
    shuffler = driver(answer_timeout_s=2)
    shuffler.ask(ShutDown(), 1.0)
    assert shuffler.deadline() == 3.0


def test_a_second_request_is_refused_while_one_is_open() -> None:
    shuffler = driver()
    shuffler.ask(SHUFFLE, 1.0)
    step = shuffler.ask(DealHands(1, 3), 1.5)
    (event,) = step.events
    assert isinstance(event, CommandRefused)
    assert step.send == b""
    assert shuffler.feed(OK, 2.0).events == answer("OK"), "the first is answered as if nothing was"


def test_a_link_that_comes_back_ends_the_request_and_forgets_half_a_frame() -> None:
    shuffler = driver()
    shuffler.ask(SHUFFLE, 1.0)
    shuffler.feed(OK[:6], 1.1)
    step = shuffler.hello(5.0)
    assert step.events == (CommandTimedOut("start"),)
    assert step.send == b""
    (rest,) = shuffler.feed(OK[6:], 5.1).events
    assert isinstance(rest, BadFrame)


@each_row(
    "command",
    [
        StartShuffle(),
        StartShuffle("verify"),
        DealHands(2, 5),
        DealHands(1, 10),
        DealHands(4, 0),
        Lock(),
    ],
)
def test_what_it_cannot_do_is_refused_before_a_byte_leaves(command: DeviceCommand) -> None:
    with pytest.raises(UnsupportedCommand):
        driver().ask(command, 1.0)


def test_an_answer_no_document_knows_is_a_notice() -> None:
    shuffler = driver()
    shuffler.ask(SHUFFLE, 1.0)
    (event,) = shuffler.feed(Format().to_bytes("ZZ"), 1.1).events
    assert isinstance(event, Notice)
    assert shuffler.deadline() is not None


def test_the_data_sheet_says_that_it_cannot_verify() -> None:
    import drivers.shuffler_reshuffled as folder

    assert "cannot verify" in (folder.__doc__ or "")
    with pytest.raises(BadSetting):
        driver(end="cr")
