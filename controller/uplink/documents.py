"""The site's documents at the table: fetched, verified, stored, and applied between rounds.

The documents in force are recorded in the journal as commands. The file `<head>.documents` only
stores documents that wait for the end of a round, so that a disconnected table still has them after
a restart. A document is rejected if the floor did not sign it, if it is for another table, or if it
is not newer than the table's.
"""

from pathlib import Path

import msgspec
import structlog

from controller.journal.head import write_whole
from controller.journal.records import canonical
from controller.protocol.documents import DocumentKind, People, SignedDocument, SiteLimits
from controller.protocol.names import TableName
from controller.protocol.unreadable import UNREADABLE
from controller.table.commands.device_events import SiteLimitsEvent, SitePeopleEvent
from controller.table.commands.registry import Payload
from controller.table.licences import Licence

log = structlog.get_logger()


class _Shelf(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of the file."""

    documents: tuple[SignedDocument, ...] = ()
    taken: dict[str, int] = {}
    """The version of each kind that is in force at the table."""


def documents_path(head: Path) -> Path:
    return head.with_name(head.name + ".documents")


class SiteDocuments:
    """The newest document of each kind. Used from the uplink's loop alone."""

    def __init__(self, path: Path, name: TableName, floor_key: bytes) -> None:
        self._path = path
        self._name = name
        self._floor_key = floor_key
        self._shelf = self._read()

    def have(self) -> dict[str, int]:
        """The newest version of each kind received, applied or not."""
        return {each.kind.value: each.version for each in self._shelf.documents}

    def in_force(self) -> dict[str, int]:
        return dict(self._shelf.taken)

    def take(self, document: SignedDocument) -> bool:
        """Store the document if it is valid and newer; return whether it was."""
        if not self._is_ours(document) or _word_of(document) is None:
            log.error("site_document", kind=document.kind.value, says="not signed for this table")
            return False
        if document.version <= self.have().get(document.kind.value, 0):
            return False
        others = tuple(each for each in self._shelf.documents if each.kind is not document.kind)
        self._keep(msgspec.structs.replace(self._shelf, documents=(*others, document)))
        return True

    def waiting(self) -> list[tuple[SignedDocument, Payload]]:
        """The documents that are not in force yet, each with its command."""
        taken = self._shelf.taken
        newer = [
            each
            for each in self._shelf.documents
            if each.version > taken.get(each.kind.value, 0) and self._is_ours(each)
        ]
        words = [(each, _word_of(each)) for each in newer]
        return [(each, payload) for each, payload in words if payload is not None]

    def refusal_sent(self, document: SignedDocument) -> None:
        """Mark the document as applied; refused documents stay pending."""
        taken = {**self._shelf.taken, document.kind.value: document.version}
        self._keep(msgspec.structs.replace(self._shelf, taken=taken))

    def _is_ours(self, document: SignedDocument) -> bool:
        named = TableName(document.site, document.table)
        return named == self._name and document.is_by(self._floor_key)

    def _keep(self, shelf: _Shelf) -> None:
        try:
            write_whole(self._path, canonical(shelf) + b"\n")
        except OSError as error:
            log.error("site_document", path=str(self._path), why=error.strerror)
        self._shelf = shelf

    def _read(self) -> _Shelf:
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=_Shelf)
        except FileNotFoundError:
            return _Shelf()
        except (OSError, *UNREADABLE) as error:
            log.error("site_document", path=str(self._path), why=str(error))
            return _Shelf()


def _word_of(document: SignedDocument) -> Payload | None:
    """The command of a document; `None` if the content does not match its kind."""
    try:
        if document.kind is DocumentKind.PEOPLE:
            people = msgspec.json.decode(document.body, type=People)
            licences = tuple(Licence(e.who, e.until, e.games) for e in people.licences)
            return SitePeopleEvent(version=document.version, licences=licences)
        limits = msgspec.json.decode(document.body, type=SiteLimits)
        # Checked field by field: a document with invalid amounts is rejected as a whole.
        given = {"version": document.version, **msgspec.structs.asdict(limits)}
        return msgspec.convert(given, SiteLimitsEvent)
    except UNREADABLE as error:
        log.error("site_document", kind=document.kind.value, why=str(error))
        return None
