"""The table for programs: JSON lines in and out, the same words as everywhere."""

from typing import Any

import msgspec

from controller.lines import unknown_word
from controller.round.rules import Message
from controller.runtime.snapshots import Snapshot
from controller.terminal.screen import Echo


class JsonFrontend:
    """A `Frontend` for programs: JSON lines in and out; what nobody asked for is marked."""

    def __init__(self, devices: frozenset[str], write: Echo) -> None:
        self._devices = devices
        self._write = write
        self._line = 0
        self.bad = 0

    def parse(self, line: bytes) -> Message | None:
        self._line += 1
        try:
            message = msgspec.json.decode(line, type=Message)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            self.failed(str(error) or "JSON is nested too deeply")
            return None
        why = unknown_word(message) or self._from_device(message)
        if why is None:
            return message
        self.failed(why)
        return None

    def _from_device(self, message: Message) -> str | None:
        if message.source in self._devices or message.source == "system":
            return f"what the {message.source} says comes from the {message.source} itself"
        return None

    def step(self, posted: Snapshot, *, answers: bool) -> None:
        head = {"line": self._line} if answers else {"unasked": True, "what": posted.what}
        self._put({**head, **posted.answer, "notices": posted.views["dealer"]["notices"]})

    def missed(self) -> None:
        self._put({"unasked": True, "what": "missed"})

    def failed(self, why: str) -> None:
        self.bad += 1
        self._put({"error": why, "line": self._line})

    def _put(self, found: dict[str, Any]) -> None:
        self._write(msgspec.json.encode(found).decode())
