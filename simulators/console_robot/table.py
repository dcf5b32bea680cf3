"""A running console as the robot's table: requests out, feed messages in.

The feed contains every step of the table in order, with its number. A staff command whose number is
not one of the robot's was sent by a person, so the robot stops.
"""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

from simulators.console_robot.staff import REFUSED, Answer, Staff, ask
from simulators.dealer.links import Line, Stopped, Stuck, TableSilent
from simulators.dealer.people import DEALER

WAIT_S: Final = 60.0
LOOK_S: Final = 0.2
"""Interval at which a wait checks for a stop request."""
WORDS_PATH: Final = "/api/commands/"
DEVICES_SAY_TOO: Final = frozenset({"cut_card"})
"""Staff commands that a shoe reports as well, so they do not show that a person is there."""
PITS_SAY: Final = frozenset({"approve", "refuse", "limits", "method", "close_table", "stay_open"})
"""Commands by which a pit controls a table from elsewhere, such as its floor."""
DECIDES: Final = frozenset({"approve", "refuse"})
REASON: Final = "the robot has put it right"


class TakenOver(Exception):
    """A person has sent a command to the table."""


@contextmanager
def web_table(
    url: str, stopped: Callable[[], bool], patience_s: float = 0.0
) -> Iterator["WebTable"]:
    """Yield the console's table; raises `Stuck`. `stopped` ends every wait. For the patience in
    seconds, second-person decisions are left to people."""
    staff = Staff(url)
    dealer = staff.of(DEALER.role)
    dealer.sign_in()
    headers = {"Cookie": dealer.cookie}
    try:
        with connect(
            f"{url.replace('http', 'ws', 1)}/feed/dealer", additional_headers=headers, proxy=None
        ) as feed:
            yield WebTable(url, staff, feed, stopped, patience_s)
    except (OSError, WebSocketException) as error:
        raise Stuck(f"the console's feed cannot be read: {error}") from None


class WebTable:
    """The `Table` of a robot."""

    def __init__(
        self,
        url: str,
        staff: Staff,
        feed: ClientConnection,
        stopped: Callable[[], bool],
        patience_s: float = 0.0,
    ) -> None:
        self._patience_s = patience_s
        self._staff, self._feed, self._stopped = staff, feed, stopped
        self._in_person = frozenset(ask(url, "/api/about").body["in_person"])
        needed = _needed(ask(url, "/openapi.json").body)
        self._peoples = frozenset(needed) - DEVICES_SAY_TOO - PITS_SAY
        self._take_a_reason = {word for word, fields in needed.items() if "reason" in fields}
        self.view: dict[str, Any] = {}
        """The dealer's view of the table."""
        self._seq = 0
        self._hear_next()

    def say(self, line: Line) -> list[Line]:
        if line["do"] in DECIDES and self._awaits_decision() and self._decided_by_others():
            return [{**self.view, "accepted": True}]
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

    def _decided_by_others(self) -> bool:
        """Wait for a person to decide within the robot's patience; return whether one did."""
        until = time.monotonic() + self._patience_s
        while self._awaits_decision() and time.monotonic() < until:
            if (message := self._heard_within(LOOK_S)) is not None:
                self._unasked(message)
        return not self._awaits_decision()

    def _awaits_decision(self) -> bool:
        """Return whether the table waits for a second person who may be at a floor. A decision that
        needs a look at the table is the robot's own."""
        asks = self.view["asks"]
        if not asks or self._patience_s <= 0:
            return False
        return asks[0]["do"] == "approve" and not asks[0]["there"]

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
        return person.send(word, given, word in self._in_person)

    def _unasked(self, message: Line) -> Line:
        if message["what"] in self._peoples:
            raise TakenOver(message["what"])
        return {"unasked": True, "what": message["what"], **message["view"]}

    def _hear_next(self) -> Line:
        """Return the table's next step, from any source."""
        until = time.monotonic() + WAIT_S
        while time.monotonic() < until:
            if (message := self._heard_within(LOOK_S)) is not None:
                return message
        raise TableSilent(f"the table has said nothing for {WAIT_S:.0f} s")

    def _heard_within(self, seconds: float) -> Line | None:
        """Return the table's next step, or None after the time-out; raises `Stopped`."""
        if self._stopped():
            raise Stopped
        try:
            message: Line = json.loads(self._feed.recv(timeout=seconds))
        except TimeoutError:
            return None
        if message["type"] == "beat" or message["seq"] <= self._seq:
            return None
        self._seq, self.view = message["seq"], message["view"]
        return message


def _needed(document: Line) -> dict[str, list[str]]:
    """Return the required fields of every staff command, from the console's API description."""
    schemas = document["components"]["schemas"]
    found: dict[str, list[str]] = {}
    for path, methods in document["paths"].items():
        if path.startswith(WORDS_PATH):
            body = methods["post"]["requestBody"]["content"]["application/json"]["schema"]
            name = body["properties"]["with"]["$ref"].rpartition("/")[2]
            found[path.removeprefix(WORDS_PATH)] = schemas[name].get("required", [])
    return found
