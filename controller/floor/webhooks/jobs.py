"""The webhook queue: `procrastinate` on the floor's PostgreSQL, one job for a subscriber and a
table.

A job's lock is its subscriber and table: one runs at a time, and a failure holds back no other. A
job ends with its thread, and the queue closes after its jobs: a cancelled job keeps its slot until
it has ended, so that the next queue and this one together never exceed the limits. A job names only
a subscriber and a table; the events come from the records by cursor. So a lost job only delays
delivery: the next scan creates it again.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import msgspec
import psycopg
import structlog
from procrastinate import App, BaseRetryStrategy, JobContext, PsycopgConnector, RetryDecision
from procrastinate.jobs import Job
from psycopg_pool import ConnectionPool

from controller.floor.tasks import end, finish
from controller.floor.webhooks import undelivered_alert
from controller.floor.webhooks.delivery import Delivering
from controller.floor.webhooks.events import History
from controller.floor.webhooks.histories import NOTHING_EARLIER

log = structlog.get_logger()

BUSY_S: Final = 1.0
_QUEUE: Final = "webhooks"


class Rhythm(msgspec.Struct, frozen=True):
    """Intervals of the scans, and the time after which a silent worker counts as dead."""

    look_s: float = 1.0
    heartbeat_s: float = 10.0
    dead_s: float = 30.0


class DeliverySlots(msgspec.Struct, frozen=True):
    """Limits of concurrent deliveries."""

    all: int = 32
    each: int = 8
    """For one subscriber: a slow one leaves room for the others."""


class NotDelivered(Exception):
    """The delivery failed; retry after so many seconds."""

    def __init__(self, wait: float) -> None:
        super().__init__(f"again in {wait:.1f} s")
        self.wait = wait


class _AsItSays(BaseRetryStrategy):
    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision:
        del job
        wait = exception.wait if isinstance(exception, NotDelivered) else 5.0
        return RetryDecision(retry_in={"seconds": max(1, round(wait))})


class Hooks:
    """Creates jobs for undelivered events and runs the queue until it is cancelled."""

    def __init__(
        self,
        conninfo: str,
        delivering: Delivering,
        rhythm: Rhythm = Rhythm(),  # noqa: B008  # a value
        places: DeliverySlots = DeliverySlots(),  # noqa: B008
    ) -> None:
        self._conninfo = conninfo
        self._delivering = delivering
        self._rhythm = rhythm
        self._places = places
        self._busy: Counter[str] = Counter()
        self._running: set[int] = set()
        self._jobs: set[asyncio.Task[Any]] = set()
        self._ended: set[int] = set()
        self._worker: int | None = None
        self._threads = ThreadPoolExecutor(places.all + 1, "webhook")
        self._pool: ConnectionPool[psycopg.Connection[Any]] = ConnectionPool(
            conninfo, min_size=1, max_size=places.all + 1, kwargs={"autocommit": True}, open=False
        )
        connector = PsycopgConnector(
            conninfo=conninfo, kwargs={"options": "-c search_path=floor_jobs"}, max_size=6
        )
        self._app = App(connector=connector)
        self._task = self._app.task(
            name="deliver", queue=_QUEUE, retry=_AsItSays(), pass_context=True
        )(self._deliver)
        logging.getLogger("procrastinate").setLevel(logging.CRITICAL)  # a failure is in `delivery`

    async def run(self) -> None:
        """Runs the queue; all its tasks have ended when this returns or raises."""
        self._pool.open()
        parts: list[asyncio.Task[Any]] = []
        try:
            await self._app.open_async()
            parts += [asyncio.create_task(each) for each in self._parts()]
            await asyncio.gather(*parts)
        finally:
            await finish(self._close(parts))

    def _parts(self) -> "list[Coroutine[Any, Any, None]]":
        return [
            self._every(self._rhythm.look_s, self._look),
            self._every(self._rhythm.heartbeat_s, self._revive),
            self._app.run_worker_async(
                queues=[_QUEUE],
                concurrency=self._places.all,
                delete_jobs="always",
                install_signal_handlers=False,
                fetch_job_polling_interval=self._rhythm.look_s,
                update_heartbeat_interval=self._rhythm.heartbeat_s,
                stalled_worker_timeout=self._rhythm.dead_s,
                shutdown_graceful_timeout=1.0,
            ),
        ]

    async def _close(self, parts: "list[asyncio.Task[Any]]") -> None:
        """Closes the parts in this order: a job stores its end through the app, and a thread needs
        the pool."""
        self._delivering.interrupt()
        await end(*parts)
        while self._jobs:
            await asyncio.wait(self._jobs)
        try:
            await self._app.close_async()
        finally:
            self._threads.shutdown()
            self._pool.close()

    async def _every(self, seconds: float, what: Callable[[], Any]) -> None:
        while True:
            try:
                await what()
            except (psycopg.Error, OSError) as error:
                log.warning("webhooks_wait", why=type(error).__name__)
            except Exception as error:
                if not type(error).__module__.startswith("procrastinate"):
                    raise
                log.warning("webhooks_wait", why=type(error).__name__)
            await asyncio.sleep(seconds)

    async def _look(self) -> None:
        """Creates a job for each subscriber and table with undelivered events and no job."""
        await self._in_thread(undelivered_alert.tell)
        for subscriber, site, table, epoch in await self._in_thread(due):
            job = self._task.configure(lock=f"{subscriber}/{site}/{table}/{epoch}")
            await job.defer_async(subscriber=subscriber, site=site, table=table, epoch=epoch)

    async def _revive(self) -> None:
        """Retries the jobs of dead workers and jobs of this worker whose end could not be
        stored."""
        manager = self._app.job_manager
        stalled = await manager.get_stalled_jobs(
            queue=_QUEUE, seconds_since_heartbeat=self._rhythm.dead_s
        )
        for job in [*stalled, *await self._unsaid()]:
            if job.id not in self._running:
                log.warning("webhook_job_taken_over", job=job.id)
                await manager.retry_job(job)

    async def _unsaid(self) -> list[Job]:
        """Jobs that the database lists as running here and that had ended before the previous scan:
        the database was unavailable when they ended."""
        if self._worker is None:
            return []
        doing = await self._app.job_manager.list_jobs_async(
            queue=_QUEUE, status="doing", worker_id=self._worker
        )
        over = {job.id: job for job in doing if job.id is not None and job.id not in self._running}
        before, self._ended = self._ended, set(over)
        return [job for id_, job in over.items() if id_ in before]

    async def _deliver(
        self, context: JobContext, subscriber: str, site: str, table: str, epoch: int
    ) -> None:
        self._keep_job()
        job = context.job.id or 0
        if self._busy[subscriber] >= self._places.each or job in self._running:
            raise NotDelivered(BUSY_S)
        self._worker = context.job.worker_id
        self._running.add(job)
        self._busy[subscriber] += 1
        try:
            history = History(site, table, epoch)
            wait = await self._interruptible(
                lambda connection: self._delivering.deliver(connection, subscriber, history)
            )
        finally:
            self._busy[subscriber] -= 1
            self._running.discard(job)
        if wait is not None:
            raise NotDelivered(wait)

    def _keep_job(self) -> None:
        """Keeps the current task: it also stores the job's end."""
        task = asyncio.current_task()
        assert task is not None
        self._jobs.add(task)
        task.add_done_callback(self._jobs.discard)

    async def _interruptible(self, deliver: Callable[[psycopg.Connection[Any]], Any]) -> Any:
        """Runs a delivery and interrupts it on cancellation, which happens only when the worker
        ends."""
        delivery = asyncio.ensure_future(self._in_thread(deliver))
        try:
            return await asyncio.shield(delivery)
        except asyncio.CancelledError:
            self._delivering.interrupt()
            await finish(delivery)
            raise

    async def _in_thread(self, what: Callable[[psycopg.Connection[Any]], Any]) -> Any:
        def with_connection() -> Any:
            with self._pool.connection() as connection:
                return what(connection)

        # A thread cannot be cancelled: wait for it.
        loop = asyncio.get_running_loop()
        return await finish(loop.run_in_executor(self._threads, with_connection))


def due(connection: psycopg.Connection[Any]) -> list[tuple[str, str, str, int]]:
    """Subscribers and histories with undelivered events and no job. A table that is newer than its
    subscriber starts at its first record, a new history after the earlier ones."""
    connection.execute(
        "INSERT INTO floor.delivery (subscriber, site, table_id, epoch, seq)"
        " SELECT s.id, h.site, h.table_id, h.epoch, 0 FROM floor.subscriber s"
        " JOIN floor.head h ON s.tables = '{}' OR h.table_id = ANY(s.tables)"
        " WHERE s.active AND NOT EXISTS (SELECT FROM floor.delivery d WHERE d.subscriber = s.id AND"
        " (d.site, d.table_id, d.epoch) = (h.site, h.table_id, h.epoch)) ON CONFLICT DO NOTHING"
    )
    return connection.execute(
        "SELECT d.subscriber, d.site, d.table_id, d.epoch FROM floor.delivery d"
        " JOIN floor.head h USING (site, table_id, epoch)"
        " JOIN floor.subscriber s ON s.id = d.subscriber"
        " WHERE s.active AND h.seq > d.seq AND (s.tables = '{}' OR d.table_id = ANY(s.tables))"
        f" AND {NOTHING_EARLIER}"
        " AND NOT EXISTS (SELECT FROM floor_jobs.procrastinate_jobs j"
        " WHERE j.lock = concat_ws('/', d.subscriber, d.site, d.table_id, d.epoch)"
        " AND j.status IN ('todo', 'doing'))"
    ).fetchall()
