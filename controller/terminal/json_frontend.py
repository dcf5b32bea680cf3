"""The table for programs: JSON lines in and out, with the same commands as everywhere."""

import msgspec
from msgspec.structs import asdict

from controller.journal.bodies import JsonLine
from controller.runtime.snapshots import Snapshot
from controller.table.commands.message import Message, message_from_line
from controller.table.commands.registry import Payload
from controller.terminal.json_lines import BadLine, decoded
from controller.terminal.rule_questions import LineError
from controller.terminal.screen import Echo
from controller.views.answers import StepAnswer
from controller.views.structs.encoding import encode


class NumberedAnswer(StepAnswer, frozen=True):
    """The answer to a line."""

    line: int
    """The line's number, from 1."""


class UnaskedAnswer(StepAnswer, frozen=True):
    """A step that no input line requested, for example of a device."""

    unasked: bool
    what: str


class MissedSteps(msgspec.Struct, frozen=True):
    """A notice that some steps were skipped in the output."""

    unasked: bool
    what: str


class JsonFrontend:
    """A `Frontend` for programs: JSON lines in and out; unrequested steps are marked."""

    def __init__(self, devices: frozenset[str], write: Echo) -> None:
        self._devices = devices
        self._write = write
        self._line = 0
        self.bad = 0

    def parse(self, line: bytes) -> Message[Payload] | None:
        self._line += 1
        try:
            return message_from_line(self._from_people(decoded(line)))
        except BadLine as error:
            self.failed(str(error))
            return None

    def _from_people(self, line: JsonLine) -> JsonLine:
        if line.source in self._devices or line.source == "system":
            raise BadLine(f"what the {line.source} says comes from the {line.source} itself")
        return line

    def step(self, posted: Snapshot, *, answers: bool) -> None:
        answer = asdict(posted.answer)
        if answers:
            self._put(NumberedAnswer(self._line, **answer))
        else:
            self._put(UnaskedAnswer(True, posted.what, **answer))

    def missed(self) -> None:
        self._put(MissedSteps(True, "missed"))

    def failed(self, why: str) -> None:
        self.bad += 1
        self._put(LineError(why, self._line))

    def _put(self, found: msgspec.Struct) -> None:
        self._write(encode(found).decode())
