"""Many readers of one feed as a program of its own, so that they do not share the server's clock.

    python -m bench.feed_clients PORT CLIENTS MARK

Prints a line when all are connected, and another with the seconds of its own clock when the last of
them has read MARK.
"""

import asyncio
import sys
import time

REQUEST = (
    "GET /feed/public HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
PIECE = 65536


async def read(port: int, mark: bytes, connected: asyncio.Semaphore) -> int:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(REQUEST.encode())
    tail = await reader.read(PIECE)
    connected.release()
    count = len(tail)
    while mark not in tail:
        piece = await reader.read(PIECE)
        if not piece:
            raise SystemExit("a reader was dropped")
        count += len(piece)
        tail = tail[-len(mark) :] + piece
    writer.close()
    return count


async def main(port: int, clients: int, mark: bytes) -> None:
    connected = asyncio.Semaphore(0)
    readers = [asyncio.create_task(read(port, mark, connected)) for _ in range(clients)]
    for _ in range(clients):
        await connected.acquire()
    say("connected")
    await asyncio.gather(*readers)
    say(str(time.monotonic()))


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3].encode()))
