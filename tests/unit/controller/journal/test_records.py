"""The digest is compared with one written out by hand from the module's own description."""

import hashlib
import json
import sqlite3
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from controller.journal import audit, exports
from controller.journal.head import head_path_for
from controller.journal.records import EMPTY, Entry, canonical, chain_entry, digest_of
from support.journal.forging import sql
from support.journal.real_table import played

WHOLE = st.integers(min_value=-(2**63), max_value=2**63 - 1)
ENTRIES = st.builds(
    Entry,
    kind=st.text(st.characters(codec="utf-8"), max_size=5),
    version=WHOLE,
    at=st.floats(allow_nan=False, allow_infinity=False),
    shoe=WHOLE,
    round=WHOLE,
    body=st.binary(max_size=5),
    sealed=st.none() | st.binary(max_size=5),
)


def test_digest_is_made_of_the_bytes_the_docstring_names() -> None:
    entry = Entry("step", 2, 12.5, 3, 4, b'{"a":1}', b"secret")
    by_hand = (
        bytes(32)
        + (1).to_bytes(8, "big")
        + (2).to_bytes(8, "big")
        + (3).to_bytes(8, "big")
        + (4).to_bytes(8, "big")
        + struct.pack(">d", 12.5)
        + b"\0\0\0\4step"
        + b'\0\0\0\7{"a":1}'
        + b"\0\0\0\x20"
        + hashlib.sha256(b"secret").digest()
    )
    record = chain_entry(EMPTY, entry)
    assert record.digest == hashlib.sha256(by_hand).digest()
    copied = replace(record, sealed=hashlib.sha256(b"secret").digest())
    assert digest_of(bytes(32), 1, copied, hashed=True) == record.digest


def test_no_sealed_card_is_not_an_empty_one() -> None:
    bare, empty = (Entry("step", 1, 0.0, 1, 1, b"", sealed) for sealed in (None, b""))
    assert digest_of(bytes(32), 1, bare) != digest_of(bytes(32), 1, empty)


@given(ENTRIES, ENTRIES)
def test_different_entries_have_different_digests(one: Entry, other: Entry) -> None:
    same = digest_of(bytes(32), 1, one) == digest_of(bytes(32), 1, other)
    assert same == (one == other)


@given(ENTRIES, WHOLE, st.binary(min_size=32, max_size=32))
def test_place_and_predecessor_are_part_of_the_digest(
    entry: Entry, seq: int, previous: bytes
) -> None:
    same = digest_of(previous, seq, entry) == digest_of(bytes(32), 1, entry)
    assert same == (seq == 1 and previous == bytes(32))


def test_canonical_json_has_sorted_keys_no_spaces_and_utf8() -> None:
    assert canonical({"b": [1, 2.5, None], "a": {"d": "ä", "c": True}}) == (
        b'{"a":{"c":true,"d":"\xc3\xa4"},"b":[1,2.5,null]}'
    )


def spelt(body: object) -> bytes:
    return json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def checked(path: Path) -> int:
    """How many records follow: written from the module's docstring, with nothing of the product."""
    if path.suffix == ".jsonl":
        copy = True
        lines = map(json.loads, path.read_text("utf-8").splitlines())
        rows = [
            (*plain, spelt(body), sealed and bytes.fromhex(sealed), bytes.fromhex(digest))
            for *plain, body, sealed, digest in (line.values() for line in lines)
        ]
    else:
        opened = sqlite3.connect(path)
        copy = opened.execute("PRAGMA application_id").fetchone() == (0x5AB0C,)
        columns = "seq, kind, version, at, shoe, round, body, sealed, digest"
        rows = opened.execute(f"SELECT {columns} FROM records ORDER BY seq").fetchall()
    previous = bytes(32)
    for place, (seq, kind, version, at, shoe, number, body, sealed, digest) in enumerate(rows, 1):
        by_hash = sealed is not None and not copy
        stands = hashlib.sha256(sealed).digest() if by_hash else sealed
        data = previous + struct.pack(">qqqqd", seq, version, shoe, number, at)
        for part in (kind.encode(), body, stands):
            data += b"\xff" * 4 if part is None else struct.pack(">I", len(part)) + part
        assert seq == place
        assert hashlib.sha256(data).digest() == digest, seq
        previous = digest
    return len(rows)


def test_a_dozen_lines_of_somebody_else_s_come_to_the_same_chain(tmp_path: Path) -> None:
    journal, copy, lines = played(tmp_path), tmp_path / "copy.db", tmp_path / "export.jsonl"
    exports.export_copy(journal, head_path_for(journal), copy)
    with lines.open("w", encoding="utf-8") as out:
        exports.export_jsonl(journal, out)
    count = audit.verify(journal).head.seq
    assert [checked(each) for each in (journal, copy, lines)] == [count] * 3
    for path in (journal, copy):
        sql(path, "UPDATE records SET sealed = zeroblob(32) WHERE sealed IS NOT NULL")
        with pytest.raises(AssertionError):
            checked(path)
