"""The sink alone as a program, to be killed: it is given a database and a broker."""

import asyncio
import sys
import time
from collections.abc import Sequence

from controller.floor.sink.collector import Collector
from controller.floor.sink.instances import Instances
from controller.floor.sink.nats_front import NatsFront
from controller.floor.sink.writer import Writer
from support.floor.tables import FLOOR_SIGNER
from support.floor.wire import client as connected


async def _serve(conninfo: str, url: str) -> None:
    client = await connected(url)
    writer = Writer(conninfo, FLOOR_SIGNER, enrols_itself=True)
    collector = Collector(writer, FLOOR_SIGNER, time.time, Instances())
    await NatsFront(client, "site", collector, FLOOR_SIGNER).start()
    await client.flush()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    await collector.run()


def main(words: Sequence[str]) -> None:
    """For `support.programs`, which has imported it."""
    asyncio.run(_serve(*words))
