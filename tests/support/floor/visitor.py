"""Somebody at the floor's pages, over HTTP."""

import time
from collections.abc import Callable
from typing import Any

import httpx

from support.console.screens import PINS
from support.limits import MAX_WAIT_S

LIMIT_S = MAX_WAIT_S


class Visitor:
    """One browser's worth of cookies, and the token against forged requests."""

    def __init__(self, url: str) -> None:
        self.http = httpx.Client(base_url=url, headers={"Origin": url})
        self.csrf = ""

    def close(self) -> None:
        self.http.close()

    def sign_in(self, who: str, **more: Any) -> httpx.Response:
        found = self.http.post("/api/sign-in", json={"who": who, "secret": PINS[who], **more})
        if found.status_code == 200:
            self.csrf = found.json()["csrf"]
        return found

    def post(self, path: str, **body: Any) -> httpx.Response:
        return self.http.post(path, json=body, headers={"X-Sabot-Csrf": self.csrf})

    def order(self, table: str, word: str, seen: int, who: str, **given: Any) -> httpx.Response:
        body = {"word": word, "seen": seen, "secret": PINS[who], "with": given}
        return self.post(f"/api/tables/{table}/orders", **body)


Visit = Callable[[], Visitor]


def until(there: Callable[[], bool]) -> None:
    end = time.monotonic() + LIMIT_S
    while not there():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.01)
