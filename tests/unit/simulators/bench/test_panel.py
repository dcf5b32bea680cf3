"""The back door: who may come in, what is refused, and how it is said."""

import http.client
import json
import re
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from support.devices.emulated import LIMIT_S, Emulated, emulated

JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def shoe() -> Iterator[Emulated]:
    options = ("--tcp", "127.0.0.1:0", "--pace", "none", "--set", "burn=no")
    with emulated("shoe_angel_eye", *options) as running:
        yield running


def ask(
    shoe: Emulated, method: str, path: str, body: str | None = None, **headers: str
) -> tuple[int, Any]:
    host = shoe.ready["panel"].removeprefix("http://")
    connection = http.client.HTTPConnection(host, timeout=LIMIT_S)
    try:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body, named)
        reply = connection.getresponse()
        return reply.status, json.loads(reply.read())
    finally:
        connection.close()


def test_every_word_says_what_it_does_and_takes(shoe: Emulated) -> None:
    status, words = ask(shoe, "GET", "/words")
    assert status == 200
    shoes = "draw draw_two unreadable push_back foreign cutting_card lid jam restart press key burn"
    lines = "hang resume unplug plug cut drop double reorder delay flip"
    assert set(f"{shoes} {lines}".split()) <= set(words)
    assert all(word["says"] for word in words.values())
    assert words["flip"]["fields"]["bit"] == "0-7, or by chance"


def test_words_tell_whose_they_are_and_what_there_is_to_choose(shoe: Emulated) -> None:
    _, words = ask(shoe, "GET", "/words")
    cable = {name for name, word in words.items() if word["of"] == "cable"}
    assert cable == {
        *("hang", "resume", "unplug", "plug", "silence", "cut"),
        *("drop", "double", "reorder", "delay", "flip", "noise"),
    }
    assert words["press"]["choices"] == {
        "button": ["result", "forced_exit", "clear", "keep", "discard"]
    }
    assert words["drop"]["choices"] == {"after": [], "line": ["out", "in"], "count": []}
    assert words["draw"]["choices"] == {"card": [], "extra": ["no", "yes"]}


@pytest.mark.parametrize(
    ("path", "kind"),
    [("/", "text/html"), ("/bench.css", "text/css"), ("/bench.js", "text/javascript")],
)
def test_page_brings_everything_itself(shoe: Emulated, path: str, kind: str) -> None:
    url = shoe.ready["panel"]
    with urllib.request.urlopen(url + path, timeout=LIMIT_S) as reply:
        text = reply.read().decode("utf-8")
        assert reply.headers["Content-Type"].startswith(kind)
        assert reply.headers["Content-Security-Policy"].startswith("default-src 'none'")
    addresses = set(re.findall(r"(?:https?:)?//[^\s\"']+\.[^\s\"']+", text))
    assert addresses <= {"http://www.w3.org/2000/svg"}
    assert len(text) < 20_000


def test_word_is_done_and_answered(shoe: Emulated) -> None:
    assert ask(shoe, "POST", "/do/draw", '{"card": "8S"}', **JSON) == (
        200,
        {"done": "draw", "answer": "8S"},
    )
    status, state = ask(shoe, "GET", "/state")
    assert status == 200
    assert state["device"]["last_card"] == "8S"


def test_word_without_a_body_takes_its_defaults(shoe: Emulated) -> None:
    assert ask(shoe, "POST", "/do/key", "", **JSON)[0] == 200


@pytest.mark.parametrize("name", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", ""])
def test_name_of_another_machine_is_refused(shoe: Emulated, name: str) -> None:
    for method, path in (("GET", "/state"), ("GET", "/words"), ("POST", "/do/draw")):
        status, said = ask(shoe, method, path, "{}", Host=name, **JSON)
        assert status == 403
        assert "this machine only" in said["error"]


def test_own_names_are_accepted(shoe: Emulated) -> None:
    port = shoe.ready["panel"].rpartition(":")[2]
    assert ask(shoe, "GET", "/words", Host=f"localhost:{port}")[0] == 200


def test_page_of_another_origin_is_refused(shoe: Emulated) -> None:
    before = shoe.state()["device"]["cards_left"]
    headers = {**JSON, "Origin": "http://evil.example"}
    assert ask(shoe, "POST", "/do/draw", "{}", **headers)[0] == 403
    assert ask(shoe, "POST", "/do/draw", "{}", **{**JSON, "Origin": "null"})[0] == 403
    assert shoe.state()["device"]["cards_left"] == before


@pytest.mark.parametrize(
    ("path", "body", "headers", "status", "says"),
    [
        ("/do/draw", "{}", {"Content-Type": "text/plain"}, 415, "application/json"),
        ("/do/draw", "{}", {}, 415, "application/json"),
        ("/do/draw", "[1]", JSON, 400, "JSON object"),
        ("/do/draw", "{", JSON, 400, "JSON object"),
        ("/do/draw", '{"x": 1}', JSON, 409, "does not take x"),
        ("/do/draw", '{"card": "ZZ"}', JSON, 409, "is not a card"),
        ("/do/resume", "{}", JSON, 409, "does not hang"),
        ("/do/fly", "{}", JSON, 404, "no word 'fly'"),
        ("/draw", "{}", JSON, 404, "/do/WORD"),
        ("/do/draw", " " * 65_537, JSON, 413, "at most 65536"),
        ("/do/draw", "{}", {**JSON, "Content-Length": "x"}, 413, "Content-Length"),
    ],
)
def test_wrong_request_says_what_is_wrong(
    shoe: Emulated, path: str, body: str, headers: dict[str, str], status: int, says: str
) -> None:
    got, said = ask(shoe, "POST", path, body, **headers)
    assert got == status
    assert says in said["error"]


def test_unknown_place_is_not_found(shoe: Emulated) -> None:
    assert ask(shoe, "GET", "/etc/passwd")[0] == 404


def test_back_door_is_closed_to_the_network(shoe: Emulated) -> None:
    assert shoe.ready["panel"].startswith("http://127.0.0.1:")
