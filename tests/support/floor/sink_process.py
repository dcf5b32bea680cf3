"""The sink alone as a program, to be killed: it is given a database and a broker."""

import asyncio
import sys
import time

from controller.floor.sink.collector import Collector
from controller.floor.sink.instances import Instances
from controller.floor.sink.nats_front import NatsFront
from controller.floor.sink.writer import Writer
from support.floor.tables import FLOOR_SIGNER
from support.floor.wire import client as connected


async def main(conninfo: str, url: str) -> None:
    client = await connected(url)
    writer = Writer(conninfo, FLOOR_SIGNER, enrols_itself=True)
    collector = Collector(writer, FLOOR_SIGNER, time.time, Instances())
    await NatsFront(client, "site", collector, FLOOR_SIGNER).start()
    await client.flush()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    await collector.run()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
