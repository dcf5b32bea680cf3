"""The board's bytes, as its published program produces them, defects included."""

from collections.abc import Mapping
from typing import Any, Final
from zlib import crc32

from simulators.kit.contract import Action
from simulators.shuffler_reshuffled.device import HANDS, Machine, Trouble

BUFFER: Final = 32
FRAME: Final = 13
_ALLOWED: Final = frozenset(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ#")
_MOVES: Final = "IN", "SH", "D", "A"


class ReShuffled:
    """The whole board: bytes in, bytes out, and the actions of hands."""

    name = "shuffler_reshuffled"
    baud: int | None = 57_600

    def __init__(self, machine: Machine, settings: Mapping[str, object]) -> None:
        self.machine = machine
        self._set = dict(settings)
        self._end = b"\n" if settings["end"] == "lf" else b";"
        self._buffer = bytearray()
        self._out = bytearray()
        self._errors = 0  # the board counts them and lights a lamp
        self._error_word = False
        self._answer_owed = False

    def hear(self, data: bytes) -> None:
        if self.machine.on:
            for byte in data:
                self._byte(bytes((byte,)))

    def step(self, dt: float) -> bytes:
        self.machine.step(dt)
        for code in self.machine.ended():
            if self._answer_owed:
                self._answer_owed = False
                self._say(f"E{code}" if code else "OK")
        if self._error_word:
            # Quirk: the board's one-millisecond task prints this word without an end, so that it
            # stands in front of the next answer.
            self._out += b"Error"
            self._error_word = False
        data = bytes(self._out)
        self._out.clear()
        return data

    @property
    def at_rest(self) -> bool:
        return not (self._out or self._error_word) and self.machine.at_rest

    def plugged(self) -> None:
        """Do nothing: the board sends nothing by itself."""

    @property
    def words(self) -> Mapping[str, Action]:
        machine = self.machine
        return {
            "load": Action("put decks into the tray", machine.load, {"decks": "how many, 1 or 2"}),
            "take": Action("take the shuffled cards out", machine.take),
            "take_dealt": Action("take up the cards that were dealt", machine.take_dealt),
            "jam": Action("a card sticks", machine.jam),
            "clear_jam": Action("take the stuck card out", machine.clear_jam),
            "power_cut": Action("pull the mains plug", self._power_cut),
            "power_on": Action("switch it on", machine.power_on),
            "restart": Action("off and on again", self._restart),
        }

    def shown(self) -> dict[str, Any]:
        machine = self.machine
        return {
            "on": machine.on,
            "initialised": machine.initialised,
            "doing": machine.doing,
            "left_s": round(machine.left_s, 3),
            "jammed": machine.jammed,
            "tray": list(machine.tray),
            "stack": list(machine.stack),
            "dealt": list(machine.dealt),
            "errors": self._errors,
        }

    # --- receiving, as app_handleUartByte does it ------------------------------------------

    def _byte(self, byte: bytes) -> None:
        if byte == b":":
            if self._buffer:
                self._error()
            self._buffer[:] = b":"
        elif not self._buffer or len(self._buffer) >= BUFFER:
            # Quirk: a frame that overran the buffer is not ended by its LF, only by a colon.
            self._error()
        else:
            self._buffer += byte
            if byte == self._end:
                self._request(bytes(self._buffer))
                self._buffer.clear()

    def _request(self, frame: bytes) -> None:
        if self._set["echo"]:
            self._out += b"Received a request: " + frame
        fault = self._fault(frame)
        if fault:
            if self._set["chatter"]:
                self._out += b"Fehler: %d\r\n" % fault
            self._error()
            return
        text, digits = frame[1:3], frame[4:12]
        if self._set["check_crc"] and digits != b"%08X" % self._crc(text):
            self._error()
            return
        self._do(text.decode("ascii", "replace"))

    def _fault(self, frame: bytes) -> int:
        if len(frame) != FRAME:
            return 1
        if self._set["check_characters"] and not _ALLOWED.issuperset(frame[1:-1]):
            return 4
        return 0

    def _error(self) -> None:
        self._errors = min(self._errors + 1, 0xFFFF)
        self._error_word = bool(self._set["chatter"])

    # --- doing and answering -----------------------------------------------------------------

    def _do(self, text: str) -> None:
        try:
            self._order(text)
        except Trouble as trouble:
            self._say(f"E{trouble.code}")
            return
        if self._set["answer"] == "when_done" and text.startswith(_MOVES):
            self._answer_owed = True
        else:
            self._say("OK")

    def _order(self, text: str) -> None:
        machine = self.machine
        if text == "IN":
            machine.initialise()
        elif text == "SH":
            machine.shuffle()
        elif text == "XX":
            machine.shut_down()
        elif text[0] in "DA" and text[1] in "123456789":
            machine.deal(int(text[1]) * (HANDS if text[0] == "A" else 1))
        # The published board answers OK to any other well-formed frame, and does nothing.

    def _say(self, text: str) -> None:
        crc = self._crc(text.encode("ascii"))
        digits = b"%08X" % crc if self._set["padding"] else b"%X" % crc
        self._out += b":" + text.encode("ascii") + b"#" + digits + self._end

    def _crc(self, text: bytes) -> int:
        return crc32(text + b"#" if self._set["crc_covers"] == "data_and_hash" else text)

    def _power_cut(self) -> None:
        self.machine.power_cut()
        self._buffer.clear()
        self._out.clear()
        self._error_word = self._answer_owed = False

    def _restart(self) -> None:
        self._power_cut()
        self.machine.power_on()
