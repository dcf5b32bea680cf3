"""A demo's staff accounts, signed in with name, PIN and cookie as people are."""

import json
import secrets
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from simulators.dealer.links import Stuck

ASK_LIMIT_S: Final = 20.0
OWN_NAME: Final = "robot"
"""The demo's account for the robot; without it the robot uses any dealer's."""
HIGHEST: Final = "gaming_shift_manager"
REFUSED: Final = 422
SIGNED_OUT: Final = frozenset({401, 403, 423})
"""Answers for a locked or ended session, after which the robot signs in again."""

Reply = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    status: int
    body: Reply
    cookie: str = ""


class Person:
    """One account and its session."""

    def __init__(self, url: str, who: str, secret: str) -> None:
        self._url, self.who, self._secret = url, who, secret
        self.cookie = self._csrf = ""

    def sign_in(self) -> None:
        given = {"who": self.who, "secret": self._secret}
        answer = ask(self._url, "/api/sign-in", given)
        if answer.status != 200:
            raise Stuck(f"{self.who} cannot sign in: {answer.body.get('detail')}")
        self.cookie, self._csrf = answer.cookie, str(answer.body["csrf"])

    def send(self, word: str, given: Mapping[str, object], in_person: bool) -> Answer:
        """Send a command and return the console's answer, which may be a refusal."""
        if not self.cookie:
            self.sign_in()
        own = {"secret": self._secret} if in_person else {}
        body = {"key": secrets.token_hex(12), "with": dict(given), **own}
        answer = self._say(word, body)
        if answer.status in SIGNED_OUT:
            self.sign_in()
            answer = self._say(word, body)
        return answer

    def _say(self, word: str, body: Reply) -> Answer:
        headers = {"Cookie": self.cookie, "X-Sabot-Csrf": self._csrf}
        return ask(self._url, f"/api/commands/{word}", body, headers)


class Staff:
    """The accounts that the robot uses, by role."""

    def __init__(self, url: str) -> None:
        found = ask(url, "/api/staff").body
        if not found.get("demo"):
            raise Stuck("that table is no demo: the robot plays at demos only")
        self._by_role: dict[str, Person] = {}
        for each in found["staff"]:
            known = self._by_role.get(each["role"])
            if "secret" in each and (known is None or each["who"] == OWN_NAME):
                self._by_role[each["role"]] = Person(url, each["who"], each["secret"])

    def of(self, role: str) -> Person:
        """Return an account of the role, or of the highest role in the demo."""
        person = self._by_role.get(role) or self._by_role.get(HIGHEST)
        if person is None:
            raise Stuck(f"the demo has no account of a {role}")
        return person


def ask(url: str, path: str, given: Reply | None = None, headers: Reply | None = None) -> Answer:
    """Send one request; raises `Stuck` without an answer."""
    data = None if given is None else json.dumps(given).encode()
    # Programs on one machine need no proxy.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    request = urllib.request.Request(url + path, data, headers or {})
    try:
        with opener.open(request, timeout=ASK_LIMIT_S) as reply:
            cookie = (reply.headers["Set-Cookie"] or "").partition(";")[0]
            return Answer(reply.status, json.loads(reply.read()), cookie)
    except urllib.error.HTTPError as error:
        with error:
            return Answer(error.code, _problem(error.read()))
    except (OSError, ValueError) as error:
        raise Stuck(f"the console at {url} does not answer: {error}") from None


def _problem(body: bytes) -> Reply:
    try:
        found = json.loads(body)
    except ValueError:
        found = None
    return found if isinstance(found, dict) else {}
