"""The cable: every fault at its byte, the line's pace, and its limits."""

import pytest

from simulators.kit.contract import Refused
from simulators.wire.cable import MAX_BYTES_WAITING, MAX_FAULTS_WAITING, Wire

TEXT = b"abcdefgh"


def through(wire: Wire, data: bytes = TEXT) -> bytes:
    wire.put(data)
    return wire.step(0)


def test_whole_cable_changes_nothing() -> None:
    assert through(Wire()) == TEXT


def test_fault_strikes_at_its_place_and_no_more() -> None:
    wire = Wire()
    assert through(wire, b"12") == b"12"
    wire.drop(after=2, count=3)
    assert through(wire) == b"abfgh"
    assert wire.lost == 3
    assert through(wire) == TEXT


def test_bytes_arrive_twice_as_one_piece() -> None:
    wire = Wire()
    wire.double(after=1, count=3)
    assert through(wire) == b"abcdbcdefgh"


def test_bytes_change_places() -> None:
    wire = Wire()
    wire.reorder(after=1, count=2)
    assert through(wire) == b"adebcfgh"


def test_bytes_that_wait_for_others_in_vain_are_let_go() -> None:
    wire = Wire()
    wire.reorder(count=4)
    assert through(wire, b"ab") == b""
    assert wire.due_s() == 1.0
    assert wire.step(0.5) == b""
    assert wire.step(0.5) == b"ab"


def test_one_bit_of_one_byte_is_flipped() -> None:
    wire = Wire()
    wire.flip(after=1, bit=7)
    assert through(wire, b"\x00\x01\x02") == b"\x00\x81\x02"


def test_flipped_bit_is_drawn_from_the_seed() -> None:
    def flipped(seed: int) -> bytes:
        wire = Wire(seed)
        for place in range(8):
            wire.flip(after=place)
        return through(wire, bytes(8))

    assert flipped(1) == flipped(1)
    assert flipped(1) != flipped(2)
    assert all(byte.bit_count() == 1 for byte in flipped(3))


def test_delay_holds_everything_and_loses_nothing() -> None:
    wire = Wire()
    wire.delay(2.0)
    assert through(wire) == b""
    assert wire.due_s() == 2.0
    assert wire.step(1.5) == b""
    assert wire.step(1.0) == TEXT


def test_cut_cable_delivers_what_was_before_the_cut() -> None:
    wire = Wire()
    wire.cut(after=3)
    assert through(wire) == b"abc"
    assert (wire.is_cut, through(wire)) == (True, b"")
    assert wire.lost == 5 + 8
    wire.mend()
    assert not wire.is_cut
    assert through(wire) == TEXT


def test_cut_at_once_delivers_nothing() -> None:
    wire = Wire()
    wire.put(TEXT)
    wire.cut()
    assert wire.is_cut
    assert wire.step(0) == b""


def test_mended_cable_has_no_fault_left() -> None:
    wire = Wire()
    wire.drop(count=100)
    wire.flip()
    wire.noise(1.0)
    wire.delay(5)
    wire.put(b"old")
    wire.mend()
    assert through(wire) == TEXT


def test_noise_is_the_same_for_the_same_seed() -> None:
    def heard(seed: int) -> bytes:
        wire = Wire(seed)
        wire.noise(0.2)
        return through(wire, TEXT * 100)

    assert heard(5) == heard(5)
    assert heard(5) != heard(6)
    assert heard(5) != TEXT * 100


def test_noise_strikes_about_its_share() -> None:
    wire = Wire(1)
    wire.noise(0.5)
    through(wire, bytes(3000))
    assert 300 < wire.lost < 700, "a third of the struck half is dropped"


def test_line_carries_its_baud_and_saves_no_time_up() -> None:
    wire = Wire(baud=4800)
    wire.step(10.0)
    wire.put(TEXT)
    assert wire.step(0.0) == b""
    assert wire.due_s() == pytest.approx(10 / 4800)
    assert wire.step(10 / 4800) == b"a"
    assert wire.step(3.5 * 10 / 4800) == b"bcd"
    assert wire.step(0.5 * 10 / 4800) == b"e"
    assert wire.step(1.0) == b"fgh"
    wire.put(b"x")
    assert wire.step(0.0) == b""
    assert wire.step(10 / 4800) == b"x"


def test_frame_takes_its_time_in_a_thousand_steps() -> None:
    wire = Wire(baud=4800)
    wire.put(bytes(48))
    out = b"".join(wire.step(0.0001) for _ in range(1000))
    assert len(out) == 48, "48 bytes at 4800 baud are a tenth of a second"


def test_line_nobody_reads_is_bounded() -> None:
    wire = Wire()
    wire.put(bytes(MAX_BYTES_WAITING - 1))
    wire.put(b"abc")
    assert wire.lost == 2
    assert len(wire.step(0)) == MAX_BYTES_WAITING


def test_faults_that_wait_are_bounded() -> None:
    wire = Wire()
    for _ in range(MAX_FAULTS_WAITING):
        wire.drop(after=5)
    with pytest.raises(Refused, match="faults wait"):
        wire.drop()
