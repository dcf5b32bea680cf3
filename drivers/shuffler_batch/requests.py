"""Requests of the batch shuffler: numbered, one at a time on the line, each sent once."""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from drivers.commands import (
    Abort,
    AskReport,
    AskStatus,
    ClearFault,
    DealHands,
    DeviceCommand,
    Empty,
    Home,
    Identify,
    OpenOutput,
    Pause,
    Resume,
    StartShuffle,
)
from drivers.errors import UnsupportedCommand
from drivers.shuffler_batch.codec import MAX_DECKS, MAX_NUMBER, MODES, Field, Line

MAX_WAITING: Final = 8
"""More than people send during one answer; the rest is refused as busy."""

ANSWERED_BY: Final[Mapping[str, str]] = {"IDENTIFY": "ID", "STATUS": "ST", "REPORT": "RP"}
MOTIONS: Final = frozenset({"START", "OPEN", "DEAL", "EMPTY", "HOME"})
VOIDING: Final = frozenset({"START", "EMPTY", "DEAL", "ABORT"})
"""Once accepted, the pack inside is no longer the verified one."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request. `name` is for people; empty for the driver's own questions."""

    word: str
    fields: tuple[Field, ...] = ()
    name: str = ""

    @property
    def moves(self) -> bool:
        return self.word in MOTIONS


@dataclass(frozen=True, slots=True)
class Sent:
    request: Request
    number: int
    until: float


class Requests:
    """The queue of requests, the one on the line, and the next number."""

    def __init__(self, answer_s: float) -> None:
        self._answer_s = answer_s
        self._waiting: deque[Request] = deque()
        self._number = 0
        self.sent: Sent | None = None

    @property
    def full(self) -> bool:
        return len(self._waiting) >= MAX_WAITING

    @property
    def idle(self) -> bool:
        return self.sent is None and not self._waiting

    def moving(self) -> bool:
        """Whether a request that moves cards is on the line or in the queue."""
        on_the_line = self.sent is not None and self.sent.request.moves
        return on_the_line or any(request.moves for request in self._waiting)

    def add(self, request: Request) -> None:
        assert not self.full
        self._waiting.append(request)

    def next(self, at: float) -> bytes:
        """Return the bytes of the next request, if the line is free."""
        if self.sent is not None or not self._waiting:
            return b""
        request = self._waiting.popleft()
        self._number = self._number % MAX_NUMBER + 1
        self.sent = Sent(request, self._number, at + self._answer_s)
        return Line("Q", self._number, request.word, request.fields).to_bytes()

    def answered(self, line: Line) -> Request | None:
        """Return the request that this line answers; None if there is none."""
        sent = self.sent
        if sent is None or sent.number != line.number:
            return None
        if line.word not in (ANSWERED_BY.get(sent.request.word, "OK"), "NO"):
            return None
        self.sent = None
        return sent.request

    def given_up(self) -> Request | None:
        sent, self.sent = self.sent, None
        return None if sent is None else sent.request

    def all_given_up(self) -> list[Request]:
        on_the_line = self.given_up()
        waiting = [request for request in (on_the_line, *self._waiting) if request is not None]
        self._waiting.clear()
        return waiting


_PLAIN: Final[Mapping[type[DeviceCommand], tuple[str, str]]] = {
    Identify: ("IDENTIFY", "identify"),
    AskStatus: ("STATUS", "status"),
    Pause: ("PAUSE", "pause"),
    Resume: ("RESUME", "resume"),
    Abort: ("ABORT", "abort"),
    OpenOutput: ("OPEN", "open_output"),
    Empty: ("EMPTY", "empty"),
    Home: ("HOME", "home"),
    AskReport: ("REPORT", "report"),
}


def request_for(command: DeviceCommand) -> Request:
    """Return the request for a command; raises `UnsupportedCommand`."""
    if type(command) in _PLAIN:
        word, name = _PLAIN[type(command)]
        return Request(word, (), name)
    match command:
        case StartShuffle(mode=mode, decks=decks):
            if mode.upper() not in MODES or not 1 <= decks <= MAX_DECKS:
                may = ", ".join(mode.lower() for mode in MODES)
                raise UnsupportedCommand(f"start takes {may}, and 1 to {MAX_DECKS} decks")
            return Request("START", (mode.upper(), decks), "start")
        case DealHands(hands=hands, cards=cards):
            if not (1 <= hands <= 20 and 1 <= cards <= 20):
                raise UnsupportedCommand("deal takes 1 to 20 hands of 1 to 20 cards")
            return Request("DEAL", (hands, cards), "deal")
        case ClearFault(code=code) if 0 <= code <= 99:
            return Request("CLEAR", (code,), "clear_fault")
    raise UnsupportedCommand(f"shuffler_batch has no request for {type(command).__name__}")
