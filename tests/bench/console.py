"""Events a second to five hundred readers of the feed, beside a server that only writes.

The readers are a program of their own. The floor is a bare asyncio server that writes the same
number of messages of the same length to as many readers; both in one run, turns in rotation.
"""

import asyncio
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from controller.console.http.server import ConsoleServer, ListenAddress, bound
from controller.table.commands.message import new_message
from support.console.consoles import Console

CLIENTS = 500
STEPS = 100
TURNS = 3


def clients(port: int, mark: str, begin: Callable[[], float]) -> float:
    """Seconds from `begin` until every reader has read `mark`."""
    command = [sys.executable, "-m", "bench.feed_clients", str(port), str(CLIENTS), mark]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "connected\n"
        began = begin()
        ended = program.stdout.readline()
    assert ended, "a reader was dropped"
    return float(ended) - began


def console_turn(console: Console, port: int) -> float:
    def begin() -> float:
        while console.context.feeds.readers < CLIENTS:
            threading.Event().wait(0.01)
        began = time.monotonic()
        for _ in range(STEPS):
            console.table.loop.ask(new_message("system", "noted", what="x")).result(60)
        return began

    last = console.context.latest().seq + STEPS
    return clients(port, f'"seq":{last},"at"', begin)


def bare_turn(length: int) -> float:
    """A server that has its messages ready and writes them to whoever has asked."""
    writers: list[asyncio.StreamWriter] = []
    message = b"x" * (length - 4) + b"\r\n\r\n"

    async def asked(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(4096)
        writer.write(b"HTTP/1.1 101\r\n\r\n")
        writers.append(writer)

    async def write() -> float:
        while len(writers) < CLIENTS:
            await asyncio.sleep(0.01)
        began = time.monotonic()
        for step in range(STEPS):
            last = b"the last" if step == STEPS - 1 else b""
            for writer in writers:
                writer.write(message + last)
            await asyncio.sleep(0)
        for writer in writers:
            await writer.drain()
        return began

    async def run() -> float:
        server = await asyncio.start_server(asked, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        loop = asyncio.get_running_loop()

        def begin() -> float:
            return asyncio.run_coroutine_threadsafe(write(), loop).result()

        found = await asyncio.to_thread(clients, port, "the last", begin)
        for writer in writers:
            writer.close()
        server.close()
        return found

    return asyncio.run(run())


def feeds_against_bare_sockets(folder: Path) -> None:
    console = Console(folder)
    address = ListenAddress(port=0)
    listening = bound(address)
    server = ConsoleServer(console.context, address, listening)
    server.start()
    port = listening.getsockname()[1]
    posted = console.context.latest()
    length = len(console.context.feeds.message("step", posted, "public"))
    ours, bare = [], []
    for _ in range(TURNS):
        ours.append(console_turn(console, port))
        bare.append(bare_turn(length))
    server.stop()
    console.table.close()
    events = CLIENTS * STEPS / statistics.median(ours)
    ratio = statistics.median(ours) / statistics.median(bare)
    sys.stdout.write(
        f"feed: {events:,.0f} events/s to {CLIENTS} readers ({length} bytes each), "
        f"{ratio:.2f} times a server that only writes\n"
    )
