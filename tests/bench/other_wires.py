"""From the wire to the disk where there is no card on a terminal: a barcode reader on USB, and the
shufflers.

The reader's reports are asked for one by one over USB/IP on this machine; the clock runs from the
report that ends the label to the card durable. A shuffler deals no card: its clock runs from the
last byte of a line that the table has to know of, a lid that is opened or a request that is
answered, to its record durable. Beside each, in turns, a bare thread that reads as many bytes and
commits the same record. By hand there is no wire: `card` times the same step.
"""

import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Final

from bench.devices import (
    LIMIT_S,
    OPENING,
    SECOND,
    SETTINGS,
    WANTS_CARD,
    WARM_UP,
    Frames,
    Stopwatch,
    after,
    bare_floor,
    checked_line,
    compare,
    drain,
    next_card,
    raw_terminal,
    shuffled,
    staff,
    table_with,
    timed,
    timed_by,
)
from controller.runtime.build import Plug
from support.devices.usbip_server import Host, lists, serving, submitted

TIMES: Final = 400
"""So many of each."""
USB: Final = "shoe_barcode_usb"
REPORT: Final = 8
SHUFFLED: Final = b":OK#D736D92D\n"
"""The open shuffler's answer, with its check."""


def main(folder: Path) -> None:
    reader_to_disk(folder / USB)
    batch_to_disk(folder / "batch")
    open_shuffler_to_disk(folder / "open")


# --- a barcode reader ---------------------------------------------------------------------------


class Scanner:
    """A scanner's end: every report answers a transfer that the table has asked for."""

    def __init__(self) -> None:
        self._host: Host | None = None
        self._asked: SimpleQueue[int] = SimpleQueue()

    def plays(self, host: Host) -> None:
        """Hears the transfers; until the table takes one back, because it ends."""
        self._host = host
        command, number, _, _ = host.imported()
        while command == 1:
            self._asked.put(number)
            command, number, _, _ = host.transfer()

    def ready(self) -> Callable[[bytes], None]:
        """The table waits for a report: how it is given."""
        number = self._asked.get(timeout=LIMIT_S)
        assert self._host is not None
        host = self._host
        return lambda report: host.say(submitted(number, report))

    def type(self, reports: bytes) -> None:
        for start in range(0, len(reports), REPORT):
            self.ready()(reports[start : start + REPORT])


def reader_to_disk(folder: Path) -> None:
    """Of a label the report of its last key ends it; that the key goes up comes behind it."""
    cards, frames, scanner = shuffled(5), Frames(USB), Scanner()
    times: dict[str, list[float]] = {"table": [], "bare": []}
    folder.mkdir()
    with serving(lists, scanner.plays) as (host, port):
        plug = Plug("shoe", USB, f"usbip://{host}:{port}", SETTINGS[USB])
        with table_with(folder, plug) as (loop, journal):
            floor, number = None, 0
            while len(times["table"]) < TIMES + WARM_UP:
                loop.ask(staff("open_betting")).result(LIMIT_S)
                step = loop.ask(staff("close_betting")).result(LIMIT_S)
                while step.state in WANTS_CARD:
                    whole = frames.of(cards.pop(), *next_card(step))
                    keys, last = whole[: -2 * REPORT], whole[-2 * REPORT : -REPORT]
                    scanner.type(keys)
                    give = scanner.ready()
                    times["table"].append(timed_by(partial(give, last), journal))
                    scanner.type(RELEASED)
                    step = after(loop, step.seq)
                    floor = floor or bare_floor(folder, journal, _pair())
                    times["bare"].append(timed(floor.shoe, submitted(number, last), floor))
                    number += 1
                loop.ask(staff("announce")).result(LIMIT_S)
                loop.ask(staff("settle")).result(LIMIT_S)
                if len(cards) < 20:
                    cards = shuffled(number)
                    loop.ask(OPENING[1]).result(LIMIT_S)
                    loop.ask(SECOND).result(LIMIT_S)
    assert floor is not None
    floor.close()
    compare(f"{USB}: a label's last report to the card durable, {TIMES} in turns:", times)


RELEASED: Final = bytes(REPORT)


def _pair() -> tuple[int, int]:
    near, far = socket.socketpair()
    return near.detach(), far.detach()


# --- shufflers ----------------------------------------------------------------------------------


@contextmanager
def _shuffler(folder: Path, name: str) -> Iterator[tuple[int, Callable[[str], None], Stopwatch]]:
    """A table with this shuffler on a terminal: its end, how people speak, the journal."""
    device, theirs = raw_terminal()
    folder.mkdir()
    with table_with(folder, Plug("shuffler", name, os.ttyname(theirs))) as (loop, journal):
        journal.awaited = b'"from":"shuffler"'

        def say(do: str) -> None:
            loop.ask(staff(do)).result(LIMIT_S)

        yield device, say, journal
    os.close(device)
    os.close(theirs)


def batch_to_disk(folder: Path) -> None:
    times: dict[str, list[float]] = {"table": [], "bare": []}
    with _shuffler(folder, "shuffler_batch") as (device, _, journal):
        floor, doors = None, ("OPEN", "CLOSED")
        for n in range(2 * (TIMES + WARM_UP)):
            line = checked_line(f"E{1 + n % 9999:04} DOOR LID {doors[n % 2]}")
            drain(device)
            if n % 2:
                os.write(device, line)  # closed again: counted, and no record
                continue
            times["table"].append(timed(device, line, journal))
            floor = floor or bare_floor(folder, journal)
            times["bare"].append(timed(floor.shoe, line, floor))
        assert floor is not None
        floor.close()
    compare(f"shuffler_batch: a lid's line to its record durable, {TIMES} in turns:", times)


def open_shuffler_to_disk(folder: Path) -> None:
    """It speaks only when it is asked: the pit starts a shuffle, and the answer is timed."""
    times: dict[str, list[float]] = {"table": [], "bare": []}
    with _shuffler(folder, "shuffler_reshuffled") as (device, say, journal):
        floor = None
        for _ in range(TIMES + WARM_UP):
            say("start_shuffle")
            os.read(device, 4096)
            times["table"].append(timed(device, SHUFFLED, journal))
            floor = floor or bare_floor(folder, journal)
            times["bare"].append(timed(floor.shoe, SHUFFLED, floor))
        assert floor is not None
        floor.close()
    compare(f"shuffler_reshuffled: an answer to its record durable, {TIMES} in turns:", times)
