"""The table for programs: JSON lines in and out, the same words as everywhere."""

import msgspec

from controller.journal.bodies import JsonLine
from controller.runtime.snapshots import Snapshot
from controller.table.commands.message import Message, message_from_line
from controller.table.commands.registry import Payload
from controller.terminal.json_lines import BadLine, decoded
from controller.terminal.screen import Echo
from controller.views.sentence_views import View


class JsonFrontend:
    """A `Frontend` for programs: JSON lines in and out; what nobody asked for is marked."""

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
        head = {"line": self._line} if answers else {"unasked": True, "what": posted.what}
        self._put({**head, **posted.answer, "notices": posted.views["dealer"]["notices"]})

    def missed(self) -> None:
        self._put({"unasked": True, "what": "missed"})

    def failed(self, why: str) -> None:
        self.bad += 1
        self._put({"error": why, "line": self._line})

    def _put(self, found: View) -> None:
        self._write(msgspec.json.encode(found).decode())
