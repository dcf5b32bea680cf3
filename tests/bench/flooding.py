"""One flood of one console, as a program of its own, until its input ends.

    python -m tests.bench.flooding PORT readers|halves|strangers COUNT

Prints a line when it is under way, and another at its end: how many requests it made, how many
were answered with a 5xx. It goes to this machine alone, and ends by itself after `LONGEST_S`.
"""

import asyncio
import itertools
import json
import sys

from tests.bench.feed_clients import PIECE, REQUEST, say

LONGEST_S = 120.0
HOST = "127.0.0.1"


class Seen:
    """What became of the requests."""

    def __init__(self) -> None:
        self.tried = self.server_errors = 0

    def look(self, answer: bytes) -> None:
        self.server_errors += answer.startswith(b"HTTP/1.1 5")


async def reader(port: int, seen: Seen) -> None:
    """A public reader that reads on, and comes back when it is not let in."""
    while True:
        try:
            incoming, outgoing = await asyncio.open_connection(HOST, port)
        except OSError:
            await asyncio.sleep(0.1)
            continue
        seen.tried += 1
        outgoing.write(REQUEST.encode())
        first = True
        try:
            while piece := await incoming.read(PIECE):
                if first:
                    seen.look(piece)
                first = False
        except OSError:
            pass
        outgoing.close()
        await asyncio.sleep(1)


async def half(port: int, seen: Seen, n: int) -> None:
    """A request that never ends: in its headers, or in its body; dropped, it begins anew."""
    headers = "POST /api/sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n"
    while True:
        try:
            incoming, outgoing = await asyncio.open_connection(HOST, port)
            seen.tried += 1
            outgoing.write((headers + ("" if n % 2 else '\r\n{"who":')).encode())
            seen.look(await incoming.read(PIECE))
            outgoing.close()
        except OSError:
            pass
        await asyncio.sleep(1)


async def stranger(port: int, seen: Seen, n: int) -> None:
    """Signs in under names that nobody has, one after the other."""
    for count in itertools.count():
        body = json.dumps({"who": f"nobody{n}x{count}", "secret": "123456"}).encode()
        head = f"POST /api/sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n"
        incoming, outgoing = await asyncio.open_connection(HOST, port)
        seen.tried += 1
        outgoing.write(head.encode() + b"Connection: close\r\n\r\n" + body)
        seen.look(await incoming.read())
        outgoing.close()


async def flood(port: int, kind: str, count: int) -> None:
    seen = Seen()
    work = {
        "readers": lambda _: reader(port, seen),
        "halves": lambda n: half(port, seen, n),
        "strangers": lambda n: stranger(port, seen, n),
    }[kind]
    tasks = [asyncio.create_task(work(n)) for n in range(count)]
    while seen.tried < count:
        await asyncio.sleep(0.01)
    say("under way")
    ended = asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    await asyncio.wait(
        [asyncio.ensure_future(ended), *tasks],
        timeout=LONGEST_S,
        return_when=asyncio.FIRST_COMPLETED,
    )
    for task in tasks:
        task.cancel()
    say(json.dumps({"tried": seen.tried, "server_errors": seen.server_errors}))


if __name__ == "__main__":
    asyncio.run(flood(int(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
