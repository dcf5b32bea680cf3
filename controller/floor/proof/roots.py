"""The hourly root: all heads of a site in one tree, signed by the floor, each after the one before.

The signature is Ed25519 over

    "sabot floor root 1", a zero byte, site, a zero byte
    hour                     8 bytes, signed, big-endian: seconds since 1970 at its begin
    previous                 32 bytes: the SHA-256 of what was signed before it; zeros before the
                             first
    size                     8 bytes: how many heads
    root                     32 bytes

so that a root removed afterwards is detected. Roots are chained in the order in which they were
made; after a clock was ahead for a moment the hour goes back, and no hour comes twice. A root can
be sent to a time stamp authority or a witness; the answer is stored next to it, unchecked.
"""

import hashlib
import struct
from collections.abc import Callable, Iterable, Sequence
from typing import Final

import msgspec

from controller.floor.proof import tree
from controller.floor.proof.keys import is_proven_by
from controller.floor.proof.tree import SiteHead
from controller.journal.keys.signing import Signer
from controller.journal.records import canonical

HOUR_S: Final = 3600
NO_PREVIOUS: Final = bytes(tree.HASH_BYTES)
_ROOT: Final = b"sabot floor root 1\0"
_NUMBER: Final = struct.Struct(">q")

Stamper = Callable[[bytes], bytes | None]
"""Takes the SHA-256 of the signed bytes; returns a time stamp, or None."""


class Root(msgspec.Struct, frozen=True):
    """The signed root of one hour of a site."""

    site: str
    hour: int
    previous: bytes
    size: int
    root: bytes
    key: bytes = b""
    signature: bytes = b""

    @property
    def signed_bytes(self) -> bytes:
        named = _ROOT + self.site.encode() + b"\0" + _NUMBER.pack(self.hour)
        return named + self.previous + _NUMBER.pack(self.size) + self.root

    @property
    def fingerprint(self) -> bytes:
        """The digest that the next root and the time stamp refer to."""
        return hashlib.sha256(self.signed_bytes).digest()

    @property
    def is_signed(self) -> bool:
        return is_proven_by(self.key, self.signed_bytes, self.signature)


class KeptRoot(msgspec.Struct, frozen=True):
    """A stored root with its heads."""

    root: Root
    heads: tuple[SiteHead, ...]

    def fault(self) -> str | None:
        """The first fault of this root, if any."""
        if list(self.heads) != sorted(self.heads):
            return "its heads are not in order"
        if self.root.size != len(self.heads):
            return f"it says {self.root.size} heads and has {len(self.heads)}"
        if tree.root_of([*map(tree.leaf, self.heads)]) != self.root.root:
            return "its heads do not come to its root"
        return None if self.root.is_signed else "its signature does not fit"


class PathTo(msgspec.Struct, frozen=True):
    """The Merkle path from one head to a root."""

    head: SiteHead
    index: int
    path: tuple[bytes, ...]


def hour_of(at: float) -> int:
    return int(at // HOUR_S) * HOUR_S


def rooted(
    signer: Signer, site: str, hour: int, heads: Iterable[SiteHead], previous: Root | None
) -> KeptRoot:
    """Makes and signs the root of these heads."""
    found = tuple(sorted(heads))
    before = NO_PREVIOUS if previous is None else previous.fingerprint
    bare = Root(site, hour, before, len(found), tree.root_of([*map(tree.leaf, found)]))
    signature = signer.sign(bare.signed_bytes)
    return KeptRoot(msgspec.structs.replace(bare, key=signer.public, signature=signature), found)


def path_in(kept: KeptRoot, history: tuple[str, str, int]) -> PathTo | None:
    """The path of one table's head to this root; None if the root lacks it."""
    for index, head in enumerate(kept.heads):
        if head.history == history:
            leaves = [*map(tree.leaf, kept.heads)]
            return PathTo(head, index, tuple(tree.path_to(leaves, index)))
    return None


def fault_among(kept: Sequence[KeptRoot]) -> str | None:
    """The first fault of a site's roots in the order in which they were made: each must be sound
    and follow the one before, no hour may come twice, and no head may go back."""
    hours: set[int] = set()
    seen: dict[tuple[str, str, int], int] = {}
    before: Root | None = None
    for each in kept:
        fault = each.fault() or _out_of_order(before, each.root) or _gone_back(seen, each.heads)
        if each.root.hour in hours:
            fault = fault or "its hour has another root already"
        if fault:
            return f"the root of hour {each.root.hour}: {fault}"
        seen |= {head.history: head.seq for head in each.heads}
        before = each.root
        hours.add(before.hour)
    return None


def _out_of_order(before: Root | None, root: Root) -> str | None:
    if before is not None and root.previous != before.fingerprint:
        return "it does not follow from the one before: one is missing or was changed"
    return None


def _gone_back(seen: dict[tuple[str, str, int], int], heads: Iterable[SiteHead]) -> str | None:
    now = {head.history: head.seq for head in heads}
    for history, seq in seen.items():
        if now.get(history, -1) < seq:
            site, table, epoch = history
            return f"{site}/{table} (history {epoch}) had {seq} records an hour before"
    return None


def leaves_text(heads: Sequence[SiteHead]) -> bytes:
    """The heads as stored in the database: canonical JSON."""
    return canonical([[*head.history, head.seq, head.digest.hex()] for head in heads])


def leaves_in(text: bytes) -> tuple[SiteHead, ...]:
    rows = msgspec.json.decode(text, type=list[tuple[str, str, int, int, str]])
    return tuple(SiteHead(s, t, e, n, bytes.fromhex(digest)) for s, t, e, n, digest in rows)
