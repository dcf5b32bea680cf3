"""What the pages are told of outages, orders not taken, shifts and trends, on a real database."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from psycopg import Connection

from support.floor.servers import FloorDatabase
from support.floor.visitor import Visitor, until
from support.floor.web import FloorInHand, floor_web


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


def test_a_flood_of_forged_orders_is_one_row_that_ends_when_somebody_knows(
    web: FloorInHand, gus: Visitor, database: FloorDatabase
) -> None:
    with database.connect() as owner:
        owner.execute(
            """INSERT INTO floor.exception
                   (site, table_id, epoch, seq, kind, what, code, severity, since)
               SELECT 'site', 'c-01', 1, n, 'order', 'floor_order_forged', 'floor_order_forged', 4,
                      now() - interval '1 minute' + n * interval '1 second'
               FROM generate_series(1, 7) n"""
        )
        owner.execute(
            """INSERT INTO floor.order_not_taken (site, table_id, epoch, seq, at, who, outcome)
               SELECT 'site', 'c-01', 1, n, now(), 'floor', 'forged' FROM generate_series(1, 7) n"""
        )
    until(lambda: bool(web.context.kept))
    (row,) = gus.http.get("/api/floor").json()["exceptions"]
    assert (row["table"], row["more"], len(row["ids"])) == ("c-01", 6, 7)
    listed = gus.http.get("/api/orders-not-taken").json()
    assert [each["seq"] for each in listed] == [7, 6, 5, 4, 3, 2, 1]
    assert gus.post("/api/exceptions/acknowledge", ids=row["ids"]).json() == {"acknowledged": 7}
    until(lambda: not web.context.kept)


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
               (site, table_id, hour, dealer, rounds, voids, corrections, irregularities)
           VALUES ('site', 'c-01', %s, %s, %s, %s, 0, '{"5.8.2.1": 1}')""",
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
    morning, night = gus.http.get("/api/shifts?hours=96").json()
    shown = ("day", "from_hour", "to_hour", "dealers", "hours", "rounds", "voids", "irregularities")
    assert [morning[each] for each in shown] == [
        f"{day:%Y-%m-%d}", "06:00", "14:00", 2, 3, 130, 3, {"5.8.2.1": 3},
    ]  # fmt: skip
    assert [night[each] for each in shown[:4]] == [
        f"{day - timedelta(days=1):%Y-%m-%d}", "22:00", "06:00", 1,
    ]  # fmt: skip
    of_it = f"since={int(morning['begins'])}&until={int(morning['ends'])}"
    rows = gus.http.get(f"/api/people?{of_it}").json()
    assert {row["dealer"]: (row["rounds"], row["voids"]) for row in rows} == {
        "lin": (90, 2),
        "dana": (40, 1),
    }


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
