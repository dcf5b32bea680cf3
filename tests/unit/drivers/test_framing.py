import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.framing import ReceiveBuffer, hex2, hex_digit, sum8, xor8


def test_a_helping_is_never_more_than_there_is_room_for() -> None:
    buffer, seen = ReceiveBuffer(8), []
    for _ in buffer.pour(b"0123456789abcdefghij"):
        assert len(buffer) <= buffer.limit
        seen.append(buffer.take(5))
    assert seen == [b"01234", b"56789", b"abcde", b"fghij"]
    assert len(buffer) == 0


def test_a_codec_that_makes_no_room_is_a_mistake_of_ours() -> None:
    helpings = ReceiveBuffer(4).pour(b"12345")
    next(helpings)
    with pytest.raises(AssertionError, match="full buffer"):
        next(helpings)


@given(st.binary(max_size=200), st.integers(1, 20))
def test_nothing_is_lost_or_changed_on_the_way_through(data: bytes, limit: int) -> None:
    buffer = ReceiveBuffer(limit)
    assert b"".join(buffer.take_all() for _ in buffer.pour(data)) == data
    assert len(buffer) == 0


def test_find_looks_between_start_and_end() -> None:
    buffer = ReceiveBuffer(16)
    assert list(buffer.pour(b"a.b.c")) == [None]
    dot = re.compile(rb"\.")
    assert buffer.find(dot) == 1
    assert buffer.find(dot, 2) == 3
    assert buffer.find(dot, 2, 3) is None
    assert (buffer[0], buffer.peek(3), len(buffer)) == (ord("a"), b"a.b", 5)


def test_checksums_of_known_bytes() -> None:
    assert xor8(bytes.fromhex("314481B803")) == 0x4F
    assert sum8(b"0D21") == 0xD7
    assert (xor8(b""), sum8(b"")) == (0, 0)


@given(st.binary(min_size=1, max_size=12), st.data())
def test_one_flipped_bit_always_shows(data: bytes, more: st.DataObject) -> None:
    flipped = bytearray(data)
    where = more.draw(st.integers(0, len(data) - 1))
    flipped[where] ^= 1 << more.draw(st.integers(0, 7))
    assert xor8(bytes(flipped)) != xor8(data)
    assert sum8(bytes(flipped)) != sum8(data)


def test_hexadecimal_digits_and_nothing_else() -> None:
    assert [hex2(value) for value in (0, 0x4F, 0xFF)] == [b"00", b"4F", b"FF"]
    values = {byte: hex_digit(byte) for byte in range(256)}
    read = {chr(byte): value for byte, value in values.items() if value is not None}
    assert read == {digit: int(digit, 16) for digit in "0123456789abcdefABCDEF"}
