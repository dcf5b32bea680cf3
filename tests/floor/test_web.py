"""The floor's pages over HTTP on a real database: who gets in, what leaves, what is kept."""

import asyncio
import dataclasses
import socket
import time
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import msgspec
import psycopg
import pytest
from msgspec.structs import replace
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from controller.console.auth import totp
from controller.floor.web.queries import WebStore
from controller.game.roles import Role
from controller.protocol.orders import Order, OrderAnswer, OrderOutcome, SignedOrder
from controller.table import approvals
from controller.table.approvals import Act
from controller.table.commands.registry import MAX_AMOUNT
from support.console.screens import PINS
from support.feeds import open_feed
from support.floor.servers import FloorDatabase
from support.floor.visitor import Visit, Visitor
from support.floor.web import FLOOR, FloorInHand, floor_web

HELD = {
    "kind": "case",
    "code": "held_reported",
    "gaps": {"irregularity": "simultaneous", "by": "dana"},
    "text": "dana reported: two or more cards drawn at once",
    "since": 1000.0,
    "role": "pit_supervisor",
    "clause": "5.8",
}
ASK = {
    "do": "approve",
    "says": "void the round?",
    "code": "ask_void",
    "gaps": {},
    "role": "pit_supervisor",
    "clause": "5.8.2.1",
}


def stopped(web: FloorInHand, table: str = "b-07", seq: int = 41) -> None:
    web.beat(table, "B")
    web.live(table, seq, state="halted", held=[HELD], asks=[ASK])


def ended(socket: ClientConnection) -> int:
    """The code with which the floor hangs up."""
    with pytest.raises(ConnectionClosed) as closed:
        list(iter(socket.recv, None))
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code


def test_nobody_reads_or_speaks_without_signing_in(web: FloorInHand, visit: Visit) -> None:
    stopped(web)
    stranger = visit()
    for path in ("floor", "me", "tables/b-07", "devices", "people", "trends", "proof", "orders"):
        assert stranger.http.get(f"/api/{path}").status_code == 401, path
    assert stranger.order("b-07", "approve", 41, "gus").status_code == 401
    with open_feed(web.url.replace("http", "ws") + "/feed/floor") as socket:
        assert ended(socket) == 4401
    assert web.tables.came == []


def test_away_from_a_demonstration_nobody_comes_in_without_the_authenticators_code(
    web: FloorInHand, visit: Visit
) -> None:
    people = web.context.people
    people.pins = {}
    visitor = visit()
    assert visitor.sign_in("gus").status_code == 401
    secret = totp.new_secret(b"1" * 20)
    people.accounts.second_factor("gus", secret)
    assert visitor.sign_in("gus", code="000000").status_code == 401
    now = people.wall()
    right = totp.code_at(totp.key_of(secret), int(now // totp.STEP_S))
    assert visitor.sign_in("gus", code=right).status_code == 200
    assert visit().sign_in("gus", code=right).status_code == 401  # a code works once
    assert visit().http.get("/api/staff").json()["staff"] == []


def test_an_order_is_the_persons_word_signed_logged_and_answered(
    web: FloorInHand, gus: Visitor, database: FloorDatabase
) -> None:
    stopped(web)
    found = gus.order("b-07", "approve", 41, "gus")
    assert found.status_code == 200, found.text
    ((to, carried),) = web.tables.came
    assert (to.site, to.table) == ("site", "b-07")
    assert carried.is_by(FLOOR.public)
    order = msgspec.json.decode(carried.order, type=Order)
    said = (order.word, order.who, order.role, order.seen)
    assert said == ("approve", "gus", "gaming_shift_manager", 41)
    assert 0 < order.expires - order.made <= 60
    with database.connect() as connection:
        (row,) = connection.execute("SELECT id, outcome, signed FROM floor.order_log").fetchall()
    assert row == (order.id, "accepted", carried.order)


def test_an_order_is_in_the_log_before_it_leaves(
    web: FloorInHand, gus: Visitor, database: FloorDatabase
) -> None:
    stopped(web)
    seen: list[Any] = []

    def looks(_: SignedOrder) -> OrderAnswer | None:
        with database.connect() as connection:
            seen.extend(connection.execute("SELECT outcome FROM floor.order_log").fetchall())
        return None

    web.tables.answers = looks
    assert gus.order("b-07", "approve", 41, "gus").status_code == 504
    assert seen == [(None,)]
    with database.connect() as connection:
        left = connection.execute("SELECT outcome FROM floor.order_log").fetchall()
    assert left == [("no_answer",)]


@pytest.mark.parametrize(
    "word", ["card", "correct", "count", "expose", "enter_card", "deal_card", "resume", "settle"]
)
def test_what_needs_eyes_at_the_table_is_not_carried(
    web: FloorInHand, gus: Visitor, word: str
) -> None:
    stopped(web)
    assert gus.order("b-07", word, 41, "gus").status_code == 400
    assert web.tables.came == []


def test_a_wrong_pin_says_nothing_and_the_third_ends_the_session(
    web: FloorInHand, gus: Visitor
) -> None:
    stopped(web)
    body = {"word": "approve", "seen": 41, "secret": "0000"}
    for _ in range(2):
        assert gus.post("/api/tables/b-07/orders", **body).status_code == 401
    assert gus.post("/api/tables/b-07/orders", **body).status_code == 423
    assert gus.http.get("/api/me").status_code == 401
    assert web.tables.came == []
    assert ("account_locked", "gus") in [note[:2] for note in web.notes]


def test_dealers_and_surveillance_watch_and_do_nothing(web: FloorInHand, visit: Visit) -> None:
    stopped(web)
    for who in ("dana", "eve"):
        visitor = visit()
        visitor.sign_in(who)
        assert visitor.http.get("/api/floor").status_code == 200
        assert visitor.order("b-07", "approve", 41, who).status_code == 403
    assert web.tables.came == []


def test_nothing_is_queued_for_a_table_that_is_away(web: FloorInHand, gus: Visitor) -> None:
    web.board.enrolled("c-01", "C-01", "C", time.time())
    found = gus.order("c-01", "close_table", 1, "gus")
    assert found.status_code == 503
    assert found.json()["code"] == "table_is_away"
    assert gus.order("nowhere", "close_table", 1, "gus").status_code == 404
    assert web.tables.came == []


@pytest.mark.parametrize(
    ("outcome", "status"),
    [(OrderOutcome.MOVED_ON, 409), (OrderOutcome.REFUSED, 422), (OrderOutcome.EXPIRED, 422)],
)
def test_the_tables_own_no_reaches_the_page(
    web: FloorInHand, gus: Visitor, outcome: OrderOutcome, status: int
) -> None:
    stopped(web)
    no = OrderAnswer("", outcome, 0, "not_now", "not in this phase", "5.1")
    web.tables.answers = lambda _: replace(no, id="x")
    found = gus.order("b-07", "approve", 41, "gus")
    assert found.status_code == status
    if outcome is OrderOutcome.REFUSED:
        assert found.json()["detail"] == "not in this phase"
        assert found.json()["clause"] == "5.1"


def test_a_page_of_another_site_cannot_speak(web: FloorInHand, gus: Visitor) -> None:
    stopped(web)
    foreign = {"Origin": "https://elsewhere.example", "X-Sabot-Csrf": gus.csrf}
    body = {"word": "approve", "seen": 41, "secret": PINS["gus"]}
    assert gus.http.post("/api/tables/b-07/orders", json=body, headers=foreign).status_code == 403
    stale = {"X-Sabot-Csrf": "0" * 64}
    assert gus.http.post("/api/tables/b-07/orders", json=body, headers=stale).status_code == 403
    assert web.tables.came == []


def test_the_feed_has_all_tables_once_and_then_what_changed(web: FloorInHand, gus: Visitor) -> None:
    stopped(web)
    web.live("a-01", 5)
    cookie = "; ".join(f"{name}={value}" for name, value in gus.http.cookies.items())
    where = web.url.replace("http", "ws") + "/feed/floor"
    with open_feed(where, additional_headers={"Cookie": cookie}) as socket:
        first = msgspec.json.decode(socket.recv())
        assert first["whole"]
        assert {tile["table"] for tile in first["tiles"]} == {"b-07", "a-01"}
        assert [row["table"] for row in first["exceptions"]] == ["b-07"]
        web.live("a-01", 6, phase="dealing", state="dealing")
        while not (news := msgspec.json.decode(socket.recv()))["tiles"]:
            pass
        assert [tile["table"] for tile in news["tiles"]] == ["a-01"]
        assert not news["whole"]
        gus.post("/api/sign-out")
        assert ended(socket) == 4401


def test_an_exception_is_acknowledged_once_and_stays_until_it_is_closed(
    gus: Visitor, database: FloorDatabase
) -> None:
    with database.connect() as connection:
        kept = connection.execute(
            """INSERT INTO floor.exception (site, table_id, epoch, kind, text, severity, since)
               VALUES ('site', 'c-01', 1, 'away', 'not heard', 1, now()) RETURNING id"""
        ).fetchone()
        assert kept is not None
    (number,) = kept
    assert gus.post("/api/exceptions/acknowledge", ids=[number]).json() == {"acknowledged": 1}
    assert gus.post("/api/exceptions/acknowledge", ids=[number]).json() == {"acknowledged": 0}
    with database.connect() as connection:
        row = connection.execute("SELECT acknowledged_by, closed FROM floor.exception").fetchone()
    assert row == ("gus", None)


def test_a_record_nobody_can_read_is_over_once_somebody_knows(
    gus: Visitor, database: FloorDatabase
) -> None:
    with database.connect() as connection:
        kept = connection.execute(
            """INSERT INTO floor.exception (site, table_id, epoch, seq, kind, severity, since)
               VALUES ('site', 'c-01', 1, 7, 'unreadable', 1, now()) RETURNING id"""
        ).fetchone()
        assert kept is not None
    assert gus.post("/api/exceptions/acknowledge", ids=[kept[0]]).json() == {"acknowledged": 1}
    with database.connect() as connection:
        (row,) = connection.execute("SELECT closed IS NULL FROM floor.exception").fetchall()
    assert row == (False,)


def test_the_pages_role_cannot_touch_a_record(database: FloorDatabase) -> None:
    with database.connect("floor_web") as connection:
        for sql in (
            "DELETE FROM floor.record",
            "UPDATE floor.record SET body = ''",
            "UPDATE floor.head SET seq = 0",
            "DELETE FROM floor.order_log",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(sql)
            connection.rollback()


def test_a_silent_tables_last_figures_are_not_shown_as_records_to_come(
    web: FloorInHand, gus: Visitor, database: FloorDatabase
) -> None:
    with database.connect() as connection:
        connection.execute(
            "INSERT INTO floor.head (site, table_id, epoch, seq, digest)"
            " VALUES ('site', 'b-07', 1, 30, '')"
        )
    stopped(web, seq=41)
    assert [row["ahead"] for row in gus.http.get("/api/proof").json()["heads"]] == [11]
    web.board.tick(time.time() + 3600)
    (row,) = gus.http.get("/api/proof").json()["heads"]
    assert (row["ahead"], row["unsent"]) == (0, -1)


def test_a_database_that_is_down_is_said_and_the_map_goes_on(
    tmp_path: Path, database: FloorDatabase
) -> None:
    nowhere = database.as_("floor_web").replace(database.name, "nowhere")
    with floor_web(tmp_path, nowhere) as web, closing(Visitor(web.url)) as visitor:
        web.live("a-01", 5)
        visitor.sign_in("gus")
        found = visitor.http.get("/api/floor").json()
        assert [tile["table"] for tile in found["tiles"]] == ["a-01"]
        assert visitor.http.get("/api/devices").status_code == 503
        (row,) = found["exceptions"]
        assert (row["table"], row["code"], row["order"]) == ("", "floor_no_database", 0)
        assert 0 <= time.time() - row["since"] < 60


LICENCE = {"who": "anna", "name": "Anna", "role": "dealer", "until": 2e9, "games": ["*"]}


def test_a_licence_list_is_published_by_pin_and_every_version_says_by_whom(
    web: FloorInHand, gus: Visitor
) -> None:
    body = {"licences": [LICENCE], "seen": 0, "secret": PINS["gus"]}
    assert gus.post("/api/site/people", **body).json() == {"version": 1}
    found = gus.http.get("/api/site").json()["documents"]
    assert [(each["version"], each["made_by"]) for each in found] == [(1, "gus")]
    assert found[0]["document"] == {"licences": [LICENCE]}
    # Made of what was on the screen before: nobody's list is written over unseen.
    assert gus.post("/api/site/people", **body).status_code == 409
    assert ("people_published", "gus") in [note[:2] for note in web.notes]


@pytest.mark.parametrize(
    ("licences", "secret"),
    [
        ([LICENCE], "0000"),
        ([LICENCE, LICENCE], PINS["gus"]),
        ([{**LICENCE, "games": ["poker"]}], PINS["gus"]),
        ([{**LICENCE, "role": "king"}], PINS["gus"]),
        ([{"who": "anna"}], PINS["gus"]),
        ([{**LICENCE, "who": ""}], PINS["gus"]),
        ([{**LICENCE, "who": "an\u202ena"}], PINS["gus"]),
        ([{**LICENCE, "name": "An\0na"}], PINS["gus"]),
        ([{**LICENCE, "until": 1e308}], PINS["gus"]),
        ([LICENCE, {**LICENCE, "who": "ANNA"}], PINS["gus"]),
        ([LICENCE, {**LICENCE, "who": "\u0430nna"}], PINS["gus"]),
    ],
)
def test_a_list_that_is_wrong_or_nobodys_is_not_published(
    gus: Visitor, licences: list[Any], secret: str
) -> None:
    found = gus.post("/api/site/people", licences=licences, seen=0, secret=secret)
    assert found.status_code in (400, 401)
    assert gus.http.get("/api/site").json()["documents"] == []


def test_who_stands_too_low_publishes_nothing(visit: Visit, web: FloorInHand) -> None:
    web.beat("b-07", "B")
    pia = visit()
    pia.sign_in("pia")
    body = {"secret": PINS["pia"]}
    people = pia.post("/api/site/people", licences=[], seen=0, **body)
    limits = pia.post("/api/site/limits", table="b-07", minimum=1, maximum=2, **body)
    assert (people.status_code, limits.status_code) == (403, 403)


def test_limits_are_of_a_table_that_is_there_and_make_sense(web: FloorInHand, gus: Visitor) -> None:
    web.beat("b-07", "B")
    given: dict[str, Any] = {"table": "b-07", "minimum": 2500, "maximum": 100000}
    wrong: list[dict[str, Any]] = [{"minimum": 200000}, {"table": "nowhere"}, {"minimum": 0}]
    for each in wrong:
        found = gus.post("/api/site/limits", **{**given, **each}, secret=PINS["gus"])
        assert found.status_code in (400, 404)
    assert gus.post("/api/site/limits", **given, secret=PINS["gus"]).json() == {"version": 1}


def test_limits_that_no_table_takes_are_not_published(web: FloorInHand, gus: Visitor) -> None:
    web.beat("b-07", "B")
    most = {"table": "b-07", "minimum": 1, "maximum": MAX_AMOUNT, "differential": MAX_AMOUNT}
    for each in ("maximum", "differential"):
        given = {**most, each: MAX_AMOUNT + 1}
        found = gus.post("/api/site/limits", **given, secret=PINS["gus"])
        assert found.status_code == 400
        assert "no table takes more than 1,000,000,000,000" in found.text
    assert gus.post("/api/site/limits", **most, secret=PINS["gus"]).json() == {"version": 1}


def test_what_people_did_is_kept_and_cannot_be_taken_back(
    gus: Visitor, database: FloorDatabase
) -> None:
    store = WebStore(database.as_("floor_web"), "site")

    async def noted() -> None:
        await store.noted("signed_in", "gus", "from floor")
        await store.close()

    asyncio.run(noted())
    (row,) = gus.http.get("/api/events").json()
    assert (row["who"], row["what"], row["says"]) == ("gus", "signed_in", "from floor")
    for sql in ("UPDATE floor.event SET who = 'eve'", "DELETE FROM floor.event"):
        with (
            database.connect("floor_web") as connection,
            pytest.raises(psycopg.errors.InsufficientPrivilege),
        ):
            connection.execute(sql)


@pytest.mark.parametrize(
    ("act", "path", "body"),
    [
        (Act.SPEAK_FROM_FLOOR, "tables/b-07/orders", {"word": "approve", "seen": 41}),
        (Act.ACKNOWLEDGE_EXCEPTION, "exceptions/acknowledge", {"ids": [1]}),
        (Act.PUBLISH_PEOPLE, "site/people", {"licences": [], "seen": 0}),
        (
            Act.PUBLISH_LIMITS,
            "site/limits",
            {"table": "b-07", "minimum": 100, "maximum": 200},
        ),
    ],
)
def test_who_may_do_what_at_the_floor_is_the_row_of_the_approvals(
    web: FloorInHand,
    visit: Visit,
    monkeypatch: pytest.MonkeyPatch,
    act: Act,
    path: str,
    body: dict[str, Any],
) -> None:
    stopped(web)
    raised = dataclasses.replace(approvals.approval_row(act), role=Role.GAMING_SHIFT_MANAGER)
    before = approvals.approval_row
    monkeypatch.setattr(
        approvals, "approval_row", lambda asked: raised if asked is act else before(asked)
    )
    pin = {} if act is Act.ACKNOWLEDGE_EXCEPTION else {"secret": PINS["ada"]}
    ada = visit()
    ada.sign_in("ada")
    refused = ada.post(f"/api/{path}", **body, **pin)
    assert refused.status_code == 403
    assert refused.json()["gaps"] == {"role": "gaming_shift_manager"}
    gus = visit()
    gus.sign_in("gus")
    assert gus.post(f"/api/{path}", **body, **(pin and {"secret": PINS["gus"]})).status_code == 200


def test_a_number_with_too_many_digits_is_refused_and_not_cut(
    web: FloorInHand, gus: Visitor
) -> None:
    stopped(web)
    for given in ("1" * 23, "9" * 400, "-1", "1e99", "1.5", "x"):
        found = gus.http.get("/api/tables/b-07/rounds", params={"before": given})
        assert found.status_code == 400, given


def test_a_flood_keeps_no_staff_out(
    tmp_path: Path, database: FloorDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half-sent requests make room for each other, and guests of the lobby are only so many."""
    monkeypatch.setattr("controller.floor.service.website.MAX_CONNECTIONS", 40)
    monkeypatch.setattr("controller.floor.web.live.lobby.MAX_READERS", 3)
    with floor_web(tmp_path, database.as_("floor_web")) as web, ExitStack() as open_:
        there = open_.enter_context(closing(Visitor(web.url)))
        assert there.sign_in("pia").status_code == 200
        address = web.url.replace("http", "ws") + "/feed/lobby"
        guests = [open_.enter_context(open_feed(address)) for _ in range(3)]
        with pytest.raises(ConnectionClosed), open_feed(address) as one_too_many:
            one_too_many.recv(60)
        place = ("127.0.0.1", int(web.url.rsplit(":", 1)[1]))
        halves = []
        for _ in range(100):
            halves.append(open_.enter_context(socket.create_connection(place, 60)))
            halves[-1].sendall(b"GET / HTTP/1.1\r\nX-Slow: 1")
        assert there.http.get("/api/floor").status_code == 200, "who was there"
        late = open_.enter_context(closing(Visitor(web.url)))
        assert late.sign_in("gus").status_code == 200, "and who comes now"
        assert halves[0].recv(99) == b"", "the oldest made room"
        assert all(msgspec.json.decode(each.recv(60)) for each in guests)
