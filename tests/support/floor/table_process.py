"""A real table at its floor as a program, to be killed: four marked cards lie face down there.

Its folder, the broker, its name and the floor's public key (hexadecimal) are given; every number on
standard input is so many records more.
"""

import sys
import time
from pathlib import Path

import structlog

from controller.protocol.names import TableName
from controller.table.commands.device_events import NotedEvent
from controller.table.commands.message import Message
from controller.table.commands.registry import Payload
from support.floor.canaries import deal_face_down
from support.floor.table_at_floor import table_at_floor


def main(folder: str, url: str, site: str, table_id: str, floor_key: str) -> None:
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    name, place = TableName(site, table_id), Path(folder)
    fresh = not (place / "journal.db").exists()
    with table_at_floor(place, url, name, bytes.fromhex(floor_key), hlga=True) as table:
        if fresh:
            deal_face_down(table)
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        for line in sys.stdin:
            for _ in range(int(line)):
                noted = NotedEvent(what="signed_in", who="dana", says="")
                table.ask(Message[Payload]("system", noted, at=time.time()))
            sys.stdout.write("written\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
