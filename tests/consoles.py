"""A console around a table in memory, for tests: the real application, a desk without a thread."""

import random
import warnings
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

from argon2 import PasswordHasher

from controller.board import Board, Posted
from controller.console.accounts import Accounts
from controller.console.app import application
from controller.console.recall import InMemory
from controller.console.room import Room
from controller.console.serving import Setup, room_of
from controller.desk import MovedOn
from controller.journal.memory import MemoryJournal
from controller.journal.seal import Sealer
from controller.lines import shown
from controller.round.rules import House, Message, Rules
from controller.rulebooks import rulebook
from controller.session import open_session
from controller.views import audience

with warnings.catch_warnings():  # it would rather have a successor of httpx that we do not need
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
"""argon2 as weak as it gets: what is tested is not its strength."""

PINS = {
    "anna": ("dealer", "1111"),
    "sam": ("pit_supervisor", "2222"),
    "mia": ("pit_manager", "3333"),
    "kim": ("gaming_shift_manager", "4444"),
    "eve": ("surveillance", "5555"),
}

HOUSE = House("mbs-baccarat-8", burn="none", hlga=True)


class TableDesk:
    """A desk that takes each step at once, in whichever thread asks."""

    __test__ = False

    def __init__(self, rules: Rules, journal: MemoryJournal | None = None, seed: int = 1) -> None:
        chance = random.Random(seed).randbytes
        self.sealer = Sealer(bytes(32), chance)
        self.journal = journal or MemoryJournal()
        self.board = Board()
        self._session = open_session(rules, self.journal, self.sealer)
        self._rules = rules
        self._lock = Lock()
        self._at = 1000.0
        self._post("opened")

    def ask(self, message: Message, seen: int | None = None) -> Future[dict[str, Any]]:
        answer: Future[dict[str, Any]] = Future()
        with self._lock:
            if seen is not None and self.board.moved_on(seen):
                answer.set_exception(MovedOn())
                return answer
            found = self._session.handle(message)
            self._post(message.word)
            answer.set_result({**shown(found), "seq": self.journal.head.seq})
        return answer

    def _post(self, what: str) -> None:
        machine = self._session.machine
        given = (machine.table, machine.state, machine.rules)
        views = {
            "dealer": audience.dealer(*given),
            "pit": audience.pit(*given),
            "public": audience.public(*given),
            "surveillance": audience.surveillance(*given),
        }
        self.board.post(Posted(self.journal.head.seq, self._at, what, views))

    def devices(self) -> list[dict[str, Any]]:
        return [{"name": "shoe", "driver": "none", "port": "memory", "link": "up", "counts": {}}]

    def shoe(self, *cards: str) -> None:
        """Cards leave the shoe."""
        for card in cards:
            told = self.ask(Message("shoe", at=self.tick(), event="card", card=card)).result()
            assert told["accepted"], told["reason"]

    def staff(self, word: str, who: str = "sam", role: str = "pit_supervisor", **given: Any) -> Any:
        message = Message("staff", at=self.tick(), who=who, role=role, do=word, given=given)
        told = self.ask(message).result()
        assert told["accepted"], told["reason"]
        return told

    def tick(self, seconds: float = 1.0) -> float:
        self._at += seconds
        return self._at


def rules_of(house: House = HOUSE) -> Rules:
    return Rules(rulebook(house.rulebook), house)


def accounts_in(folder: Path) -> Accounts:
    accounts = Accounts(folder / "staff.json", QUICK)
    for who, (role, pin) in PINS.items():
        accounts.add(who, role, pin)
    return accounts


class Clocks:
    """Time that moves when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def setup_in(folder: Path, desk: TableDesk, rules: Rules, clock: Clocks, **more: Any) -> Setup:
    return Setup(
        rules=rules,
        accounts=more.pop("accounts", None) or accounts_in(folder),
        wall=clock,
        steady=clock,
        entropy=random.Random(2).randbytes,
        records=InMemory(desk.journal),
        sealer=desk.sealer,
        sessions_file=folder / "sessions.json",
        **more,
    )


class Console:
    """One table with its console, and people's browsers."""

    def __init__(self, folder: Path, house: House = HOUSE, **more: Any) -> None:
        self.folder = folder
        self.rules = rules_of(house)
        self.desk = TableDesk(self.rules, seed=more.pop("seed", 1))
        self.clock = Clocks()
        self.room: Room = room_of(
            self.desk, setup_in(folder, self.desk, self.rules, self.clock, **more)
        )
        self.app = application(self.room)

    @contextmanager
    def browser(self) -> Iterator["Browser"]:
        with TestClient(self.app, base_url="http://127.0.0.1") as client:
            yield Browser(client)


class Browser:
    """One screen; several may be open on one application at once."""

    def __init__(self, client: TestClient) -> None:
        self.http = client
        self.csrf = ""
        self._key = 0

    def another(self) -> "Browser":
        """A second screen at the same server."""
        client = TestClient(self.http.app, base_url="http://127.0.0.1")
        client.portal = self.http.portal
        return Browser(client)

    def sign_in(self, who: str, secret: str | None = None) -> Any:
        answer = self.post("/api/sign-in", {"who": who, "secret": secret or PINS[who][1]})
        if answer.status_code == 200:
            self.csrf = answer.json()["csrf"]
        return answer

    def post(self, path: str, body: object = None, **headers: str) -> Any:
        given = {"X-Sabot-Csrf": self.csrf, **headers}
        return self.http.post(path, json={} if body is None else body, headers=given)

    def get(self, path: str) -> Any:
        return self.http.get(path)

    def key(self) -> str:
        self._key += 1
        return f"key-{id(self)}-{self._key:05}"

    def say(self, word: str, *, second: str | None = None, **given: Any) -> Any:
        body: dict[str, Any] = {"key": self.key(), "with": given}
        if second is not None:
            body["second"] = {"who": second, "secret": PINS[second][1]}
        return self.post(f"/api/words/{word}", body)
