"""A program that sees cards, for Sabot's `shoe_feed`: what a camera's own program can start from.

    python feed_client.py 4001        and at the table: --shoe shoe_feed --port socket://HOST:4001

Each line of standard input is an event: CARD 9H 0.993, UNREAD, CUT, LOST. What the table has on its
disk is printed; what it has not is kept and sent again. drivers/shoe_feed/PROTOCOL.md has the rest.
"""

import contextlib
import secrets
import socket
import sys
from threading import Lock, Thread
from zlib import crc32


class Feed:
    def __init__(self) -> None:
        self.session = secrets.token_hex(8)  # new for each run: its numbers begin at 1
        self.kept: list[str] = []  # what is not acknowledged; its first has the number `first`
        self.first, self.sent = 1, 0
        self.table: socket.socket | None = None
        self.lock = Lock()

    def say(self, text: str) -> None:
        try:
            if self.table:
                self.table.sendall(b"%s*%08X\n" % (text.encode(), crc32(text.encode())))
        except OSError:
            self.table = None  # the link is gone: it is sent again when the table is back

    def event(self, text: str) -> None:
        with self.lock:
            self.kept.append(text)
            self.send(self.first + len(self.kept) - 1)

    def send(self, number: int) -> None:
        for n in range(number, self.first + len(self.kept)):
            self.sent = max(self.sent, n)
            self.say(f"{n} {self.kept[n - self.first]}")

    def hear(self, word: str, *numbers: str) -> None:
        durable = int(numbers[-1]) - (word != "ACK") if numbers else 0
        while self.kept and self.first <= durable:
            print("durable", self.first, self.kept.pop(0), flush=True)
            self.first += 1
        if word in ("WELCOME", "AGAIN"):
            self.send(self.first)
        elif word == "WHO":
            self.say(f"HELLO 1 {self.session} {self.first} {self.sent}")

    def serve(self, table: socket.socket) -> None:
        with self.lock:
            self.table = table
            self.hear("WHO")
        for line in table.makefile("rb"):
            text, _, check = line.strip().partition(b"*")
            with self.lock:
                if check == b"%08X" % crc32(text):
                    self.hear(*text.decode().split())

    def listen(self, listening: socket.socket) -> None:
        while True:
            with contextlib.suppress(OSError):  # the link is gone: the table comes back
                self.serve(listening.accept()[0])


feed, port = Feed(), int(sys.argv[1]) if len(sys.argv) > 1 else 4001
listening = socket.create_server(("127.0.0.1", port))
print("listening", listening.getsockname()[1], flush=True)
Thread(target=feed.listen, args=(listening,), daemon=True).start()
for line in sys.stdin:
    feed.event(line.strip())
