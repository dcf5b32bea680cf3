"""A Merkle tree over the heads of a site, as RFC 6962 has it.

A leaf is the SHA-256 of a zero byte and the head's bytes; a node is the SHA-256 of a byte 1, its
left and its right side; a tree of n leaves is cut at the greatest power of two below n. A head is

    site, a zero byte, table, a zero byte       UTF-8
    epoch, seq                                  8 bytes each, signed, big-endian
    digest                                      32 bytes

and heads stand in the order of site, table and epoch.
"""

import hashlib
import struct
from collections.abc import Sequence
from typing import Final

import msgspec

HASH_BYTES: Final = 32
NO_ROOT: Final = hashlib.sha256(b"").digest()
"""The root of a site without heads."""
_NUMBERS: Final = struct.Struct(">qq")


class SiteHead(msgspec.Struct, frozen=True, order=True, array_like=True):
    """The head of one history of one table: the content of a leaf."""

    site: str
    table: str
    epoch: int
    seq: int
    digest: bytes

    @property
    def raw(self) -> bytes:
        named = self.site.encode() + b"\0" + self.table.encode() + b"\0"
        return named + _NUMBERS.pack(self.epoch, self.seq) + self.digest

    @property
    def history(self) -> tuple[str, str, int]:
        return self.site, self.table, self.epoch


def leaf(head: SiteHead) -> bytes:
    return hashlib.sha256(b"\0" + head.raw).digest()


def root_of(leaves: Sequence[bytes]) -> bytes:
    """The root of hashed leaves."""
    if not leaves:
        return NO_ROOT
    if len(leaves) == 1:
        return leaves[0]
    half = _cut(len(leaves))
    return _node(root_of(leaves[:half]), root_of(leaves[half:]))


def path_to(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """The hashes on the path from a leaf to the root, nearest first."""
    if len(leaves) <= 1:
        return []
    half = _cut(len(leaves))
    if index < half:
        return [*path_to(leaves[:half], index), root_of(leaves[half:])]
    return [*path_to(leaves[half:], index - half), root_of(leaves[:half])]


def root_by(path: Sequence[bytes], found: bytes, index: int, size: int) -> bytes | None:
    """The root that leaf `index` of `size` leads to along this path; None if there is no such leaf,
    or the path has the wrong length (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size:
        return None
    at, last = index, size - 1
    for side in path:
        if last == 0:
            return None
        if at % 2 or at == last:
            found = _node(side, found)
            while at % 2 == 0 and at:
                at, last = at // 2, last // 2
        else:
            found = _node(found, side)
        at, last = at // 2, last // 2
    return found if last == 0 else None


def _cut(size: int) -> int:
    return 1 << (size - 1).bit_length() - 1


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\1" + left + right).digest()
