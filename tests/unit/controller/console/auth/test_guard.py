"""What every answer carries, and what is turned away before it is looked at."""

import pytest
from pytest_mock import MockerFixture

from controller.console.auth.guard import HEADERS, MAX_BODY_BYTES, host_name
from controller.console.http.app import application
from support.console.consoles import Browser, Console, TestClient


@pytest.mark.parametrize("path", ["/api/staff", "/api/me", "/nothing", "/openapi.json", "/feed/x"])
def test_every_answer_has_the_headers(browser: Browser, path: str) -> None:
    answer = browser.get(path)
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    policy = answer.headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy


def test_nothing_and_not_like_this_are_problems(browser: Browser) -> None:
    nothing = browser.get("/api/nothing")
    assert (nothing.status_code, nothing.json()["type"]) == (404, "/problems/not_found")
    wrong = browser.http.delete("/api/staff")
    assert (wrong.status_code, wrong.json()["type"]) == (405, "/problems/method_not_allowed")
    assert wrong.headers["allow"]


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "", "localhost.", "10.0.0.1"]
)
def test_other_names_are_turned_away(browser: Browser, host: str) -> None:
    answer = browser.http.get("/api/staff", headers={"Host": host})
    assert answer.status_code == 421
    assert "anna" not in answer.text


@pytest.mark.parametrize("host", ["127.0.0.1:8470", "localhost", "LOCALHOST:1", "[::1]:8470"])
def test_own_names_are_welcome(browser: Browser, host: str) -> None:
    assert browser.http.get("/api/staff", headers={"Host": host}).status_code == 200


def test_console_under_tls_answers_to_any_name(console: Console) -> None:
    with TestClient(
        application(console.context, hosts=()), base_url="https://pit.example"
    ) as client:
        assert client.get("/api/staff").status_code == 200
    console.table.close()


def test_hosts_are_read_without_their_port() -> None:
    assert host_name("[::1]:80") == "[::1]"
    assert host_name("a.b:80") == "a.b"


def test_large_body_is_refused_before_it_is_read(browser: Browser) -> None:
    answer = browser.http.post("/api/sign-in", content=b" " * (MAX_BODY_BYTES + 1))
    assert answer.status_code == 413
    at_most = browser.http.post("/api/sign-in", content=b" " * MAX_BODY_BYTES)
    assert at_most.status_code == 400


def test_large_body_without_its_length_is_refused_too(browser: Browser) -> None:
    pieces = (b" " * 1024 for _ in range(MAX_BODY_BYTES // 1024 + 1))
    assert browser.http.post("/api/sign-in", content=pieces).status_code == 413


def test_mistake_of_ours_tells_nothing(
    console: Console, browser: Browser, mocker: MockerFixture
) -> None:
    browser.sign_in("anna")
    mocker.patch.object(
        console.context.client, "devices", side_effect=RuntimeError("the 9S is next")
    )
    answer = browser.get("/api/devices")
    assert answer.status_code == 500
    assert answer.json()["type"] == "/problems/error"
    assert "9S" not in answer.text
