import pytest
from msgspec.structs import replace

from controller.journal.errors import JournalDamaged
from controller.journal.keys.record import (
    first_entry,
    hand_over_entry,
    is_endorsed,
    keys_entry,
    keys_in_record,
)
from controller.journal.keys.signing import Signer
from controller.journal.records import EMPTY, KEYS, Entry, Head, chain_entry
from support.journal.journals import SIGNER
from support.rows import each_row

NEW = Signer(bytes([9] * 32))
PLACE = Head(7, bytes(range(32)))


def test_an_endorsement_is_of_one_key_at_one_place_by_named_people() -> None:
    body = hand_over_entry(SIGNER, NEW, "0123", PLACE, ("pia", "max"))
    assert is_endorsed(body, PLACE, SIGNER.public)
    assert not is_endorsed(body, PLACE, NEW.public)
    assert not is_endorsed(body, Head(8, PLACE.digest), SIGNER.public)
    assert not is_endorsed(body, Head(7, bytes(32)), SIGNER.public)
    assert not is_endorsed(replace(body, sealing="9"), PLACE, SIGNER.public)
    assert not is_endorsed(replace(body, by=("eve",)), PLACE, SIGNER.public)
    assert not is_endorsed(replace(body, signing=body.signing[::-1]), PLACE, SIGNER.public)
    assert not is_endorsed(first_entry(NEW, ""), PLACE, SIGNER.public)


def test_a_keys_record_is_never_earlier_than_the_one_before() -> None:
    body = first_entry(SIGNER, "0123")
    last = chain_entry(EMPTY, Entry("step", 1, 50.0, 3, 8, b"{}"))
    assert (keys_entry(body, None).at, keys_entry(body, last).at) == (0.0, 50.0)
    assert (keys_entry(body, last, 20.0).at, keys_entry(body, last, 90.0).at) == (50.0, 90.0)
    assert (keys_entry(body, last).shoe, keys_entry(body, last).round) == (3, 8)


@each_row("body", [b"", b"{}", b'{"signing":"AAAA","sealing":""}', b"[]"])
def test_a_record_that_names_no_keys_is_damaged(body: bytes) -> None:
    with pytest.raises(JournalDamaged, match="record 1 should name the journal's keys"):
        keys_in_record(chain_entry(EMPTY, Entry(KEYS, 1, 0.0, 0, 0, body)))
