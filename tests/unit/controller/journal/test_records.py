"""The digest is compared with one written out by hand from the module's own description."""

import hashlib
import struct

from hypothesis import given
from hypothesis import strategies as st

from controller.journal.records import EMPTY, Entry, canonical, chained, digest_of

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
        + b"\0\0\0\6secret"
    )
    assert chained(EMPTY, entry).digest == hashlib.sha256(by_hand).digest()


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
