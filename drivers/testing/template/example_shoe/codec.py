"""Lines of the wire and their text: from any cut of the stream, with a limit."""

from typing import Final

from drivers.errors import FrameError
from drivers.framing import hex2, xor8
from drivers.lines import Lines

MAX_LINE_BYTES: Final = 40


def written(text: str) -> bytes:
    """Return the line with this text."""
    data = text.encode("ascii")
    return data + b"*" + hex2(xor8(data)) + b"\r\n"


def read(line: bytes) -> str:
    """Return the text of a line without its end; raises `FrameError`."""
    data, star, check = line.partition(b"*")
    if not star or check != hex2(xor8(data)):
        raise FrameError("the check does not fit")
    try:
        return data.decode("ascii")
    except UnicodeDecodeError:
        raise FrameError("a line that is no text") from None


class Decoder:
    """A decoder that returns every complete line without its end; None for one that was too
    long."""

    def __init__(self) -> None:
        self._lines = Lines(b"\n", MAX_LINE_BYTES)
        self.under_way = False
        """A line has begun and not ended."""

    def feed(self, data: bytes) -> list[bytes | None]:
        ended = self._lines.feed(data)
        self.under_way = bool(data.rpartition(b"\n")[2]) or (self.under_way and not ended)
        lines = (None if line is None else line.removesuffix(b"\r") for line in ended)
        return [line for line in lines if line != b""]

    def forget(self) -> None:
        self._lines.forget()
        self.under_way = False
