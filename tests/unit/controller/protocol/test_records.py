"""What leaves a table, and what a floor's signature covers."""

import hashlib
from types import ModuleType

import msgspec
import pytest
from msgspec.structs import replace

from controller.journal.keys.signing import Signer
from controller.journal.records import EMPTY, Entry, Head, chain_entry
from controller.protocol.names import BadName, TableName, checked, of_subject
from controller.protocol.records import Batch, BatchVerdict, Refusal, cut, sent, watermark
from support.rows import each_row

FLOOR = Signer(bytes(32))
TABLE = TableName("sands", "bac-07")
RECORD = chain_entry(EMPTY, Entry("step", 1, 1.5, 1, 1, b'{"a":1}', b"a sealed card"))


def test_a_sealed_card_leaves_as_its_hash() -> None:
    leaves = sent(RECORD)
    assert leaves.sealed == hashlib.sha256(b"a sealed card").digest()
    assert b"a sealed card" not in msgspec.msgpack.encode(leaves)
    assert leaves.as_record() == replace(RECORD, sealed=leaves.sealed)


@pytest.mark.parametrize("kind", [msgspec.msgpack, msgspec.json])
def test_a_batch_comes_back_as_it_went(kind: ModuleType) -> None:
    batch = Batch("sands", "bac-07", 1, "i", FLOOR.public, 0, EMPTY.digest, [sent(RECORD)])
    assert kind.decode(kind.encode(batch), type=Batch) == batch


def test_a_watermark_is_signed_over_all_it_says() -> None:
    said = watermark(FLOOR, TABLE, 1, Head(7, bytes(32)))
    assert said.is_by(FLOOR.public)
    assert not said.is_by(Signer(b"1" * 32).public)
    others: list[dict[str, object]] = [
        {"site": "other"},
        {"table": "bac-08"},
        {"epoch": 2},
        {"seq": 8},
        {"digest": b"1" * 32},
        {"verdict": BatchVerdict.DIVERGED},
        {"why": Refusal.CLONED},
    ]
    for other in others:
        assert not replace(said, **other).is_by(FLOOR.public), other


def test_names_cannot_run_into_one_another_under_the_signature() -> None:
    said = watermark(FLOOR, TableName("ab", "c"), 1)
    assert not replace(said, site="a", table="bc").is_by(FLOOR.public)


@each_row("bad", ["", "a.b", "*", "a>", "A", "-a", "a" * 33, "a b", "ä"])
def test_a_name_that_would_be_another_subject_is_refused(bad: str) -> None:
    with pytest.raises(BadName):
        checked("sands", bad)
    with pytest.raises(BadName):
        checked(bad, "bac-07")


def test_a_subject_says_whose_it_is() -> None:
    for subject in (TABLE.records, TABLE.live, TABLE.beat, TABLE.documents, TABLE.orders):
        assert of_subject(subject) == TABLE
    with pytest.raises(BadName):
        of_subject("tbl.sands.rec")


def test_a_batch_is_bounded_and_a_long_record_goes_alone() -> None:
    small = [replace(RECORD, seq=n) for n in range(1, 400)]
    assert cut(small) == 256
    long = replace(RECORD, body=b"x" * 1000)
    assert cut([long, RECORD], size=100) == 1
    assert cut([RECORD, RECORD, long], size=100) == 2
    assert cut([]) == 0
