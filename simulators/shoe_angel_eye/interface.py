"""The byte protocol of the Angel Eye II-EX.

An event is sent as `05 number data 03 BCC BCC`, three times, 50 ms apart; the next event begins
after the third copy. BCC is the XOR from the number to the 03, two upper-case hex digits. A command
arrives as `02 O P type type data data 03 BCC BCC`; the answer is `06`, or `15` and one byte.

Known quirks, each behind a setting: one source counts the number from 9 to 1, another to 0; in one
source S does not use up its number, so that the next event has the same; the command's BCC is
described without the 02 and shown with it. `SETTINGS` lists the other disputed facts.
"""

from collections import deque
from collections.abc import Callable, Mapping
from functools import reduce
from operator import xor
from typing import Any, Final

from simulators.kit.cards import number_of
from simulators.shoe_angel_eye import events
from simulators.shoe_angel_eye.device import AngelEye, NotNow
from simulators.shoe_angel_eye.events import Event

STX, ETX, ENQ, ACK, NAK = 0x02, 0x03, 0x05, 0x06, 0x15
HIGH: Final = 0x80
"""Always set in a binary data byte, so that none of them equals a control character."""

BCC_ERROR, NO_ETX, BAD_FORMAT, BAD_COMMAND, BAD_TYPE, BUSY, OTHER = (
    *(0x02, 0x03, 0x11, 0x13, 0x14, 0x21, 0xFF),
)
COMMAND_BYTES: Final = 10
MAX_COMMAND_BYTES: Final = 16
COMMAND_LIMIT_S: Final = 0.5
"""Time-out after which an incomplete command is dropped."""
MAX_COMMANDS_WAITING: Final = 4

SUIT_BITS: Final = {"D": 0x10, "C": 0x20, "S": 0x30, "H": 0x40}
WHAT_FOR_BITS: Final = {
    "player": 0x00,
    "banker": 0x10,
    "burn": 0x20,
    "first": 0x40,
    "burn_count": 0x50,
}
WINNER_BITS: Final = {"player": 0x10, "tie": 0x20, "banker": 0x40, "forced_exit": 0x70}
MODE_BITS: Final = {"locked": 0x00, "error": 0x10, "setting": 0x20}
ERROR_MODE: Final = 0x40
ALONE: Final[Mapping[type, bytes]] = {
    events.Started: b"S",
    events.StandBy: b"P",
    events.CuttingCard: b"C",
}
_SLACK_S: Final = 1e-9
"""Sums of steps differ from a round number by less than this."""


def data_of(event: Event) -> bytes:
    """Return the bytes between number and ETX."""
    match event:
        case events.Drawn(what_for, index, card):
            data = b"D" + bytes((HIGH | WHAT_FOR_BITS[what_for] | index, _card(card)))
        case events.Carried(what_for, index, card):
            data = b"R" + bytes((HIGH | WHAT_FOR_BITS[what_for] | index, _card(card)))
        case events.DrawnOutside(mode, number, card):
            data = b"d" + bytes((HIGH | MODE_BITS[mode] | number, _card(card)))
        case events.Result(winner, player_pair, banker_pair):
            data = b"G" + bytes((HIGH | WINNER_BITS[winner] | player_pair | banker_pair << 1,))
        case _:
            data = _cardless(event)
    return data


def _cardless(event: Event) -> bytes:
    match event:
        case events.ErrorOn(code, stays):
            data = b"E" + bytes((HIGH | (ERROR_MODE if stays else 0) | code,))
        case events.ErrorOff(code):
            data = b"e" + bytes((HIGH | code,))
        case events.KeySwitch(locked):
            data = b"L" + bytes((HIGH | locked,))
        case events.PresetChanged(address, value):
            data = f"M{address}{value}".encode("ascii")
        case _:
            data = ALONE[type(event)]
    return data


def _card(card: str | None) -> int:
    return HIGH if card is None else HIGH | SUIT_BITS[card[1]] | number_of(card)


def bcc(data: bytes) -> bytes:
    return f"{reduce(xor, data, 0):02X}".encode("ascii")


def frame(number: str, data: bytes) -> bytes:
    covered = number.encode("ascii") + data + bytes((ETX,))
    return bytes((ENQ,)) + covered + bcc(covered)


class Line:
    """The line: encodes the machine's events, and decodes commands and passes them to the
    machine."""

    def __init__(self, machine: AngelEye, settings: Mapping[str, Any]) -> None:
        self._machine = machine
        self._settings = settings
        self.number = "1"
        """Number of the next event."""
        self.losing = 0
        """Number of events that get lost on the line, though they use up their numbers."""
        self.ignoring = 0
        """Number of commands that get no answer and have no effect."""
        self.next_refusal: int | None = None
        self._now = 0.0
        self._events: deque[bytes] = deque()
        self._copies_said = 0
        self._copy_at = 0.0
        self._commands: deque[tuple[float, bytes]] = deque()
        self._heard = bytearray()
        self._heard_s = 0.0

    @property
    def waiting(self) -> int:
        """Number of events that have not left completely."""
        return len(self._events) + len(self._machine.said)

    @property
    def at_rest(self) -> bool:
        return not (self._events or self._commands or self._heard)

    def switch_off(self) -> None:
        """Drop all waiting bytes."""
        self._machine.said.clear()
        self._events.clear()
        self._commands.clear()
        self._heard.clear()
        self._copies_said = 0

    # --- to the host --------------------------------------------------------------------------

    def step(self, dt: float) -> bytes:
        self._now += dt
        self._give_up_torn_command(dt)
        self.tell()
        out = self._answers()
        self.tell()
        while self._events and self._copy_at <= self._now + _SLACK_S:
            out += self._events[0]
            self._copies_said += 1
            if self._copies_said >= self._settings["copies"]:
                self._event_is_over()
            else:
                self._copy_at += self._settings["spacing_s"]
        return out

    def tell(self) -> None:
        """Number the machine's new events and queue them, due at the present time."""
        for event in self._machine.said:
            data = data_of(event)
            whole = frame(self.number, data)
            if data != b"S" or self._settings["s_advances"]:
                self.number = self._after(self.number)
            if self.losing:
                self.losing -= 1
                continue
            if not self._events:
                self._copy_at = max(self._copy_at, self._now)
            self._events.append(whole)
        self._machine.said.clear()

    def _after(self, number: str) -> str:
        if number == "9":
            return "1" if self._settings["sequence"] == "1-9" else "0"
        return chr(ord(number) + 1)

    def _event_is_over(self) -> None:
        self._events.popleft()
        self._copies_said = 0

    # --- from the host ------------------------------------------------------------------------

    def hear(self, data: bytes) -> None:
        for byte in data:
            self._hear(byte)

    def _hear(self, byte: int) -> None:
        if byte == STX:
            self._heard, self._heard_s = bytearray((STX,)), 0.0
        elif self._heard:
            self._heard.append(byte)
            self._heard_s = 0.0
            if len(self._heard) >= 3 and self._heard[-3] == ETX:
                self._take_command()
            elif ETX not in self._heard and len(self._heard) >= MAX_COMMAND_BYTES:
                self._refuse_heard(NO_ETX)
        elif byte == ACK and self._settings["stop_on_ack"] and self._copies_said:
            self._event_is_over()

    def _take_command(self) -> None:
        self._answer_later(self._settings["answer_s"], bytes(self._heard))

    def _refuse_heard(self, code: int) -> None:
        self._answer_later(0.0, bytes((code,)))

    def _answer_later(self, seconds: float, command: bytes) -> None:
        """Queue an answer; a single byte is the code of a refusal."""
        self._heard = bytearray()
        if len(self._commands) < MAX_COMMANDS_WAITING:
            self._commands.append((self._now + seconds, command))

    def _give_up_torn_command(self, dt: float) -> None:
        if not self._heard:
            return
        self._heard_s += dt
        if self._heard_s >= COMMAND_LIMIT_S:
            self._refuse_heard(BAD_FORMAT if ETX in self._heard else NO_ETX)

    def _answers(self) -> bytes:
        out = b""
        while self._commands and self._commands[0][0] <= self._now + _SLACK_S:
            _, command = self._commands.popleft()
            refusal = command[0] if len(command) == 1 else self._obey(command)
            if refusal is None:
                out += bytes((ACK,))
            elif refusal >= 0:
                out += bytes((NAK, refusal))
        return out

    def _obey(self, command: bytes) -> int | None:
        """Execute a command: None when it was done, the code of the refusal, or -1 for no
        answer."""
        if self.ignoring:
            self.ignoring -= 1
            return -1
        if self.next_refusal is not None:
            code, self.next_refusal = self.next_refusal, None
            return code
        if len(command) != COMMAND_BYTES:
            return BAD_FORMAT
        if command[-2:] not in self._right_bccs(command[:-2]):
            return BCC_ERROR
        if self._commands:
            return BUSY
        return self._do(command[1:3], command[3:5], command[5:7])

    def _right_bccs(self, covered: bytes) -> tuple[bytes, ...]:
        both = {"with_stx": bcc(covered), "without_stx": bcc(covered[1:])}
        rule = self._settings["command_bcc"]
        return tuple(both.values()) if rule == "lenient" else (both[rule],)

    def _do(self, command: bytes, kind: bytes, data: bytes) -> int | None:
        if command != b"OP":
            return BAD_COMMAND
        orders: dict[bytes, dict[bytes, Callable[[], None]]] = {
            b"LK": {
                b"02": lambda: self._machine.lock_by_host(True),
                b"01": lambda: self._machine.lock_by_host(False),
            },
            b"EC": {
                b"00": self._machine.clear,
                b"01": self._machine.keep,
                b"02": self._machine.discard,
            },
            # The effect of the confirmation inside the shoe is not public; it is accepted and does
            # nothing.
            b"GP": {b"00": lambda: None},
        }
        if kind not in orders:
            return BAD_TYPE
        order = orders[kind].get(data)
        if order is None:
            return BAD_FORMAT
        try:
            order()
        except NotNow:
            # The refusal code of a clear without its error is not public; "other" fits every
            # source.
            return OTHER
        return None
