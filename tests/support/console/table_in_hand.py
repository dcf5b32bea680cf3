"""A whole console in this process, with the table held in the hand: a test draws the cards.

The loop, the session, the journal (in memory), the server and the pages are the real ones. Only the
shoe is missing: a card comes when the test says so.
"""

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from argon2 import PasswordHasher

from controller.console.auth.accounts import SHORT_SECRET, Accounts
from controller.console.http.server import ConsoleServer, ListenAddress, Setup, bound, context_of
from controller.engine.session import open_session
from controller.game.money.rounding import Rounding
from controller.journal.memory import MemoryJournal
from controller.journal.seal import Sealer
from controller.rulebooks import rulebook
from controller.runtime.devices import ConnectedDevice
from controller.runtime.inbox import Inbox
from controller.runtime.loop import Clock, Loop
from controller.table.commands.message import new_message, staff_message
from controller.table.rules import HouseRules, Rules
from controller.views.structs.encoding import plain
from support.journal.in_memory import InMemory

STAFF = [
    ("dana", "dealer", "1111", "Dana"),
    ("pia", "pit_supervisor", "2222", "Pia"),
    ("max", "pit_manager", "3333", "Max"),
    ("ada", "assistant_casino_manager", "4444", "Ada"),
    ("gus", "gaming_shift_manager", "5555", "Gus"),
    ("eve", "surveillance", "6666", "Eve"),
]
"""Everybody a round can need; the PINs are the demo's and shown on the page."""

_QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
"""Argon2 as weak as it goes: what it costs is tested elsewhere."""


class TableInHand:
    """The table's real loop in a thread, mostly with no device: cards are the shoe's words."""

    def __init__(self, rules: Rules, devices: tuple[ConnectedDevice, ...] = ()) -> None:
        self.journal = MemoryJournal()
        self.sealer = Sealer(os.urandom(32), os.urandom)
        session = open_session(rules, self.journal, self.sealer)
        self.loop = Loop(session, devices, Clock(time.monotonic, time.time), Inbox())
        self._thread = threading.Thread(target=self.loop.run, name="table")
        self._thread.start()

    def stop(self) -> None:
        self.loop.stop()
        self._thread.join()

    def say(self, source: str, word: str, **more: Any) -> dict[str, Any]:
        """What a device says."""
        return plain(self.loop.ask(new_message(source, word, **more)).result(60))

    def draw(self, *codes: str) -> None:
        """Cards leave the shoe; `??` is one it could not read."""
        for code in codes:
            unread = code == "??"
            answer = self.say("shoe", "read_failed" if unread else "card", **_card(code))
            assert answer["accepted"], answer["reason"]

    def open_shoe(self, method: str = "B", **more: Any) -> None:
        """The table is open, a shoe is in, the method chosen."""
        self.act("open_table")
        self.load_shoe()
        self.act("method", method=method, **more)

    def load_shoe(self) -> None:
        """Gus loads it, and Pia vouches for it."""
        self.act("load_shoe", deck_set="blue", verified_by="pia", cut=True)
        self.act("approve", who="pia", role="pit_supervisor")

    def act(
        self, do: str, who: str = "gus", role: str = "gaming_shift_manager", **given: Any
    ) -> None:
        """A word said without a page, to bring the table where a test begins."""
        message = staff_message(do, who, role, **given)
        answer = plain(self.loop.ask(message).result(60))
        assert answer["accepted"], answer["reason"]

    def words(self) -> list[str]:
        """Every step in the journal, by its word, refused ones too."""
        bodies = (msgspec.json.decode(each.body) for each in self.journal.records())
        heard = (body["in"] for body in bodies if "in" in body)
        return [message.get("do") or message.get("event") for message in heard]

    def noted(self) -> list[str]:
        """What was written down beside play: who signed in, what was locked."""
        bodies = (msgspec.json.decode(each.body) for each in self.journal.records())
        heard = (body["in"] for body in bodies if "in" in body)
        return [each["with"]["what"] for each in heard if each.get("event") == "noted"]

    @property
    def seq(self) -> int:
        latest = self.loop.snapshots.latest
        assert latest is not None
        return latest.seq

    def after(self, seq: int) -> None:
        """Wait until the table has taken another step."""
        self.waits_until(lambda: self.seq > seq)

    def until(self, state: str) -> None:
        """Wait until what was pressed on a page has brought the table there."""
        self.waits_until(lambda: self.view["state"] == state)

    def waits_until(self, so: Callable[[], bool]) -> None:
        moved = threading.Event()
        stop = self.loop.snapshots.watch(moved.set)
        try:
            while not so():
                assert moved.wait(60), f"the table stays {self.view['state']}"
                moved.clear()
        finally:
            stop()

    @property
    def view(self) -> dict[str, Any]:
        latest = self.loop.snapshots.latest
        assert latest is not None
        return plain(latest.views.pit)


def _card(code: str) -> dict[str, Any]:
    return {} if code == "??" else {"card": code}


@contextmanager
def console(
    folder: Path,
    *,
    demo: bool = True,
    steady: Callable[[], float] = time.monotonic,
    devices: tuple[ConnectedDevice, ...] = (),
    **house: Any,
) -> Iterator["Console"]:
    """A console on a free port, with a desk and people; `steady` is the clock of the idle lock."""
    rounding = Rounding.HALF_UP
    book = house.pop("rulebook", "mbs-baccarat-8")
    rules = Rules(rulebook(book), HouseRules(book, **{"burn": "none", **house}), rounding)
    desk = TableInHand(rules, devices)
    found = Console(folder, desk, rules, steady, demo=demo)
    found.serve()
    try:
        yield found
    finally:
        found.stop()
        desk.stop()


def accounts_in(folder: Path) -> Accounts:
    """Everybody of `STAFF`, in a file there."""
    accounts = Accounts(folder / "staff.json", _QUICK, SHORT_SECRET)
    for who, role, secret, name in STAFF:
        accounts.add(who, role, secret, name)
    return accounts


class Console:
    """The server in front of a desk."""

    def __init__(
        self,
        folder: Path,
        desk: TableInHand,
        rules: Rules,
        steady: Callable[[], float],
        *,
        demo: bool,
    ) -> None:
        self.desk = desk
        self.rules = rules
        self.accounts = accounts_in(folder)
        self._setup = Setup(
            rules,
            self.accounts,
            time.time,
            steady,
            os.urandom,
            InMemory(desk.journal),
            sealer=desk.sealer,
            sessions_file=folder / "sessions.json",
            table="Table 7",
            mode="demo" if demo else "live",
            chip_unit=100,
            pins={who: secret for who, _, secret, _ in STAFF} if demo else {},
            boot="this boot",
            failed_s=0.0,
        )
        self._server: ConsoleServer | None = None
        self.url = ""

    def serve(self) -> None:
        address = ListenAddress(port=0)
        self._server = ConsoleServer(
            context_of(self.desk.loop, self._setup), address, bound(address)
        )
        self._server.start()
        self.url = self._server.url

    @property
    def port(self) -> int:
        return int(self.url.rsplit(":", 1)[1])

    def stop(self) -> None:
        if self._server is not None:
            self._server.stop()
            self._server = None
