"""The site's documents to the table: between rounds, by a word that is recorded.

What the table refuses is not in force, and nobody is told that it is. A refusal is a record, so it
is asked again only when what the table judges by has changed: its own limits, or, where it only was
not the moment, its phase; and once after a restart, with what may be another file.
"""

import asyncio
from collections.abc import Callable
from typing import TypeAlias

import msgspec
import structlog

from controller.messages.codes import Code
from controller.protocol.documents import SignedDocument
from controller.runtime.client import Busy, MovedOn, Stopped, TableClient
from controller.runtime.snapshots import Snapshot
from controller.table.commands.message import Message
from controller.table.commands.registry import Payload
from controller.table.phases import Phase
from controller.uplink.documents import SiteDocuments
from controller.uplink.reporter import is_between_rounds
from controller.views.answers import StepAnswer
from controller.views.structs.parts import LimitsView

Basis: TypeAlias = tuple[LimitsView, Phase]
"""What a table judges a document by: its limits and its phase."""

log = structlog.get_logger()


class _Refused(msgspec.Struct, frozen=True):
    version: int
    by: Basis
    not_now: bool
    says: str

    def stands(self, version: int, by: Basis) -> bool:
        """Whether the table would only say so again."""
        same = self.by == by if self.not_now else self.by[0] == by[0]
        return self.version == version and same


class DocumentSync:
    """Used from the uplink's loop alone, but for `refusal_reason`."""

    def __init__(
        self, documents: SiteDocuments, client: TableClient, wall: Callable[[], float]
    ) -> None:
        self._documents = documents
        self._client = client
        self._wall = wall
        self._refused: dict[str, _Refused] = {}

    def refusal_reason(self) -> str:
        """What the table has refused, in its own words; empty where nothing."""
        found = sorted(self._refused.copy().items())
        return "; ".join(f"the site's {kind}: {each.says}" for kind, each in found)

    async def look(self) -> None:
        """Tell the table what has come, where it stands so that it may take it."""
        posted = self._client.snapshots.latest
        if posted is None or not is_between_rounds(posted):
            return
        by = _basis(posted)
        for document, payload in self._documents.waiting():
            refused = self._refused.get(document.kind.value)
            if refused is not None and refused.stands(document.version, by):
                continue
            reply = await self._told(payload, posted.seq)
            if reply is None:
                return  # the table has something else to do, or is no longer as it was seen
            self._heard(document, reply, by)

    async def _told(self, payload: Payload, seen: int) -> StepAnswer | None:
        message = Message[Payload]("system", payload, at=self._wall())
        try:
            return await asyncio.wrap_future(self._client.ask(message, seen))
        except (Busy, Stopped, MovedOn):
            return None

    def _heard(self, document: SignedDocument, reply: StepAnswer, by: Basis) -> None:
        kind, code, text = document.kind.value, reply.code, reply.reason or ""
        log.info("site_document", kind=kind, accepted=reply.accepted, says=text)
        # One that is no newer than what is in force was told before: only the note of it was lost.
        if reply.accepted or code == Code.OLDER_DOCUMENT.value:
            self._refused.pop(kind, None)
            self._documents.refusal_sent(document)
            return
        self._refused[kind] = _Refused(document.version, by, code == Code.NOT_NOW.value, text)


def _basis(posted: Snapshot) -> Basis:
    shown = posted.views.pit
    return shown.limits, shown.phase
