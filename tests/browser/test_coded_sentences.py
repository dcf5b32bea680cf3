"""Sentences that arrive as codes: said in the reader's language, decided by, and never by id.

The console's messages are given codes on their way to the page, as the console itself is to send
them; once it does, `coded` goes away and the tests stay.
"""

import json
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from playwright.sync_api import Route, WebSocketRoute, expect

from support.console.screens import Screen
from support.console.table_in_hand import Console

Serve = Callable[..., Console]
Open = Callable[..., Screen]
View = dict[str, Any]

SHOE = {"device": "shoe"}
TEXT = {"text": "in English"}
MORE = {"kind": "latch", "clause": None, "second": False, "round": None, "detail": None}
LID = {
    **{"what": "lid_open", "since": 61.0, "role": None, "word": None},
    **{"code": "held_lid_open", "gaps": SHOE, **TEXT},
    "remedy": {"code": "remedy_close_lid", "gaps": SHOE, **TEXT},
    "ends": {"code": "ends_by_device", "gaps": {**SHOE, "role": "pit_supervisor"}, **TEXT},
}
PAUSE = {
    **{"what": "paused", "since": 3661.0, "role": "pit_supervisor", "word": "resume"},
    **{"code": "held_paused", "gaps": {"by": "pia"}, **TEXT},
    "remedy": {"code": "remedy_paused", "gaps": {"by": "pia"}, **TEXT},
    "ends": {"code": "ends_by_role", "gaps": {"role": "pit_supervisor"}, **TEXT},
}
HELD = [{**MORE, **LID}, {**MORE, **PAUSE}]


def coded(screen: Screen, change: Callable[[View], None]) -> None:
    """Every view that reaches this window is changed first."""

    def through(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def passed(message: str | bytes) -> None:
            told = json.loads(message)
            if told.get("view"):
                change(told["view"])
            socket.send(json.dumps(told))

        server.on_message(passed)

    screen.page.route_web_socket("**/feed/**", through)


def held(view: View) -> None:
    view["phase"], view["state"] = view["state"], "halted"
    view["held"] = HELD
    view["notes"] = [{"code": "left_unread", "gaps": {"cards": 1}, "text": "1 card ..."}]
    view["prompt"] |= {"code": "prompt_clear", "gaps": {"holds": ["paused"], "role": "pit_manager"}}


@pytest.mark.second_tier
def test_every_hold_is_told_with_its_time_and_who_ends_it(serve: Serve, at: Open) -> None:
    table = serve()
    table.desk.open_shoe()
    pit = at(table, "pia", "/pit")
    coded(pit, held)
    pit.go("/pit")
    holds = pit.find(".holds li")
    expect(holds).to_have_count(2)
    expect(holds.nth(0)).to_contain_text("The lid of the shoe is open")
    pit.shows("#waits", "since 00:01:01 UTC")
    pit.shows("#waits", "Clears at the shoe; then a pit supervisor resumes play")
    expect(holds.nth(1)).to_contain_text("Pia stopped the table")
    expect(holds.nth(1)).to_contain_text("since 01:01:01 UTC")
    expect(holds.nth(1)).to_contain_text("A pit supervisor can clear this")
    pit.shows("#stopped", "Stopped")
    pit.shows("#about", "Ready")  # the phase underneath
    pit.shows("#rulings", "1 card left the shoe unread")
    pit.gone("resume")  # the lid has to be closed first


def test_a_prompt_is_said_by_its_code_in_ones_own_language(serve: Serve, at: Open) -> None:
    table = serve()
    table.desk.open_shoe()
    dealer = at(table, "dana", "/dealer", locale="zh-CN")
    coded(dealer, held)
    dealer.go("/dealer")
    dealer.prompt("牌靴的盖子开着")
    dealer.prompt("请关上牌靴")
    dealer.shows(".holds", "Pia 暂停了牌桌")


GOING_ON = {"code": "approve_going_on", "gaps": {"holds": ["paused"], "by": "max"}}
REQUESTS: dict[str, dict[str, Any]] = {
    "resume": {**GOING_ON, "text": "...", "given": {"over": ["paused"]}},
    "close_betting": {"code": "approve_close", "gaps": {"by": "max"}, "text": "...", "given": {}},
    "journal_loss": {
        "code": "approve_journal_loss",
        "gaps": {"by": "max"},
        "text": "...",
        "given": {},
    },
    "never_heard_of": {"code": None, "gaps": {}, "text": "records are missing", "given": {}},
}
SAYS = {
    "resume": "resume play although staff stopped the table",
    "close_betting": "differential",
    "journal_loss": "records are missing",
    "never_heard_of": "records are missing",
}


@pytest.mark.second_tier
@pytest.mark.parametrize(
    ("kind", "path"),
    list(product(REQUESTS, ("/dealer", "/pit"))),
)
def test_a_request_is_told_in_its_own_sentence(
    serve: Serve, at: Open, kind: str, path: str
) -> None:
    table = serve()
    table.desk.open_shoe()
    request = {"what": kind, "by": "max", "reason": "", **REQUESTS[kind]}

    def asked(view: View) -> None:
        ask = {"case": kind, "ask": "approve", "do": "approve", "says": request["text"]}
        more = {"role": "pit_supervisor", "second": True, "clause": None, "device": None}
        view["asks"] = [{**ask, **more, "code": request["code"], "gaps": request["gaps"]}]
        view["request"] = request

    screen = at(table, "pia", path)
    coded(screen, asked)
    screen.go(path)
    screen.shows(".question.approve .lead", SAYS[kind])
    screen.press("approve")  # and the page still hears a press
    screen.own_pin("pia", "9999")
    screen.shows("dialog.second .warn", "Wrong PIN for Pia")


def test_a_refusal_is_told_by_code_and_names_no_id(serve: Serve, at: Open) -> None:
    table = serve()
    table.desk.open_shoe()
    table.desk.act("open_betting")
    table.desk.act("place", player="seat 1", wager="player_pair", amount=100, position=1)
    dealer = at(table, "dana", "/dealer")
    sent: list[View] = []

    def refuse(route: Route) -> None:
        asked = route.request.post_data_json
        assert asked is not None
        sent.append(asked)
        body = {
            "type": "/problems/refused",
            "title": "The rules do not allow this now",
            "detail": "reworded (w1)",
            "code": "close_under_minimum",
            "gaps": {"wagers": ["w1"], "limit": 2500},
            "clause": "5.13",
        }
        route.fulfill(status=422, json=body)

    dealer.page.route("**/api/commands/close_betting", refuse)
    dealer.press("close_betting")
    dealer.shows("#refusal", "Seat 1 · Player pair 1: below the minimum 25")
    expect(dealer.find("#refusal")).not_to_contain_text("w1")
    with dealer.page.expect_response("**/api/commands/close_betting"):
        dealer.find("#refusal").get_by_role("button", name="Close anyway").click()
    assert [each["with"] for each in sent] == [{}, {"anyway": True}]


@pytest.mark.second_tier
def test_whoever_is_not_high_enough_lets_another_person_speak(serve: Serve, at: Open) -> None:
    table = serve()
    table.desk.open_shoe()
    dealer = at(table, "dana", "/dealer")

    def refuse(route: Route) -> None:
        body = {"type": "/problems/refused", "detail": "reworded", "code": "takes_role"}
        route.fulfill(status=422, json={**body, "gaps": {"role": "pit_manager"}})

    dealer.page.route("**/api/commands/open_betting", refuse)
    dealer.press("open_betting")
    dealer.shows("#refusal", "Needs a pit manager or above")
    dealer.find("#refusal").get_by_role("button", name="Second person").click()
    expect(dealer.find("dialog .tile")).to_have_count(3)  # Max, Ada and Gus


@pytest.mark.second_tier
def test_files_and_lines_are_for_technicians(serve: Serve, at: Open) -> None:
    table = serve()
    table.desk.open_shoe()
    dealer = at(table, "dana", "/dealer")
    body = {"type": "/problems/stopped", "detail": "OSError in /opt/sabot/journal.py line 3"}
    dealer.page.route(
        "**/api/commands/open_betting", lambda route: route.fulfill(status=503, json=body)
    )
    dealer.press("open_betting")
    dealer.shows("#refusal", "Table stopped. Call the technician.")
    expect(dealer.find("#refusal")).not_to_contain_text("journal")
