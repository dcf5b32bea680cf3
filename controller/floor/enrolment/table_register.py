"""The database's register of tables, for the sink, updated after each change."""

from typing import Any

from psycopg import Connection

from controller.floor.enrolment.site import Enrolled


def enrolled(
    owner: Connection[Any], site: str, found: Enrolled, title: str = "", pit: str = ""
) -> None:
    """Stores an enrolled table. A known table keeps its history and key, and its name unless a new
    one is given."""
    owner.execute(
        "INSERT INTO floor.table_register (site, table_id, title, pit, certificate, bearer)"
        " VALUES (%(site)s, %(table)s, %(title)s, %(pit)s, %(certificate)s, %(bearer)s)"
        " ON CONFLICT (site, table_id) DO UPDATE SET certificate = excluded.certificate,"
        " bearer = excluded.bearer, revoked = NULL,"
        " title = coalesce(nullif(excluded.title, ''), floor.table_register.title),"
        " pit = coalesce(nullif(excluded.pit, ''), floor.table_register.pit)",
        {
            "site": site,
            "table": found.table,
            "title": title,
            "pit": pit,
            "certificate": found.fingerprint,
            "bearer": found.bearer_digest,
        },
    )


def revoked(owner: Connection[Any], site: str, table: str) -> None:
    owner.execute(
        "UPDATE floor.table_register SET certificate = NULL, bearer = NULL, revoked = now()"
        " WHERE site = %s AND table_id = %s",
        [site, table],
    )
