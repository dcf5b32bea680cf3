"""Model floors for a benchmark, as a program of their own: `python -m ... URL`.

The table's name says which floor it has: `good` answers at once, `slow` after seconds, `lying` with
what nobody signed.
"""

import sys
import threading
import time

import msgspec

from controller.protocol.names import TableName, of_subject
from controller.protocol.records import Batch, watermark
from support.floor.broker_client import BrokerClient
from support.floor.model_floor import FLOOR, STRANGER, ModelFloor

READY = "ready"
SLOW_S = 3.0
_floors: dict[TableName, ModelFloor] = {}


def answer(subject: str, data: bytes) -> bytes:
    name = of_subject(subject)
    batch = msgspec.msgpack.decode(data, type=Batch)
    floor = _floors.setdefault(name, ModelFloor())
    floor.judge(batch)
    if name.table == "slow":
        time.sleep(SLOW_S)
    signer = STRANGER if name.table == "lying" else FLOOR
    return msgspec.msgpack.encode(watermark(signer, name, 1, floor.head()))


if __name__ == "__main__":
    with BrokerClient(sys.argv[1]) as quick, BrokerClient(sys.argv[1]) as slow:
        for table, client in (("good", quick), ("lying", quick), ("slow", slow)):
            client.answers(f"tbl.bench.{table}.rec", answer)
        sys.stdout.write(f"{READY}\n")
        sys.stdout.flush()
        threading.Event().wait()
