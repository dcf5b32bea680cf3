"""Away from the table: a second factor, locks for one place, kiosks, and nothing to learn."""

import json

import pytest

from controller.console.auth import totp
from controller.console.auth.accounts import MAX_ELSEWHERE, TRIES
from controller.console.auth.kiosks import LINK_LASTS_S
from support.console.consoles import PINS, Browser, Console

SECRET = totp.new_secret(bytes(range(20)))
PHONE, STRANGER = "10.0.0.5", "10.0.0.66"


@pytest.fixture
def phone(console: Console, browser: Browser) -> Browser:
    """Of the pit, enrolled."""
    console.context.accounts.second_factor("mia", SECRET)
    return browser.another(PHONE)


def code(console: Console, late: float = 0.0) -> str:
    return totp.code_at(totp.key_of(SECRET), int((console.clock.now + late) // 30))


# --- the second factor ------------------------------------------------------------------------


def test_pin_and_code_sign_in_and_one_of_them_does_not(console: Console, phone: Browser) -> None:
    assert phone.sign_in("mia").json()["code"] == "takes_code"
    for secret, given in (("0000", code(console)), (PINS["mia"][1], "000000")):
        refused = phone.sign_in("mia", secret, given)
        assert (refused.status_code, refused.json()["code"]) == (401, "wrong_elsewhere")
    found = phone.sign_in("mia", code=code(console))
    assert (found.status_code, found.json()["at_table"]) == (200, False)
    assert phone.say("open_table").status_code == 200


def test_at_the_table_the_pin_is_enough(phone: Browser) -> None:
    assert phone.another("127.0.0.1").sign_in("mia").json()["at_table"] is True


def test_whoever_has_no_second_factor_signs_in_at_the_table_only(browser: Browser) -> None:
    for given in ("000000", "", "755224"):
        assert browser.another(PHONE).sign_in("sam", code=given).status_code == 401
    assert browser.sign_in("sam").status_code == 200


def test_a_used_code_is_refused_from_everywhere(console: Console, phone: Browser) -> None:
    """Somebody looked over a shoulder, or recorded it."""
    used = code(console)
    assert phone.sign_in("mia", code=used).status_code == 200
    assert phone.another(STRANGER).sign_in("mia", code=used).status_code == 401
    assert phone.sign_in("mia", code=code(console, -30)).status_code == 401, "nor one before it"
    console.clock.now += 30
    assert phone.sign_in("mia", code=code(console)).status_code == 200


def test_a_clock_that_jumps_makes_no_code_good_again(console: Console, phone: Browser) -> None:
    """Recorded, or shown by a phone that was left lying about, and the table's clock put there."""
    began, before = console.clock.now, code(console, -30)
    used = code(console)
    assert phone.sign_in("mia", code=used).status_code == 200
    for jump in (3600.0, 0.0, -30.0, 29.0):
        console.clock.now = began + jump
        for old in (used, before):
            assert phone.another(STRANGER).sign_in("mia", code=old).status_code == 401
    console.clock.now = began + 3600
    ahead = code(console)
    assert phone.sign_in("mia", code=ahead).status_code == 200
    console.clock.now = began + 60
    later = phone.sign_in("mia", code=code(console))
    assert later.status_code == 401, "until the clock is right again, or a key is made anew"
    console.context.accounts.second_factor("mia", SECRET)
    assert phone.sign_in("mia", code=code(console)).status_code == 200


def test_second_person_on_a_phone_shows_a_code_too(console: Console, phone: Browser) -> None:
    console.context.accounts.second_factor("kim", SECRET)
    phone.sign_in("mia", code=code(console))
    body = {"key": "one-tap-1", "second": {"who": "kim", "secret": PINS["kim"][1]}}
    assert phone.post("/api/commands/open_table", body).json()["code"] == "takes_code"
    body["second"]["code"] = code(console)  # type: ignore[index]
    assert phone.post("/api/commands/open_table", body).status_code == 200


# --- nothing to learn -------------------------------------------------------------------------


def test_names_are_shown_at_the_table_only(console: Console, phone: Browser) -> None:
    stranger = phone.another(STRANGER)
    told = stranger.get("/api/staff")
    assert (told.json()["staff"], told.json()["at_table"]) == ([], False)
    assert not [who for who in PINS if who in told.text]
    phone.sign_in("mia", code=code(console))
    assert [each["who"] for each in phone.get("/api/staff").json()["staff"]] == list(PINS)


def test_one_answer_for_unknown_wrong_and_locked(console: Console, phone: Browser) -> None:
    stranger = phone.another(STRANGER)
    answers = [
        stranger.sign_in(who, "0000", "123456")
        for who in ("mia", "sam", "nobody")
        for _ in range(5)
    ]
    assert {(each.status_code, each.text) for each in answers} == {
        (answers[0].status_code, answers[0].text)
    }
    found = console.context.accounts.find("mia")
    assert found is not None
    assert found.locked_at(STRANGER)


def test_headers_do_not_make_a_stranger_the_table(phone: Browser) -> None:
    stranger = phone.another(STRANGER)
    for header in ("X-Forwarded-For", "Forwarded", "X-Real-IP", "Host"):
        told = stranger.get("/api/staff", **{header: "127.0.0.1"})
        assert told.json()["staff"] == []


# --- locks for one place ----------------------------------------------------------------------


def test_a_stranger_locks_nobody_at_the_table(console: Console, phone: Browser) -> None:
    stranger = phone.another(STRANGER)
    for who in PINS:
        for _ in range(TRIES + 2):
            stranger.sign_in(who, "0000", "123456")
    assert stranger.sign_in("mia", code=code(console)).status_code == 401, "locked there"
    table = phone.another("127.0.0.1")
    for who in PINS:
        assert table.sign_in(who).status_code == 200
    assert phone.sign_in("mia", code=code(console)).status_code == 200, "another address"


def test_the_table_is_loopback_and_kiosks_together(console: Console, phone: Browser) -> None:
    kiosk = enrolled(console, phone, "10.0.0.9")
    for screen in (kiosk, phone.another("127.0.0.1"), phone.another("::1")):
        answer = screen.sign_in("sam", "0000")
    assert answer.status_code == 423
    assert kiosk.sign_in("sam").status_code == 423


def test_many_addresses_give_no_more_tries_and_the_table_stays_open(
    console: Console, phone: Browser
) -> None:
    for n in range(MAX_ELSEWHERE):
        phone.another(f"10.1.0.{n}").sign_in("mia", "0000", "123456")
    found = console.context.accounts.find("mia")
    assert found is not None
    assert len(found.elsewhere) == MAX_ELSEWHERE
    assert phone.another("10.2.0.1").sign_in("mia", code=code(console)).status_code == 401
    assert phone.another("10.1.0.0").sign_in("mia", code=code(console)).status_code == 200
    assert phone.another("127.0.0.1").sign_in("mia").status_code == 200


def test_a_pit_manager_opens_every_place(console: Console, phone: Browser) -> None:
    console.context.accounts.second_factor("sam", SECRET)
    for _ in range(TRIES):
        phone.sign_in("sam", "0000", "123456")
    table = phone.another("127.0.0.1")
    table.sign_in("mia")
    shown = {each["who"]: each for each in table.get("/api/staff").json()["staff"]}
    assert (shown["sam"]["locked"], shown["sam"]["locked_anywhere"]) == (False, True)
    assert table.post("/api/staff/sam/unlock", {"secret": PINS["mia"][1]}).status_code == 200
    assert phone.sign_in("sam", code=code(console)).status_code == 200


def test_a_lock_elsewhere_leaves_the_session_at_the_table(console: Console, phone: Browser) -> None:
    table = phone.another("127.0.0.1")
    table.sign_in("mia")
    phone.sign_in("mia", code=code(console))
    for _ in range(TRIES):
        phone.post("/api/unlock", {"secret": "0000"})
    assert phone.get("/api/me").status_code == 401
    assert table.get("/api/me").status_code == 200


# --- kiosks -----------------------------------------------------------------------------------


def enrolled(console: Console, browser: Browser, address: str) -> Browser:
    assert console.context.kiosks is not None
    token = console.context.kiosks.add(f"at-{address}", console.clock.now)
    kiosk = browser.another(address)
    assert kiosk.post("/api/kiosk", {"token": token}).status_code == 200
    return kiosk


def test_a_kiosk_is_the_table(console: Console, phone: Browser) -> None:
    kiosk = enrolled(console, phone, "10.0.0.9")
    assert kiosk.get("/api/staff").json()["at_table"] is True
    assert kiosk.sign_in("sam").status_code == 200
    assert kiosk.say("open_table").status_code == 200


def test_a_kiosk_that_is_taken_off_the_list_ends_at_once(console: Console, phone: Browser) -> None:
    kiosk = enrolled(console, phone, "10.0.0.9")
    kiosk.sign_in("sam")
    assert console.context.kiosks is not None
    console.context.kiosks.remove("at-10.0.0.9")
    assert kiosk.get("/api/me").status_code == 401
    assert kiosk.sign_in("sam").json()["code"] == "takes_code"


def test_a_link_works_once_within_the_hour(console: Console, phone: Browser) -> None:
    kiosks = console.context.kiosks
    assert kiosks is not None
    token = kiosks.add("desk", console.clock.now)
    assert phone.post("/api/kiosk", {"token": token}).status_code == 200
    again = phone.another(STRANGER).post("/api/kiosk", {"token": token})
    assert (again.status_code, again.json()["code"]) == (403, "link_is_used")
    late = kiosks.add("bar", console.clock.now)
    console.clock.now += LINK_LASTS_S
    assert phone.post("/api/kiosk", {"token": late}).status_code == 403
    assert phone.post("/api/kiosk", {"token": "0" * 64}).status_code == 403


def test_neither_link_nor_cookie_is_on_disk(console: Console, phone: Browser) -> None:
    kiosk = enrolled(console, phone, "10.0.0.9")
    raw = (console.folder / "kiosks.json").read_text("utf-8")
    cookie = kiosk.http.cookies["sabot-kiosk"]
    assert cookie not in raw
    assert json.loads(raw)["kiosks"][0]["link"] == ""


def test_what_is_no_kiosks_cookie_is_nothing(console: Console, phone: Browser) -> None:
    enrolled(console, phone, "10.0.0.9")
    stranger = phone.another(STRANGER)
    for cookie in ("", "0" * 64, "x", "at-10.0.0.9"):
        stranger.http.cookies.set("sabot-kiosk", cookie)
        assert stranger.get("/api/staff").json()["at_table"] is False
