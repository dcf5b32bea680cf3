"""ReShuffled's driver: one request, one answer or a time-out, and never the same request twice."""

from dataclasses import dataclass
from typing import Final

from drivers.commands import DealHands, DeviceCommand, Home, ShutDown, StartShuffle
from drivers.contract import NOTHING, Settings, Step
from drivers.errors import FrameError, UnsupportedCommand
from drivers.events import (
    BadFrame,
    CommandDone,
    CommandRefused,
    CommandTimedOut,
    Event,
    Notice,
    ShuffleVerified,
    Verdict,
)
from drivers.lines import Lines
from drivers.shuffler_reshuffled.codec import MAX_FRAME_BYTES, Format, format_fault

FORMAT_FAULTS: Final = {
    1: "the board found the request too short or too long",
    2: "the board found no colon before the request",
    3: "the board found no end after the request",
    4: "the board found a character it does not know",
}
AUTOMATIC_HANDS: Final = 4
"""`A5` deals four hands of five by the README ("4x5")."""


@dataclass(frozen=True, slots=True)
class _Asked:
    command: str
    text: str
    until: float


class ReShuffled:
    """The driver. The host is master: the board sends only answers and its debugging text."""

    def __init__(self, settings: Settings) -> None:
        self._format = Format(
            crc_covers_hash=settings["crc_covers"] == "data_and_hash",
            end=b"\n" if settings["end"] == "lf" else b";",
            short_crc=settings["short_crc"] == "accept",
        )
        self._answer_s = float(str(settings["answer_timeout_s"]))
        self._motion_s = float(str(settings["motion_timeout_s"]))
        self._lines = Lines(self._format.end, MAX_FRAME_BYTES)
        self._asked: _Asked | None = None
        self._echo_told = False

    def hello(self, at: float) -> Step:
        """Start a link. Nothing is sent: `IN` may move cards, so only a person requests it."""
        self._lines.forget()
        self._echo_told = False
        return Step(self._give_up())

    def feed(self, data: bytes, at: float) -> Step:
        events: list[Event] = []
        for line in self._lines.feed(data):
            events += self._line(line)
        return Step(tuple(events)) if events else NOTHING

    def ask(self, command: DeviceCommand, at: float) -> Step:
        name, text, limit_s = self._request(command)
        if self._asked is not None:
            why = f"busy: {self._asked.command} is not answered yet"
            return Step((CommandRefused(name, why),))
        self._lines.forget()  # noise from before the request is no part of its answer
        self._asked = _Asked(name, text, at + limit_s)
        return Step(send=self._format.to_bytes(text))

    def tick(self, at: float) -> Step:
        if self._asked is None or at < self._asked.until:
            return NOTHING
        return Step(self._give_up())

    def deadline(self) -> float | None:
        return None if self._asked is None else self._asked.until

    def _request(self, command: DeviceCommand) -> tuple[str, str, float]:
        match command:
            case Home():
                return "home", "IN", self._motion_s
            case StartShuffle(mode="shuffle"):
                return "start", "SH", self._motion_s
            case StartShuffle(mode=mode):
                raise UnsupportedCommand(
                    f"ReShuffled cannot {mode}: it reads no card. Ask for the mode 'shuffle', and "
                    "let a person vouch for the pack"
                )
            case DealHands(hands=1, cards=cards) if 1 <= cards <= 9:
                return "deal", f"D{cards}", self._motion_s
            case DealHands(hands=hands, cards=cards) if (
                hands == AUTOMATIC_HANDS and 1 <= cards <= 9
            ):
                return "deal", f"A{cards}", self._motion_s
            case DealHands():
                raise UnsupportedCommand(
                    f"ReShuffled deals one hand or {AUTOMATIC_HANDS}, of one to nine cards"
                )
            case ShutDown():
                return "shut_down", "XX", self._answer_s
        raise UnsupportedCommand(f"ReShuffled has no request for {type(command).__name__}")

    def _line(self, line: bytes | None) -> tuple[Event, ...]:
        if line is None:
            return (BadFrame(f"more than {MAX_FRAME_BYTES} bytes without an end"),)
        fault = format_fault(line)
        reported = () if fault is None else self._fault(fault)
        try:
            text = self._format.from_bytes(line)
        except FrameError as error:
            return reported or (BadFrame(f"{error} in {len(line)} bytes", line),)
        return (*reported, *self._answer(text))

    def _answer(self, text: str) -> tuple[Event, ...]:
        asked = self._asked
        if text in ("IN", "SH", "XX") or text[0] in "AD":
            # Quirk: an early firmware prints every request back before it answers.
            reported, self._echo_told = self._echo_told, True
            return (
                () if reported else (Notice("the board prints requests back: debugging firmware"),)
            )
        if text != "OK" and text[0] != "E":
            return (Notice("an answer that no document knows"),)
        if asked is None:
            return (Notice(f"{text}, which answers nothing that was asked"),)
        self._asked = None
        if text == "OK":
            done = CommandDone(asked.command)
            return (done, ShuffleVerified(Verdict.NOT_VERIFIED)) if asked.text == "SH" else (done,)
        why = f"the board answers {text}; what that means is not documented: look at the machine"
        return (CommandRefused(asked.command, why, int(text[1]) if text[1].isdigit() else None),)

    def _fault(self, code: int) -> tuple[Event, ...]:
        text = FORMAT_FAULTS.get(code, "the board did not understand the request")
        asked, self._asked = self._asked, None
        if asked is None:
            return (Notice(text),)
        return (CommandRefused(asked.command, text, code),)

    def _give_up(self) -> tuple[Event, ...]:
        asked, self._asked = self._asked, None
        return () if asked is None else (CommandTimedOut(asked.command),)
