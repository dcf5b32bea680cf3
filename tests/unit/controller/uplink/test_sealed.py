"""Four marked cards lie face down; every byte that leaves for the floor is searched for them."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.floor.embedded.nats import NatsServer, nats
from controller.journal import audit
from controller.protocol.orders import Order, OrderOutcome
from support.floor.canaries import CANARIES, blobs_of, deal_face_down, told
from support.floor.model_floor import NAME
from support.floor.nats_floor import NatsFloor
from support.floor.table_at_floor import TableAtFloor, table_at_floor


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NatsServer]:
    with nats(tmp_path_factory.mktemp("broker")) as server:
        yield server


def ordered(floor: NatsFloor, table: TableAtFloor, order_id: str, word: str) -> OrderOutcome:
    now = time.time()
    order = Order(
        order_id, NAME.site, NAME.table, word, "paul", "pit_supervisor", table.seq, now, now + 30
    )
    return floor.order(order).outcome


def test_no_byte_that_leaves_for_the_floor_tells_a_card_that_lies_face_down(
    tmp_path: Path, broker: NatsServer
) -> None:
    with NatsFloor(broker.url) as floor, table_at_floor(tmp_path, broker.url, hlga=True) as table:
        deal_face_down(table)
        assert ordered(floor, table, "order-1", "approve") is OrderOutcome.REFUSED
        assert ordered(floor, table, "order-2", "expose") is OrderOutcome.NOT_FROM_FLOOR
        floor.until(lambda: floor.floor.head() == audit.head(table.places.journal))
        floor.until(lambda: any(each.seq == table.seq for each in floor.views))
        beats = len(floor.beats)
        floor.until(lambda: len(floor.beats) > beats)
        assert told(floor.heard) == set()
        blobs = blobs_of(table.places.journal)
        assert len(blobs) == 5
        assert not [blob for blob in blobs for data in floor.heard if blob in data]
        assert not [data for data in floor.heard if b'"winner":"banker"' in data]
        secrets = [each.read_bytes() for each in (table.places.key, table.places.signing)]
        assert not [key for key in secrets for data in floor.heard if key in data]

        for hand in ("player", "banker"):
            table.say("expose", hand=hand, who="dan", role="dealer")
        floor.until(lambda: set(CANARIES) <= told(floor.heard))  # the search finds what is there
