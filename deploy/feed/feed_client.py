"""A program that sees cards, for Sabot's `shoe_feed`: what a camera's own program can start from.

    python feed_client.py 4001        and at the table: --shoe shoe_feed --port socket://HOST:4001

Each line of standard input is an event: CARD 9H 0.993, UNREAD, CUT, LOST. Printed is what is
durable, on the table's disk, and what people count instead; all else is kept and sent again.
"""

import asyncio
import secrets
import sys
from contextlib import closing, suppress
from zlib import crc32


class Feed:
    def __init__(self) -> None:
        self.table: asyncio.StreamWriter
        self.session = secrets.token_hex(8)  # new for each run: its numbers begin at 1
        self.kept: dict[int, str] = {}  # by number, what the table may not have
        self.last, self.sent, self.welcomed = 0, 0, False  # none is sent before it is welcomed

    def say(self, text: str) -> None:
        self.table.write(b"%s*%08X\n" % (text.encode(), crc32(text.encode())))

    def send(self, first: int) -> None:
        for n in range(first, self.last + 1) if self.welcomed else ():
            self.sent = n
            self.say(f"{n} {self.kept[n]}")

    def hear(self, word: str, *numbers: str) -> None:
        self.welcomed = word in ("WELCOME", "COUNTED") or (self.welcomed and word != "WHO")
        if word == "WHO":
            self.say(f"HELLO 1 {self.session} {self.last + 1 - len(self.kept)} {self.sent}")
        elif self.welcomed:
            became, due = ("counted" if word == "COUNTED" else "durable"), int(numbers[-1])
            for n in [n for n in self.kept if n < due + (word == "ACK")]:
                print(became, n, self.kept.pop(n), flush=True)
            self.send(due if word != "ACK" else self.last + 1)

    async def serve(self, lines: asyncio.StreamReader, table: asyncio.StreamWriter) -> None:
        self.table = table
        self.hear("WHO")
        with suppress(OSError), closing(table):
            async for line in lines:
                text, _, check = line.strip().partition(b"*")
                if check == b"%08X" % crc32(text) and self.table is table:
                    self.hear(*text.decode().split())
        self.welcomed = self.welcomed and self.table is not table

    async def run(self, port: int) -> None:
        server = await asyncio.start_server(self.serve, "127.0.0.1", port)
        print("listening", server.sockets[0].getsockname()[1], flush=True)
        while line := await asyncio.to_thread(sys.stdin.readline):
            self.last += 1
            self.kept[self.last] = line.strip()
            self.send(self.last)


asyncio.run(Feed().run(int(sys.argv[1])))
