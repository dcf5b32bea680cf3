"""The floor's real web application on a real database, with tables that a test speaks for."""

import asyncio
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
from argon2 import PasswordHasher

from controller.console.auth.accounts import SHORT_SECRET, Accounts
from controller.console.auth.login_queue import LoginQueue
from controller.console.auth.sessions import Clocks, Sessions
from controller.floor.config import FloorConfig, SiteSettings, Web
from controller.floor.documents import Shelf
from controller.floor.service.website import Website
from controller.floor.shifts import Shifts
from controller.floor.web.context import FloorContext
from controller.floor.web.live.board import Board
from controller.floor.web.orders import Carrier, OrderSender
from controller.floor.web.people import FloorPeople
from controller.floor.web.queries import WebStore
from controller.journal.keys.signing import Signer
from controller.protocol.live import Beat, DeviceBeat, LiveView
from controller.protocol.names import TableName
from controller.protocol.orders import Order, OrderAnswer, OrderOutcome, SignedOrder
from support.console.table_in_hand import STAFF

SITE = "site"
FLOOR = Signer(b"floor" + bytes(27))
_QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


class Tables:
    """The tables' end of the orders: keeps what came, answers what it is told to."""

    def __init__(self) -> None:
        self.came: list[tuple[TableName, SignedOrder]] = []
        self.answers: Callable[[SignedOrder], OrderAnswer | None] = lambda order: OrderAnswer(
            _id_of(order), OrderOutcome.ACCEPTED, 42
        )

    async def carry(self, to: TableName, order: SignedOrder) -> OrderAnswer | None:
        self.came.append((to, order))
        return self.answers(order)


def _id_of(order: SignedOrder) -> str:
    return msgspec.json.decode(order.order, type=Order).id


class FloorInHand:
    """What a test holds: the board, the tables' end of orders, and where the pages are."""

    def __init__(self, url: str, context: FloorContext, tables: Tables, notes: list[Any]) -> None:
        self.url = url
        self.context = context
        self.tables = tables
        self.notes = notes
        self.loop: asyncio.AbstractEventLoop | None = None

    @property
    def board(self) -> Board:
        return self.context.board

    def live(self, table: str, seq: int, **view: Any) -> None:
        self.board.live(live(table, seq, **view), time.time())

    def beat(self, table: str, pit: str, **more: Any) -> None:
        self.board.beat(beat(table, pit, **more), time.time())


def live(table: str, seq: int, **view: Any) -> LiveView:
    now = time.time()
    plain: dict[str, Any] = {
        "state": "betting",
        "phase": "betting",
        "round": 7,
        "shoe": 2,
        "method": "B",
        "dealer": "dana",
        "limits": {"min": 2500, "max": 1_000_000, "differential": None, "wagers": {}},
        "results": list("BPTBBPPB"),
        "held": [],
        "asks": [],
        "can": ["close_betting", "close_table"],
        "hands": {"player": ["9H", None], "banker": ["KD"]},
        "totals": {"player": None, "banker": 0},
        "prompt": {"do": "call no more bets", "code": None, "gaps": {}},
    }
    return LiveView(SITE, table, seq, now, now, "card", {**plain, **view}, {}, instance="one")


def beat(table: str, pit: str, **more: Any) -> Beat:
    given: dict[str, Any] = {
        "title": table.upper(),
        "pit": pit,
        "currency": "SGD",
        "devices": [DeviceBeat("shoe", "shoe_angel_eye", "up", "SHOE-01", "2.1", 400, 1)],
        **more,
    }
    now = time.time()
    return Beat(SITE, table, "one", "boot", "0.2.0", "mbs-baccarat-8", 5, 0, now, 9000, **given)


def context_of(folder: Path, conninfo: str, carrier: Carrier, notes: list[Any]) -> FloorContext:
    accounts = Accounts(folder / "floor-staff.json", _QUICK, fewest=SHORT_SECRET)
    for who, role, secret, name in STAFF:
        accounts.add(who, role, secret, name)
    store = WebStore(conninfo, SITE)
    people = FloorPeople(
        accounts,
        LoginQueue(accounts, time.monotonic, failed_s=0.0),
        Sessions(Clocks(time.monotonic, "boot"), os.urandom),
        time.time,
        lambda *note: notes.append(note),
        pins={who: secret for who, _, secret, _ in STAFF},
    )
    desk = OrderSender(SITE, FLOOR, carrier, store, time.time, os.urandom)
    shelf = Shelf(conninfo, SITE, FLOOR, lambda: 0.0)  # versions are counted from one
    shifts = Shifts.of("UTC", ["06:00", "14:00", "22:00"])
    return FloorContext(
        *(SITE, "The floor", Board(SITE), people, store, WebStore(conninfo, SITE), desk, shelf),
        *(time.time, shifts),
    )


@contextmanager
def floor_web(folder: Path, conninfo: str) -> Iterator[FloorInHand]:
    """Served on loopback as the service serves it, until the block ends."""
    tables, notes = Tables(), list[Any]()
    context = context_of(folder, conninfo, tables, notes)
    website = Website(FloorConfig(SiteSettings(SITE), web=Web(port=0)), context)
    loop = asyncio.new_event_loop()
    serving = loop.create_task(website.run())
    thread = threading.Thread(target=_until_cancelled, args=(loop, serving), name="floor web")
    thread.start()
    try:
        yield FloorInHand(website.url, context, tables, notes)
    finally:
        loop.call_soon_threadsafe(serving.cancel)
        thread.join()
        website.close()


def _until_cancelled(loop: asyncio.AbstractEventLoop, task: "asyncio.Task[None]") -> None:
    with suppress(asyncio.CancelledError):
        loop.run_until_complete(task)
    loop.close()
