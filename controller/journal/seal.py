"""Sealing of face-down cards: encrypted for the journal, with a public commitment.

A shoe reads cards before they are exposed. The reading goes into the journal as a blob that only
the key opens, and to the screens as a commitment, a salted hash. When the card is exposed its salt
is published, and anyone can verify with `check` that it is the card that was drawn.

Every blob has the same length, for every card, for a card that could not be read and for every
frame, so that the size of a file or of a write reveals nothing. Salts and cards stay out of `repr`
and out of every error: with the salt, 53 guesses open a commitment.

    plaintext  code length (1) | code, padded (3) | salt (16) | frame length (2) | frame (96)
    blob       nonce (12) | AES-256-GCM of the plaintext, with its tag (118 + 16)

A frame longer than 96 bytes is cut; its true length is kept, so the cut is visible.
"""

import hashlib
import hmac
import os
import stat
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from controller.journal.errors import KeyRefused, SealBroken

KEY_BYTES: Final = 32
SALT_BYTES: Final = 16
MAX_FRAME_BYTES: Final = 96
BLOB_BYTES: Final = 12 + 1 + 3 + 16 + 2 + 96 + 16

_NONCE_BYTES: Final = 12
_CODE_BYTES: Final = 3
_MAX_LENGTH: Final = 0xFFFF
_BLOB_DOMAIN: Final = b"sabot sealed card 1"
_COMMITMENT_DOMAIN: Final = b"sabot card commitment 1\0"
_MARK_DOMAIN: Final = b"sabot mark 1"
_MARK_LETTERS: Final = 32
_ID_DOMAIN: Final = b"sabot sealing key 1\0"
ID_LETTERS: Final = 16
_PRIVATE: Final = 0o600


@dataclass(frozen=True, slots=True)
class Sealed:
    blob: bytes = field(repr=False)
    """For the journal."""
    commitment: str
    """Public at once."""
    salt: bytes = field(repr=False)
    """Public when the card is exposed, and not before."""


class Opened(NamedTuple):
    card_code: str | None
    salt: bytes
    frame: bytes

    def __repr__(self) -> str:
        return "Opened(...)"


class Sealer:
    """Seals with one key and opens with it or with its predecessors. `entropy(n)` returns n random
    bytes: `os.urandom` at a table."""

    def __init__(
        self, key: bytes, entropy: Callable[[int], bytes], older: Sequence[bytes] = ()
    ) -> None:
        if any(len(each) != KEY_BYTES for each in (key, *older)):
            raise KeyRefused(f"a sealing key has {KEY_BYTES} bytes")
        self._cipher = AESGCM(key)
        self._marking = [_marking(each) for each in (key, *older)]
        self._older = [AESGCM(each) for each in older]
        self._entropy = entropy

    def seal(self, card_code: str | None, frame: bytes) -> Sealed:
        """Seal one card; `None` is a card that was drawn and could not be read."""
        code = _code_bytes(card_code)
        salt = self._random(SALT_BYTES)
        # Random nonces are safe for 2**32 cards under one key: ten million full shoes.
        nonce = self._random(_NONCE_BYTES)
        plain = b"".join(
            (
                bytes([len(code)]),
                code.ljust(_CODE_BYTES, b"\0"),
                salt,
                min(len(frame), _MAX_LENGTH).to_bytes(2, "big"),
                frame[:MAX_FRAME_BYTES].ljust(MAX_FRAME_BYTES, b"\0"),
            )
        )
        blob = nonce + self._cipher.encrypt(nonce, plain, _BLOB_DOMAIN)
        return Sealed(blob, _commitment(salt, code), salt)

    def open(self, blob: bytes) -> Opened:
        """Open a blob. Raises `SealBroken` if the key does not fit or a bit was changed."""
        plain = self._plain(blob)
        code, rest = plain[1 : 1 + plain[0]], plain[1 + _CODE_BYTES :]
        salt, rest = rest[:SALT_BYTES], rest[SALT_BYTES:]
        length = int.from_bytes(rest[:2], "big")
        return Opened(code.decode("ascii") or None, salt, rest[2:][:length])

    def mark(self, data: bytes) -> str:
        """A keyed hash of a text: stable across restarts, without information about the text."""
        return _mark(self._marking[0], data)

    def fits(self, mark: str, data: bytes) -> bool:
        """Whether this is the mark of this text, made with the current or an older key."""
        return mark in [_mark(each, data) for each in self._marking]

    def _plain(self, blob: bytes) -> bytes:
        nonce, secret = blob[:_NONCE_BYTES], blob[_NONCE_BYTES:]
        for cipher in (self._cipher, *self._older):
            with suppress(InvalidTag, ValueError):
                return cipher.decrypt(nonce, secret, _BLOB_DOMAIN)
        raise SealBroken(
            "a sealed card does not open: use the key file it was sealed with; "
            "if that is the one, the record was changed"
        )

    def _random(self, count: int) -> bytes:
        found = self._entropy(count)
        if len(found) != count:
            raise ValueError(f"the entropy gave {len(found)} bytes when asked for {count}")
        return found


def check(commitment: str, salt_hex: str, card_code: str | None) -> bool:
    """Whether this card belongs to the commitment. Needs no key; malformed input gives False."""
    try:
        salt, code = bytes.fromhex(salt_hex), _code_bytes(card_code)
    except ValueError:
        return False
    if len(salt) != SALT_BYTES or not commitment.isascii():
        return False
    return hmac.compare_digest(commitment, _commitment(salt, code))


def create_key(path: Path, entropy: Callable[[int], bytes]) -> bytes:
    """Write a new key that only its owner can read; an existing file is not changed."""
    key = entropy(KEY_BYTES)
    try:
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE)
        with os.fdopen(opened, "wb") as out:
            os.fchmod(out.fileno(), _PRIVATE)
            out.write(key)
            out.flush()
            os.fsync(out.fileno())
    except FileExistsError as error:
        raise KeyRefused(
            f"{path} exists and stays as it is: what that key sealed or signed goes with no other; "
            "move it away to make a new one"
        ) from error
    except OSError as error:
        raise KeyRefused(f"{path} cannot be written: {error.strerror}") from error
    return key


def key_id(key: bytes) -> str:
    """The id of a sealing key in the journal; it reveals nothing about the key."""
    return hashlib.sha256(_ID_DOMAIN + key).hexdigest()[:ID_LETTERS]


def load_key(path: Path) -> bytes:
    """Raises `KeyRefused` unless the file has 32 bytes and only its owner can read it."""
    try:
        with path.open("rb") as file:
            mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
            key = file.read(KEY_BYTES + 1)
    except OSError as error:
        raise KeyRefused(f"{path} cannot be read: {error.strerror}") from error
    if mode & 0o077:
        raise KeyRefused(
            f"{path} is open to others (mode {mode:04o}): the key may be known; "
            f"make a new one, or `chmod 600 {path}` if you are sure nobody read it"
        )
    if len(key) != KEY_BYTES:
        raise KeyRefused(f"{path} is not a key of the table's: one has exactly {KEY_BYTES} bytes")
    return key


def _marking(key: bytes) -> bytes:
    return hmac.new(key, _MARK_DOMAIN, hashlib.sha256).digest()


def _mark(marking: bytes, data: bytes) -> str:
    return hmac.new(marking, data, hashlib.sha256).hexdigest()[:_MARK_LETTERS]


def _code_bytes(card_code: str | None) -> bytes:
    code = card_code or ""
    if len(code) > _CODE_BYTES or not code.isascii():
        # The code itself stays out of the message.
        raise ValueError(f"a card code has at most {_CODE_BYTES} plain letters")
    return code.encode("ascii")


def _commitment(salt: bytes, code: bytes) -> str:
    return hashlib.sha256(_COMMITMENT_DOMAIN + salt + code).hexdigest()
