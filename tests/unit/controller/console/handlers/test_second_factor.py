"""A second factor enrolled at the table: by its owner, in person, with a first code."""

import json
import time

import pytest

from controller.console.auth import totp
from controller.console.handlers.second_factor import MAX_CODES, MAX_OFFERED
from support.console.consoles import PINS, Browser, Console

PHONE = "10.0.0.5"
PIN = PINS["mia"][1]


@pytest.fixture
def mia(browser: Browser) -> Browser:
    browser.sign_in("mia")
    return browser


def code(console: Console, key: str, late: float = 0.0) -> str:
    return totp.code_at(totp.key_of(key), int((console.clock.now + late) // 30))


def offered(at: Browser) -> str:
    told = at.post("/api/me/totp", {"secret": PIN})
    assert told.status_code == 200, told.text
    key: str = told.json()["key"]
    assert f"secret={key}" in told.json()["uri"]
    return key


def noted(console: Console) -> list[dict[str, str]]:
    return [
        json.loads(record.body)["in"]["with"]
        for record in console.journal.records()
        if '"second_factor"' in record.body.decode()
    ]


def test_enrolled_at_the_table_it_signs_in_from_elsewhere(console: Console, mia: Browser) -> None:
    key = offered(mia)
    assert mia.get("/api/me").json()["second_factor"] is False, "nothing is changed yet"
    done = mia.post("/api/me/totp/confirm", {"code": code(console, key)})
    assert (done.status_code, done.json()["second_factor"]) == (200, True)
    assert mia.get("/api/me").status_code == 200, "who enrolled it is signed in still"
    console.clock.now += 30
    assert mia.another(PHONE).sign_in("mia", code=code(console, key)).status_code == 200
    until = time.monotonic() + 60  # a note goes through the table's queue, behind the answer
    while not (found := noted(console)) and time.monotonic() < until:
        time.sleep(0.01)
    assert [(each["what"], each["who"]) for each in found] == [("second_factor", "mia")]
    assert key not in repr([record.body for record in console.journal.records()])


def test_the_first_code_is_used_up(console: Console, mia: Browser) -> None:
    """Whoever looked over a shoulder signs in with nothing."""
    key = offered(mia)
    seen = code(console, key)
    mia.post("/api/me/totp/confirm", {"code": seen})
    assert mia.another(PHONE).sign_in("mia", code=seen).status_code == 401


def test_every_other_session_ends(console: Console, mia: Browser) -> None:
    other = mia.another("127.0.0.1")
    other.sign_in("mia")
    key = offered(mia)
    assert mia.post("/api/me/totp/confirm", {"code": code(console, key)}).status_code == 200
    assert other.get("/api/me").status_code == 401


@pytest.mark.parametrize("secret", ["0000", "1111"])
def test_a_screen_left_open_enrols_nobodys_telephone(mia: Browser, secret: str) -> None:
    told = mia.post("/api/me/totp", {"secret": secret})
    assert (told.status_code, told.json()["code"]) == (401, "wrong_secret")
    assert mia.post("/api/me/totp/confirm", {"code": "000000"}).json()["code"] == "no_key_offered"


def test_it_takes_the_table_itself(console: Console, mia: Browser) -> None:
    key = offered(mia)
    mia.post("/api/me/totp/confirm", {"code": code(console, key)})
    console.clock.now += 30
    phone = mia.another(PHONE)
    phone.sign_in("mia", code=code(console, key))
    for path, body in (("/api/me/totp", {"secret": PIN}), ("/api/me/totp/confirm", {"code": "1"})):
        assert phone.post(path, body).json()["code"] == "at_the_table_only"


def test_who_knows_the_pin_does_not_replace_a_telephone(console: Console, mia: Browser) -> None:
    key = offered(mia)
    mia.post("/api/me/totp/confirm", {"code": code(console, key)})
    assert mia.post("/api/me/totp", {"secret": PIN}).json()["code"] == "has_second_factor"
    console.clock.now += 30
    assert mia.another(PHONE).sign_in("mia", code=code(console, key)).status_code == 200


def test_codes_are_not_guessed(console: Console, mia: Browser) -> None:
    key = offered(mia)
    wrong = "000000" if code(console, key) != "000000" else "000001"
    for left in reversed(range(MAX_CODES)):
        told = mia.post("/api/me/totp/confirm", {"code": wrong}).json()
        assert (told["code"], told["gaps"]["left"]) == ("wrong_first_code", left)
    told = mia.post("/api/me/totp/confirm", {"code": code(console, key)}).json()
    assert told["code"] == "no_key_offered"


def test_another_session_does_not_confirm_it(console: Console, mia: Browser) -> None:
    key = offered(mia)
    other = mia.another("127.0.0.1")
    other.sign_in("mia")
    told = other.post("/api/me/totp/confirm", {"code": code(console, key)})
    assert told.json()["code"] == "no_key_offered"


def test_a_locked_screen_and_a_missing_token_are_refused(mia: Browser) -> None:
    assert mia.http.post("/api/me/totp", json={"secret": PIN}).status_code == 403
    mia.post("/api/lock", {})
    assert mia.post("/api/me/totp", {"secret": PIN}).json()["code"] == "screen_locked"


def test_keys_that_nobody_confirms_do_not_gather(console: Console, mia: Browser) -> None:
    first = offered(mia)
    for _ in range(MAX_OFFERED):
        other = mia.another("127.0.0.1")
        other.sign_in("mia")
        offered(other)
    told = mia.post("/api/me/totp/confirm", {"code": code(console, first)})
    assert told.json()["code"] == "no_key_offered"
