"""The site's documents: every version kept, the newest for whoever lacks it, nothing older."""

import asyncio

import msgspec
import psycopg
import pytest

from controller.floor.documents import ALL, AnotherCame, Shelf
from controller.protocol.documents import (
    DocumentKind,
    DocumentRequest,
    LicensedPerson,
    People,
    SiteLimits,
)
from support.floor.servers import FloorDatabase
from support.floor.web import FLOOR, SITE

ANNA = LicensedPerson("anna", "Anna", "dealer", 2_000_000_000.0, ("mbs-baccarat-8",))


@pytest.fixture
def shelf(database: FloorDatabase) -> Shelf:
    return Shelf(database.as_("floor_web"), SITE, FLOOR, lambda: 0.0)


def asked(shelf: Shelf, table: str, **have: int) -> dict[DocumentKind, int]:
    found = asyncio.run(shelf.newer(DocumentRequest(SITE, table, have))).documents
    assert all(each.is_by(FLOOR.public) and each.table == table for each in found)
    return {each.kind: each.version for each in found}


def test_a_table_gets_what_it_lacks_and_nothing_older(shelf: Shelf) -> None:
    assert asked(shelf, "b-07") == {}
    asyncio.run(shelf.publish(ALL, People((ANNA,)), "gus"))
    assert asyncio.run(shelf.publish(ALL, People(()), "gus")) == 2
    asyncio.run(shelf.publish("b-07", SiteLimits(2500, 100000), "gus"))
    assert asked(shelf, "b-07") == {DocumentKind.PEOPLE: 2, DocumentKind.LIMITS: 1}
    assert asked(shelf, "b-08") == {DocumentKind.PEOPLE: 2}
    assert asked(shelf, "b-07", people=2) == {DocumentKind.LIMITS: 1}
    assert asked(shelf, "b-07", people=2, limits=1) == {}


def test_what_is_published_comes_back_as_it_was(shelf: Shelf) -> None:
    asyncio.run(shelf.publish(ALL, People((ANNA,)), "gus"))
    (kept,) = asyncio.run(shelf.newest())
    assert kept.read() == People((ANNA,))
    assert (kept.made_by, kept.version) == ("gus", 1)
    (sent,) = asyncio.run(shelf.newer(DocumentRequest(SITE, "b-07"))).documents
    assert msgspec.json.decode(sent.body, type=People) == People((ANNA,))


def test_what_is_published_after_a_restore_is_newer_than_what_tables_have(
    database: FloorDatabase,
) -> None:
    """The last list is not in the dump: a dealer who is taken off now is taken off at every table,
    also at one that nobody has heard since."""
    published = Shelf(database.as_("floor_web"), SITE, FLOOR, lambda: 1_000_000.0)
    have = asyncio.run(published.publish(ALL, People((ANNA,)), "gus"))
    with database.connect() as owner:
        owner.execute("DELETE FROM floor.document")
    restored = Shelf(database.as_("floor_web"), SITE, FLOOR, lambda: 1_000_060.0)
    asyncio.run(restored.publish(ALL, People(()), "gus"))
    request = DocumentRequest(SITE, "t1", {"people": have})
    (found,) = asyncio.run(restored.newer(request)).documents
    assert msgspec.json.decode(found.body, type=People) == People(())


def test_two_that_publish_at_once_get_two_versions(shelf: Shelf) -> None:
    async def both() -> list[int]:
        each = [shelf.publish(ALL, People(()), who) for who in ("gus", "max", "ada")]
        return sorted(await asyncio.gather(*each))

    assert asyncio.run(both()) == [1, 2, 3]


def test_of_two_that_change_the_same_list_at_once_one_is_told_of_the_other(shelf: Shelf) -> None:
    """Else the second silently undoes the first: somebody who was taken off is back."""
    seen = asyncio.run(shelf.publish(ALL, People((ANNA,)), "gus", 0))

    async def all_of_them() -> list[int | BaseException]:
        each = [shelf.publish(ALL, People(()), who, seen) for who in ("gus", "max", "ada")]
        return await asyncio.gather(*each, return_exceptions=True)

    found = asyncio.run(all_of_them())
    assert [each for each in found if isinstance(each, int)] == [2]
    assert [type(each) for each in found if not isinstance(each, int)] == [AnotherCame] * 2


def test_a_version_that_was_published_cannot_be_changed(
    shelf: Shelf, database: FloorDatabase
) -> None:
    asyncio.run(shelf.publish(ALL, People((ANNA,)), "gus"))
    for sql in ("UPDATE floor.document SET body = ''", "DELETE FROM floor.document"):
        with (
            database.connect("floor_web") as connection,
            pytest.raises(psycopg.errors.InsufficientPrivilege),
        ):
            connection.execute(sql)


def test_a_clock_that_is_past_2038_publishes_too(database: FloorDatabase) -> None:
    late = Shelf(database.as_("floor_web"), SITE, FLOOR, lambda: 2.0**31 + 5)
    assert asyncio.run(late.publish(ALL, People((ANNA,)), "gus")) == 2**31 + 5
    assert asked(late, "b-07") == {DocumentKind.PEOPLE: 2**31 + 5}


def test_a_request_cancelled_while_it_commits_leaves_no_connection_open(
    database: FloorDatabase, shelf: Shelf
) -> None:
    with database.connect() as owner:
        owner.execute(
            """CREATE FUNCTION sleep() RETURNS trigger LANGUAGE plpgsql
               AS $$ BEGIN PERFORM pg_sleep(600); RETURN NULL; END $$;
               CREATE CONSTRAINT TRIGGER slow_commit AFTER INSERT ON floor.document
               DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION sleep()"""
        )
        owner.commit()

        def count_connections(query: str) -> int:
            row = owner.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE usename = 'floor_web'"
                " AND datname = current_database() AND query LIKE %s",
                [query],
            ).fetchone()
            owner.commit()
            assert row is not None
            return int(str(row[0]))

        async def cancel_while_it_commits() -> None:
            publishing = asyncio.create_task(shelf.publish(ALL, People((ANNA,)), "gus"))
            while not count_connections("COMMIT"):
                await asyncio.sleep(0.01)
            publishing.cancel()
            await asyncio.wait([publishing])
            while count_connections("%"):
                await asyncio.sleep(0.01)

        asyncio.run(cancel_while_it_commits())
