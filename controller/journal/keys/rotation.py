"""Replaces a key while the table is stopped; the record of it is signed by the old key.

    1. the new key is stored next to the old one, as `<key>.next`
    2. the old key is kept under its own id, `<key>.<id>`
    3. the journal names the new key, in a record that the old signing key has endorsed
    4. the new key gets the old one's name

A power cut before step 3 has no effect on the keys in use. After it, the journal states which file
is valid, and the next opening finishes the rest: see `controller.journal.keys.files.settle`.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from controller.journal.errors import JournalDamaged, KeyRefused
from controller.journal.head import sync_folder
from controller.journal.keys.files import (
    TableKeys,
    next_key_path,
    open_keys,
    replaced_key_path,
    settle,
    signing_id,
)
from controller.journal.keys.record import hand_over_entry
from controller.journal.keys.signing import Signer
from controller.journal.seal import create_key, key_id, load_key
from controller.journal.store import Journal


class KeyKind(Enum):
    SEALING = "sealing"
    SIGNING = "signing"


@dataclass(frozen=True, slots=True)
class KeyPlaces:
    """The paths of a stopped table's journal and its keys."""

    journal: Path
    head: Path
    sealing: Path
    signing: Path


def rotate(
    places: KeyPlaces,
    kind: KeyKind,
    by: tuple[str, ...],
    at: float,
    entropy: Callable[[int], bytes],
    same_name: Callable[[str, str], bool],
) -> TableKeys:
    """Rotate a key and return the keys from here on. Raises `JournalUnwritable` while a table runs,
    `JournalDamaged` if the journal has lost records, `KeyRefused` without the names of two people.
    The table decides with `is_same_name` which names belong to one person."""
    by = tuple(each.strip() for each in by)
    if len(by) != 2 or not all(each and each.isprintable() for each in by) or same_name(*by):
        raise KeyRefused("a key is replaced by two people: name both, each with --by")
    if not places.journal.exists():
        raise JournalDamaged(f"{places.journal} is not there: start the table once")
    keys = open_keys(places.journal, places.sealing, places.signing, entropy)
    with Journal.open(
        places.journal,
        head_path=places.head,
        signer=keys.signer,
        sealing_id=keys.sealing_id,
        signed_before=keys.signed_before,
    ) as journal:
        if journal.loss is not None:
            raise JournalDamaged(f"{journal.loss}: start the table and have that settled first")
        journal.name_first()
        settle(keys, places.sealing, places.signing)
        path = places.signing if kind is KeyKind.SIGNING else places.sealing
        fresh = create_key(next_key_path(path), entropy)
        sync_folder(path.parent)
        _keep(path, kind)
        signer = Signer(fresh) if kind is KeyKind.SIGNING else keys.signer
        sealing = key_id(fresh) if kind is KeyKind.SEALING else keys.sealing_id
        body = hand_over_entry(keys.signer, signer, sealing, journal.head, by)
        journal.name_keys(body, signer, at)
        os.replace(next_key_path(path), path)
        sync_folder(path.parent)
    return open_keys(places.journal, places.sealing, places.signing, entropy)


def _keep(path: Path, kind: KeyKind) -> None:
    """Copy the key that will be replaced to a file with its own id."""
    secret = load_key(path)
    identity = signing_id(Signer(secret)) if kind is KeyKind.SIGNING else key_id(secret)
    aside = replaced_key_path(path, identity)
    if not aside.exists():
        create_key(aside, lambda _: secret)
        sync_folder(path.parent)
