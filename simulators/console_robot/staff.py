"""A demo's people, signed in as people are: a name, a PIN, a cookie."""

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
"""The account a demo keeps for the robot; where it has none, any dealer's will do."""
HIGHEST: Final = "gaming_shift_manager"
REFUSED: Final = 422
SIGNED_OUT: Final = frozenset({401, 403, 423})
"""A session that has locked itself or is gone: sign in once more."""

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
        """What the console answers; a word it refuses is an answer too."""
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
    """Everybody the robot speaks for, by their role."""

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
        """Whoever has the role; where the demo has nobody of it, the highest there is."""
        person = self._by_role.get(role) or self._by_role.get(HIGHEST)
        if person is None:
            raise Stuck(f"the demo has no account of a {role}")
        return person


def ask(url: str, path: str, given: Reply | None = None, headers: Reply | None = None) -> Answer:
    """One request; raises `Stuck` where nobody answers."""
    data = None if given is None else json.dumps(given).encode()
    # No proxy stands between two programs of one machine.
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
