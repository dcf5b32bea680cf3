"""Signatures by a key that is not on the table PC (Ed25519).

The maker signs the list of installed files; the site signs its configuration. A private key is a
separate file, made once on another machine. The table PC has public keys only, one line of base64
each, and shows their fingerprints, so that people can compare them with the published ones.
"""

import base64
import hashlib
import os
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)


class BadSignature(Exception):
    """A failed verification: the signed file, the key, and the remedy."""


class BadKey(Exception):
    """A key file that is missing, unreadable or contains no key."""


def make_key(private: Path, public: Path) -> str:
    """Write both halves, neither over an existing file, and return the fingerprint."""
    key = Ed25519PrivateKey.generate()
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    raw = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    try:
        _write_new(private, pem, 0o600)
        _write_new(public, base64.b64encode(raw) + b"\n", 0o644)
    except OSError as error:
        raise BadKey(f"{error.filename}: {error.strerror}") from error
    return fingerprint(public)


def _write_new(path: Path, data: bytes, mode: int) -> None:
    opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(opened, "wb") as out:
        out.write(data)


def sign(data: bytes, private: Path) -> bytes:
    """Return the signature as one line of base64."""
    try:
        key = load_pem_private_key(private.read_bytes(), password=None)
    except OSError as error:
        raise BadKey(f"{private}: {error.strerror}") from error
    except (ValueError, TypeError) as error:
        raise BadKey(f"{private} holds no private key") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise BadKey(f"{private} holds another kind of key: make one with `sabot sign make-key`")
    return base64.b64encode(key.sign(data)) + b"\n"


def check(data: bytes, signature: bytes, public: Path, what: str) -> None:
    """Raises `BadSignature` unless the owner of the private half signed exactly this."""
    key = Ed25519PublicKey.from_public_bytes(_raw(public))
    try:
        key.verify(base64.b64decode(signature, validate=False), data)
    except (InvalidSignature, ValueError):
        raise BadSignature(
            f"{what} is not as it was signed (key {fingerprint(public)}): put the signed one back, "
            "or have it signed again"
        ) from None


def fingerprint(public: Path) -> str:
    """Return a fingerprint short enough to read out on the telephone."""
    digest = hashlib.sha256(_raw(public)).hexdigest()
    return "-".join(digest[i : i + 4] for i in range(0, 16, 4))


def _raw(public: Path) -> bytes:
    try:
        raw = base64.b64decode(public.read_bytes(), validate=False)
    except OSError as error:
        raise BadKey(f"{public}: {error.strerror}") from error
    except ValueError as error:
        raise BadKey(f"{public} holds no public key") from error
    if len(raw) != 32:
        raise BadKey(f"{public} holds no public key")
    return raw
