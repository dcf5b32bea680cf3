"""Bits flipped, bytes lost and doubled, noise: no wrong card, and no card lost in silence."""

import random
import tracemalloc
from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.events import BadFrame, Event
from drivers.shoe_angel_eye.damage import REPORT_EVERY_S
from drivers.testing.cuts import flips
from support.devices.angel_frames import (
    ROUND,
    ROUND_CARDS,
    Bench,
    cards,
    doubts,
    is_part_of,
    numbered,
)
from support.rows import each_row

FRAMES = numbered([*ROUND, *ROUND], first=3)
BEFORE = numbered([b"P"], first=2)[0]
"""Somebody must have been there before: of a shoe's very first event nobody can know."""
TRUTH = [*ROUND_CARDS, *ROUND_CARDS]


def _played(copies: Iterable[tuple[bytes, ...]], settings: dict[str, object]) -> list[Event]:
    """Each event as the copies of it that reach the host."""
    bench = Bench(settings)
    bench.say(BEFORE)
    for each in copies:
        bench.wait(2.0)
        for copy in each:
            bench.hear(copy, 0.05)
    bench.wait(30.0)
    return bench.events


def _damaged(raw: bytes) -> Iterator[bytes]:
    """A frame with a bit flipped, a byte lost, a byte doubled, or cut short."""
    yield from flips(raw)
    for at in range(len(raw)):
        yield raw[:at] + raw[at + 1 :]
        yield raw[: at + 1] + raw[at:]
        yield raw[:at]


@each_row("which", range(len(ROUND)))
@each_row("place", range(3))
def test_one_damaged_copy_of_three_loses_nothing(which: int, place: int) -> None:
    for bad in _damaged(FRAMES[which]):
        copies = [[raw] * 3 for raw in FRAMES[:10]]
        copies[which][place] = bad
        events = _played(map(tuple, copies), {"sequence": "1-9"})
        assert cards(events) == TRUTH[:8]
        assert doubts(events) == []


@each_row("which", range(len(ROUND)))
def test_one_damaged_event_of_one_copy_is_missed_and_told(which: int) -> None:
    for settings in ({}, {"copies": 1}, {"sequence": "1-9", "copies": 1}):
        for bad in _damaged(FRAMES[which]):
            copies = [(raw,) for raw in FRAMES[:10]]
            copies[which] = (bad,)
            events = _played(copies, dict(settings))
            assert is_part_of(cards(events), TRUTH)
            assert len(cards(events)) == 8 or doubts(events)


def test_the_same_damage_in_every_copy_is_told_before_the_next_event() -> None:
    for bad in flips(FRAMES[1]):
        if bad.upper() == FRAMES[1].upper():
            continue  # a checksum digit in the other case is no damage
        bench = Bench()
        for raw in (FRAMES[0], bad):
            bench.say(raw)
        assert doubts(bench.wait(2.0))
        assert cards(bench.events) == ["2C"]
        assert doubts(bench.say(FRAMES[2]))


def test_a_copy_cut_by_the_next_frame_does_not_take_it_along() -> None:
    torn = FRAMES[1][:5] + FRAMES[1]
    events = _played([(FRAMES[0],) * 3, (torn,)], {})
    assert cards(events) == ["2C", "3H"]
    assert doubts(events) == []


def test_stray_bytes_are_reported_and_are_no_doubt() -> None:
    bench = Bench()
    bench.say(FRAMES[0])
    bench.hear(b"\x00\xff", 5.0)
    (report,) = bench.wait(5.0)
    assert report == BadFrame("2 bytes that are no frame", b"\x00\xff", may_be_card=False)


def test_damage_long_after_the_last_event_is_a_doubt_within_a_second() -> None:
    bench = Bench()
    bench.say(FRAMES[0])
    bench.hear(FRAMES[1][:6], 5.0)
    (report,) = bench.wait(1.0)
    assert isinstance(report, BadFrame)
    assert report.may_be_card
    assert report.data == FRAMES[1][:6]
    assert "data" not in repr(report)


def test_copies_that_did_not_come_explain_no_damage_long_after_them() -> None:
    for after, doubt in ((0.05, False), (5.0, True)):
        bench = Bench()
        bench.hear(FRAMES[0])
        bench.hear(FRAMES[0][:-1], after)
        bench.wait(5.0)
        assert bool(doubts(bench.events)) is doubt


def test_without_numbers_damage_that_copies_do_not_explain_is_a_doubt() -> None:
    for lost, told in ((FRAMES[1], True), (b"", False)):
        bench = Bench({"sequence": "any"})
        bench.say(FRAMES[0])
        bench.hear(lost[:-1] * 3, 0.5)
        bench.hear(FRAMES[2], 0.1)
        bench.wait(20.0)
        assert bool(doubts(bench.events)) is told
        assert cards(bench.events) == ["2C", "3D"]


def _noise(megabytes: int) -> None:
    """Noise at the real pace for hours: memory, events and the state afterwards."""
    rng, bench, most, count = random.Random(4800), Bench(), 0, 0
    tracemalloc.start()
    try:
        for _ in range(megabytes * 1024):
            count += len(bench.driver.feed(rng.randbytes(1024), bench.at).events)
            bench.at += 1024 / 480
            most = max(most, tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert most < 1_000_000  # half of the shorter run; a worker allocates a little beside us
    assert count <= bench.at / REPORT_EVERY_S + 1
    bench.wait(30.0)
    bench.events.clear()
    for raw in FRAMES[:2]:
        bench.say(raw)
    assert cards(bench.events) == ["2C", "3H"]


def test_noise_is_bounded_in_memory_and_in_events() -> None:
    _noise(2)


@pytest.mark.second_tier
def test_ten_megabytes_of_noise() -> None:
    _noise(10)


def test_a_flood_at_once_is_one_report() -> None:
    bench = Bench()
    bench.hear(b"\x05\x02\xff" * 100_000)
    assert len(bench.wait(60.0)) == 1
    assert isinstance(bench.events[0], BadFrame)
    assert len(bench.events[0].data) == 96
    assert bench.driver.deadline() is None


@given(st.lists(st.binary(max_size=20), min_size=1, max_size=9), st.data())
def test_frames_in_noise_come_through_when_the_noise_starts_nothing(
    noise: list[bytes], more: st.DataObject
) -> None:
    """Noise without start bytes between frames; the stream is cut anywhere."""
    stream = b""
    for raw, junk in zip(FRAMES, noise, strict=False):
        stream += junk.translate(None, b"\x02\x05") + raw
    places = more.draw(st.lists(st.integers(0, len(stream)), max_size=6).map(sorted))
    bench = Bench()
    for start, end in zip([0, *places], [*places, len(stream)], strict=True):
        bench.hear(stream[start:end])
    assert cards(bench.events) == cards(_played(((raw,) for raw in FRAMES[: len(noise)]), {}))


def test_an_end_of_line_after_every_frame_is_no_damage() -> None:
    """Device servers add one; it was taken for half a card, and the count was asked each time."""

    def told(end: bytes, cut: int) -> list[Event]:
        bench = Bench()
        for whole in numbered(ROUND):
            for piece in _in_pieces((whole + end) * 3, cut):
                bench.hear(piece)
            bench.wait(2.0)
        bench.wait(30.0)
        return bench.events

    plain = told(b"", 99)
    assert cards(plain) == ROUND_CARDS
    for cut in (1, 2, 7, 99):
        assert told(b"\r\n", cut) == plain
    assert any(isinstance(event, BadFrame) for event in told(b"\r\n\r\n\r\n", 99))


def _in_pieces(data: bytes, size: int) -> list[bytes]:
    return [data[start : start + size] for start in range(0, len(data), size)]
