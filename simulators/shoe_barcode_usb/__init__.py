"""USB barcode scanner at the mouth of a shoe, emulated: a HID boot keyboard behind a USB/IP server.

`simulators/kit/labelled_shoe.py` is the shoe and its labels, `interface.py` the keyboard,
`simulators/wire/usbip.py` the network. It needs no USB port; where the kernel has `vhci-hcd`,
`usbip attach -r 127.0.0.1 -b 1-1` makes it a real device.
"""

from collections import deque
from collections.abc import Mapping
from typing import Any, Final

from simulators.kit import fields
from simulators.kit.contract import Action, Emulator, Given, Refused
from simulators.kit.labelled_shoe import LabelledShoe
from simulators.kit.pile import PILE_SETTINGS, Pile
from simulators.kit.settings import Choice, WrongSetting, settled
from simulators.kit.shoe_exit import Hands, if_room
from simulators.shoe_barcode_usb.interface import ENDPOINT, MAX_REPORTS, USAGES, Hid, Typing
from simulators.wire.usbip import Socket, UsbipServer

NAME: Final = "shoe_barcode_usb"
MAX_LABEL: Final = 64
MAX_HOLD_S: Final = 60.0
MAX_COUNT: Final = 1000

SETTINGS: Final[Mapping[str, Choice]] = {
    "table": Choice(
        "suit_rank_deck",
        "the labels: S21 is the 2S of deck 1; 1010 is AS; ..SA is AS with X for ten; the house's",
        ("suit_rank_deck", "four_digits", "four_characters", "own"),
    ),
    "own": Choice("", "the house's own labels, LABEL=CARD parted by blanks, for all 52 cards"),
    "cut_label": Choice("", "the label of the cutting card; empty: it passes unseen"),
    "no_read": Choice("", "what is typed for a card that cannot be read; empty: nothing"),
    "shift": Choice("never", "capitals with the shift bit", ("never", "with_key", "first")),
    "release": Choice("always", "when keys are let go", ("always", "between_equal")),
    "repeats": Choice(False, "whether SET_IDLE is ignored and a held key repeated"),
    "repeat_ms": Choice(40, "how often a held key is repeated"),
    "report_ms": Choice(4, "between two reports; 0: all at once"),
    "refuses_requests": Choice(False, "whether SET_PROTOCOL and SET_IDLE are refused"),
    "vid": Choice("1209", "vendor, in hex"),
    "pid": Choice("0001", "product, in hex"),
    "manufacturer": Choice("Sabot", "as the device says it"),
    "product": Choice("Barcode shoe", "as the device says it"),
    "serial": Choice("SB-0001", "serial number; empty: it has none"),
    **PILE_SETTINGS,
}


def make(settings: Given, seed: int) -> Emulator:
    return BarcodeScanner(settings, seed)


class BarcodeScanner:
    """Shoe, scanner and socket together, with the back-door commands."""

    name = NAME

    def __init__(self, settings: Given, seed: int) -> None:
        chosen = settled(NAME, SETTINGS, settings)
        _check_numbers(chosen)
        self.baud: int | None = None
        self.machine = LabelledShoe(Pile.at_first(NAME, chosen, seed), chosen, seed)
        self._typing = Typing(chosen)
        self._hid = Hid(chosen, self._typing)
        self._packets: deque[bytes] = deque(maxlen=MAX_REPORTS)
        self._socket = Socket(self._hid, self._packet, self._packets.clear)
        self._served = False
        self._drop = self._double = 0
        words = {**Hands(self.machine, chosen, seed).words(), **self._scanner_words()}
        self._words = if_room(words, lambda: self._typing.waiting // 8)

    def hear(self, data: bytes) -> None:
        """Ignore raw bytes: a keyboard receives only USB/IP requests."""

    def step(self, dt: float) -> bytes:
        """Advance time. In memory, without a USB/IP server, it returns the reports one after
        another."""
        for label in self.machine.scanned:
            self._typing.type(label)
        self.machine.scanned.clear()
        for report in self._typing.step(dt):
            self._send(report)
        if self._served:
            return b""
        out = b"".join(self._packets)
        self._packets.clear()
        return out

    @property
    def at_rest(self) -> bool:
        return not self.machine.scanned and self._typing.at_rest

    def plugged(self) -> None:
        """Do nothing: USB does not signal the scanner that a host has connected to the server."""

    def conversation(self) -> UsbipServer:
        self._served = True
        return UsbipServer(self._socket)

    def url(self, host: str, port: int) -> str:
        return f"usbip://{host}:{port}/{self._socket.busid}"

    @property
    def words(self) -> Mapping[str, Action]:
        return self._words

    def shown(self) -> dict[str, Any]:
        socket = self._socket
        in_use = {"plugged": socket.plugged, "imported": socket.imported_by is not None}
        return {**self.machine.shown(), **self._hid.shown(), **in_use}

    def _packet(self, endpoint: int) -> bytes | None:
        return self._packets.popleft() if endpoint == ENDPOINT and self._packets else None

    def _send(self, report: bytes) -> None:
        """Queue a report for the host; without a host it is lost."""
        if not self._socket.plugged or (self._served and self._socket.imported_by is None):
            return
        if self._drop:
            self._drop -= 1
            return
        self._packets.append(report)
        if self._double:
            self._double -= 1
            self._packets.append(report)

    # --- commands besides those of the shoe's mouth ---------------------------------------------

    def _scanner_words(self) -> dict[str, Action]:
        count = {"count": "how many reports (1)"}
        return {
            "scan": Action(
                "let any label pass the scanner", self._scan, {"label": "A-Z 0-9 - . /"}
            ),
            "rescan": Action(
                "hold the last card under the scanner: its label once more", self._again
            ),
            "hold": Action("keep Enter down", self._hold, {"seconds": "how long (1)"}),
            "drop_report": Action("lose the next reports", self._drop_next, count),
            "double_report": Action("send the next reports twice", self._double_next, count),
            "unplug": Action("pull the scanner out of its USB socket", self._unplug),
            "plug": Action("put the scanner back", self._plug),
        }

    def _scan(self, label: object) -> None:
        text = str(label).upper()
        if not 0 < len(text) <= MAX_LABEL or not set(text) <= set(USAGES):
            raise Refused(f"a label has 1 to {MAX_LABEL} characters of A-Z 0-9 - . /")
        self.machine.scan(text)

    def _again(self) -> None:
        self.machine.rescan()

    def _hold(self, seconds: object = 1) -> None:
        self._typing.hold(fields.seconds(seconds, "seconds", MAX_HOLD_S))

    def _drop_next(self, count: object = 1) -> None:
        self._drop = fields.whole(count, "count", 1, MAX_COUNT)

    def _double_next(self, count: object = 1) -> None:
        self._double = fields.whole(count, "count", 1, MAX_COUNT)

    def _unplug(self) -> None:
        if not self._socket.plugged:
            raise Refused("the scanner is unplugged already")
        self._socket.plugged = False
        self._packets.clear()
        self._typing.stop()
        self._hid.unplugged()

    def _plug(self) -> None:
        if self._socket.plugged:
            raise Refused("the scanner is plugged in already")
        self._socket.plugged = True
        self._socket.devnum = self._socket.devnum % 127 + 1


def _check_numbers(chosen: Mapping[str, Any]) -> None:
    for name in ("vid", "pid"):
        try:
            good = 0 < int(chosen[name], 16) <= 0xFFFF
        except ValueError:
            good = False
        if not good:
            raise WrongSetting(f"{NAME}: {name} = {chosen[name]!r}, but it takes 0001 to ffff")
    for name, least, most in (("repeat_ms", 4, 10_000), ("report_ms", 0, 1000), ("decks", 1, 9)):
        if not least <= chosen[name] <= most:
            raise WrongSetting(f"{NAME}: {name} = {chosen[name]}, but it may be {least} to {most}")
