"""Delivers the events of one table to one subscriber, in order, from its cursor to the first
failure.

The cursor is one number in the database. It moves after each delivered event and past records
without an event. If a worker is killed between the subscriber's answer and that commit, the event
is sent again with the same id: at least once, never out of order, nothing left out. The histories
of a table are delivered one after the other (`histories`).
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec
from psycopg import Connection

from controller.floor.webhooks import subscribers
from controller.floor.webhooks.events import Event, History, event_of
from controller.floor.webhooks.histories import NOTHING_EARLIER, TOLD_IN, told_in
from controller.floor.webhooks.http_sender import DeliveryOutcome, EgressPolicy, Interruption, send
from controller.journal.records import STEP, SUMMARY
from controller.protocol.records import SentRecord

AT_ONCE: Final = 200
FIRST_WAIT_S: Final = 1.0
LAST_WAIT_S: Final = 900.0


class DeliveryProgress(msgspec.Struct, frozen=True):
    """The cursor of a subscriber for a table, with the address to send to."""

    url: str
    secret: str
    events: list[str]
    seq: int
    head: int
    tries: int
    moved: int


class Delivering:
    """Delivers events; clock and random numbers are passed in."""

    def __init__(
        self, policy: EgressPolicy, now: Callable[[], float], chance: Callable[[], float]
    ) -> None:
        self._policy = policy
        self._now = now
        self._chance = chance
        self._interruption = Interruption()

    def interrupt(self) -> None:
        """Interrupts deliveries in progress; may be called from another thread. An interrupted
        event is not counted as a failure, and is sent again under the same id."""
        self._interruption.set()

    def deliver(
        self, connection: Connection[Any], subscriber: str, history: History
    ) -> float | None:
        """Delivers all pending events; returns None if none is left or an earlier history comes
        first, else the delay in seconds before a retry."""
        while (standing := _standing(connection, subscriber, history)) is not None:
            if standing.seq >= standing.head:
                return None
            failed = self._page(connection, subscriber, history, standing)
            if self._interruption.is_set:
                return None
            if failed is not None:
                return self._not_taken(connection, subscriber, history, failed)
        return None

    def _page(
        self,
        connection: Connection[Any],
        subscriber: str,
        history: History,
        standing: DeliveryProgress,
    ) -> DeliveryOutcome | None:
        at, records = standing.seq, _records(connection, history, standing)
        if records and records[0].seq > at + AT_ONCE:
            # Do not scan a long stretch without events again with every retry.
            at = records[0].seq - 1
            if not _moved(connection, subscriber, history, standing, at):
                return None  # the cursor moved during the scan
        for record in records:
            event = event_of(history, record, lambda seq: told_in(connection, history, seq))
            if event is not None and event.kind in standing.events:
                outcome = self._send(standing, event)
                if not outcome.delivered:
                    _stays_before(connection, subscriber, history, standing, record.seq)
                    return outcome
                if not _moved(connection, subscriber, history, standing, record.seq):
                    return None  # the cursor moved meanwhile: read it again
            at = record.seq
        # The rest of the page has no event for this subscriber; on the last page skip to the head.
        full = at > standing.seq and _more_after(connection, history, at, standing.head)
        _moved(connection, subscriber, history, standing, at if full else standing.head)
        return None

    def _send(self, standing: DeliveryProgress, event: Event) -> DeliveryOutcome:
        return send(
            *(standing.url, standing.secret, event, self._policy, self._now()), self._interruption
        )

    def _not_taken(
        self,
        connection: Connection[Any],
        subscriber: str,
        history: History,
        outcome: DeliveryOutcome,
    ) -> float | None:
        row = connection.execute(
            "UPDATE floor.delivery SET tries = tries + 1, last_error = %s, failing_since ="
            " coalesce(failing_since, now()) WHERE subscriber = %s AND site = %s AND table_id = %s"
            " AND epoch = %s RETURNING tries",
            [outcome.error, subscriber, *_place(history)],
        ).fetchone()
        if outcome.gone:
            subscribers.pause(connection, subscriber, "it answered 410: it wants no more")
            return None
        return outcome.wait or self.wait_after(1 if row is None else row[0])

    def wait_after(self, tries: int) -> float:
        """The back-off before the next try: it doubles each time, with jitter so that retries
        spread."""
        wait = min(FIRST_WAIT_S * 2.0 ** min(tries - 1, 20), LAST_WAIT_S)
        return wait * (0.75 + 0.5 * self._chance())


def _place(history: History) -> tuple[str, str, int]:
    return history.site, history.table, history.epoch


def _standing(
    connection: Connection[Any], subscriber: str, history: History
) -> DeliveryProgress | None:
    row = connection.execute(
        "SELECT s.url, s.secret, s.events, d.seq, h.seq, d.tries, d.moved FROM floor.delivery d"
        " JOIN floor.subscriber s ON s.id = d.subscriber"
        " JOIN floor.head h USING (site, table_id, epoch)"
        " WHERE s.active AND d.subscriber = %s AND site = %s AND table_id = %s AND epoch = %s"
        f" AND {NOTHING_EARLIER}",
        [subscriber, *_place(history)],
    ).fetchone()
    return None if row is None else DeliveryProgress(*row)


def _records(
    connection: Connection[Any], history: History, standing: DeliveryProgress
) -> Sequence[SentRecord]:
    """Records that may have an event and that no earlier history delivers; the database filters."""
    rows = connection.execute(
        "SELECT seq, kind, version, at_s, shoe, round, body, sealed, digest FROM floor.record a"
        " WHERE site = %s AND table_id = %s AND epoch = %s AND seq > %s AND seq <= %s"
        f" AND kind IN (%s, %s) AND {TOLD_IN} = epoch ORDER BY seq LIMIT %s",
        [*_place(history), standing.seq, standing.head, STEP, SUMMARY, AT_ONCE],
    )
    return [SentRecord(*row) for row in rows]


def _more_after(connection: Connection[Any], history: History, at: int, head: int) -> bool:
    row = connection.execute(
        "SELECT EXISTS (SELECT FROM floor.record WHERE site = %s AND table_id = %s AND epoch = %s"
        " AND seq > %s AND seq <= %s AND kind IN (%s, %s))",
        [*_place(history), at, head, STEP, SUMMARY],
    ).fetchone()
    return row is not None and bool(row[0])


def _stays_before(
    connection: Connection[Any],
    subscriber: str,
    history: History,
    standing: DeliveryProgress,
    seq: int,
) -> None:
    """Stores the record before a failed event: people who skip the event need its record's
    number."""
    connection.execute(
        "UPDATE floor.delivery SET seq = %s"
        " WHERE subscriber = %s AND site = %s AND table_id = %s AND epoch = %s AND moved = %s",
        [seq - 1, subscriber, *_place(history), standing.moved],
    )


def _moved(
    connection: Connection[Any],
    subscriber: str,
    history: History,
    standing: DeliveryProgress,
    seq: int,
) -> bool:
    """Moves the cursor; False if people moved it meanwhile or removed the subscriber."""
    done = connection.execute(
        "UPDATE floor.delivery SET seq = %s, tries = 0, failing_since = NULL, last_error = NULL"
        " WHERE subscriber = %s AND site = %s AND table_id = %s AND epoch = %s AND moved = %s",
        [seq, subscriber, *_place(history), standing.moved],
    )
    return done.rowcount == 1
