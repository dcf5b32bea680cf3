"""The back door: who may come in, what is refused, and how it is said."""

import http.client
import json
import re
import time
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from drivers.testing.bench.emulated import Emulated, emulated
from support.devices.emulated import LIMIT_S
from support.rows import each_row

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


@each_row(
    "path, kind",
    [
        ("/", "text/html"),
        ("/?theme=dark", "text/html"),
        ("/bench.css", "text/css"),
        *((f"/{name}.js", "text/javascript") for name in ("bench", "drawing", "robot")),
    ],
)
def test_page_brings_everything_itself(shoe: Emulated, path: str, kind: str) -> None:
    url = shoe.ready["panel"]
    with urllib.request.urlopen(url + path, timeout=LIMIT_S) as reply:
        text = reply.read().decode("utf-8")
        assert reply.headers["Content-Type"].startswith(kind)
        policy = reply.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'")
        assert policy.endswith("frame-ancestors 'none'")
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


@each_row(
    "origin",
    [
        "https://127.0.0.1:{port}",
        "http://127.0.0.1",
        "http://127.0.0.1:1",
        "http://127.0.0.1:{port}.evil.example",
        "http://127.0.0.1:{port}@evil.example",
        "http://localhost:{port}/",
        "http://[::1]:{port}",
        "file://127.0.0.1:{port}",
        "//127.0.0.1:{port}",
        "",
    ],
)
def test_another_scheme_or_port_of_this_machine_is_another_origin(
    shoe: Emulated, origin: str
) -> None:
    port = shoe.ready["panel"].rpartition(":")[2]
    before = shoe.state()["device"]["cards_left"]
    for method, path in (("POST", "/do/draw"), ("GET", "/state")):
        headers = {**JSON, "Origin": origin.format(port=port)}
        assert ask(shoe, method, path, "{}", **headers)[0] == 403
    assert shoe.state()["device"]["cards_left"] == before
    for own in (f"http://127.0.0.1:{port}", f"http://localhost:{port}"):
        assert ask(shoe, "GET", "/state", Origin=own)[0] == 200


def test_a_name_of_this_machine_with_another_port_is_refused(shoe: Emulated) -> None:
    for host in ("127.0.0.1", "127.0.0.1:1", "localhost:80"):
        assert ask(shoe, "GET", "/state", Host=host)[0] == 403


@pytest.mark.parametrize("body", ['{"card": ' + "[" * 30_000, "[" * 60_000, '{"a":' * 10_000])
def test_deep_json_is_refused_and_the_door_stays_open(shoe: Emulated, body: str) -> None:
    status, said = ask(shoe, "POST", "/do/draw", body, **JSON)
    assert (status, said["error"]) == (400, "the body must be a JSON object")
    deep = '{"card": ' + "[" * 900 + "]" * 900 + "}"
    assert ask(shoe, "POST", "/do/draw", deep, **JSON)[0] in (400, 409)
    assert ask(shoe, "GET", "/state")[0] == 200


@each_row(
    "path, body, headers, status, says",
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


def test_no_robot_plays_without_a_table(shoe: Emulated) -> None:
    assert ask(shoe, "GET", "/robot") == (200, None)
    status, said = ask(shoe, "POST", "/robot/fast", "{}", **JSON)
    assert (status, said["error"]) == (404, "no robot sits here: start with --table")


def test_only_the_robots_own_table_may_frame_the_page() -> None:
    options = ("--tcp", "127.0.0.1:0", "--table", "http://127.0.0.1:8470/")
    with emulated("shoe_bee_tek", *options) as shoe:
        with urllib.request.urlopen(shoe.ready["panel"], timeout=LIMIT_S) as reply:
            policy = reply.headers["Content-Security-Policy"]
        assert policy.endswith("frame-ancestors http://127.0.0.1:8470 http://localhost:8470")
        status, said = ask(shoe, "POST", "/robot/madly", "{}", **JSON)
        assert (status, said["error"]) == (404, "the robot does not play 'madly'")


def test_robot_that_finds_no_table_says_so() -> None:
    options = ("--tcp", "127.0.0.1:0", "--table", "http://127.0.0.1:9")
    with emulated("shoe_bee_tek", *options) as shoe:
        assert ask(shoe, "POST", "/robot/fast", "{}", **JSON)[1]["playing"] == "fast"
        while (seen := ask(shoe, "GET", "/robot")[1])["playing"]:
            time.sleep(0.1)
        assert seen["why"] == "stuck"
