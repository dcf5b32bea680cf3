"""The table's own signature: an Ed25519 key whose private half never leaves the table PC.

Its public half is stored next to the journal as `<journal>.pub`, one line of base64, and in the
journal's `keys` records. The maker's and the site's signatures are made elsewhere and checked by
`controller.upkeep.signing`, which shares no code with other modules, for its own safety.
"""

import base64
import binascii
import hashlib
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from controller.journal.errors import KeyRefused

PUBLIC_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64
_DERIVED: Final = b"sabot nonces 1"
"""Prefix that separates derived values from signatures with the same secret."""


class Signer:
    """Signs with the 32 secret bytes of an Ed25519 key."""

    def __init__(self, secret: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(secret)
        self.public: Final = self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        derives = hashlib.blake2b(key=secret, person=_DERIVED, digest_size=32).digest()
        self._derives = hashlib.blake2b(key=derives, digest_size=32)
        """Copied for each use, because a new object repeats half of the work."""

    def sign(self, data: bytes) -> bytes:
        return self._key.sign(data)

    def derived(self, data: bytes) -> bytes:
        """Derive 32 bytes from `data`: stable, and secret without the private key."""
        hashed = self._derives.copy()
        hashed.update(data)
        return hashed.digest()


def is_signed(data: bytes, signature: bytes, public: bytes) -> bool:
    """Whether the holder of the private key signed exactly this."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, data)
    except (InvalidSignature, ValueError):
        return False
    return True


def text_of(raw: bytes) -> str:
    """Encode a key or a signature as base64."""
    return binascii.b2a_base64(raw, newline=False).decode("ascii")


def raw_of(text: str, size: int) -> bytes:
    """Decode base64; raises `ValueError`."""
    raw = base64.b64decode(text, validate=True)
    if len(raw) != size:
        raise ValueError(f"{len(raw)} bytes where {size} belong")
    return raw


def fingerprint(public: bytes) -> str:
    """A short form that can be read out on the telephone, the same for every key of Sabot."""
    digest = hashlib.sha256(public).hexdigest()
    return "-".join(digest[i : i + 4] for i in range(0, 16, 4))


def public_key_path(journal: Path) -> Path:
    """The path of the public half of a journal's key."""
    return journal.with_name(journal.name + ".pub")


def read_public(path: Path) -> bytes:
    """Raises `KeyRefused` where the file holds no public key."""
    try:
        return raw_of(path.read_text("ascii").strip(), PUBLIC_BYTES)
    except OSError as error:
        raise KeyRefused(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise KeyRefused(
            f"{path} holds no public key: it must be one line of base64, as in <journal>.pub"
        ) from error
