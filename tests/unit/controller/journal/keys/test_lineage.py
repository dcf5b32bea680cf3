from collections.abc import Sequence

from msgspec.structs import replace

from controller.journal.keys.lineage import Lineage
from controller.journal.keys.record import first_entry, hand_over_entry, keys_entry
from controller.journal.keys.signing import Signer
from controller.journal.records import EMPTY, Entry, Head, Record, chain_entry
from controller.journal.tampering import Reason
from support.journal.journals import SIGNER, step
from support.rows import each_row

NEW, EVE = Signer(bytes([9] * 32)), Signer(bytes([7] * 32))


def chain(entries: Sequence[Entry]) -> list[Record]:
    found: list[Record] = []
    head = EMPTY
    for entry in entries:
        found.append(chain_entry(head, entry))
        head = Head(found[-1].seq, found[-1].digest)
    return found


def followed(records: Sequence[Record]) -> Lineage:
    lineage = Lineage()
    assert list(lineage.follow_keys(records)) == list(records)
    return lineage


FIRST = keys_entry(first_entry(SIGNER, ""), None)
SOME = [FIRST, step(1), step(2)]


def then(by: Signer, to: Signer) -> Entry:
    """The entry that hands on after `SOME`."""
    last = chain(SOME)[-1]
    return keys_entry(hand_over_entry(by, to, "", Head(last.seq, last.digest), ()), last)


def test_a_head_has_the_key_that_was_named_last_before_it() -> None:
    lineage = followed(chain([*SOME, then(SIGNER, NEW), step(5)]))
    assert lineage.fault is None
    keys = [lineage.key_at(seq) for seq in range(6)]
    assert keys == [SIGNER.public] * 4 + [NEW.public] * 2
    assert Lineage().key_at(3) is None


@each_row(
    "entries, reason, seq",
    [
        ([*SOME, then(EVE, EVE)], Reason.KEYS, 4),
        ([*SOME, then(EVE, SIGNER)], Reason.KEYS, 4),
        ([*SOME, FIRST], Reason.KEYS, 4),
        ([FIRST, *SOME], Reason.KEYS, 2),
        ([step(1), FIRST], Reason.KEYS, 1),
        ([replace(FIRST, body=b"{}"), step(1)], Reason.KEYS, 1),
    ],
)
def test_what_no_table_would_write_is_named(entries: list[Entry], reason: Reason, seq: int) -> None:
    fault = followed(chain(entries)).fault
    assert fault is not None
    assert (fault.reason, fault.seq) == (reason, seq)
