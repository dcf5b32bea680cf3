"""Events to subscribers that fail, hang, want no more or are slow: a real queue, real HTTP."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from procrastinate.exceptions import ConnectorException
from psycopg import Connection
from psycopg.errors import InsufficientPrivilege
from standardwebhooks import Webhook

from controller.engine.summaries import RejectedPart
from controller.floor.embedded.postgres import Postgres
from controller.floor.service import periodic_jobs
from controller.floor.webhooks import subscribers, undelivered_alert
from controller.floor.webhooks.delivery import Delivering
from controller.floor.webhooks.http_sender import EgressPolicy
from controller.floor.webhooks.jobs import DeliverySlots, Hooks, Rhythm
from controller.floor.webhooks.subscribers import SubscriberError
from controller.journal.records import (
    EMPTY,
    RECORD_FORMAT,
    Entry,
    Head,
    Record,
    canonical,
    chain_entry,
)
from support.floor.receiver import Answer, Receiver, receiving
from support.floor.records import put_records, summary_body
from support.floor.servers import FloorDatabase, made_database, made_template

HOUSE = EgressPolicy(allowed=("127.0.0.0/8",), whole_s=1.0)
PATIENT = EgressPolicy(allowed=("127.0.0.0/8",), whole_s=200.0)
FEW = DeliverySlots(all=4, each=2)
QUICK = Rhythm(look_s=0.05, heartbeat_s=0.3, dead_s=1.0)
AT = 1_794_000_000.0


REJECTED = RejectedPart(id="w", player="Mr Secret", wager="tie", amount=1, clause=None)


def summary(n: int, **more: Any) -> bytes:
    hands = {"player": ["5H", "KC"], "banker": ["9S", "TD"], "ended": AT + n}
    return summary_body(n, AT, rejected=[REJECTED], **{**hands, **more})


def step(do: str, effect: dict[str, Any]) -> bytes:
    return canonical({"in": {"from": "staff", "do": do}, "effect": {"set": effect}})


def played(rounds: int) -> list[Record]:
    """Each round: betting opens, somebody says something, it is summed up."""
    head, found = EMPTY, []
    for n in range(1, rounds + 1):
        for kind, body in (
            ("step", step("open_betting", {"phase": "betting"})),
            ("step", step("place", {"at": AT})),
            ("summary", summary(n)),
        ):
            found.append(chain_entry(head, Entry(kind, RECORD_FORMAT, AT + n, 1, n, body)))
            head = Head(found[-1].seq, found[-1].digest)
    return found


def put(owner: Connection[Any], table: str, records: Sequence[Record]) -> None:
    put_records(owner, table, records)
    owner.commit()


def add(database: FloorDatabase, url: str, id_: str = "studio", **more: Any) -> str:
    with database.connect() as owner:
        return subscribers.add(owner, id_, url, HOUSE, os.urandom, from_start=True, **more)


def run_until(
    database: FloorDatabase,
    done: Callable[[], bool],
    most_s: float = 90.0,
    places: DeliverySlots = DeliverySlots(),  # noqa: B008
    house: EgressPolicy = HOUSE,
) -> None:
    """Hooks of the product, in this process, until it is so."""

    async def play() -> None:
        delivering = Delivering(house, time.time, lambda: 0.0)
        hooks = Hooks(database.as_("floor_hooks"), delivering, QUICK, places)
        task = asyncio.create_task(hooks.run())
        until = time.monotonic() + most_s
        while not done() and time.monotonic() < until and not task.done():
            await asyncio.sleep(0.02)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(play())
    assert done()


def test_results_come_in_order_signed_and_without_a_name(database: FloorDatabase) -> None:
    with receiving() as receiver:
        secret = add(database, receiver.url, events=["result", "phase"])
        with database.connect() as owner:
            put(owner, "bac-01", played(5))
        run_until(database, lambda: len(receiver.taken) >= 10)
    assert receiver.records("bac-01") == [1, 3, 4, 6, 7, 9, 10, 12, 13, 15]
    first = receiver.taken[1]
    assert first["type"] == "round.result"
    assert first["data"]["result"] == "B"
    assert first["data"]["banker"] == ["9S", "TD"]
    for headers, body in zip(receiver.headers, receiver.bodies, strict=True):
        Webhook(secret).verify(body, headers)
        assert b"Secret" not in body
    assert receiver.headers[1]["webhook-id"] == "msg_sands.bac-01.1.3"


def test_a_correction_names_what_it_supersedes_and_a_void_its_clause(
    database: FloorDatabase,
) -> None:
    records = played(1)
    head = Head(3, records[-1].digest)
    corrected = chain_entry(
        head, Entry("summary", RECORD_FORMAT, AT + 9, 1, 1, summary(1, result="P", supersedes=3))
    )
    void = chain_entry(
        Head(4, corrected.digest),
        Entry("summary", RECORD_FORMAT, AT + 9, 1, 2, summary(2, result=None, void="5.8.2.1")),
    )
    with receiving() as receiver:
        add(database, receiver.url, events=["result", "void", "correction"])
        with database.connect() as owner:
            put(owner, "bac-01", [*records, corrected, void])
        run_until(database, lambda: len(receiver.taken) >= 3)
    assert [each["type"] for each in receiver.taken] == [
        "round.result",
        "round.correction",
        "round.void",
    ]
    assert receiver.taken[1]["data"]["supersedes"] == {
        "id": receiver.headers[0]["webhook-id"],
        "record": 3,
    }
    assert receiver.taken[2]["data"]["void"] == "5.8.2.1"


def test_what_fails_holds_back_its_table_and_no_other(database: FloorDatabase) -> None:
    broken = [True]

    def answers(said: dict[str, Any]) -> Answer:
        data = said["data"]
        return (
            (500, {})
            if broken[0] and (data["table"], data["record"]) == ("bac-01", 6)
            else (200, {})
        )

    with receiving(answers) as receiver:
        add(database, receiver.url, events=["result"])
        with database.connect() as owner:
            put(owner, "bac-01", played(4))
            put(owner, "bac-02", played(4))
        run_until(
            database,
            lambda: receiver.records("bac-02") == [3, 6, 9, 12] and len(receiver.got) > 6,
        )
        assert receiver.records("bac-01") == [3]
        with database.connect() as owner:
            (held,) = subscribers.undelivered(owner)
        assert (held.subscriber, held.table, held.seq, held.head) == ("studio", "bac-01", 5, 12)
        assert held.tries >= 1
        assert held.error == "it answered 500"
        broken[0] = False
        run_until(database, lambda: len(receiver.records("bac-01")) == 4)
        assert receiver.records("bac-01") == [3, 6, 9, 12], "nothing twice, nothing left out"
        with database.connect() as owner:
            assert subscribers.undelivered(owner) == []


def test_what_nobody_takes_is_an_exception_until_it_is_over(database: FloorDatabase) -> None:
    def open_now() -> list[tuple[Any, ...]]:
        with database.connect("floor_hooks") as hooks:
            undelivered_alert.tell(hooks, after_s=0.0)
        with database.connect() as owner:
            return owner.execute(
                "SELECT table_id, what, text FROM floor.exception WHERE closed IS NULL"
            ).fetchall()

    with database.connect() as owner:
        subscribers.add(owner, "studio", "https://studio.example/", HOUSE, os.urandom)
        owner.execute(
            "INSERT INTO floor.delivery (subscriber, site, table_id, epoch, seq, failing_since)"
            " VALUES ('studio', 'site', 't1', 1, 6, now() - interval '1 minute')"
        )
    told = "studio does not accept records from 7 on; retrying"
    assert open_now() == open_now() == [("t1", "studio", told)]
    with database.connect() as owner:
        owner.execute("UPDATE floor.delivery SET failing_since = NULL")
    assert open_now() == []


def tried(owner: Connection[Any], status: str) -> int:
    """How many jobs of `hangs` have this status and were tried at least once."""
    row = owner.execute(
        "SELECT count(*) FROM floor_jobs.procrastinate_jobs"
        " WHERE lock LIKE 'hangs/%%' AND status = %s AND (attempts > 0 OR status = 'doing')",
        [status],
    ).fetchone()
    owner.commit()
    assert row is not None
    return int(str(row[0]))


def nothing_runs() -> bool:
    """Whether no thread of the webhooks is left in this process."""
    return not any(each.name.startswith("webhook") for each in threading.enumerate())


def test_one_that_hangs_leaves_the_others_their_turn(database: FloorDatabase) -> None:
    """It hangs until the test is over: what it has at once is what the sender gave it at once."""
    with receiving(lambda _: None) as hanging, receiving() as well, database.connect() as owner:
        add(database, hanging.url, "hangs", events=["result"])
        add(database, well.url, "well", events=["result"])
        for n in range(12):
            put(owner, f"bac-{n:02}", played(1))

        def all_tried() -> bool:
            all_held_back = len(well.taken) == 12 and tried(owner, "todo") == 12 - FEW.each
            return all_held_back or len(hanging.got) > FEW.each

        run_until(database, all_tried, places=FEW, house=PATIENT)
        assert len(hanging.got) == FEW.each, "it has a part of the places and no more"
        assert nothing_runs()
        assert tried(owner, "doing") == 0, "what was cut off may be tried at the next start"
        assert owner.execute("SELECT max(tries) FROM floor.delivery").fetchone() == (0,)


def test_a_worker_that_fails_leaves_nothing_behind(database: FloorDatabase) -> None:
    """The service begins another: deliveries of both would be more than a subscriber may have."""

    async def play(receiver: Receiver, owner: Connection[Any]) -> None:
        delivering = Delivering(PATIENT, time.time, lambda: 0.0)
        hooks = Hooks(database.as_("floor_hooks"), delivering, QUICK, FEW)
        task = asyncio.create_task(hooks.run())
        while not receiver.got:
            assert not task.done()
            await asyncio.sleep(0.02)
        owner.execute("ALTER FUNCTION floor_jobs.procrastinate_fetch_job_v2 RENAME TO away")
        owner.commit()
        with pytest.raises(ConnectorException):
            await asyncio.wait_for(task, 60)
        assert nothing_runs()
        left = asyncio.all_tasks() - {asyncio.current_task()}
        assert not [each for each in left if not each.done()]

    with receiving(lambda _: None) as receiver, database.connect() as owner:
        add(database, receiver.url, "hangs", events=["result"])
        put(owner, "bac-01", played(1))
        asyncio.run(play(receiver, owner))
        assert tried(owner, "doing") == 0


def test_one_that_wants_no_more_is_paused_and_goes_on_where_it_stopped(
    database: FloorDatabase,
) -> None:
    gone = [True]
    with receiving(lambda _: (410, {}) if gone[0] else (200, {})) as receiver:
        add(database, receiver.url, events=["result"])
        with database.connect() as owner:
            put(owner, "bac-01", played(2))

        def paused() -> bool:
            with database.connect() as owner:
                return not subscribers.listed(owner)[0].active

        run_until(database, paused)
        assert len(receiver.got) == 1
        with database.connect() as owner:
            assert subscribers.listed(owner)[0].paused == "it answered 410: it wants no more"
            subscribers.resume(owner, "studio")
        gone[0] = False
        run_until(database, lambda: len(receiver.taken) == 2)
    assert receiver.records("bac-01") == [3, 6]


def test_one_that_asks_for_time_gets_it(database: FloorDatabase) -> None:
    with receiving(lambda _: (429, {"retry-after": "1000"})) as receiver:
        add(database, receiver.url, events=["result"])
        with database.connect() as owner:
            put(owner, "bac-01", played(1))

        def waiting() -> bool:
            with database.connect() as owner:
                rows = owner.execute(
                    "SELECT extract(epoch FROM scheduled_at - now())::float8"
                    " FROM floor_jobs.procrastinate_jobs WHERE status = 'todo' AND attempts > 0"
                ).fetchall()
            return len(rows) == 1 and 900 < float(str(rows[0][0])) <= 1000

        run_until(database, waiting)
        assert len(receiver.got) == 1


def test_replayed_from_a_record_with_the_same_ids(database: FloorDatabase) -> None:
    with receiving() as receiver:
        add(database, receiver.url, events=["result"])
        with database.connect() as owner:
            put(owner, "bac-01", played(4))
        run_until(database, lambda: len(receiver.taken) == 4)
        with database.connect() as owner:
            subscribers.replay(owner, "studio", "sands", "bac-01", 9)
            with pytest.raises(SubscriberError, match="not been told anything of bac-09"):
                subscribers.replay(owner, "studio", "sands", "bac-09", 1)
        run_until(database, lambda: len(receiver.taken) == 6)
    assert receiver.records("bac-01") == [3, 6, 9, 12, 9, 12]
    ids = [each["webhook-id"] for each in receiver.headers]
    assert ids[4:] == ids[2:4]
    assert receiver.bodies[4:] == receiver.bodies[2:4]


def test_a_new_subscriber_is_told_of_what_comes(database: FloorDatabase) -> None:
    records = played(4)
    with receiving() as receiver, database.connect() as owner:
        put(owner, "bac-01", records[:6])
        subscribers.add(owner, "late", receiver.url, HOUSE, os.urandom, ["result"])
        owner.commit()
        put(owner, "bac-01", records[6:])
        run_until(database, lambda: len(receiver.taken) == 2)
    assert receiver.records("bac-01") == [9, 12]


WORKER = """
import asyncio, sys, time
from controller.floor.webhooks.delivery import Delivering
from controller.floor.webhooks.jobs import Hooks, Rhythm
from controller.floor.webhooks.http_sender import EgressPolicy
policy = EgressPolicy(allowed=("127.0.0.0/8",), whole_s=20.0)
hooks = Hooks(sys.argv[1], Delivering(policy, time.time, lambda: 0.0), Rhythm(0.05, 0.3, 1.0))
asyncio.run(hooks.run())
"""


def test_a_worker_that_is_killed_in_mid_delivery_loses_and_reorders_nothing(
    database: FloorDatabase, tmp_path: Path
) -> None:
    """It has asked and has not heard: the next one asks again, with the same id."""
    hang = [True]

    def answers(said: dict[str, Any]) -> Answer | None:
        return None if hang[0] and said["data"]["record"] == 6 else (200, {})

    with receiving(answers) as receiver, (tmp_path / "log").open("wb") as out:
        add(database, receiver.url, events=["result"])
        with database.connect() as owner:
            put(owner, "bac-01", played(4))
        command = [sys.executable, "-c", WORKER, database.as_("floor_hooks")]
        with subprocess.Popen(command, stdout=out, stderr=out) as worker:
            until = time.monotonic() + 60
            while len(receiver.got) < 2 and time.monotonic() < until:
                assert worker.poll() is None, (tmp_path / "log").read_text()
                time.sleep(0.02)
            os.kill(worker.pid, signal.SIGKILL)
        hang[0] = False
        run_until(database, lambda: len(receiver.taken) == 4, 60)
    assert receiver.records("bac-01") == [3, 6, 9, 12]
    assert [each["data"]["record"] for each in receiver.got] == [3, 6, 6, 9, 12]
    assert receiver.headers[1]["webhook-id"] == receiver.headers[2]["webhook-id"]


JOBS_CANNOT_END = """
CREATE FUNCTION floor_jobs.away() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN RAISE 'away'; END $$;
CREATE TRIGGER away BEFORE DELETE ON floor_jobs.procrastinate_jobs
    FOR EACH ROW EXECUTE FUNCTION floor_jobs.away();
"""
JOBS_CAN_END = "DROP TRIGGER away ON floor_jobs.procrastinate_jobs"


def test_a_job_whose_end_was_not_written_does_not_hold_its_table_up(
    database: FloorDatabase,
) -> None:
    """The worker lives on, so that nobody else takes its job over."""
    records, tried = played(2), list[float]()
    with receiving() as receiver, database.connect() as owner:
        add(database, receiver.url, events=["result"])
        owner.execute(JOBS_CANNOT_END)
        put(owner, "bac-01", records[:3])

        def told() -> bool:
            if receiver.taken and not tried:
                tried.append(time.monotonic() + 0.5)
            if tried and tried[0] < time.monotonic():
                tried[0] = time.monotonic() + 3600
                owner.execute(JOBS_CAN_END)
                put(owner, "bac-01", records[3:])
            return len(receiver.taken) >= 2

        run_until(database, told)
    assert receiver.records("bac-01") == [3, 6]


def test_subscribers_are_kept_by_people(database: FloorDatabase) -> None:
    with database.connect() as owner:
        add(database, "https://studio.example/hook")
        with pytest.raises(SubscriberError, match="already"):
            add(database, "https://studio.example/hook")
        refused: list[dict[str, Any]] = [
            {"id_": "Bad Name"}, {"events": ["gossip"]}, {"events": []},
        ]  # fmt: skip
        for bad in refused:
            with pytest.raises(SubscriberError):
                add(database, "https://studio.example/hook", **bad)
        (found,) = subscribers.listed(owner)
        assert (found.id, found.secret, found.active) == ("studio", "", True)
        subscribers.pause(owner, "studio", "until Monday")
        assert subscribers.listed(owner)[0].paused == "until Monday"
        subscribers.remove(owner, "studio")
        assert subscribers.listed(owner) == []
        for change in (subscribers.resume, subscribers.remove):
            with pytest.raises(SubscriberError, match="no subscriber"):
                change(owner, "studio")


def test_pages_list_subscribers_and_cannot_read_their_secrets(database: FloorDatabase) -> None:
    add(database, "https://studio.example/hook")
    with database.connect("floor_web") as web:
        assert [each.id for each in subscribers.listed(web)] == ["studio"]
        for column in ("secret", "*"):
            with pytest.raises(InsufficientPrivilege), web.transaction():
                web.execute(f"SELECT {column} FROM floor.subscriber")


@pytest.mark.timeout(400)
def test_a_database_that_was_killed_is_waited_for(tmp_path: Path) -> None:
    """The service's own work, over a power cut of the database."""
    server = Postgres(tmp_path)
    server.start()
    try:
        made_template(server)
        database = made_database(server)
        records = played(3)

        async def play(receiver: Receiver) -> None:
            conninfo = database.as_("floor_hooks")
            task = asyncio.create_task(
                periodic_jobs.tell_subscribers(conninfo, HOUSE, time.time, lambda: 0.0, QUICK)
            )
            await told(receiver, 1, task)
            await written_down(3)  # before that it would rightly be told again
            server.kill()
            await asyncio.sleep(1.5)
            server.start()
            with database.connect() as owner:
                put(owner, "bac-01", records[3:])
            await told(receiver, 3, task)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

        async def written_down(seq: int) -> None:
            until = time.monotonic() + 60
            with database.connect() as owner:
                while owner.execute("SELECT max(seq) FROM floor.delivery").fetchone() != (seq,):
                    assert time.monotonic() < until, "it was told, and nobody wrote that down"
                    await asyncio.sleep(0.02)

        async def told(receiver: Receiver, count: int, task: "asyncio.Task[None]") -> None:
            until = time.monotonic() + 180
            while len(receiver.taken) < count and time.monotonic() < until and not task.done():
                await asyncio.sleep(0.02)
            assert not task.done()

        with receiving() as receiver:
            add(database, receiver.url, events=["result"])
            with database.connect() as owner:
                put(owner, "bac-01", records[:3])
            asyncio.run(play(receiver))
        assert receiver.records("bac-01") == [3, 6, 9]
    finally:
        server.stop()
