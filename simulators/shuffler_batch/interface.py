"""The batch shuffler's lines: an independent second implementation of its PROTOCOL.md."""

import re
from collections.abc import Mapping
from typing import Any, Final
from zlib import crc32

from simulators.kit.contract import Action
from simulators.shuffler_batch.device import Machine, texts
from simulators.shuffler_batch.hands import Hands
from simulators.shuffler_batch.orders import No, Orders
from simulators.shuffler_batch.pack import Found

MAX_LINE: Final = 768
MODES: Final = ("SHUFFLE_VERIFY", "SHUFFLE", "VERIFY", "SORT")
IDENTITY: Final = "1 Sabot Emulated-Batch SIM-0001 1.0.0"
_REQUEST: Final = re.compile(rb"Q(\d{4}) ([A-Z_]+)((?: [A-Z0-9_]+)*)\*([0-9A-F]{8})", re.ASCII)
_PLAIN: Final = ("PAUSE", "RESUME", "ABORT", "OPEN", "EMPTY", "HOME")


class BatchShuffler:
    name = "shuffler_batch"
    baud: int | None = 115_200

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._orders = Orders(machine)
        self._hands = Hands(machine, self._orders)
        self._heard = bytearray()
        self._over = False
        self._out = bytearray()
        self._event = 0
        self._last_request = b""
        self._last_answer = ""

    def hear(self, data: bytes) -> None:
        if not self.machine.on:
            return
        *lines, rest = data.split(b"\n")
        for piece in lines:
            self._keep(piece)
            if not self._over:
                self._line(bytes(self._heard))
            self._heard.clear()
            self._over = False
        self._keep(rest)

    def step(self, dt: float) -> bytes:
        if self.machine.on:
            self.machine.step(dt)
        self._tell()
        data = bytes(self._out)
        self._out.clear()
        return data

    @property
    def at_rest(self) -> bool:
        return not self._out and self.machine.at_rest

    def plugged(self) -> None:
        """Do nothing: it sends nothing by itself, and a host requests STATUS."""

    @property
    def words(self) -> Mapping[str, Action]:
        words = dict(self._hands.words)
        words["power_cut"] = Action(words["power_cut"].description, self._power_cut)
        words["restart"] = Action(words["restart"].description, self._restart)
        return words

    def shown(self) -> dict[str, Any]:
        machine = self.machine
        return {
            "on": machine.on,
            "state": machine.state,
            "lid_open": machine.lid_open,
            "door_open": machine.door_open,
            "run": machine.run,
            "verified": machine.verified,
            "content": machine.content,
            "fault": list(machine.fault) if machine.fault else None,
            "jammed": machine.jammed.where if machine.jammed else None,
            "doing": machine.motion.word if machine.motion else None,
            "hopper": texts(machine.hopper),
            "pack": texts(machine.pack),
            "aside": texts(machine.aside),
            "output": texts(machine.output),
            "last_event": self._event,
        }

    # --- input ------------------------------------------------------------------------------

    def _keep(self, piece: bytes) -> None:
        self._over = self._over or len(self._heard) + len(piece) > MAX_LINE
        if self._over:
            self._heard.clear()
        else:
            self._heard += piece

    def _line(self, line: bytes) -> None:
        """Handle one line. A damaged line gets no answer; a repeated line gets its answer again."""
        found = _REQUEST.fullmatch(line)
        if found is None or int(found.group(4), 16) != crc32(line[:-9]):
            return
        number = int(found.group(1))
        if line != self._last_request:
            fields = found.group(3).decode().split()
            answer = self._answer(number, found.group(2).decode(), fields)
            self._last_request, self._last_answer = line, answer
        self._say(f"A{number:04d} {self._last_answer}")

    def _answer(self, number: int, word: str, fields: list[str]) -> str:
        if word == "IDENTIFY" and not fields:
            return f"ID {IDENTITY}"
        if word == "STATUS" and not fields:
            self._tell()
            return " ".join(("ST", *map(str, self.machine.status()), str(self._event)))
        if word == "REPORT" and not fields:
            return f"RP {_report(self.machine.report)}"
        try:
            self._orders.ask(word, number, _arguments(word, fields))
        except No as no:
            return f"NO {no}"
        return "OK"

    # --- output -------------------------------------------------------------------------------

    def _tell(self) -> None:
        happened, self.machine.happened = self.machine.happened, []
        for word, fields in happened:
            self._event = 0 if word == "BOOT" else self._event % 9999 + 1
            written = [_report(f) if isinstance(f, Found) else str(f) for f in fields]
            self._say(" ".join((f"E{self._event:04d}", word, *written)))

    def _say(self, text: str) -> None:
        line = text.encode("ascii")
        self._out += line + b"*" + f"{crc32(line):08X}".encode("ascii") + b"\n"

    def _power_cut(self) -> None:
        self._hands.power_cut()
        self._heard.clear()
        self._out.clear()
        self._last_request = b""

    def _restart(self) -> None:
        self._power_cut()
        self._hands.power_on()


def _arguments(word: str, fields: list[str]) -> tuple[object, ...]:
    """Parse the fields; raises `No` for a request that is not in the protocol."""
    numbers = [int(field) if field.isdecimal() else -1 for field in fields]
    if word in _PLAIN and not fields:
        return ()
    if word == "START" and len(fields) == 2 and fields[0] in MODES and 1 <= numbers[1] <= 10:
        return fields[0], numbers[1]
    if word == "DEAL" and len(fields) == 2 and all(1 <= number <= 20 for number in numbers):
        return tuple(numbers)
    if word == "CLEAR" and len(fields) == 1 and 0 <= numbers[0] <= 99:
        return (numbers[0],)
    raise No("BAD")


def _report(found: Found) -> str:
    lists = (
        ",".join(f"{code}:{copies}" for code, copies in count) or "-"
        for count in (found.missing, found.extra)
    )
    first = f"{found.run} {found.decks} {found.verdict} {found.cards}"
    return " ".join((first, *lists, str(found.unreadable), str(found.foreign)))
