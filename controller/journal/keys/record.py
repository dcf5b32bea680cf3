"""The `keys` record: which key signs from here on, and which one seals.

Record 1 of a journal is one, and each rotation appends one. Every one after the first is endorsed:
signed by the previous key together with its own place in the chain, so that the journal cannot be
handed to another key without the old key.
"""

import struct
from typing import Final

import msgspec

from controller.journal.errors import JournalDamaged
from controller.journal.keys.signing import (
    PUBLIC_BYTES,
    SIGNATURE_BYTES,
    Signer,
    is_signed,
    raw_of,
    text_of,
)
from controller.journal.records import KEYS, RECORD_FORMAT, Entry, Head, Record, canonical

_DOMAIN: Final = b"sabot journal keys 1\0"
_PLACE: Final = struct.Struct(">q")


class KeysBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    signing: str
    """The public half, base64."""
    sealing: str
    """The id of the sealing key: see `controller.journal.seal.key_id`."""
    by: tuple[str, ...] = ()
    """Who rotated a key."""
    endorsed: str | None = None
    """The signature of the previous key; None in the first record."""

    @property
    def public(self) -> bytes:
        return raw_of(self.signing, PUBLIC_BYTES)


class Named(msgspec.Struct, frozen=True):
    """The keys that a journal names, and where."""

    seq: int
    body: KeysBody
    public: bytes


def keys_in_record(record: Record) -> Named:
    """Decode the record. Raises `JournalDamaged` if it names no keys."""
    try:
        body = msgspec.json.decode(record.body, type=KeysBody)
        return Named(record.seq, body, body.public)
    except (msgspec.DecodeError, ValueError) as error:
        raise JournalDamaged(
            f"record {record.seq} should name the journal's keys and does not: restore a backup",
            seq=record.seq,
        ) from error


def first_entry(signer: Signer, sealing: str) -> KeysBody:
    return KeysBody(text_of(signer.public), sealing)


def hand_over_entry(
    old: Signer, new: Signer, sealing: str, after: Head, by: tuple[str, ...]
) -> KeysBody:
    """Build the entry that makes `new` the journal's key from the record after `after` on."""
    body = KeysBody(text_of(new.public), sealing, by)
    signature = old.sign(_endorsement(body, after))
    return msgspec.structs.replace(body, endorsed=text_of(signature))


def is_endorsed(body: KeysBody, after: Head, public: bytes) -> bool:
    """Whether the holder of the previous key endorsed these keys at this place."""
    try:
        signature = raw_of(body.endorsed or "", SIGNATURE_BYTES)
    except ValueError:
        return False
    return is_signed(_endorsement(body, after), signature, public)


def _endorsement(body: KeysBody, after: Head) -> bytes:
    plain = msgspec.structs.replace(body, endorsed=None)
    return _DOMAIN + _PLACE.pack(after.seq) + after.digest + canonical(plain)


def keys_entry(body: KeysBody, last: Record | None, at: float | None = None) -> Entry:
    """Build a `keys` entry. A journal has no clock: without `at` the record has the time of the
    last one."""
    if last is None:
        return Entry(KEYS, RECORD_FORMAT, at or 0.0, 0, 0, canonical(body))
    when = last.at if at is None else max(at, last.at)
    return Entry(KEYS, RECORD_FORMAT, when, last.shoe, last.round, canonical(body))
