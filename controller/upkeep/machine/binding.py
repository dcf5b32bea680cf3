"""The binding of a table's journal to a machine: a file next to the journal's head, signed with the
table's key.

A disk copied with its keys would continue in a second PC as the first one does, and both histories
would verify. So the first start on another machine is detected and recorded, and the table waits
for two people, who make sure that the other one has stopped. Debian's own machine id is copied with
the disk, so the identity of the mainboard counts as well; the installer gives the service the right
to read that.

The journal records the binding too, so a removed or outdated file is detected.
"""

import hashlib
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

import msgspec

from controller.journal import audit
from controller.journal.database import Database
from controller.journal.head import write_whole
from controller.journal.keys.files import named_keys_at
from controller.journal.keys.signing import Signer, is_signed, raw_of, text_of
from controller.journal.records import canonical
from controller.messages.codes import Code

PLACES: Final[Mapping[str, Path]] = {
    "system": Path("/etc/machine-id"),
    "mainboard": Path("/sys/class/dmi/id/product_uuid"),
    "serial": Path("/sys/class/dmi/id/board_serial"),
    "device_tree": Path("/proc/device-tree/serial-number"),
}
_NOTHING_SAID: Final = frozenset(
    {
        "", "0", "none", "n/a", "default string", "to be filled by o.e.m.", "not specified",
        "not applicable", "system serial number", "03000200-0400-0500-0006-000700080009",
        "00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff",
    }
)  # fmt: skip
"""Placeholders that makers leave in a mainboard without a number."""
_SAID: Final = b"sabot machine 1\0"
_KEY_BYTES, _SIGNATURE_BYTES = 32, 64
_RECORDED: Final = f'"{Code.MACHINE_BOUND.value}"'.encode()


def identity(places: Mapping[str, Path] = PLACES) -> dict[str, str]:
    """Return the machine's identifiers, as far as they are readable."""
    found = {}
    for name, path in places.items():
        try:
            text = path.read_text(encoding="utf-8", errors="replace").strip("\0 \n\t").lower()
        except OSError:
            continue
        if text not in _NOTHING_SAID:
            found[name] = text
    return found


class Known(Enum):
    SAME = "same"
    FIRST = "first"
    """The table has not been bound to a machine yet."""
    ANOTHER = "another"
    UNKNOWN = "unknown"
    """The table was bound once, and the binding is missing or changed."""


@dataclass(frozen=True, slots=True)
class MachineFingerprint:
    """A stored machine identity: a digest of each of its identifiers."""

    parts: Mapping[str, str]

    @classmethod
    def of(cls, answer: Mapping[str, str]) -> "MachineFingerprint":
        return cls(
            {
                name: hashlib.sha256(_SAID + f"{name}\0{value}".encode()).hexdigest()
                for name, value in sorted(answer.items())
            }
        )

    @property
    def name(self) -> str:
        """A name short enough for people to compare."""
        digest = hashlib.sha256(canonical(dict(self.parts))).hexdigest()
        return "-".join(digest[i : i + 4] for i in range(0, 12, 4))

    def is_still(self, before: "MachineFingerprint") -> bool:
        """Return whether every identifier known before is unchanged; additional ones do not
        matter."""
        return all(self.parts.get(name) == part for name, part in before.parts.items())


class _Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    parts: dict[str, str]
    key: str
    signature: str


@dataclass(frozen=True, slots=True)
class Finding:
    known: Known
    before: MachineFingerprint | None = None


def kept_beside(head: Path) -> Path:
    return head.with_name(head.name + ".machine")


def look(now: MachineFingerprint, journal: Path, head: Path) -> Finding:
    """Return whether the journal was last written on this machine."""
    try:
        kept = msgspec.json.decode(kept_beside(head).read_bytes(), type=_Kept)
        signature = raw_of(kept.signature, _SIGNATURE_BYTES)
        by = raw_of(kept.key, _KEY_BYTES)
    except FileNotFoundError:
        return Finding(Known.UNKNOWN if _was_recorded(journal) else Known.FIRST)
    except (OSError, ValueError):  # `DecodeError` is a `ValueError`
        return Finding(Known.UNKNOWN)
    if by not in _keys_of(journal) or not is_signed(_signed_text(kept.parts), signature, by):
        return Finding(Known.UNKNOWN)
    before = MachineFingerprint(kept.parts)
    return Finding(Known.SAME if now.is_still(before) else Known.ANOTHER, before)


def bind(now: MachineFingerprint, head: Path, signer: Signer) -> None:
    """Bind the table to this machine."""
    parts = dict(now.parts)
    signature = signer.sign(_signed_text(parts))
    kept = _Kept(parts, text_of(signer.public), text_of(signature))
    write_whole(kept_beside(head), msgspec.json.encode(kept) + b"\n")


def _signed_text(parts: Mapping[str, str]) -> bytes:
    return _SAID + canonical(dict(parts))


def _keys_of(journal: Path) -> set[bytes]:
    """Return every key that the journal has ever named, because the table's key may have been
    replaced."""
    with closing(Database.read(journal)) as database:
        places = list(database.keys())
        return {named_keys_at(database, seq).public for seq in places}


def _was_recorded(journal: Path) -> bool:
    return any(_RECORDED in record.body for record in audit.read(journal))
