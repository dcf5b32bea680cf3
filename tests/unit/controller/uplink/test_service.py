"""A real table, a real broker, a floor that may be away, slow, lying or ahead."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.floor.embedded.nats import NatsServer, nats
from controller.journal import audit
from controller.journal.records import Head, canonical
from controller.protocol.documents import DocumentKind, SignedDocument, SiteLimits, signed
from controller.protocol.records import BatchVerdict, watermark
from controller.uplink.links.nats_link import NatsLink
from controller.uplink.outbox import OutboxState
from support.floor.model_floor import FLOOR, NAME, STRANGER
from support.floor.nats_floor import NatsFloor
from support.floor.table_at_floor import (
    TableAtFloor,
    files_of,
    held_by,
    put_back,
    table_at_floor,
)

NOBODY = "nats://127.0.0.1:1"
"""Where no broker is."""


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NatsServer]:
    with nats(tmp_path_factory.mktemp("broker")) as server:
        yield server


@pytest.fixture
def floor(broker: NatsServer) -> Iterator[NatsFloor]:
    with NatsFloor(broker.url) as found:
        yield found


def has_everything(floor: NatsFloor, table: TableAtFloor) -> bool:
    return floor.floor.head() == audit.head(table.places.journal)


def test_every_record_reaches_the_floor_as_it_is_in_the_journal(
    tmp_path: Path, broker: NatsServer, floor: NatsFloor
) -> None:
    with table_at_floor(tmp_path, broker.url) as table:
        table.say("open_table")
        floor.until(lambda: has_everything(floor, table))
        table.say("limits", minimum=500, maximum=50_000)
        floor.until(lambda: has_everything(floor, table))
        journal = list(audit.read(table.places.journal))
    assert [each.digest for each in floor.floor.rows] == [each.digest for each in journal]
    assert [each.body for each in floor.floor.rows] == [each.body for each in journal]


def test_it_tells_that_it_lives_and_how_it_stands(
    tmp_path: Path, broker: NatsServer, floor: NatsFloor
) -> None:
    with table_at_floor(tmp_path, broker.url) as table:
        table.say("open_table")
        floor.until(lambda: bool(floor.beats))
        floor.until(lambda: any(each.seq == table.seq for each in floor.views))
        beat = floor.beats[0]
        assert (beat.title, beat.rulebook) == ("Table one", "mbs-baccarat-8")
        assert floor.views[-1].view["state"] == table.view["state"]
        assert floor.views[-1].instance == beat.instance


def test_table_plays_without_a_floor_and_sends_everything_when_there_is_one(
    tmp_path: Path, broker: NatsServer
) -> None:
    with table_at_floor(tmp_path, broker.url) as table:
        assert table.say("open_table")["accepted"]
        with NatsFloor(broker.url) as floor:
            floor.until(lambda: has_everything(floor, table))
            assert all(batch.replayed for batch in floor.batches if batch.records)
            table.say("limits", minimum=500)
            floor.until(lambda: has_everything(floor, table))
            assert not floor.batches[-1].replayed


def test_answer_that_somebody_else_signed_moves_nothing(
    tmp_path: Path, broker: NatsServer, floor: NatsFloor
) -> None:
    floor.answer = lambda _: watermark(
        STRANGER, NAME, 1, Head(9999, bytes(32)), BatchVerdict.DIVERGED
    )
    with table_at_floor(tmp_path, broker.url) as table:
        floor.until(lambda: len(floor.batches) > 2)
        assert table.say("open_table")["accepted"]
        assert table.status().state == OutboxState.ASKING.value
        assert all(not batch.records for batch in floor.batches)
        floor.answer = floor.floor.judge
        floor.until(lambda: has_everything(floor, table))


@pytest.mark.parametrize("said", [b"\x81\xa4site\xa1\xff", b"\x81\xa1?" + b"\x91" * 5000, b"\xc1"])
def test_answer_that_nobody_can_read_does_not_end_the_uplink(
    tmp_path: Path, broker: NatsServer, floor: NatsFloor, said: bytes
) -> None:
    floor.answer = lambda _: said
    with table_at_floor(tmp_path, broker.url) as table:
        floor.until(lambda: len(floor.batches) > 1)
        assert table.say("open_table")["accepted"]
        floor.answer = floor.floor.judge
        floor.until(lambda: has_everything(floor, table))


def test_failure_that_nobody_foresaw_begins_the_uplink_anew(
    tmp_path: Path, broker: NatsServer, floor: NatsFloor, monkeypatch: pytest.MonkeyPatch
) -> None:
    asks, failures = NatsLink.ask, 0

    async def fails(link: NatsLink, *given: Any) -> bytes:
        nonlocal failures
        failures += 1
        if failures == 1:
            raise ZeroDivisionError
        return await asks(link, *given)

    monkeypatch.setattr(NatsLink, "ask", fails)
    with table_at_floor(tmp_path, broker.url) as table:
        assert table.say("open_table")["accepted"]
        floor.until(lambda: has_everything(floor, table))
    assert failures > 1


def test_limits_that_no_table_takes_are_not_taken_and_the_next_ones_are(
    tmp_path: Path, broker: NatsServer, floor: NatsFloor
) -> None:
    def limits(version: int, most: int) -> SignedDocument:
        body = canonical(SiteLimits(500, most))
        return signed(
            SignedDocument(DocumentKind.LIMITS, NAME.site, NAME.table, version, body), FLOOR
        )

    floor.documents = [limits(1, 2**80)]
    with table_at_floor(tmp_path, broker.url) as table:
        table.say("open_table")
        floor.until(lambda: has_everything(floor, table))
        floor.documents = [limits(2, 50_000)]
        floor.until(lambda: any(b'"maximum":50000' in e.body for e in floor.floor.rows))
        assert not any(b"1208925819614629174706176" in e.body for e in floor.floor.rows)


def test_floor_that_says_diverged_holds_the_table_for_two_people(
    tmp_path: Path, broker: NatsServer, floor: NatsFloor
) -> None:
    with table_at_floor(tmp_path, broker.url) as table:
        table.say("open_table")
        floor.until(lambda: has_everything(floor, table))
        floor.answer = lambda _: watermark(
            FLOOR, NAME, 1, floor.floor.head(), BatchVerdict.DIVERGED
        )
        table.say("limits", minimum=500)
        floor.until(lambda: held_by(table) == ["journal_loss"])
        assert not table.say("load_shoe", deck_set="a", verified_by="paul", cut=True)["accepted"]
        assert table.say("resume", reason="looked into it")["accepted"]
        assert not table.say("approve")["accepted"]
        assert table.say("approve", who="paul")["accepted"]
        assert held_by(table) == []


def test_journal_put_back_from_before_the_floors_word_holds_the_next_start(
    tmp_path: Path, broker: NatsServer, floor: NatsFloor
) -> None:
    """Journal, head and its copy are all old, and fit: only the floor's signed word shows it."""
    with table_at_floor(tmp_path, broker.url) as table:
        table.say("open_table")
        floor.until(lambda: has_everything(floor, table))
    old = files_of(tmp_path)
    with table_at_floor(tmp_path, broker.url) as table:
        for minimum in range(500, 1500, 100):
            table.say("limits", minimum=minimum)
        floor.until(lambda: has_everything(floor, table))
    put_back(tmp_path, old)
    with table_at_floor(tmp_path, NOBODY) as table:
        assert held_by(table) == ["journal_loss"]
        assert "floor_has_more" in str(table.view)
        table.say("resume", reason="a disk was put back")
        table.say("approve", who="paul")
    with table_at_floor(tmp_path, NOBODY) as table:
        assert held_by(table) == []  # it is on record, and two went on over it


def test_broker_that_is_killed_and_comes_back_loses_nothing(tmp_path: Path) -> None:
    with (
        nats(tmp_path / "broker") as broker,
        NatsFloor(broker.url) as floor,
        table_at_floor(tmp_path, broker.url) as table,
    ):
        table.say("open_table")
        floor.until(lambda: has_everything(floor, table))
        broker.kill()
        for minimum in range(500, 1500, 100):
            assert table.say("limits", minimum=minimum)["accepted"]
        floor.until(lambda: table.status().unsent >= 10)
        broker.start()
        floor.until(lambda: has_everything(floor, table))


def test_table_plays_where_the_floors_key_is_none_and_says_so(tmp_path: Path) -> None:
    with table_at_floor(tmp_path, NOBODY, floor_key=b"not a key") as table:
        assert table.say("open_table")["accepted"]
        status = table.status()
        assert not status.connected
        assert "holds no public key" in status.says
