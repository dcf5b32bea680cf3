"""The reader's line for a label: a prefix, check digits, a suffix, an end.

It follows PROTOCOL.md; control characters have the names of scanners' manuals.
"""

from collections.abc import Mapping
from typing import Any, Final

from simulators.kit.settings import WrongSetting

ENDS: Final = {"crlf": "\r\n", "cr": "\r", "lf": "\n", "etx": "\x03", "tab": "\t"}
NAMED: Final = {"<STX>": "\x02", "<ETX>": "\x03", "<CR>": "\r", "<LF>": "\n", "<HT>": "\t"}


def written(text: str, name: str) -> str:
    """Return a settings text with its control characters; raises `WrongSetting`."""
    for each, character in NAMED.items():
        text = text.replace(each, character)
    if len(text) > 16 or not text.isascii():
        raise WrongSetting(f"{name} = {text!r}, but it takes up to 16 plain characters")
    return text


def with_check(label: str) -> str:
    """Append the exclusive or of the bytes that the hex digits spell."""
    try:
        spelled = bytes.fromhex(label)
    except ValueError:
        return label + "00"  # not hex, so no check can be right
    check = 0
    for byte in spelled:
        check ^= byte
    return f"{label}{check:02X}"


class Line:
    def __init__(self, settings: Mapping[str, Any]) -> None:
        self._prefix = written(settings["prefix"], "prefix")
        self._suffix = written(settings["suffix"], "suffix")
        self._end = ENDS[settings["end"]]
        self._checks = settings["check"] == "xor_hex"

    def bytes_of(self, label: str) -> bytes:
        body = with_check(label) if self._checks else label
        return f"{self._prefix}{body}{self._suffix}{self._end}".encode("ascii")
