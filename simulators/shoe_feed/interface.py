"""The program's side of the feed: unacknowledged events are stored and sent again.

It follows PROTOCOL.md: hello until welcomed, then the events in order, each once, and again on the
table's request.
"""

from collections import deque
from typing import Any, Final
from zlib import crc32

HELLO_S: Final = 1.0
MAX_LINE: Final = 128


def line(text: str) -> bytes:
    body = text.encode("ascii")
    return b"%s*%08X\n" % (body, crc32(body))


class Conversation:
    def __init__(self, session: str) -> None:
        self.session = session
        self.version = 1
        self._kept: deque[str] = deque()
        """Unacknowledged events, from number `_first` on."""
        self._first = 1
        self._sent = 0
        """The highest number ever sent."""
        self._next = 1
        """The next number to send on this link."""
        self._welcomed = False
        self._counted = 0
        """How many events the table left to people."""
        self._since_hello = HELLO_S
        self._heard = bytearray()

    @property
    def waiting(self) -> int:
        return len(self._kept)

    @property
    def at_rest(self) -> bool:
        """Whether it is welcomed and has sent everything once; until then it repeats hello."""
        return self._welcomed and self._next == self._first + len(self._kept)

    def say(self, event: str) -> None:
        self._kept.append(event)

    def greet(self) -> None:
        """Start with hello, after a new link or the table's request for it."""
        self._welcomed = False
        self._since_hello = HELLO_S
        self._heard.clear()

    def forget(self) -> None:
        """Drop all unacknowledged events, as a failed program does, and continue with the next
        number."""
        self._first += len(self._kept)
        self._sent = max(self._sent, self._first - 1)
        self._kept.clear()
        self.greet()

    def hear(self, data: bytes) -> None:
        self._heard += data
        *ended, rest = self._heard.split(b"\n")
        self._heard = bytearray(rest[-MAX_LINE:])
        for each in ended:
            text, _, check = bytes(each).partition(b"*")
            if check == b"%08X" % crc32(text):
                self._told(text.decode("ascii").split(" "))

    def _told(self, words: list[str]) -> None:
        match words:
            case ["WELCOME" | "COUNTED" as word, "1", due]:
                self._welcomed = True
                forgotten = self._forgets(int(due) - 1)
                self._counted += forgotten if word == "COUNTED" else 0
                self._next = self._first
            case ["ACK", number] if self._welcomed:
                self._forgets(int(number))
            case ["AGAIN", due] if self._welcomed:
                self._forgets(int(due) - 1)
                self._next = self._first
            case ["WHO"]:
                self.greet()

    def _forgets(self, number: int) -> int:
        """Drop all events up to this number and return how many there were."""
        count = max(0, min(number - self._first + 1, len(self._kept)))
        for _ in range(count):
            self._kept.popleft()
        self._first += count
        self._next = max(self._next, self._first)
        return count

    def step(self, dt: float) -> bytes:
        if not self._welcomed:
            self._since_hello += dt
            if self._since_hello < HELLO_S:
                return b""
            self._since_hello = 0.0
            return line(f"HELLO {self.version} {self.session} {self._first} {self._sent}")
        out = b""
        while self._next < self._first + len(self._kept):
            out += line(f"{self._next} {self._kept[self._next - self._first]}")
            self._sent = max(self._sent, self._next)
            self._next += 1
        return out

    def shown(self) -> dict[str, Any]:
        return {
            "session": self.session,
            "welcomed": self._welcomed,
            "not_acknowledged": len(self._kept),
            "counted_by_people": self._counted,
        }
