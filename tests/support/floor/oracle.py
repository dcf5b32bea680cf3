"""What has to hold of a floor's records, whatever happened: rows equal journals, once, in order."""

from collections.abc import Iterable

from controller.journal.records import Head
from controller.protocol.records import sent
from support.floor.servers import FloorDatabase
from support.floor.tables import Sender


def check_rows(database: FloorDatabase, senders: Iterable[Sender], epoch: int = 1) -> None:
    with database.connect() as owner:
        for sender in senders:
            at = [sender.name.site, sender.name.table, epoch]
            rows = owner.execute(
                "SELECT seq, kind, version, at_s, shoe, round, body, sealed, digest"
                " FROM floor.record WHERE (site, table_id, epoch) = (%s, %s, %s) ORDER BY seq",
                at,
            ).fetchall()
            wanted = [sent(each) for each in sender.journal.records]
            fields = ("seq", "kind", "version", "at", "shoe", "round", "body", "sealed", "digest")
            assert rows == [tuple(getattr(each, name) for name in fields) for each in wanted]
            head = owner.execute(
                "SELECT seq, digest FROM floor.head WHERE (site, table_id, epoch) = (%s, %s, %s)",
                at,
            ).fetchall()
            assert [Head(*row) for row in head] == [sender.journal.head]
