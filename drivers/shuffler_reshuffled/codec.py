"""ReShuffled's frame: `:` two characters `#` CRC-32 in upper-case hex, LF.

:OK#D736D92D LF
"""

import re
from dataclasses import dataclass
from typing import Final
from zlib import crc32

from drivers.errors import FrameError

MAX_FRAME_BYTES: Final = 64
"""The board stores 32 bytes; twice that leaves room for text it prints in front of a frame."""

_FRAME: Final = re.compile(rb":([0-9A-Z]{2})#([0-9A-F]{1,8})")
_FORMAT_FAULT: Final = re.compile(rb"Fehler: ([0-9]{1,3})\r?")


@dataclass(frozen=True, slots=True)
class Format:
    """The three properties in which ReShuffled's documents and programs differ."""

    crc_covers_hash: bool = False
    end: bytes = b"\n"
    short_crc: bool = True

    def to_bytes(self, text: str) -> bytes:
        return b":%s#%08X%s" % (text.encode("ascii"), self._crc(text.encode("ascii")), self.end)

    def from_bytes(self, line: bytes) -> str:
        """Return the two characters of a frame without its end; raises `FrameError`.

        The board prints debugging text on the same line without ending it, and a torn frame may
        precede a whole one, so a frame starts at the last colon.
        """
        found = _FRAME.fullmatch(line[max(line.rfind(b":"), 0) :])
        if found is None:
            raise FrameError("no frame")
        text, digits = found.groups()
        crc = self._crc(text)
        # Quirk: the board prints the checksum without zero padding: E2 comes one character short.
        if digits != b"%08X" % crc and not (self.short_crc and digits == b"%X" % crc):
            raise FrameError("the checksum does not fit")
        return text.decode("ascii")

    def _crc(self, text: bytes) -> int:
        return crc32(text + b"#" if self.crc_covers_hash else text)


def format_fault(line: bytes) -> int | None:
    """Return the number in `Fehler: 1`, which the board prints outside any frame about a request
    that it rejected: 1 length, 2 no colon, 3 no LF, 4 a forbidden character."""
    found = _FORMAT_FAULT.search(line)
    return int(found.group(1)) if found else None
