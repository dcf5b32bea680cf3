"""The batch shuffler's driver. It never repeats a request that moves cards.

It requests the machine's STATUS by itself every few seconds, and at once after any doubt; those
requests move nothing. People's commands are queued, sent once, and end in done, refused or timed
out.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isinf
from typing import Final

from drivers.commands import DeviceCommand
from drivers.contract import NOTHING, Settings, Step
from drivers.errors import FrameError
from drivers.events import (
    CommandDone,
    CommandRefused,
    CommandTimedOut,
    Event,
    FaultClass,
    Identified,
    Notice,
    ShufflerState,
)
from drivers.lines import Lines
from drivers.shuffler_batch import faults
from drivers.shuffler_batch.belief import Belief, Status, Told
from drivers.shuffler_batch.codec import (
    MAX_LINE_BYTES,
    PROTOCOL,
    Line,
    OrderTold,
    ShuffleReport,
    Sound,
    UnknownLine,
    opened,
)
from drivers.shuffler_batch.requests import VOIDING, Request, Requests, request_for

MAX_SILENT: Final = 3
"""Own questions in a row without an answer until the machine counts as offline."""
RESYNC_GAP_S: Final = 0.2
"""The minimum between two of the driver's own rounds of questions, however bad the line is."""

REASONS: Final[Mapping[str, str]] = {
    "BUSY": "busy: something moves already",
    "STATE": "not in this state of the machine",
    "DOOR": "a door or the lid is open",
    "NO_CARDS": "there are no cards for it",
    "UNVERIFIED": "the pack inside is not verified",
    "SERVICE": "the machine needs a technician",
    "BAD": "the machine does not know this request",
}
_WAITING_FOR_PEOPLE: Final = (ShufflerState.PAUSED, ShufflerState.FAULT_OPERATOR)


@dataclass(frozen=True, slots=True)
class _Motion:
    name: str
    number: int
    until: float


class BatchShuffler:
    def __init__(self, settings: Settings) -> None:
        self._belief = Belief(int(str(settings["decks"])))
        self._requests = Requests(float(str(settings["answer_timeout_s"])))
        self._poll_s = float(str(settings["poll_s"]))
        self._motion_s = float(str(settings["motion_timeout_s"]))
        self._lines = Lines(b"\n", MAX_LINE_BYTES)
        self._motion: _Motion | None = None
        self._asked_at: float | None = None
        self._silent = 0

    # --- the contract -------------------------------------------------------------------------

    def hello(self, at: float) -> Step:
        self._lines.forget()
        given_up = [request.name for request in self._requests.all_given_up() if request.name]
        reported: Told = [CommandTimedOut(name) for name in given_up]
        reported += self._belief.relinked()
        self._silent = 0
        self._requests.add(Request("IDENTIFY"))
        self._add_questions(at)
        return Step(tuple(reported), self._requests.next(at))

    def feed(self, data: bytes, at: float) -> Step:
        reported: Told = []
        send = b""
        for line in self._lines.feed(data):
            if line == b"\r":  # a device server ends every line once more, with CR LF
                continue
            reported += self._line(line, at)
            # After each line, so that it does not matter how many came at once.
            send += self._next(at)
        return Step(tuple(reported), send) if reported or send else NOTHING

    def ask(self, command: DeviceCommand, at: float) -> Step:
        request = request_for(command)
        why = self._refusal(request)
        if why:
            return Step((CommandRefused(request.name, why),))
        self._requests.add(request)
        return Step((), self._requests.next(at))

    def tick(self, at: float) -> Step:
        reported: Told = []
        sent = self._requests.sent
        if sent is not None and at >= sent.until:
            reported += self._unanswered()
        if self._motion is not None and at >= self._motion.until:
            reported += self._overran()
        send = self._next(at)
        return Step(tuple(reported), send) if reported or send else NOTHING

    def deadline(self) -> float | None:
        sent = self._requests.sent
        times = [sent.until if sent is not None else self._questions_due()]
        if self._motion is not None:
            times.append(self._motion.until)
        first = min(times)
        return None if isinf(first) else first

    # --- asking -------------------------------------------------------------------------------

    def _refusal(self, request: Request) -> str:
        if request.moves and (self._motion is not None or self._requests.moving()):
            return REASONS["BUSY"]
        if request.word == "OPEN" and (self._belief.doubt or not self._belief.verified):
            return REASONS["UNVERIFIED"]
        return "busy: too much waits for an answer" if self._requests.full else ""

    def _next(self, at: float) -> bytes:
        if self._requests.idle and at >= self._questions_due():
            self._add_questions(at)
        return self._requests.next(at)

    def _questions_due(self) -> float:
        if self._asked_at is None:
            return float("inf")  # nothing is requested before a port was open
        return self._asked_at + (RESYNC_GAP_S if self._belief.doubt else self._poll_s)

    def _add_questions(self, at: float) -> None:
        self._asked_at = at
        self._requests.add(Request("STATUS"))
        if self._belief.doubt:
            self._requests.add(Request("REPORT"))

    def _unanswered(self) -> Told:
        request = self._requests.given_up()
        self._belief.doubt = True
        if request is not None and request.name:
            return [CommandTimedOut(request.name)]
        self._silent += 1
        return self._belief.offline() if self._silent == MAX_SILENT else []

    def _overran(self) -> Told:
        """End a motion that overran. The machine has its own limits; this is for one that hangs."""
        self._motion = None
        self._belief.doubt = True
        fault = faults.event(faults.OVERRAN, FaultClass.OPERATOR)
        return [fault, *self._belief.void()]

    # --- listening ----------------------------------------------------------------------------

    def _line(self, line: bytes | None, at: float) -> Told:
        if line is None:
            return self._belief.damaged(f"more than {MAX_LINE_BYTES} bytes without an end")
        try:
            sound = opened(line)
        except OrderTold:
            return self._belief.dropped()
        except FrameError as error:
            return self._belief.damaged(f"{error} in {len(line)} bytes")
        self._silent = 0
        return self._sound(sound, at)

    def _sound(self, sound: Sound, at: float) -> Told:
        news = True
        reported: Told = []
        if sound.kind == "E":
            news, reported = self._belief.numbered(sound.number)
        try:
            line = sound.read()
        except OrderTold:
            return reported + self._belief.dropped()
        except UnknownLine as error:
            return [*reported, Notice(f"dropped {error}")]
        if sound.kind == "A":
            return self._answer(line, at)
        if sound.kind == "E" and news:
            reported += self._belief.event(line)
            self._motion_done()
            self._wait_for_people(at)
        return reported

    def _motion_done(self) -> None:
        done, self._belief.done = self._belief.done, None
        if self._motion is not None and self._motion.number == done:
            self._motion = None

    def _wait_for_people(self, at: float) -> None:
        """Suspend a motion's limit while the machine waits for a person."""
        if self._motion is not None and self._belief.state in _WAITING_FOR_PEOPLE:
            self._motion = _Motion(self._motion.name, self._motion.number, at + self._motion_s)

    def _answer(self, line: Line, at: float) -> Told:
        sent = self._requests.sent
        request = self._requests.answered(line)
        if request is None or sent is None:
            return [Notice("an answer that nobody waits for")]
        if line.word == "NO":
            why = REASONS[line.fields[0]]
            return [CommandRefused(request.name, why)] if request.name else []
        reported: list[Event] = [CommandDone(request.name)] if request.name else []
        if line.word == "OK":
            return reported + self._accepted(request, sent.number, at)
        if line.word == "ID":
            return reported + self._identity(line)
        if line.word == "ST":
            return reported + self._status(line, at)
        return reported + self._belief.report(
            ShuffleReport.of(*line.fields), asked=bool(request.name)
        )

    def _accepted(self, request: Request, number: int, at: float) -> Told:
        if request.word == "START":
            self._belief.decks = int(str(request.fields[1]))
        if request.moves:
            self._motion = _Motion(request.name, number, at + self._motion_s)
        return self._belief.void() if request.word in VOIDING else []

    def _identity(self, line: Line) -> Told:
        protocol, *texts = line.fields
        reported: Told = [Identified(*map(str, texts))]
        if protocol != PROTOCOL:
            reported.append(
                Notice(f"the machine speaks version {protocol}, this driver {PROTOCOL}")
            )
        return reported

    def _status(self, line: Line, at: float) -> Told:
        reported = self._belief.status(Status.of(*line.fields))
        if self._motion is not None and self._belief.under_way() != self._motion.number:
            self._motion = None
        self._wait_for_people(at)
        return reported
