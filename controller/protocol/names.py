"""Names of sites and tables, and the subjects of their messages.

    tbl.SITE.TABLE.rec      request: a `Batch`; the reply is what PostgreSQL has committed
    tbl.SITE.TABLE.live     publish: a `LiveView`; the stream LIVE keeps the last one, in memory
    tbl.SITE.TABLE.beat     publish every two seconds: a `Beat`
    tbl.SITE.TABLE.doc      request: a `DocumentRequest`; the reply is a signed document
    cmd.SITE.TABLE.order    request: a signed order; the reply is the table's answer
    floor.SITE.alert        publish: an exception, made by the floor from records and missed beats

Replies come to `_INBOX.SITE.TABLE`: a table may receive only its own replies.

Over HTTPS the same, as JSON, under the paths of `PATHS`: `POST` of a `Batch` is answered with a
`Watermark`, of a `DocumentRequest` with `Documents`, of a `LiveView` with nothing, and of a `Beat`
with `Orders` that wait for this table; what became of each is posted as an `OrderAnswer`.

No stream may capture `rec`, `doc` or `cmd`: the broker would reply in the receiver's place, and a
table would mistake that reply for a commit.
"""

import re
from typing import Final, NamedTuple

LIVE_STREAM: Final = "LIVE"
LIVE_SUBJECTS: Final = "tbl.*.*.live"

PATHS: Final = {
    "rec": "/floor/records",
    "live": "/floor/live",
    "beat": "/floor/beat",
    "doc": "/floor/documents",
    "answer": "/floor/answers",
}
"""The HTTP paths of a floor without a broker, by the last part of the subjects above."""

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")


class BadName(ValueError):
    """An invalid name of a site or a table."""


class TableName(NamedTuple):
    """One table of one site, as used in subjects, certificates and rows."""

    site: str
    table: str

    def __str__(self) -> str:
        return f"{self.site}/{self.table}"

    @property
    def records(self) -> str:
        return f"tbl.{self.site}.{self.table}.rec"

    @property
    def live(self) -> str:
        return f"tbl.{self.site}.{self.table}.live"

    @property
    def beat(self) -> str:
        return f"tbl.{self.site}.{self.table}.beat"

    @property
    def documents(self) -> str:
        return f"tbl.{self.site}.{self.table}.doc"

    @property
    def inbox(self) -> str:
        """The prefix of all reply subjects of this table."""
        return f"_INBOX.{self.site}.{self.table}"

    def awaits(self, reply: str) -> bool:
        """Whether a reply subject belongs to this table. A floor may publish where no table may, so
        it must not reply to a foreign subject that a table asks for."""
        return reply.startswith(f"{self.inbox}.")

    @property
    def orders(self) -> str:
        return f"cmd.{self.site}.{self.table}.order"


def checked(site: str, table: str) -> TableName:
    """Validate a name. Raises `BadName`: a dot or a star in a name would make another subject."""
    for what, name in (("site", site), ("table", table)):
        if not _NAME.fullmatch(name):
            raise BadName(
                f"{name!r} is no name for a {what}: up to 32 of a-z, 0-9 and -, no - at the start"
            )
    return TableName(site, table)


def of_subject(subject: str) -> TableName:
    """The table of a subject; raises `BadName`."""
    parts = subject.split(".")
    if len(parts) != 4:
        raise BadName(f"{subject!r} is no table's subject")
    return checked(parts[1], parts[2])


def alerts_of(site: str) -> str:
    return f"floor.{site}.alert"
