"""The scanner on the bus: a HID boot keyboard (USB HID 1.11, appendix B and F).

A label is typed key by key and ended by Enter. A report is eight bytes: modifiers, one reserved,
six key usages; a key that goes down is one report, a key that goes up another.

Known quirks, each behind a setting: capital letters may have the shift bit in the same report or in
a separate one before it; a scanner may leave out the release between two different keys; a scanner
that ignores SET_IDLE repeats its report for as long as a key is down.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any, Final

REPORT_BYTES: Final = 8
MAX_REPORTS: Final = 4096
"""Maximum number of reports that wait for the host; a real scanner stores a few labels."""
RELEASED: Final = bytes(REPORT_BYTES)
ENTER: Final = 0x28
SHIFT: Final = 0x02
USAGES: Final = {
    **{chr(ord("A") + n): 0x04 + n for n in range(26)},
    **{str(n): 0x1E + n - 1 for n in range(1, 10)},
    **{"0": 0x27, "-": 0x2D, ".": 0x37, "/": 0x38},
}

ENDPOINT: Final = 1
STRINGS: Final = ("manufacturer", "product", "serial")
_KEYBOARD_REPORTS: Final = bytes.fromhex(
    "05010906a101"  # generic desktop, keyboard, application
    "050719e029e71500250175019508"  # eight modifier keys, one bit each
    "8102"
    "950175088103"  # one byte reserved
    "95057501050819012905910295017503"  # five lamps and three bits to fill the byte
    "9103"
    "95067508150026ff00050719002aff008100"  # six keys by usage
    "c0"
)
_HID: Final = bytes([9, 0x21, 0x11, 0x01, 0, 1, 0x22]) + len(_KEYBOARD_REPORTS).to_bytes(
    2, "little"
)


class Typing:
    """Labels as reports, one every `report_ms`."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        self._gap_s: float = settings["report_ms"] / 1000
        self._shift: str = settings["shift"]
        self._releases: str = settings["release"]
        self._repeats: bool = settings["repeats"]
        self._repeat_s: float = settings["repeat_ms"] / 1000
        self._typing: deque[bytes] = deque()
        self._since_s = self._gap_s
        self._held: bytes | None = None
        self._held_s = self._said_s = 0.0
        self.idle_s = self._repeat_s
        """The idle rate set by the host; 0: only changes are reported."""

    @property
    def waiting(self) -> int:
        return len(self._typing)

    @property
    def at_rest(self) -> bool:
        """Whether all was typed, the last pause is over, and no key is down."""
        return not self._typing and self._held is None and self._since_s >= self._gap_s

    def type(self, label: str) -> None:
        keys = [(USAGES.get(each), each.isalpha()) for each in label.upper()]
        self._typing.extend(self._reports([key for key in keys if key[0] is not None]))

    def hold(self, seconds: float) -> None:
        """Press Enter and hold it down for this time."""
        self._held, self._held_s, self._said_s = _report(ENTER), seconds, 0.0
        self._typing.append(self._held)

    def step(self, dt: float) -> Iterator[bytes]:
        """Yield the reports that are due in the next `dt` seconds."""
        self._since_s += dt
        while self._typing and self._since_s >= self._gap_s:
            self._since_s -= self._gap_s
            yield self._typing.popleft()
        if not self._typing:
            self._since_s = min(self._since_s, self._gap_s)
            yield from self._holding(dt)

    def stop(self) -> None:
        """Stop typing, because the power is off."""
        self._typing.clear()
        self._held = None
        self.idle_s = self._repeat_s

    def _holding(self, dt: float) -> Iterator[bytes]:
        if self._held is None:
            return
        every = self._repeat_s if self._repeats else self.idle_s
        self._said_s += min(dt, self._held_s)
        while every and self._said_s >= every:
            self._said_s -= every
            yield self._held
        self._held_s -= dt
        if self._held_s <= 0:
            self._held = None
            yield RELEASED

    def _reports(self, keys: list[tuple[int | None, bool]]) -> Iterator[bytes]:
        before = 0
        for usage, capital in [*keys, (ENTER, False)]:
            assert usage is not None
            if before and (self._releases == "always" or before == usage):
                yield RELEASED
            shifted = capital and self._shift != "never"
            if shifted and self._shift == "first":
                yield _report(0, SHIFT)
            yield _report(usage, SHIFT if shifted else 0)
            before = usage
        yield RELEASED


def _report(usage: int, modifiers: int = 0) -> bytes:
    return bytes([modifiers, 0, usage, 0, 0, 0, 0, 0])


class Hid:
    """The device's answers on its control endpoint."""

    def __init__(self, settings: Mapping[str, Any], typing: Typing) -> None:
        self.vid, self.pid = int(settings["vid"], 16), int(settings["pid"], 16)
        self._refuses: bool = settings["refuses_requests"]
        self._strings = [str(settings[name]) for name in STRINGS]
        self._typing = typing
        self._configured = self._protocol = 1
        self._idle = 0

    def device_descriptor(self) -> bytes:
        ids = b"".join(n.to_bytes(2, "little") for n in (self.vid, self.pid, 0x0100))
        strings = [n + 1 if text else 0 for n, text in enumerate(self._strings)]
        return bytes([18, 1, 0x10, 0x01, 0, 0, 0, 8]) + ids + bytes([*strings, 1])

    def configuration_descriptor(self) -> bytes:
        interface = bytes([9, 4, 0, 0, 1, 3, 1, 1, 0])
        endpoint = bytes([7, 5, 0x80 | ENDPOINT, 3, REPORT_BYTES, 0, 10])
        rest = interface + _HID + endpoint
        head = bytes([9, 2]) + (9 + len(rest)).to_bytes(2, "little")
        return head + bytes([1, 1, 0, 0x80, 50]) + rest

    def control(self, setup: bytes, data: bytes) -> bytes | None:
        """Return the answer, truncated to the requested length; None is a stall."""
        kind, request = setup[0], setup[1]
        value, index, length = (int.from_bytes(setup[n : n + 2], "little") for n in (2, 4, 6))
        if kind & 0x60 == 0x20:
            answer = self._hid_request(request, value, data)
        elif request == 6:
            answer = self._descriptor(value >> 8, value & 0xFF)
        else:
            answer = self._standard(request, value, index)
        return answer if answer is None else answer[:length]

    def unplugged(self) -> None:
        self._configured = self._protocol = 1
        self._idle = 0

    def shown(self) -> dict[str, Any]:
        return {
            "usb": f"{self.vid:04x}:{self.pid:04x}:{self._strings[2]}",
            "boot_protocol": self._protocol == 0,
            "idle": self._idle,
        }

    def _descriptor(self, kind: int, index: int) -> bytes | None:
        if kind == 3:
            return self._string(index)
        known = {
            1: self.device_descriptor(),
            2: self.configuration_descriptor(),
            0x21: _HID,
            0x22: _KEYBOARD_REPORTS,
        }
        return known.get(kind) if index == 0 else None

    def _string(self, index: int) -> bytes | None:
        if index > len(self._strings):
            return None
        # The first string is the list of languages: English of the United States.
        text = b"\x09\x04" if index == 0 else self._strings[index - 1].encode("utf-16-le")
        return bytes([len(text) + 2, 3]) + text

    def _standard(self, request: int, value: int, index: int) -> bytes | None:
        if request == 8:
            return bytes([self._configured])
        if request == 9 and value in (0, 1):
            self._configured = value
            return b""
        answers = {0: b"\0\0", 1: b"", 3: b"", 10: b"\0", 11: b""}
        return answers.get(request) if index in (0, 0x80 | ENDPOINT) else None

    def _hid_request(self, request: int, value: int, data: bytes) -> bytes | None:
        """Handle GET and SET of report, idle rate and protocol."""
        if self._refuses and request in (0x0A, 0x0B):
            return None
        if request == 0x0A:
            self._idle = value >> 8
            self._typing.idle_s = self._idle * 0.004
        elif request == 0x0B:
            self._protocol = value & 1
        answers = {1: RELEASED, 2: bytes([self._idle]), 3: bytes([self._protocol])}
        known = request in answers or request in (0x09, 0x0A, 0x0B)
        return answers.get(request, b"") if known and len(data) <= REPORT_BYTES else None
