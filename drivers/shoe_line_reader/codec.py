"""Lines of a reader: their ends, the text around a label, and check digits.

A settings text names control characters as scanner manuals do: `<STX>`, `<CR>`.
"""

import re
from collections.abc import Callable, Mapping
from typing import Final

from drivers.errors import BadSetting, FrameError
from drivers.framing import xor8
from drivers.lines import Lines

CHARACTERS: Final = frozenset(map(chr, range(0x21, 0x7F))) - set("abcdefghijklmnopqrstuvwxyz")
"""The characters of which a label may consist; small letters count as capital ones."""
AROUND_LONGEST: Final = 16
LINE_LONGEST: Final = 96
"""A label, the text around it, and blanks."""

_NAMES: Final = (
    "NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB "
    "CAN EM SUB ESC FS GS RS US"
)
_CONTROLS: Final = {f"<{name}>": chr(code) for code, name in enumerate(_NAMES.split())}
_CONTROL: Final = re.compile(r"<[A-Z0-9]{2,3}>")
_ENDS: Final[Mapping[str, bytes]] = {"line": b"\n", "etx": b"\x03", "tab": b"\t"}
_BLANKS: Final = b" \t\r\n"

NO_PREFIX: Final = "a line without what stands before a label"
NO_SUFFIX: Final = "a line without what stands behind a label"
NO_LABEL: Final = "a line that cannot be a label"
CHECK_WRONG: Final = "a line whose check digits are wrong"


def around(text: object, driver: str, key: str) -> bytes:
    """Return the text before or behind a label as bytes; raises `BadSetting`."""
    spelt = _CONTROL.sub(lambda found: _CONTROLS.get(found[0], "\x7f"), str(text))
    if len(spelt) > AROUND_LONGEST or not spelt.isascii() or "\x7f" in spelt:
        raise BadSetting(
            f"{driver}: {key} = {text!r}, but it may be up to {AROUND_LONGEST} characters, control "
            "characters by their names: <STX>, <CR>"
        )
    return spelt.encode("ascii")


class ReaderLines:
    """A decoder from any cut of the stream to whole lines; None for one that is too long."""

    def __init__(self, end: str) -> None:
        self._lines = Lines(_ENDS[end], LINE_LONGEST)
        self._either = end == "line"

    @property
    def begun(self) -> bool:
        """Whether more than blanks has come since the last end."""
        return self._lines.begun

    def feed(self, data: bytes) -> list[bytes | None]:
        return self._lines.feed(data.replace(b"\r", b"\n") if self._either else data)

    def forget(self) -> bytes:
        """Drop and return an incomplete line."""
        return self._lines.forget()


class Framing:
    """A parser from a line without its end to the label in it."""

    def __init__(self, prefix: bytes, suffix: bytes, check: str) -> None:
        self._prefix, self._suffix = prefix, suffix
        self._checked: Callable[[str], str] = _xor_hex if check == "xor_hex" else str

    def label(self, line: bytes) -> str:
        """Return the label; raises `FrameError`, which quotes nothing. Blanks are ignored
        everywhere."""
        body = line.strip(_BLANKS)
        if not body.startswith(self._prefix):
            raise FrameError(NO_PREFIX)
        body = body[len(self._prefix) :]
        if not body.endswith(self._suffix):
            raise FrameError(NO_SUFFIX)
        body = body[: len(body) - len(self._suffix)]
        label = body.replace(b" ", b"").decode("latin-1").upper()
        if not label or not CHARACTERS.issuperset(label):
            raise FrameError(NO_LABEL)
        return self._checked(label)


_HEX: Final = re.compile(r"(?:[0-9A-F]{2}){2,}")


def _xor_hex(text: str) -> str:
    """Remove the last two digits after checking that they are the exclusive or of the other bytes;
    raises `FrameError`."""
    if not _HEX.fullmatch(text) or xor8(bytes.fromhex(text)):
        raise FrameError(CHECK_WRONG)
    return text[:-2]
