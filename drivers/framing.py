"""Shared tools of the codecs: a receive buffer with a limit, and small checksums.

A codec pours its input into its buffer and takes frames out of it between two portions:

    for _ in buffer.pour(data):
        while (frame := self._next()) is not None:
            yield frame

The buffer never exceeds its limit, however much came at once. A codec must therefore always be able
to make room: a frame that is longer than the buffer is no frame.
"""

from collections.abc import Iterator
from re import Pattern
from typing import Final


class ReceiveBuffer:
    """The received bytes that are not decoded yet, oldest first."""

    __slots__ = ("_held", "limit")

    def __init__(self, limit: int) -> None:
        self._held = bytearray()
        self.limit: Final = limit

    def __len__(self) -> int:
        return len(self._held)

    def __getitem__(self, index: int) -> int:
        return self._held[index]

    def pour(self, data: bytes) -> Iterator[None]:
        """Add `data`, each time as much as there is room for."""
        start = 0
        while start < len(data):
            room = self.limit - len(self._held)
            assert room > 0, "the codec took nothing out of a full buffer"
            self._held += data[start : start + room]
            start += room
            yield

    def find(self, pattern: Pattern[bytes], start: int = 0, end: int | None = None) -> int | None:
        """Return where the first match begins, from `start` and before `end`."""
        match = pattern.search(self._held, start, len(self._held) if end is None else end)
        return None if match is None else match.start()

    def peek(self, count: int) -> bytes:
        """Return the first `count` bytes, or as many as there are, without removing them."""
        return bytes(self._held[:count])

    def take(self, count: int) -> bytes:
        """Remove and return the first `count` bytes, or as many as there are."""
        taken = bytes(self._held[:count])
        del self._held[:count]
        return taken

    def take_all(self) -> bytes:
        return self.take(len(self._held))


def xor8(data: bytes) -> int:
    """Return all bytes by exclusive or. It detects every flipped bit, and never two in the same
    place."""
    result = 0
    for byte in data:
        result ^= byte
    return result


def sum8(data: bytes) -> int:
    """Return the total of all bytes, modulo 256."""
    return sum(data) & 0xFF


def hex2(value: int) -> bytes:
    """Return a byte as two upper-case hexadecimal digits."""
    return b"%02X" % value


_DIGITS: Final = {ord(digit): int(digit, 16) for digit in "0123456789ABCDEFabcdef"}


def hex_digit(byte: int) -> int | None:
    """Return the value of a hexadecimal digit; None for everything else, signs and blanks too."""
    return _DIGITS.get(byte)
