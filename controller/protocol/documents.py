"""Standing settings of a site: versioned documents that tables fetch and apply between rounds.

A disconnected table keeps its last ones. Each is signed by the floor. A lower version than the
table has is refused, so an old licence list cannot be put back.
"""

from enum import StrEnum
from typing import Final

import msgspec

from controller.journal.keys.signing import Signer, is_signed

_DOCUMENT: Final = b"sabot floor document 1\0"


class DocumentKind(StrEnum):
    PEOPLE = "people"
    """`People`: who may work, in which role, licensed until when and for which games."""
    LIMITS = "limits"
    """`SiteLimits`: of this table."""


class LicensedPerson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One person of the site."""

    who: str
    name: str
    role: str
    until: float
    """Seconds since 1970; from then on this person opens no betting."""
    games: tuple[str, ...]
    """Seconds since 1970; from then on this person cannot open betting."""


class People(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    licences: tuple[LicensedPerson, ...]


class SiteLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Limits for a table, in its minor units, in the form of its command `limits`."""

    minimum: int
    maximum: int
    differential: int | None = None


class DocumentRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    site: str
    table: str
    have: dict[str, int] = {}
    """The version of each kind that the table has."""


class SignedDocument(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kind: DocumentKind
    site: str
    table: str
    version: int
    body: bytes
    """Canonical JSON of the kind's struct."""
    signature: bytes = b""

    def is_by(self, public: bytes) -> bool:
        return is_signed(_said(self), self.signature, public)


class Documents(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The reply: documents newer than the table's."""

    documents: tuple[SignedDocument, ...] = ()


def signed(document: SignedDocument, signer: Signer) -> SignedDocument:
    return msgspec.structs.replace(document, signature=signer.sign(_said(document)))


def _said(document: SignedDocument) -> bytes:
    texts = (document.kind.value, document.site, document.table, str(document.version))
    return _DOCUMENT + b"\0".join(each.encode() for each in texts) + b"\0" + document.body
