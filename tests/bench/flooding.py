"""One flood of one console, as a program of its own, until its input ends.

    python -m bench.flooding PORT readers|halves|strangers COUNT

Prints a line when it is under way, and another at its end: how many requests it made, how many
were answered with a 5xx, and how many seconds of CPU it took itself. Bare sockets on one epoll, so
that it takes as little of the machine as it can: in life a flood's senders run elsewhere. It goes
to this machine alone, and ends by itself after `LONGEST_S`.
"""

import heapq
import json
import select
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from bench.feed_clients import PIECE, REQUEST, say

LONGEST_S = 120.0
HOST = "127.0.0.1"
LOOK_S = 0.05


def reader(n: int, count: int) -> bytes:  # noqa: ARG001
    """A public reader that reads on, and comes back when it is not let in."""
    return REQUEST.encode()


def half(n: int, count: int) -> bytes:  # noqa: ARG001
    """A request that never ends: in its headers, or in its body; dropped, it begins anew."""
    headers = "POST /api/sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n"
    return (headers + ("" if n % 2 else '\r\n{"who":')).encode()


def stranger(n: int, count: int) -> bytes:
    """Signs in under names that nobody has, one after the other."""
    body = json.dumps({"who": f"nobody{n}x{count}", "secret": "123456"}).encode()
    head = f"POST /api/sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n"
    return head.encode() + b"Connection: close\r\n\r\n" + body


KINDS: dict[str, tuple[Callable[[int, int], bytes], float]] = {
    "readers": (reader, 1.0),
    "halves": (half, 1.0),
    "strangers": (stranger, 0.0),
}
"""What each sends, and how many seconds after its end it comes back."""


@dataclass
class Flood:
    """Everybody who floods; each has a number, and comes as often as it was turned away."""

    port: int
    sends: Callable[[int, int], bytes]
    back_s: float
    tried: int = 0
    server_errors: int = 0
    _open: dict[int, tuple[socket.socket, int]] = field(default_factory=dict)
    _unanswered: set[int] = field(default_factory=set)
    _due: list[tuple[float, int]] = field(default_factory=list)
    _piece: bytearray = field(default_factory=lambda: bytearray(PIECE))

    def __post_init__(self) -> None:
        self._poll = select.epoll()

    def come(self, n: int) -> None:
        line = socket.socket()
        try:
            line.connect((HOST, self.port))
            line.setblocking(False)
            self.tried += 1
            line.send(self.sends(n, self.tried))
        except OSError:
            line.close()
            heapq.heappush(self._due, (time.monotonic() + 0.1, n))
            return
        self._open[line.fileno()] = line, n
        self._unanswered.add(line.fileno())
        self._poll.register(line, select.EPOLLIN)

    def turn(self, wait_s: float = LOOK_S) -> None:
        for fd, _ in self._poll.poll(wait_s):
            self._read(fd)
        while self._due and self._due[0][0] <= time.monotonic():
            self.come(heapq.heappop(self._due)[1])

    def _read(self, fd: int) -> None:
        line, n = self._open[fd]
        try:
            got = line.recv_into(self._piece)
        except BlockingIOError:
            return
        except OSError:
            got = 0
        if got and fd in self._unanswered:
            self._unanswered.discard(fd)
            self.server_errors += self._piece.startswith(b"HTTP/1.1 5")
        if not got:
            del self._open[fd]
            self._unanswered.discard(fd)
            line.close()
            heapq.heappush(self._due, (time.monotonic() + self.back_s, n))


def main(port: int, kind: str, count: int) -> None:
    flood = Flood(port, *KINDS[kind])
    for n in range(count):
        flood.come(n)
        flood.turn(0)
    say("under way")
    until = time.monotonic() + LONGEST_S
    while not select.select([sys.stdin], [], [], 0)[0] and time.monotonic() < until:
        flood.turn()
    told = {"tried": flood.tried, "server_errors": flood.server_errors}
    say(json.dumps({**told, "cpu_s": time.process_time()}))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
