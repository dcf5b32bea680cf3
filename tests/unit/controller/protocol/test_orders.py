"""Orders and documents: what the floor's signature covers."""

import msgspec
from msgspec.structs import replace

from controller.journal.keys.signing import Signer
from controller.protocol import documents, orders
from controller.protocol.documents import DocumentKind, SignedDocument
from controller.protocol.orders import Order

FLOOR, OTHER = Signer(bytes(32)), Signer(b"1" * 32)
ORDER = Order("o-1", "sands", "bac-07", "approve", "ben", "pit_manager", 41, 100.0, 160.0)


def test_an_order_is_its_own_bytes_under_the_floors_signature() -> None:
    carried = orders.signed(ORDER, FLOOR)
    assert carried.is_by(FLOOR.public)
    assert not carried.is_by(OTHER.public)
    assert msgspec.json.decode(carried.order, type=Order) == ORDER
    changed = carried.order.replace(b"bac-07", b"bac-08")
    assert not replace(carried, order=changed).is_by(FLOOR.public)


def test_a_document_is_signed_for_its_kind_table_and_version() -> None:
    document = SignedDocument(DocumentKind.PEOPLE, "sands", "bac-07", 3, b'{"licences":[]}')
    said = documents.signed(document, FLOOR)
    assert said.is_by(FLOOR.public)
    assert not said.is_by(OTHER.public)
    changes: list[dict[str, object]] = [
        {"kind": DocumentKind.LIMITS},
        {"site": "other"},
        {"table": "bac-08"},
        {"version": 4},
        {"body": b"{}"},
    ]
    for change in changes:
        assert not replace(said, **change).is_by(FLOOR.public), change


def test_an_order_is_not_taken_for_a_document() -> None:
    carried = orders.signed(ORDER, FLOOR)
    posing = SignedDocument(
        DocumentKind.PEOPLE, "sands", "bac-07", 3, carried.order, carried.signature
    )
    assert not posing.is_by(FLOOR.public)
