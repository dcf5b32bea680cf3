"""Applies the site's documents at the table: between rounds, by a recorded command.

A refused document is not in force and is not reported as applied. A refusal is a record, so the
document is offered again only when the inputs of the decision have changed: the table's limits, or
its phase if only the moment was wrong. It is also offered once after a restart, because the
configuration may have changed.
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
"""The inputs of the table's decision about a document: its limits and its phase."""

log = structlog.get_logger()


class _Refused(msgspec.Struct, frozen=True):
    version: int
    by: Basis
    not_now: bool
    says: str

    def stands(self, version: int, by: Basis) -> bool:
        """Whether the table would only refuse again."""
        same = self.by == by if self.not_now else self.by[0] == by[0]
        return self.version == version and same


class DocumentSync:
    """Used from the uplink's loop alone, except `refusal_reason`."""

    def __init__(
        self, documents: SiteDocuments, client: TableClient, wall: Callable[[], float]
    ) -> None:
        self._documents = documents
        self._client = client
        self._wall = wall
        self._refused: dict[str, _Refused] = {}

    def refusal_reason(self) -> str:
        """The table's message for the documents it refused; empty if there is none."""
        found = sorted(self._refused.copy().items())
        return "; ".join(f"the site's {kind}: {each.says}" for kind, each in found)

    async def look(self) -> None:
        """Offer pending documents to the table when its phase allows it."""
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
                return  # the table is busy, or its state has changed
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
        # A document no newer than the one in force was applied before; only the note of it was
        # lost.
        if reply.accepted or code == Code.OLDER_DOCUMENT.value:
            self._refused.pop(kind, None)
            self._documents.refusal_sent(document)
            return
        self._refused[kind] = _Refused(document.version, by, code == Code.NOT_NOW.value, text)


def _basis(posted: Snapshot) -> Basis:
    shown = posted.views.pit
    return shown.limits, shown.phase
