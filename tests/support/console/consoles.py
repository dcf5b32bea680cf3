"""A console around a table in memory, for tests: the real application and the real loop."""

import random
import time
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Event, Thread
from typing import Any

import msgspec
from argon2 import PasswordHasher

from controller.console.auth.accounts import SHORT_SECRET, Account, Accounts
from controller.console.auth.private_file import write_private
from controller.console.context import ConsoleContext
from controller.console.http.app import application
from controller.console.http.server import Setup, context_of
from controller.engine.session import Session, open_session
from controller.journal.memory import MemoryJournal
from controller.journal.seal import Sealer
from controller.messages.catalogue import Currency
from controller.rulebooks import rulebook
from controller.runtime.inbox import Inbox
from controller.runtime.loop import Clock as LoopClock
from controller.runtime.loop import Loop
from controller.table.commands.message import Message, new_message
from controller.table.commands.registry import REGISTRY, Payload, takes_own_pin
from controller.table.rules import HouseRules, Rules
from controller.views.structs.encoding import plain
from support.journal.in_memory import InMemory

with warnings.catch_warnings():  # it would rather have a successor of httpx that we do not need
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient as TestClient  # noqa: PLC0414  # exported

QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
"""argon2 as weak as it gets: what is tested is not its strength."""

AT_TABLE = ("127.0.0.1", 50000)

PINS = {
    "anna": ("dealer", "1111"),
    "sam": ("pit_supervisor", "2222"),
    "mia": ("pit_manager", "3333"),
    "kim": ("gaming_shift_manager", "4444"),
    "eve": ("surveillance", "5555"),
}

HOUSE = HouseRules("mbs-baccarat-8", burn="none", hlga=True)


class RunningTable:
    """A real loop around a session in memory; time moves by what is said."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.loop = Loop(self.session, (), LoopClock(time.monotonic, None), Inbox())
        self._thread = Thread(target=self.loop.run, name="table")
        shown = Event()
        self.loop.snapshots.watch(shown.set)
        self._thread.start()
        assert shown.wait(60)
        self._at = 1000.0

    def close(self) -> None:
        self.loop.stop()
        self._thread.join(60)

    def shoe(self, *cards: str) -> None:
        """Cards leave the shoe."""
        for card in cards:
            self._tell(new_message("shoe", "card", at=self.tick(), card=card))

    def staff(self, word: str, who: str = "sam", role: str = "pit_supervisor", **given: Any) -> Any:
        """Somebody speaks elsewhere than at the console."""
        return self._tell(new_message("staff", word, at=self.tick(), who=who, role=role, **given))

    def load_shoe(self, deck_set: str = "red") -> None:
        """The dealer loads it, and Sam vouches for it."""
        shoe = {"deck_set": deck_set, "verified_by": "sam", "cut": True}
        self.staff("load_shoe", who="anna", role="dealer", **shoe)
        self.staff("approve")

    def settle_down(self) -> None:
        """Everything that was handed in before has been taken."""
        self._tell(new_message("system", "noted", at=self.tick(), what="marker"))

    def _tell(self, message: Message[Payload]) -> dict[str, Any]:
        told = plain(self.loop.ask(message).result(60))
        assert told["accepted"], told["reason"]
        return told

    def tick(self, seconds: float = 1.0) -> float:
        self._at += seconds
        return self._at


def rules_of(house: HouseRules = HOUSE, currency: Currency | None = None) -> Rules:
    return Rules(rulebook(house.rulebook), house, currency=currency or Currency())


def accounts_in(folder: Path, people: Mapping[str, tuple[str, str]] = PINS) -> Accounts:
    """Written at once: a disk that syncs for each of them takes its time."""
    staff = [_account(who, role, pin) for who, (role, pin) in people.items()]
    write_private(folder / "staff.json", msgspec.json.encode({"version": 1, "staff": staff}))
    return Accounts(folder / "staff.json", QUICK, SHORT_SECRET)


@cache
def _account(who: str, role: str, pin: str) -> Account:
    return Account(who, who.title(), role, QUICK.hash(pin))


class Clocks:
    """Time that moves when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def setup_in(folder: Path, rules: Rules, clock: Clocks, **more: Any) -> Setup:
    return Setup(
        rules=rules,
        accounts=more.pop("accounts", None) or accounts_in(folder),
        wall=clock,
        steady=clock,
        entropy=random.Random(2).randbytes,
        boot="this boot",
        failed_s=0.0,
        sessions_file=folder / "sessions.json",
        **more,
    )


class Console:
    """One table with its console, and people's browsers."""

    def __init__(self, folder: Path, house: HouseRules = HOUSE, **more: Any) -> None:
        self.folder = folder
        self.rules = rules_of(house, more.pop("currency", None))
        self.clock = Clocks()
        self.sealer = Sealer(bytes(32), random.Random(more.pop("seed", 1)).randbytes)
        self.journal = more.pop("journal", None) or MemoryJournal()
        self.table = RunningTable(open_session(self.rules, self.journal, self.sealer))
        more = {"records": InMemory(self.journal), "sealer": self.sealer, **more}
        setup = setup_in(folder, self.rules, self.clock, **more)
        self.context: ConsoleContext = context_of(self.table.loop, setup)
        self.app = application(self.context)

    @contextmanager
    def browser(self) -> Iterator["Browser"]:
        """The first screen; the console is gone when it closes."""
        try:
            with TestClient(self.app, base_url="http://127.0.0.1", client=AT_TABLE) as client:
                yield Browser(client)
        finally:
            self.table.close()


class Browser:
    """One screen; several may be open on one application at once."""

    def __init__(self, client: TestClient) -> None:
        self.http = client
        self.csrf = ""
        self._key = 0
        self._secret = ""

    def another(self, address: str = AT_TABLE[0]) -> "Browser":
        """A second screen at the same server, here or at another address."""
        client = TestClient(self.http.app, base_url="http://127.0.0.1", client=(address, 50000))
        client.portal = self.http.portal
        return Browser(client)

    def sign_in(self, who: str, secret: str | None = None, code: str | None = None) -> Any:
        secret = secret or PINS[who][1]
        more = {} if code is None else {"code": code}
        answer = self.post("/api/sign-in", {"who": who, "secret": secret, **more})
        if answer.status_code == 200:
            self.csrf, self._secret = answer.json()["csrf"], secret
        return answer

    def post(self, path: str, body: object = None, **headers: str) -> Any:
        given = {"X-Sabot-Csrf": self.csrf, **headers}
        return self.http.post(path, json={} if body is None else body, headers=given)

    def get(self, path: str, **headers: str) -> Any:
        return self.http.get(path, headers=headers)

    def feed(self, path: str, **headers: str) -> Any:
        return self.http.websocket_connect(f"ws://127.0.0.1/feed/{path}", headers=headers)

    def key(self) -> str:
        self._key += 1
        return f"key-{id(self)}-{self._key:05}"

    def say(self, word: str, *, second: str | None = None, **given: Any) -> Any:
        """As a page says it: with one's own PIN where that is asked for."""
        body: dict[str, Any] = {"key": self.key(), "with": given}
        if second is not None:
            body["second"] = {"who": second, "secret": PINS[second][1]}
        elif word in REGISTRY and takes_own_pin(word):
            body["secret"] = self._secret
        return self.post(f"/api/commands/{word}", body)
