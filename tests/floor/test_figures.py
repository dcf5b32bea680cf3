"""What the pages are told of outages, orders not taken, shifts and trends, on a real database."""

import asyncio
import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from psycopg import AsyncConnection, Connection
from pytest_mock import MockerFixture

from controller.floor.documents import ALL
from controller.floor.shifts import Shifts
from controller.floor.web import app
from controller.floor.web.handlers.floor_pages import HOUR_S, step_of
from controller.floor.web.orders import OrderAuthor, OrderSender
from controller.floor.web.queries import StoreDown, WebStore
from controller.protocol.documents import LicensedPerson, People
from controller.protocol.orders import OrderAnswer, OrderOutcome
from support.floor.servers import FloorDatabase
from support.floor.visitor import Visitor, until
from support.floor.web import FLOOR, FloorInHand, Tables, floor_web
from support.limits import MAX_WAIT_S


def test_an_outage_of_the_database_is_written_down_once_it_is_back(
    tmp_path: Path, database: FloorDatabase
) -> None:
    with (
        floor_web(tmp_path, database.as_("floor_web")) as web,
        closing(Visitor(web.url)) as visitor,
    ):
        visitor.sign_in("gus")
        web.context.store_failed("for this test")
        began = web.context.store_down_since
        until(lambda: web.context.store_down is None)
        assert visitor.http.get("/api/floor").json()["exceptions"] == []
        (told,) = [
            each
            for each in visitor.http.get("/api/events").json()
            if each["what"] == "database_back"
        ]
        away = datetime.fromtimestamp(began, UTC)
        assert (told["who"], told["says"]) == ("floor", f"{away:%Y-%m-%d %H:%M:%S} UTC")


FLOOD = 2_100
"""More than a page is given of rows."""


def test_a_flood_of_forged_orders_is_one_row_that_ends_when_somebody_knows(
    web: FloorInHand, gus: Visitor, database: FloorDatabase
) -> None:
    """And hides nothing that came later."""
    with database.connect() as owner:
        owner.execute(
            """INSERT INTO floor.exception
                   (site, table_id, epoch, seq, kind, what, code, severity, since)
               SELECT 'site', 'c-01', 1, n, 'order', 'floor_order_forged', 'floor_order_forged', 4,
                      now() - interval '1 hour' + n * interval '1 second'
               FROM generate_series(1, %s) n""",
            [FLOOD],
        )
        owner.execute(
            """INSERT INTO floor.exception (site, table_id, epoch, kind, severity, since)
               VALUES ('site', 'c-02', 1, 'diverged', 4, now())"""
        )
        owner.execute(
            """INSERT INTO floor.order_not_taken (site, table_id, epoch, seq, at, who, outcome)
               SELECT 'site', 'c-01', 1, n, now(), 'floor', 'forged' FROM generate_series(1, 7) n"""
        )
    until(lambda: len(web.context.kept) == 2)
    forged, other = gus.http.get("/api/floor").json()["exceptions"]
    assert (other["table"], other["kind"], other["more"]) == ("c-02", "diverged", 0)
    assert (forged["table"], forged["more"], len(forged["ids"])) == ("c-01", FLOOD - 1, 1)
    listed = gus.http.get("/api/orders-not-taken").json()
    assert [each["seq"] for each in listed] == [7, 6, 5, 4, 3, 2, 1]
    known = gus.post("/api/exceptions/acknowledge", ids=forged["ids"]).json()
    assert known == {"acknowledged": FLOOD}
    until(lambda: [each.kind for each in web.context.kept] == ["diverged"])


def test_what_takes_long_keeps_no_exception_waiting(
    web: FloorInHand, gus: Visitor, database: FloorDatabase
) -> None:
    """Somebody looks at a year of trends while a table stops."""
    with database.connect() as owner, ThreadPoolExecutor() as beside:
        owner.execute("LOCK TABLE floor.book_hour IN ACCESS EXCLUSIVE MODE")
        trends = beside.submit(lambda: gus.http.get("/api/trends", timeout=60))
        until(lambda: waits_for_a_lock(database))
        with database.connect() as another:
            another.execute(
                """INSERT INTO floor.exception (site, table_id, epoch, kind, severity, since)
                   VALUES ('site', 'c-01', 1, 'diverged', 4, now())"""
            )
        until(lambda: [each.table for each in web.context.kept] == ["c-01"])
        assert not trends.done()
        owner.rollback()
        assert trends.result(60).status_code == 200


def waits_for_a_lock(database: FloorDatabase) -> bool:
    with database.connect() as connection:
        waiting = connection.execute("SELECT count(*) FROM pg_locks WHERE NOT granted").fetchone()
    return waiting != (0,)


def dealt(owner: Connection[Any], hour: str, dealer: str, rounds: int, voids: int) -> None:
    owner.execute(
        """INSERT INTO floor.dealer_hour
               (site, table_id, hour, dealer, rounds, voids, corrections, seconds, irregularities)
           VALUES ('site', 'c-01', %s, %s, %s, %s, 0, 1800, '{"5.8.2.1": 1}')""",
        [hour, dealer, rounds, voids],
    )


def test_people_are_counted_by_shift_and_by_dealer_of_a_shift(
    gus: Visitor, database: FloorDatabase
) -> None:
    today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    day = today - timedelta(days=2)
    with database.connect() as owner:
        dealt(owner, f"{day:%Y-%m-%d} 05:00+00", "dana", 50, 0)
        dealt(owner, f"{day:%Y-%m-%d} 06:00+00", "dana", 40, 1)
        dealt(owner, f"{day:%Y-%m-%d} 06:00+00", "lin", 30, 0)
        dealt(owner, f"{day:%Y-%m-%d} 13:00+00", "lin", 60, 2)
        dealt(owner, f"{day:%Y-%m-%d} 14:00+00", "lin", 70, 0)
    _, morning, night = gus.http.get("/api/shifts?hours=96").json()
    shown = ("day", "from_hour", "to_hour", "dealers", "hours", "rounds", "voids", "irregularities")
    assert [morning[each] for each in shown] == [
        f"{day:%Y-%m-%d}", "06:00", "14:00", 2, 1.5, 130, 3, {"5.8.2.1": 3},
    ]  # fmt: skip
    assert [night[each] for each in shown[:4]] == [
        f"{day - timedelta(days=1):%Y-%m-%d}", "22:00", "06:00", 1,
    ]  # fmt: skip
    of_it = f"since={int(morning['begins'])}&until={int(morning['ends'])}"
    rows = gus.http.get(f"/api/people?{of_it}").json()
    assert {row["dealer"]: (row["rounds"], row["voids"], row["hours"]) for row in rows} == {
        "lin": (90, 2, 1.0),
        "dana": (40, 1, 0.5),
    }


def test_a_table_that_has_just_begun_has_the_pace_it_plays_at(database: FloorDatabase) -> None:
    async def paces() -> dict[str, int]:
        store = WebStore(database.as_("floor_web"), "site")
        try:
            return await store.rounds_hour()
        finally:
            await store.close()

    with database.connect() as owner:
        for table, minutes in (("c-01", 20), ("c-02", 60), ("c-03", 2)):
            owner.execute(
                """INSERT INTO floor.round (site, table_id, epoch, summary, shoe, round, began,
                       ended, deck_set, rulebook, method, result, corrected, rulings, wagers,
                       drop_minor, hold_minor, first, last)
                   SELECT 'site', %s, 1, n, 1, n, now() - n * interval '1 minute',
                       now() - (n - 1) * interval '1 minute', '', 'mbs-baccarat-8', 'C', 'B', false,
                       '[]', '{}', 0, 0, n, n
                   FROM generate_series(1, %s) n""",
                [table, minutes],
            )
    assert asyncio.run(paces()) == {"c-01": 60, "c-02": 60, "c-03": 12}


def test_where_a_zone_is_half_an_hour_off_an_hour_is_of_one_shift(
    web: FloorInHand, gus: Visitor, database: FloorDatabase
) -> None:
    """Of the one in which it begins: in the shift's row and in the list of its dealers."""
    web.context.shifts = Shifts.of("Asia/Kolkata", ["06:00", "14:00", "22:00"])
    today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    day = today - timedelta(days=2)
    with database.connect() as owner:
        for hour in range(24):  # 06:00 in Kolkata is 00:30
            dealt(owner, f"{day:%Y-%m-%d} {hour:02}:00+00", "dana", 1, 0)
    shifts = gus.http.get("/api/shifts?hours=96").json()
    assert [each["rounds"] for each in shifts] == [7, 8, 8, 1]
    for each in shifts:
        of_it = f"since={int(each['begins'])}&until={int(each['ends'])}"
        (dana,) = gus.http.get(f"/api/people?{of_it}").json()
        assert dana["rounds"] == each["rounds"]


def test_a_question_cancelled_while_it_connects_leaves_no_connection_open(
    database: FloorDatabase, mocker: MockerFixture
) -> None:
    async def play() -> None:
        connects = asyncio.Event()
        opened: list[AsyncConnection[Any]] = []
        connect = AsyncConnection.connect

        async def slow(*given: Any, **more: Any) -> AsyncConnection[Any]:
            opened.append(await connect(*given, **more))
            connects.set()
            await asyncio.sleep(0)
            return opened[0]

        mocker.patch.object(AsyncConnection, "connect", slow)
        store = WebStore(database.as_("floor_web"), "site")
        asking = asyncio.create_task(store.exceptions())
        await connects.wait()
        asking.cancel()
        await asyncio.wait([asking])
        await store.close()
        assert [each.closed for each in opened] == [True]

    asyncio.run(play())


def test_a_database_that_takes_a_question_and_says_nothing_is_away(
    database: FloorDatabase,
) -> None:
    async def asked() -> None:
        store = WebStore(database.as_("floor_web"), "site", patience_s=MAX_WAIT_S)
        assert await store.exceptions() == []
        with database.connect() as owner:
            (row,) = owner.execute(
                "SELECT pid FROM pg_stat_activity WHERE usename = 'floor_web'"
                " AND datname = current_database()"
            ).fetchall()
            backend = int(str(row[0]))
            os.kill(backend, signal.SIGSTOP)
            store._patience_s = 0.5
            try:
                with pytest.raises(StoreDown, match="nothing for"):
                    await store.exceptions()
            finally:
                os.kill(backend, signal.SIGCONT)
                store._patience_s = MAX_WAIT_S
        assert await store.exceptions() == []  # by another connection
        await store.close()

    asyncio.run(asked())


def test_who_is_enrolled_is_on_the_map_and_who_is_revoked_is_not(
    tmp_path: Path, database: FloorDatabase, mocker: MockerFixture
) -> None:
    mocker.patch.object(app, "FIRST_BEATS_S", 0.0)
    mocker.patch.object(app, "ROUNDS_EVERY_S", 0.0)
    with database.connect() as owner:
        owner.execute(
            "INSERT INTO floor.table_register (site, table_id, title, pit, enrolled, revoked)"
            " VALUES ('site', 'c-01', 'Salon', 'C', to_timestamp(50), NULL),"
            " ('site', 'c-02', '', '', now(), now())"
        )
    with floor_web(tmp_path, database.as_("floor_web")) as web:
        until(lambda: [each.table for each in web.board.tiles()] == ["c-01"])
        assert [(row.table, row.since) for row in web.context.exceptions()] == [("c-01", 50.0)]
        with database.connect() as owner:
            owner.execute("UPDATE floor.table_register SET revoked = now()")
        until(lambda: web.board.tiles() == [])


def test_a_table_whose_dealer_will_open_no_betting_is_an_exception(
    tmp_path: Path, database: FloorDatabase, mocker: MockerFixture
) -> None:
    mocker.patch.object(app, "ROUNDS_EVERY_S", 0.0)
    now = time.time()
    with floor_web(tmp_path, database.as_("floor_web")) as web:

        def listed(until_: float, *games: str) -> int:
            people = People((LicensedPerson("Dana", "Dana", "dealer", until_, games),))
            return asyncio.run(web.context.shelf.publish(ALL, people, "gus"))

        def told() -> list[tuple[str, str | None]]:
            return [(row.table, row.code) for row in web.context.exceptions()]

        def heard(version: int) -> None:
            for table, dealer in (("c-01", "dana"), ("c-02", "eve")):
                web.beat(table, "C", every=600.0, documents={"people": version})
                web.live(table, version, dealer=dealer)

        heard(listed(now + 3600, "*"))
        until(lambda: told() == [("c-02", "not_on_the_sites_list")])
        newer = listed(now - 1, "*")
        until(lambda: told() == [])  # both go by the older one yet
        heard(newer)
        until(lambda: ("c-01", "licence_has_run_out") in told())
        heard(listed(now + 3600, "rws-commission-baccarat-4"))
        until(lambda: ("c-01", "licence_lacks_game") in told())


def test_one_subscriber_that_takes_nothing_is_one_row(
    web: FloorInHand, gus: Visitor, database: FloorDatabase
) -> None:
    with database.connect() as owner:
        owner.execute(
            """INSERT INTO floor.exception
                   (site, table_id, epoch, kind, what, gaps, severity, since)
               SELECT 'site', 'c-' || n, 1, 'undelivered', s, jsonb_build_object('subscriber', s),
                      1, now() FROM generate_series(1, 8) n, unnest(ARRAY['one', 'two']) s"""
        )
    until(lambda: len(web.context.kept) == 2)
    rows = gus.http.get("/api/floor").json()["exceptions"]
    assert [row["more"] for row in rows] == [7, 7]
    known = gus.post("/api/exceptions/acknowledge", ids=rows[0]["ids"]).json()
    assert known == {"acknowledged": 8}


def test_what_a_table_answered_is_said_when_the_log_cannot_be_written(
    database: FloorDatabase,
) -> None:
    """And written down once it can."""
    down = [True, True]

    class Log(WebStore):
        async def answered(self, id_: str, answer: OrderAnswer | None, at: float) -> None:
            if down:
                raise StoreDown(f"for this test: {down.pop()}")
            await super().answered(id_, answer, at)

    async def said() -> None:
        store = Log(database.as_("floor_web"), "site")
        desk = OrderSender("site", FLOOR, Tables(), store, time.time, os.urandom)
        speaker = OrderAuthor("max", "pit_manager")
        answer = await desk.say("c-01", "close_table", {}, speaker, 0)
        assert answer is not None
        assert answer.outcome is OrderOutcome.ACCEPTED
        (kept,) = await store.orders(10)
        assert kept.outcome is None
        with pytest.raises(StoreDown):
            await desk.write_answers()
        await desk.write_answers()
        (kept,) = await store.orders(10)
        assert kept.outcome == "accepted"
        await store.close()

    asyncio.run(said())


def test_a_young_floors_plot_is_drawn_by_minutes_and_an_old_ones_by_hours(
    gus: Visitor, database: FloorDatabase
) -> None:
    """Both end at the same figures: only where the points lie differs."""
    with database.connect() as owner:
        owner.execute(
            """INSERT INTO floor.round (site, table_id, epoch, summary, shoe, round, began, ended,
                   deck_set, rulebook, method, result, corrected, rulings, wagers, drop_minor,
                   hold_minor, first, last)
               SELECT 'site', 'c-01', 1, n, 1, n, now(), now() - n * interval '1 minute', '',
                   'mbs-baccarat-8', 'C', 'B', false, '[]',
                   '{"banker": {"staked": 1000, "kept": -950}}', 1000, -950, n, n
               FROM generate_series(1, 10) n"""
        )
        owner.execute(
            """INSERT INTO floor.book_hour SELECT site, table_id, date_trunc('hour', ended, 'UTC'),
                   rulebook, 'B', count(*), sum(hold_minor) FROM floor.round GROUP BY 1, 2, 3, 4"""
        )
        owner.execute(
            """INSERT INTO floor.stake_hour SELECT site, table_id, date_trunc('hour', ended, 'UTC'),
                   rulebook, 'banker', 'banker', sum(1000), sum(1000000)
               FROM floor.round GROUP BY 1, 2, 3, 4"""
        )
    (young,) = gus.http.get("/api/trends?hours=24").json()["books"]
    assert len(young["hold"]) == 10
    with database.connect() as owner:
        owner.execute("UPDATE floor.book_hour SET rounds = rounds + 1000000")
    (old,) = gus.http.get("/api/trends?hours=24").json()["books"]
    assert len(old["hold"]) <= 2
    same = ("drop", "kept", "theory", "chance")
    assert [young[each] for each in same] == [old[each] for each in same]
    assert young["hold"][-1]["low"] == old["hold"][-1]["low"]


@pytest.mark.parametrize(
    ("span_s", "step_s"),
    [(600, 60), (48 * 60, 60), (49 * 60, 300), (4 * 3600, 300), (11 * 3600, 900)],
)
def test_a_plot_has_some_dozens_of_points_whatever_its_span(span_s: int, step_s: int) -> None:
    assert step_of(span_s) == step_s
    assert step_of(13 * 3600) == HOUR_S
