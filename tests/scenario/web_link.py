"""A table behind its console for stories: staff speak by HTTP, each signed in as themselves."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import msgspec

from controller.console.handlers import command_list
from controller.game.roles import Role
from controller.journal.bodies import JsonLine
from controller.table.commands.message import message_from_line
from controller.table.rules import HouseRules
from controller.views.structs.encoding import plain
from scenario.story import Link, Open
from support.console.consoles import Browser, Console, accounts_in

PIN = "1234"
REASONS = {"resume": {"reason": "looked at it"}}
"""What a page asks for and a story leaves out."""
HIGHER = {"leave", "per_area"}
"""Fields that take a higher role than their word."""


class _Web:
    """One story's console and the screens of its people."""

    def __init__(self, folder: Path, book: str, house: dict[str, Any]) -> None:
        self._folder = folder
        self._house = msgspec.convert({"rulebook": book, **house}, HouseRules)
        self._people: dict[str, tuple[str, str]] = {}
        self._screens: dict[str, Browser] = {}
        self._open = ExitStack()
        self._start(None)

    def _start(self, journal: Any) -> None:
        accounts = accounts_in(self._folder, self._people)
        self.console = Console(self._folder, self._house, journal=journal, accounts=accounts)
        self._first = self._open.enter_context(self.console.browser())

    def close(self) -> None:
        self._open.close()

    def restart(self, _: list[str]) -> dict[str, Any]:
        """The process stops and comes back: all that is left is the journal."""
        self.close()
        self._screens.clear()
        self._start(self.console.journal)
        return {**self.pit(), "reason": None, "clause": None}

    def pit(self) -> dict[str, Any]:
        return plain(self.console.context.latest().views.pit)

    def where(self) -> dict[str, list[str]]:
        table = self.console.table.session.machine.table
        in_play = table.round is not None and not table.round.over
        cards = table.round.cards if table.round and in_play else ()
        aside = [drawn for drawn in cards if drawn.hand is None]
        return {"aside": [drawn.card or "??" for drawn in (*table.carried, *aside)]}

    def send(self, message: dict[str, Any]) -> dict[str, Any]:
        self.console.clock.now = message.get("at", self.console.clock.now)
        if message["from"] != "staff":
            line = message_from_line(msgspec.convert(message, JsonLine))
            return plain(self.console.table.loop.ask(line).result(60))
        word, role = message["do"], message["role"]
        screen = self._screen(message["who"], role)
        needed = command_list.least_role(
            word, self.console.context.latest().views.pit, self.console.rules
        )
        given = {**REASONS.get(word, {}), **message.get("with", {})}
        told = screen.say(word, **given)
        problem: dict[str, Any] = told.json()
        if told.status_code == 200:
            return problem
        assert told.status_code == 422, problem
        if word != "method" and not HIGHER & given.keys():
            self._check_role(word, role, needed, problem)
        return {**self.pit(), "accepted": False, "reason": problem["detail"], **problem}

    def _check_role(self, word: str, role: str, needed: Role, problem: dict[str, Any]) -> None:
        """Nobody is told that a word is theirs and then refused for their role."""
        if problem["code"] == "takes_role":
            assert not command_list.has_role(role, needed, self.console.rules), (
                word,
                role,
                problem,
            )

    def _screen(self, who: str, role: str) -> Browser:
        if self._people.get(who) != (role, PIN):
            self._people[who] = (role, PIN)
            accounts_in(self._folder, self._people)
        if who not in self._screens:
            self._screens[who] = self._first.another()
            assert self._screens[who].sign_in(who, PIN).status_code == 200
        return self._screens[who]


@contextmanager
def by_web(folder: Path) -> Iterator[Open]:
    """How a story opens its table; the console is closed at the end."""
    with ExitStack() as stack:

        def opened(book: str, house: dict[str, Any]) -> Link:
            web = _Web(folder, book, house)
            stack.callback(web.close)
            return Link(web.send, web.pit, web.where, web.restart)

        yield opened
