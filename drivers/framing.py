"""What codecs share: a receive buffer that cannot grow, and small checksums.

A codec pours what came into its buffer and takes frames out of it between two helpings:

    for _ in buffer.pour(data):
        while (frame := self._next()) is not None:
            yield frame

However much came at once, the buffer holds no more than its limit. A codec must therefore always be
able to make room: a frame that is longer than the buffer is no frame.
"""

from collections.abc import Iterator
from re import Pattern
from typing import Final


class ReceiveBuffer:
    """Bytes that have come and are not understood yet, oldest first."""

    __slots__ = ("_held", "limit")

    def __init__(self, limit: int) -> None:
        self._held = bytearray()
        self.limit: Final = limit

    def __len__(self) -> int:
        return len(self._held)

    def __getitem__(self, index: int) -> int:
        return self._held[index]

    def pour(self, data: bytes) -> Iterator[None]:
        """Take `data` in, each time as much as there is room for."""
        start = 0
        while start < len(data):
            room = self.limit - len(self._held)
            assert room > 0, "the codec took nothing out of a full buffer"
            self._held += data[start : start + room]
            start += room
            yield

    def find(self, pattern: Pattern[bytes], start: int = 0, end: int | None = None) -> int | None:
        """Where the first match begins, from `start` and before `end`."""
        match = pattern.search(self._held, start, len(self._held) if end is None else end)
        return None if match is None else match.start()

    def peek(self, count: int) -> bytes:
        """The first `count` bytes, or as many as there are; they stay."""
        return bytes(self._held[:count])

    def take(self, count: int) -> bytes:
        """The first `count` bytes, or as many as there are; they are gone."""
        taken = bytes(self._held[:count])
        del self._held[:count]
        return taken

    def take_all(self) -> bytes:
        return self.take(len(self._held))


def xor8(data: bytes) -> int:
    """All bytes by exclusive or. One flipped bit always shows; two in the same place never do."""
    result = 0
    for byte in data:
        result ^= byte
    return result


def sum8(data: bytes) -> int:
    """The total of all bytes, modulo 256."""
    return sum(data) & 0xFF


def hex2(value: int) -> bytes:
    """A byte as two upper-case hexadecimal digits."""
    return b"%02X" % value


_DIGITS: Final = {ord(digit): int(digit, 16) for digit in "0123456789ABCDEFabcdef"}


def hex_digit(byte: int) -> int | None:
    """What one hexadecimal digit is worth; None for everything else, signs and blanks too."""
    return _DIGITS.get(byte)
