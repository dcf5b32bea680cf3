"""The ways a stream can reach a program: whole, byte by byte, cut in two at every place."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Seen = TypeVar("Seen")


def cuts(data: bytes) -> Iterator[tuple[bytes, ...]]:
    yield (data,)
    yield tuple(data[i : i + 1] for i in range(len(data)))
    for at in range(1, len(data)):
        yield (data[:at], b"", data[at:])


def same_however_cut(data: bytes, read: Callable[[Iterable[bytes]], Seen]) -> Seen:
    """Return the result of `read` for the stream; fails when a cut changes it."""
    whole, *others = (read(pieces) for pieces in cuts(data))
    for other in others:
        assert other == whole
    return whole


def flips(data: bytes) -> Iterator[bytes]:
    """Yield every frame that differs from this one in a single bit."""
    for at in range(len(data)):
        for bit in range(8):
            yield data[:at] + bytes((data[at] ^ 1 << bit,)) + data[at + 1 :]
