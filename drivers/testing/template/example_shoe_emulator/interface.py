"""The shoe in bytes, written from PROTOCOL.md and never from the driver."""

from functools import reduce
from operator import xor


def line_of(text: str) -> bytes:
    check = reduce(xor, text.encode("ascii"), 0)
    return f"{text}*{check:02X}\r\n".encode("ascii")
