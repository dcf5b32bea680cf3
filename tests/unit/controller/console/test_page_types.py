"""The pages' types (static/js/types.d.ts) name only what the console sends."""

import re
from pathlib import Path
from typing import Any

import pytest

import controller.console
from support.console.consoles import Browser, Console

TYPES = Path(controller.console.__file__).parent / "static" / "js" / "types.d.ts"


def _interfaces() -> dict[str, set[str]]:
    """The fields of every interface that are always there, those it inherits among them."""
    found: dict[str, set[str]] = {}
    text = TYPES.read_text("utf-8")
    for name, parent, body in re.findall(
        r"interface (\w+)(?: extends (\w+))? \{\n(.*?)\n\}", text, re.S
    ):
        own = set(re.findall(r"^  (\w+): ", body, re.M))
        found[name] = own | found.get(parent, set())
    return found


INTERFACES = _interfaces()


@pytest.fixture
def sent(console: Console, browser: Browser) -> dict[str, Any]:
    """One of each thing a page is sent, from a table at which something is being asked."""
    table = console.table
    browser.sign_in("kim")
    table.staff("open_table")
    table.load_shoe()
    table.staff("open_betting")
    table.staff("place", player="seat 1", wager="banker", amount=100000, position=1)
    table.staff("close_betting")
    table.shoe("9H", "2C", "KD", "3S")
    table.staff("announce")
    table.staff("settle")
    table.staff("report", what="uncovered")
    view = browser.get("/api/table?audience=pit").json()["view"]
    table.staff("decide", who="kim", role="gaming_shift_manager", text="go on", outcome="go_on")
    after = browser.get("/api/table?audience=pit").json()["view"]
    table.staff("open_betting")
    again = browser.get("/api/table?audience=dealer").json()["view"]
    about = browser.get("/api/about").json()
    recalled = browser.get("/api/rounds/1/1").json()
    return {
        "StaffView": view,
        "Limits": view["limits"],
        "LastWager": again["last_wagers"][0],
        "Drawn": view["cards"][0],
        "Wager": view["wagers"][0],
        "Paid": view["settlements"][0],
        "Shoe": view["shoe_in_use"],
        "Prompt": view["prompt"],
        "Ask": view["asks"][0],
        "Case": view["case"],
        "Ruling": after["rulings"][0],
        "Me": browser.get("/api/me").json(),
        "Staff": browser.get("/api/staff").json(),
        "Person": browser.get("/api/staff").json()["staff"][0],
        "Setup": about,
        "Method": about["methods"][0],
        "Irregularity": browser.get("/api/irregularities").json()["irregularities"][0],
        "Summary": recalled["summary"],
        "Recalled": recalled,
        "Recollection": recalled["phases"][0],
        "Proof": browser.get("/api/rounds/1/1/proof").json(),
    }


def test_every_field_a_page_counts_on_is_sent(sent: dict[str, Any]) -> None:
    lacking = {
        name: missing
        for name, told in sent.items()
        if (missing := INTERFACES.get(name, set()) - set(told))
    }
    assert lacking == {}


def test_the_types_are_read() -> None:
    assert {"round", "prompt", "demo"} <= INTERFACES["StaffView"]
    assert {"limits", "last_wagers"} <= INTERFACES["StaffView"]
