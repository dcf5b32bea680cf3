"""From the wire to the disk, and how many frames a driver decodes a second, with what memory.

A card's whole frame is written to a pseudo-terminal; the clock stops when the card is durable in
the journal, before anything is shown: a real reader thread, the real driver, the real loop. Beside
it, in turns: a bare thread that reads the same frame from a second terminal and commits the same
bytes itself. Both pay for waking a thread once; ours pays for handing the bytes to the loop too.
A reader on USB has no terminal, and shufflers deal no card: `other_wires.py` times those.
"""

import gc
import os
import random
import select
import statistics
import threading
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from zlib import crc32

from bench.journal import SIGNER, BareHead, bare
from bench.targets import at_most
from controller.engine.session import open_session
from controller.journal.records import Entry, Json, Record
from controller.journal.seal import Sealer
from controller.journal.store import Journal
from controller.rulebooks import rulebook
from controller.runtime.build import Plug, running_table
from controller.runtime.loop import Clock, Loop
from controller.runtime.open_table import rest_collector
from controller.table.commands.message import Message, staff_message
from controller.table.commands.registry import Payload
from controller.table.rules import HouseRules, Rules
from controller.views.answers import StepAnswer
from drivers.cards import DECK
from drivers.commands import Home
from drivers.contract import Driver
from drivers.registry import find
from drivers.testing.lives import weight
from support.devices.angel_frames import drawn, frame
from support.devices.typed import scan
from support.limits import MAX_WAIT_S

CARDS = {"shoe_angel_eye": 1500, "shoe_bee_tek": 400, "shoe_line_reader": 400, "shoe_feed": 400}
"""So many of each shoe that has a line."""
WARM_UP = 50
FRAMES = 20_000
LIMIT_S = MAX_WAIT_S
WIRE = 1.35
"""At most so many times the bare thread."""
NUMBERS = "123456789"
HOMED = b":OK#D736D92D\n"
"""The open shuffler's answer, with its check."""


class Stopwatch(Journal):
    """A journal that notes when a record is durable."""

    durable_at = 0.0
    landed: threading.Event
    awaited = b'"event":"card"'
    """In a record that is waited for."""

    def append(self, *entries: Entry) -> list[Record]:
        records = super().append(*entries)
        self.durable_at = time.perf_counter()
        if self.awaited in entries[-1].body:
            self.landed.set()
        return records


def staff(do: str, **given: object) -> Message[Payload]:
    return staff_message(do, "g1", "gaming_shift_manager", **given)


SECOND = staff_message("approve", "g2", "gaming_shift_manager")
OPENING = [
    staff("open_table"),
    staff("load_shoe", deck_set="b", verified_by="g2", cut=True),
    SECOND,
]
WANTS_CARD = ("dealing", "players_third", "bankers_third")


def shuffled(seed: int) -> list[str]:
    cards = [card.code for card in DECK for _ in range(8)]
    random.Random(seed).shuffle(cards)
    return cards


def raw_terminal() -> tuple[int, int]:
    """The device's end and the table's."""
    device, theirs = os.openpty()
    tty.setraw(theirs)
    return device, theirs


class Floor:
    """A bare thread: read the terminal, commit what came, and write a bare head."""

    def __init__(self, folder: Path, body: bytes, ends: tuple[int, int] | None = None) -> None:
        self.shoe, self._table = ends or raw_terminal()
        self._path = folder / "bare.db"
        self._body = body
        self.durable_at = 0.0
        self.landed = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        plain, sector = bare(self._path), BareHead(self._path.with_name("bare.head"))
        while (data := os.read(self._table, 4096)) != b"end":
            assert data
            plain.execute("INSERT INTO kept(bytes) VALUES (?)", (self._body,))
            sector.write()
            self.durable_at = time.perf_counter()
            self.landed.set()
        plain.close()
        sector.close()

    def close(self) -> None:
        os.write(self.shoe, b"end")
        self._thread.join(LIMIT_S)
        os.close(self.shoe)
        os.close(self._table)


class Frames:
    """Whole frames of a shoe, one for each card, as it would number and label them."""

    def __init__(self, shoe: str) -> None:
        self._shoe = shoe
        self._cards = 0

    def hello(self) -> bytes:
        return checked_line("HELLO 1 bench 1 0") if self._shoe == "shoe_feed" else b""

    def of(self, card: str, hand: str, place: int) -> bytes:
        self._cards += 1
        match self._shoe:
            case "shoe_angel_eye":
                return frame(NUMBERS[(self._cards - 1) % 9], drawn(hand, place, card))
            case "shoe_bee_tek":
                return f" [Game]<Card:{card}> \r\n".encode()
            case "shoe_feed":
                return checked_line(f"{self._cards} CARD {card} 0.999")
        label = card[1] + card[0].replace("T", "10")
        if self._shoe == "shoe_line_reader":
            return f"{label}\r\n".encode()
        return scan(f"{'SHCD'.index(card[1]) + 1}{'A23456789TJQK'.index(card[0]) + 1:02}0")


SETTINGS: dict[str, dict[str, Json]] = {
    "shoe_line_reader": {"deck_digit": "none"},
    "shoe_barcode_usb": {"table": "four_digits"},
}
"""Labels on every copy of a card: no shoe holds as many cards as are timed."""


def checked_line(text: str) -> bytes:
    """With the check that the feed and the batch shuffler have."""
    return b"%s*%08X\n" % (text.encode(), crc32(text.encode()))


@contextmanager
def table(folder: Path, name: str) -> Iterator[tuple[Loop, int, Stopwatch]]:
    """A running table with this shoe on a terminal, and the shoe's end of it."""
    shoe, theirs = raw_terminal()
    plug = Plug("shoe", name, os.ttyname(theirs), SETTINGS.get(name, {}))
    with table_with(folder, plug) as (loop, journal):
        yield loop, shoe, journal
    os.close(shoe)
    os.close(theirs)


@contextmanager
def table_with(folder: Path, plug: Plug) -> Iterator[tuple[Loop, Stopwatch]]:
    """A running table with one device, whose link has come up."""
    rules = Rules(rulebook("mbs-baccarat-8"), HouseRules("mbs-baccarat-8", burn="none"))
    with Stopwatch.open(folder / "table.db", head_path=folder / "head", signer=SIGNER) as journal:
        assert isinstance(journal, Stopwatch)
        journal.landed = threading.Event()
        session = open_session(rules, journal, Sealer(bytes(32), random.Random(1).randbytes))
        with running_table(session, [plug], Clock(time.monotonic, time.time)) as at_work:
            loop = at_work.loop
            until = time.monotonic() + LIMIT_S
            while loop.devices()[0].link != "up":
                assert time.monotonic() < until, "the link does not come up"
                time.sleep(0.01)
            for message in OPENING:
                loop.ask(message).result(LIMIT_S)
            gc.collect()
            rest_collector()  # as every table does once it is open
            yield loop, journal


def wires_to_disk(folder: Path) -> None:
    for shoe in CARDS:
        wire_to_disk(folder / shoe, shoe)


def wire_to_disk(
    folder: Path, name: str, landed: Callable[[float, float], None] | None = None
) -> None:
    """`landed` hears of each card how long it took and when it was durable."""
    cards, frames = shuffled(5), Frames(name)
    times: dict[str, list[float]] = {"table": [], "bare": []}
    folder.mkdir()
    with table(folder, name) as (loop, shoe, journal):
        os.write(shoe, frames.hello())
        floor: Floor | None = None
        number = 0
        while len(times["table"]) < CARDS[name] + WARM_UP:
            loop.ask(staff("open_betting")).result(LIMIT_S)
            step = loop.ask(staff("close_betting")).result(LIMIT_S)
            while step.state in WANTS_CARD:
                hand, place = next_card(step)
                whole = frames.of(cards.pop(), hand, place)
                number += 1
                times["table"].append(timed(shoe, whole, journal))
                if landed is not None:
                    landed(times["table"][-1], journal.durable_at)
                drain(shoe)
                step = after(loop, step.seq)
                floor = floor or bare_floor(folder, journal)
                times["bare"].append(timed(floor.shoe, whole, floor))
            loop.ask(staff("announce")).result(LIMIT_S)
            ended = loop.ask(staff("settle")).result(LIMIT_S)
            assert ended.accepted, ended
            if len(cards) < 20:
                cards = shuffled(number)
                loop.ask(OPENING[1]).result(LIMIT_S)
                loop.ask(SECOND).result(LIMIT_S)
        assert floor is not None
        floor.close()
    what = "a card's last byte on a terminal to the card durable"
    compare(f"{name}: {what}, {CARDS[name]} in turns:", times)


def bare_floor(folder: Path, journal: Journal, ends: tuple[int, int] | None = None) -> Floor:
    """That commits what the table committed last."""
    record = list(journal.records())[-1]
    # The fields of a record besides its body: five numbers, a kind and a digest.
    return Floor(folder, record.body + bytes(5 * 8 + len(record.kind) + 32), ends)


def drain(shoe: int) -> None:
    """What the table has answered, for a terminal that nobody reads fills up."""
    while select.select([shoe], [], [], 0)[0]:
        os.read(shoe, 4096)


def next_card(step: StepAnswer) -> tuple[str, int]:
    """Which hand the shoe says the next card is for."""
    player, banker = len(step.hands.player), len(step.hands.banker)
    lying = player + banker
    if lying < 4:
        return ("P", player + 1) if lying % 2 == 0 else ("B", banker + 1)
    return ("P", 3) if step.state == "players_third" else ("B", 3)


def after(loop: Loop, seq: int) -> StepAnswer:
    """The step that was posted after this one: the loop has gone round."""
    changed = threading.Event()
    stop = loop.snapshots.watch(changed.set)
    while not (posted := loop.snapshots.after(seq)):
        assert changed.wait(LIMIT_S)
        changed.clear()
    stop()
    return posted[-1].answer


def timed(end: int, data: bytes, landing: Stopwatch | Floor) -> float:
    """From the last byte written to the record durable."""
    return timed_by(lambda: os.write(end, data), landing)


def timed_by(say: Callable[[], object], landing: Stopwatch | Floor) -> float:
    landing.landed.clear()
    started = time.perf_counter()
    say()
    assert landing.landed.wait(LIMIT_S)
    return landing.durable_at - started


def compare(title: str, times: dict[str, list[float]]) -> None:
    _say(title)
    found = {}
    for name, each in times.items():
        sorted_ = sorted(each[WARM_UP:])
        found[name] = (statistics.median(sorted_), sorted_[int(len(sorted_) * 0.99)])
        p50, p99 = (1e6 * seconds for seconds in found[name])
        _say(f"  {name:8} p50 {p50:6.0f} us   p99 {p99:6.0f} us")
    ratios = [ours / theirs for ours, theirs in zip(*found.values(), strict=True)]
    for name, ratio in zip(("p50", "p99"), ratios, strict=True):
        _say(f"  ratio    {name} {ratio:6.2f}; {at_most(ratio, WIRE)}")


def frames_a_second() -> None:
    """Whole frames in one feed each, as they come from a wire that is not slow; and what the driver
    holds after them."""
    for name in (*CARDS, "shoe_barcode_usb"):
        frames = Frames(name)
        hello = frames.hello()
        cards = [
            frames.of("A23456789TJQK"[n % 13] + "SHDC"[n % 4], "PB"[n % 2], 1 + n % 3)
            for n in range(FRAMES)
        ]
        driver = find(name).with_settings(SETTINGS.get(name, {}))
        driver.hello(0.0)
        driver.feed(hello, 0.0)
        _say_rate(name, driver, _decoded(driver, cards))
    shufflers_frames()


def shufflers_frames() -> None:
    """A batch shuffler's events, by their numbers; of the other, which speaks only when it is
    asked, requests with their answers."""
    batch = find("shuffler_batch").with_settings({})
    batch.hello(0.0)
    doors = ("OPEN", "CLOSED")
    lines = [checked_line(f"E{1 + n % 9999:04} DOOR LID {doors[n % 2]}") for n in range(FRAMES)]
    _say_rate("shuffler_batch", batch, _decoded(batch, lines))
    asked = find("shuffler_reshuffled").with_settings({})
    asked.hello(0.0)
    started = time.perf_counter()
    for n in range(FRAMES):
        asked.ask(Home(), 2.0 * n)
        assert asked.feed(HOMED, 2.0 * n).events, "every answer ends its request"
    _say_rate("shuffler_reshuffled", asked, FRAMES / (time.perf_counter() - started))


def _say_rate(name: str, driver: Driver, rate: float) -> None:
    _say(f"{name}: {rate:,.0f} frames a second on one core, {weight(driver):,} bytes held")


def _decoded(driver: Driver, frames: list[bytes]) -> float:
    started = time.perf_counter()
    found = sum(len(driver.feed(each, 2.0 * n).events) for n, each in enumerate(frames))
    took = time.perf_counter() - started
    assert found >= len(frames), "every frame is a card"
    return len(frames) / took


def _say(line: str) -> None:
    print(line)  # noqa: T201
