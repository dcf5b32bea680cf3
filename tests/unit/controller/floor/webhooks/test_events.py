"""What subscribers are told of a journal as a real table leaves it, cards face down and all."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from controller.floor.webhooks.events import EventKind, History, event_of
from controller.journal.database import Database
from controller.journal.records import record_of
from controller.protocol.records import SentRecord, sent
from support.journal.real_table import played

HISTORY = History("sands", "bac-01", 1)


def records(folder: Path) -> list[SentRecord]:
    with closing(Database.read(played(folder))) as database:
        found = [record_of(row) for row in database.rows(0)]
    return [sent(record) for record in found if record is not None]


def test_a_real_round_is_told_by_its_phases_and_its_result(tmp_path: Path) -> None:
    events = [event_of(HISTORY, record) for record in records(tmp_path)]
    told = [event for event in events if event is not None]
    phases = [json.loads(e.body)["data"]["phase"] for e in told if e.kind is EventKind.PHASE]
    assert phases[-3:] == ["ready", "betting", "dealing"]
    for phase in ("betting", "dealing", "revealing", "outcome", "settling"):
        assert phase in phases
    (result,) = [json.loads(event.body) for event in told if event.kind is EventKind.RESULT]
    assert result["data"]["player"] == ["2H", "7D"]
    assert result["data"]["banker"] == ["KC", "9S"]
    assert result["data"]["round"] == 1


def test_neither_a_person_nor_a_card_face_down_is_in_anything_told(tmp_path: Path) -> None:
    bodies = b"".join(
        event.body for record in records(tmp_path) if (event := event_of(HISTORY, record))
    )
    for name in (b"ann", b"g1", b"pia"):
        assert b'"' + name + b'"' not in bodies
    for card in (b"3H", b"4C"):  # of the round that lies sealed
        assert card not in bodies


@pytest.mark.parametrize("kind", ["step", "summary"])
@pytest.mark.parametrize(
    "body", [b'{"method":"\xff","effect":"\xff"}', b'{"more":' + b"[" * 5000 + b"]" * 5000 + b"}"]
)
def test_record_that_nobody_can_read_is_told_to_nobody(kind: str, body: bytes) -> None:
    record = SentRecord(1, kind, 4, 5.0, 1, 1, body, None, bytes(32))
    assert event_of(HISTORY, record) is None
