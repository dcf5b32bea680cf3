"""A browser as plain as it can be, for consoles that run as programs or on a real port."""

import json
import ssl
import urllib.error
import urllib.request
from typing import Any

from controller.table.words import people  # noqa: F401  # its words are entered by that
from controller.table.words.vocabulary import SPECS
from support.limits import MAX_WAIT_S

LIMIT_S = MAX_WAIT_S


class Screen:
    def __init__(self, url: str, trusts: ssl.SSLContext | None = None) -> None:
        self.url = url
        self.cookie = self.csrf = ""
        self.headers: dict[str, str] = {}
        """Of the last answer."""
        self._opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=trusts)
        )
        self._taps = 0
        self._secret = ""

    def ask(self, path: str, body: object = None) -> Any:
        """The answer, or the problem."""
        headers = {"Cookie": self.cookie, "X-Sabot-Csrf": self.csrf}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers)
        try:
            with self._opener.open(request, timeout=LIMIT_S) as answer:
                self.headers = dict(answer.headers)
                if answer.headers["Set-Cookie"]:
                    self.cookie = answer.headers["Set-Cookie"].split(";")[0]
                return json.load(answer)
        except urllib.error.HTTPError as problem:
            with problem:
                return json.load(problem)

    def sign_in(self, who: str, secret: str) -> None:
        self._secret = secret
        self.csrf = self.ask("/api/sign-in", {"who": who, "secret": secret})["csrf"]

    def say(self, word: str, key: str | None = None, **given: Any) -> Any:
        self._taps += 1
        own = {"secret": self._secret} if SPECS[word].in_person else {}
        body = {"key": key or f"tap-{self._taps:06}", "with": given, **own}
        return self.ask(f"/api/words/{word}", body)
