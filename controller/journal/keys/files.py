"""The table's key files: one that seals, one that signs, created with the journal.

A new signing key is stored as `<key>.next` until a journal names it, and then gets its final name.
So a key file with the final name proves that the table has signed, even if the journal is lost.

A rotation stores the new key as `<key>.next` next to the old one, names it in the journal, then
gives it the old one's name. After an interruption at any step, the journal states which file is
valid. A replaced key is kept as `<key>.<its id>`: it is the only one that opens cards sealed with
it, and a backup from before the rotation needs the keys that it names.
"""

import re
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from controller.journal.database import Database
from controller.journal.errors import JournalDamaged, KeyRefused
from controller.journal.head import sync_folder
from controller.journal.keys.record import Named, keys_in_record
from controller.journal.keys.signing import Signer, fingerprint
from controller.journal.records import digest_of, record_of
from controller.journal.seal import ID_LETTERS, Sealer, create_key, key_id, load_key

_ID: Final = re.compile(f"[0-9a-f]{{{ID_LETTERS}}}")


@dataclass(frozen=True, slots=True)
class TableKeys:
    signer: Signer
    sealing: bytes = field(repr=False)
    older: tuple[bytes, ...] = field(repr=False)
    """Sealing keys that were replaced."""
    again: tuple[Path, ...] = ()
    """Path of a key newer than the one that the journal names: a backup from before a rotation was
    restored, and a replaced key is in use again."""
    signed_before: bool = False
    """Whether the signing key has its final name, so that a journal has named it before."""

    @property
    def sealing_id(self) -> str:
        return key_id(self.sealing)

    @property
    def warning(self) -> str | None:
        """A warning for people about these keys."""
        if not self.again:
            return None
        names = " and ".join(map(str, self.again))
        return (
            f"the journal was put back from before {names} was replaced: the older key is in use "
            "again; if it was replaced because somebody may know it, nothing from here on is safe: "
            "stop the table and replace it anew with `sabot journal rotate-key`"
        )

    def sealer(self, entropy: Callable[[int], bytes]) -> Sealer:
        return Sealer(self.sealing, entropy, self.older)


def next_key_path(path: Path) -> Path:
    return path.with_name(path.name + ".next")


def replaced_key_path(path: Path, identity: str) -> Path:
    return path.with_name(f"{path.name}.{identity}")


def signing_id(signer: Signer) -> str:
    """The id of a signing key in the name of its file after a rotation."""
    return fingerprint(signer.public).replace("-", "")


def named_keys(database: Database) -> Named | None:
    """The keys that a journal names last. Raises `JournalDamaged` if that record does not follow
    from its predecessor."""
    seq = next(database.keys(), None)
    return None if seq is None else named_keys_at(database, seq)


def named_keys_at(database: Database, seq: int) -> Named:
    row, before = database.row(seq), database.head_at(seq - 1)
    record = None if row is None else record_of(row)
    if record is None or before is None or digest_of(before.digest, seq, record) != record.digest:
        raise JournalDamaged(
            f"record {seq}, which names the journal's keys, is not as it was written: "
            "`sabot journal verify` says more; restore a backup",
            seq=seq,
        )
    return keys_in_record(record)


def open_keys(
    journal: Path, key: Path, signing: Path, entropy: Callable[[int], bytes]
) -> TableKeys:
    """Return both keys as the journal names them; create them for a new journal only, never for one
    that has sealed or signed with another key."""
    named = _needed(journal, key, signing)
    if not _there(key):
        create_key(key, entropy)
    if not _there(signing):
        create_key(next_key_path(signing), entropy)  # renamed when a journal names it
    return replace(_chosen(named, key, signing), signed_before=signing.exists())


def read_keys(journal: Path, key: Path, signing: Path) -> TableKeys | None:
    """Return both keys as the next start will find them; None for a key it will create. Raises
    `KeyRefused` if the start will be refused."""
    named = _needed(journal, key, signing)
    if not (_there(key) and _there(signing)):
        return None
    keys = _chosen(named, key, signing)
    if named is not None:
        check_named(journal, named, keys.signer, keys.sealing_id)
    return keys


def _needed(journal: Path, key: Path, signing: Path) -> Named | None:
    """The keys that the journal names; raises `KeyRefused` if one that it needs is missing."""
    if key == signing:
        raise KeyRefused(f"{key} cannot both seal and sign: name two files")
    if not journal.exists() or not journal.stat().st_size:
        return None
    if not _there(key):
        raise KeyRefused(
            f"{key} is missing, and {journal} has cards sealed with it: put the key back; no "
            "other opens them"
        )
    named = _named(journal, signing)
    if named is not None and not _there(signing):
        raise KeyRefused(
            f"{signing} is missing, and {journal} is signed with it: put the key back; a "
            "journal whose key is lost can be read for ever but not gone on with"
        )
    return named


def _there(path: Path) -> bool:
    return path.exists() or next_key_path(path).exists()


def check_named(journal: Path, named: Named, signer: Signer, sealing_id: str) -> None:
    """Raises `KeyRefused` if these are not the keys that the journal names."""
    if named.public != signer.public:
        raise KeyRefused(
            f"{journal} is signed by key {fingerprint(named.public)}, and the key file holds "
            f"{fingerprint(signer.public)}: put the journal's own key back, or, if the key is this "
            "table's, the table's own journal"
        )
    sealing = named.body.sealing
    if sealing and sealing_id and sealing != sealing_id:
        raise KeyRefused(
            f"{journal} is sealed with key {sealing}, and the key file holds {sealing_id}: put the "
            "journal's own key back"
        )


def read_sealer(journal: Path, key: Path, entropy: Callable[[int], bytes]) -> Sealer:
    """The sealer for programs that only read a journal."""
    named = _named(journal, key) if journal.exists() and journal.stat().st_size else None
    sealing = _sealing(named, key)
    return Sealer(sealing, entropy, _older(key, sealing))


def _named(journal: Path, fallback: Path) -> Named | None:
    """The keys that the journal names. An unreadable journal is not an error here if a key file
    exists: opening it reports the fault."""
    try:
        with closing(Database.read(journal)) as database:
            return named_keys(database)
    except JournalDamaged:
        if not fallback.exists():
            raise
        return None


def _chosen(named: Named | None, key: Path, signing: Path) -> TableKeys:
    found = [Signer(each) for each in _held(signing)]
    fitting = [each for each in found if named is not None and each.public == named.public]
    signer, sealing = (fitting or found)[0], _sealing(named, key)
    again = [
        path
        for path, used in ((signing, signer.public), (key, Signer(sealing).public))
        if used not in [Signer(load_key(each)).public for each in _current(path)]
    ]
    return TableKeys(signer, sealing, _older(key, sealing), tuple(again))


def _sealing(named: Named | None, key: Path) -> bytes:
    found = _held(key)
    fitting = [each for each in found if named is not None and key_id(each) == named.body.sealing]
    return (fitting or found)[0]


def _older(key: Path, sealing: bytes) -> tuple[bytes, ...]:
    return tuple(each for each in dict.fromkeys(_held(key)) if each != sealing)


def _held(path: Path) -> list[bytes]:
    """The key in use, the next one, and those that were replaced."""
    neighbours = sorted(path.parent.glob(f"{path.name}.*"))
    before = [each for each in neighbours if _ID.fullmatch(each.name.removeprefix(f"{path.name}."))]
    return [load_key(each) for each in (*_current(path), *before)]


def _current(path: Path) -> list[Path]:
    return [each for each in (path, next_key_path(path)) if each.exists()] or [path]


def settle(keys: TableKeys, key: Path, signing: Path) -> None:
    """Finish a rotation while no other process writes: give the key that the journal names its
    final name, and delete a key that was created and never named."""
    for path, wanted in ((key, keys.sealing_id), (signing, keys.signer.public)):
        fresh = next_key_path(path)
        if not fresh.exists():
            continue
        found = load_key(fresh)
        if wanted in (key_id(found), Signer(found).public):
            fresh.replace(path)
        else:
            fresh.unlink()
        sync_folder(path.parent)
