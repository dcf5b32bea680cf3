"""A running console as the robot's table: what it says is a request, what it hears is the feed.

Every step of the table comes by the feed in order, with its number. A step that is a word of staff
and has none of the robot's numbers was said by a person: the robot steps aside.
"""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

from simulators.console_robot.staff import REFUSED, Answer, Staff, ask
from simulators.dealer.links import Line, Stopped, Stuck
from simulators.dealer.people import DEALER

WAIT_S: Final = 60.0
LOOK_S: Final = 0.2
"""How often a wait looks whether the robot is to stop."""
WORDS_PATH: Final = "/api/words/"
DEVICES_SAY_TOO: Final = frozenset({"cut_card"})
"""Words of staff that a shoe says as well: they tell nothing about who is there."""
REASON: Final = "the robot has put it right"


class TakenOver(Exception):
    """A person has said something to the table."""


@contextmanager
def web_table(url: str, stopped: Callable[[], bool]) -> Iterator["WebTable"]:
    """The console's table, while the block lasts; raises `Stuck`. `stopped` ends every wait."""
    staff = Staff(url)
    dealer = staff.of(DEALER.role)
    dealer.sign_in()
    headers = {"Cookie": dealer.cookie}
    try:
        with connect(
            f"{url.replace('http', 'ws', 1)}/feed/dealer", additional_headers=headers, proxy=None
        ) as feed:
            yield WebTable(url, staff, feed, stopped)
    except (OSError, WebSocketException) as error:
        raise Stuck(f"the console's feed cannot be read: {error}") from None


class WebTable:
    """The `Table` of a robot."""

    def __init__(
        self, url: str, staff: Staff, feed: ClientConnection, stopped: Callable[[], bool]
    ) -> None:
        self._staff, self._feed, self._stopped = staff, feed, stopped
        self._in_person = frozenset(ask(url, "/api/about").body["in_person"])
        needed = _needed(ask(url, "/openapi.json").body)
        self._peoples = frozenset(needed) - DEVICES_SAY_TOO
        self._take_a_reason = {word for word, fields in needed.items() if "reason" in fields}
        self.view: dict[str, Any] = {}
        """The table as the dealer sees it."""
        self._seq = 0
        self._hear_next()

    def say(self, line: Line) -> list[Line]:
        answer = self._tell(line)
        own = answer.body.get("seq")
        if own is None:
            raise Stuck(f"the console does not take {line['do']}: {answer.body.get('detail')}")
        heard: list[Line] = []
        while self._seq < own:
            message = self._hear_next()
            if message["seq"] < own:
                heard.append(self._unasked(message))
        if answer.status == REFUSED:
            why = {"accepted": False, "reason": answer.body.get("detail")}
            return [*heard, {**self.view, **why}]
        return [*heard, {**self.view, **answer.body}]

    def wait(self) -> Line:
        return self._unasked(self._hear_next())

    def _tell(self, line: Line) -> Answer:
        word, given = line["do"], dict(line.get("with", {}))
        if line["from"] == "player":
            person = self._staff.of(DEALER.role)
            given["player"] = line["who"]
        else:
            person = self._staff.of(line["role"])
        if word in self._take_a_reason:
            given.setdefault("reason", REASON)
        return person.says(word, given, word in self._in_person)

    def _unasked(self, message: Line) -> Line:
        if message["what"] in self._peoples:
            raise TakenOver(message["what"])
        return {"unasked": True, "what": message["what"], **message["view"]}

    def _hear_next(self) -> Line:
        """The table's next step, whoever took it."""
        until = time.monotonic() + WAIT_S
        while time.monotonic() < until:
            if self._stopped():
                raise Stopped
            try:
                message: Line = json.loads(self._feed.recv(timeout=LOOK_S))
            except TimeoutError:
                continue
            if message["type"] != "beat" and message["seq"] > self._seq:
                self._seq, self.view = message["seq"], message["view"]
                return message
        raise Stuck(f"the table has said nothing for {WAIT_S:.0f} s")


def _needed(document: Line) -> dict[str, list[str]]:
    """Every word of staff and the fields it cannot do without, by the console's own description."""
    schemas = document["components"]["schemas"]
    found: dict[str, list[str]] = {}
    for path, methods in document["paths"].items():
        if path.startswith(WORDS_PATH):
            body = methods["post"]["requestBody"]["content"]["application/json"]["schema"]
            name = body["properties"]["with"]["$ref"].rpartition("/")[2]
            found[path.removeprefix(WORDS_PATH)] = schemas[name].get("required", [])
    return found
