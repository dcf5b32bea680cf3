"""The site's documents: every version stored, the newest signed for each table that asks.

`people` is one for the whole site, `limits` one for each table. A table sends the versions that it
has and gets newer ones; its beats name the applied versions.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

import msgspec
import psycopg

from controller.floor.store.rows import struct_row
from controller.journal.keys.signing import Signer
from controller.journal.records import canonical
from controller.protocol.documents import (
    DocumentKind,
    DocumentRequest,
    Documents,
    People,
    SignedDocument,
    SiteLimits,
    signed,
)

ALL: Final = ""
"""In the place of a table: for every table of the site."""


class AnotherCame(Exception):
    """Not published: the newest version is not the one that the author had seen."""


class KeptDocument(msgspec.Struct, frozen=True):
    """One version of one document."""

    table: str
    kind: DocumentKind
    version: int
    body: bytes
    made: float
    made_by: str

    def read(self) -> People | SiteLimits:
        if self.kind is DocumentKind.PEOPLE:
            return msgspec.json.decode(self.body, type=People)
        return msgspec.json.decode(self.body, type=SiteLimits)


class Shelf:
    """The documents of one site. Each query opens a connection: queries are few."""

    def __init__(self, conninfo: str, site: str, signer: Signer, wall: Callable[[], float]) -> None:
        self._conninfo = conninfo
        self._site = site
        self._signer = signer
        self._wall = wall

    async def publish(
        self, table: str, document: People | SiteLimits, who: str, seen: int | None = None
    ) -> int:
        """Publishes the next version and returns it. Two concurrent publications get two versions;
        if both were made from the same version (`seen`, 0 for none), the second raises
        `AnotherCame`. A version is the second of its publication, so that it is newer than any
        version at a table even after the database was restored from a backup."""
        kind = _kind_of(document)
        body = canonical(document)
        async with self._transaction() as connection:
            await connection.execute("SELECT pg_advisory_xact_lock(hashtext('floor.document'))")
            found = await connection.execute(
                """SELECT coalesce(max(version), 0) AS last FROM floor.document
                   WHERE site = %s AND table_id = %s AND kind = %s""",
                (self._site, table, kind.value),
            )
            row = await found.fetchone()
            assert row is not None
            last: int = row[0]
            if seen is not None and last not in (0, seen):
                raise AnotherCame
            version = max(last + 1, int(self._wall()))
            answer = self._signed(table, kind, version, body)
            await connection.execute(
                """INSERT INTO floor.document
                       (site, table_id, kind, version, body, signature, made_by)
                   VALUES (%s, %s, %s, %s, %s, %s, %s)""",
                (self._site, table, kind.value, version, body, answer.signature, who),
            )
        return version

    async def newest(self) -> list[KeptDocument]:
        """The version in force of each document."""
        async with self._transaction() as connection:
            cursor = connection.cursor(row_factory=struct_row(KeptDocument))
            found = await cursor.execute(
                """SELECT DISTINCT ON (table_id, kind) table_id AS "table", kind, version, body,
                          made_by, extract(epoch FROM made)::float8 AS made
                   FROM floor.document WHERE site = %s ORDER BY table_id, kind, version DESC""",
                (self._site,),
            )
            return await found.fetchall()

    async def newer(self, asked: DocumentRequest) -> Documents:
        """The documents that a table does not have yet, signed for it."""
        fits = [each for each in await self.newest() if each.table in (ALL, asked.table)]
        return Documents(
            tuple(
                self._signed(asked.table, each.kind, each.version, each.body)
                for each in fits
                if each.version > asked.have.get(each.kind.value, 0)
            )
        )

    def _signed(self, table: str, kind: DocumentKind, version: int, body: bytes) -> SignedDocument:
        return signed(SignedDocument(kind, self._site, table, version, body), self._signer)

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[psycopg.AsyncConnection[tuple[Any, ...]]]:
        """A connection for one transaction. psycopg's own block leaves the connection open when it
        is cancelled while it commits or rolls back."""
        connection = await psycopg.AsyncConnection.connect(self._conninfo, connect_timeout=3)
        try:
            async with connection:
                yield connection
        finally:
            await connection.close()


def _kind_of(document: People | SiteLimits) -> DocumentKind:
    return DocumentKind.PEOPLE if isinstance(document, People) else DocumentKind.LIMITS
