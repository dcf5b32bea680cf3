"""Time-based one-time passwords (RFC 6238), the second factor with a PIN.

HMAC-SHA-1, six digits, thirty seconds: every authenticator app supports these.
"""

import base64
import binascii
import hmac
from typing import Final, NamedTuple
from urllib.parse import quote, urlencode

STEP_S: Final = 30
DIGITS: Final = 6
KEY_BYTES: Final = 20
"""Length of the hash, as RFC 4226 recommends."""
DRIFT: Final = 1
"""Steps that a phone's clock may be off, in either direction."""


class TypedCode(NamedTuple):
    """A code as typed, and the wall time of typing."""

    digits: str
    at: float


def code_at(key: bytes, step: int, digits: int = DIGITS, algorithm: str = "sha1") -> str:
    """The code of one step."""
    mac = hmac.digest(key, step.to_bytes(8, "big"), algorithm)
    offset = mac[-1] & 0x0F
    number = int.from_bytes(mac[offset : offset + 4], "big") & 0x7FFFFFFF
    return str(number % 10**digits).zfill(digits)


def matching_step(secret: str, typed: TypedCode, after: int) -> int | None:
    """The step of a code; None where it matches none later than `after`, the last one used."""
    key, now = key_of(secret), int(typed.at // STEP_S)
    found = None
    for step in range(now - DRIFT, now + DRIFT + 1):
        fits = hmac.compare_digest(code_at(key, max(step, 0)).encode(), typed.digits.encode())
        if fits and step > after:
            found = step
    return found


def key_of(secret: str) -> bytes:
    """Decodes a key; raises `ValueError` where the text is not base32."""
    try:
        return base64.b32decode(secret + "=" * (-len(secret) % 8))
    except binascii.Error as error:
        raise ValueError(str(error)) from None


def new_secret(entropy: bytes) -> str:
    return base64.b32encode(entropy).decode().rstrip("=")


def uri(secret: str, who: str, table: str) -> str:
    """The otpauth URI that an authenticator app reads, typed or as a QR code."""
    label = quote(f"Sabot {table}:{who}", safe="")
    given = {"secret": secret, "issuer": f"Sabot {table}", "algorithm": "SHA1"}
    more = urlencode({**given, "digits": DIGITS, "period": STEP_S}, quote_via=quote)
    return f"otpauth://totp/{label}?{more}"
