"""Simulated tables: their bytes are those of a real uplink, and every record comes once."""

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import pytest

from controller.floor.embedded.nats import NatsServer, nats
from controller.journal import audit
from controller.journal.records import EMPTY, Head
from controller.protocol.names import TableName, of_subject
from controller.protocol.records import Batch, BatchVerdict, sent, watermark
from controller.uplink import reader
from controller.uplink.outbox import Outbox, Speaker
from simulators.floor import envelope, journals
from simulators.floor.envelope import Identity
from support.floor.broker_client import BrokerClient
from support.floor.journals import made
from support.floor.model_floor import FLOOR, ModelFloor


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("journals")
    made(folder, count=2, rounds=4)
    return folder


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NatsServer]:
    with nats(tmp_path_factory.mktemp("broker")) as server:
        yield server


def test_batch_is_byte_for_byte_what_the_uplink_of_that_journal_sends(played: Path) -> None:
    path = played / "1.db"
    journal = journals.read(path)
    who = Identity("sim", "t1", "boot-1")
    with reader.opened(path) as records:
        name = TableName(who.site, who.table)
        outbox = Outbox(Speaker(name, who.instance, journal.key, FLOOR.public), records)
        outbox.next_batch()
        outbox.replied(watermark(FLOOR, name, 1, EMPTY))
        real = outbox.next_batch()
        assert real is not None
        last = envelope.most(journal, 0, len(journal.records))
        assert last == len(real.records)
        simulated = envelope.batch(who, journal, 1, 0, last, old=True)
    assert simulated == msgspec.msgpack.encode(real)


def test_record_has_a_hash_in_the_place_of_a_sealed_card(played: Path) -> None:
    for path in played.glob("*.db"):
        real = [
            msgspec.to_builtins(sent(each), builtin_types=(bytes,)) for each in audit.read(path)
        ]
        assert [list(each) for each in real] == journals.read(path).records


@dataclass
class ManyTables:
    """A model floor for each table that speaks."""

    floors: dict[TableName, ModelFloor] = field(default_factory=dict)
    silent: int = 0
    """So many batches are not answered."""

    def answer(self, subject: str, data: bytes) -> bytes | None:
        name = of_subject(subject)
        batch = msgspec.msgpack.decode(data, type=Batch)
        assert batch.name == name
        floor = self.floors.setdefault(name, ModelFloor())
        floor.judge(batch)
        if self.silent and batch.records:
            self.silent -= 1
            return None
        head: Head = floor.head()
        verdict = BatchVerdict.DIVERGED if floor.diverged else BatchVerdict.COMMITTED
        return msgspec.msgpack.encode(watermark(FLOOR, name, 1, head, verdict))


@pytest.mark.parametrize("rate", [pytest.param("0", marks=pytest.mark.second_tier), "500"])
def test_many_tables_in_several_processes_leave_whole_journals(
    broker: NatsServer, played: Path, rate: str
) -> None:
    floor = ManyTables(silent=2 if rate == "0" else 0)
    prefix = f"r{rate}-"
    with BrokerClient(broker.url) as client:
        client.answers("tbl.sim.*.rec", floor.answer)
        command = [sys.executable, "-m", "simulators.floor", "--url", broker.url]
        command += ["--journals", str(played), "--tables", "6", "--processes", "2"]
        command += ["--rate", rate, "--prefix", prefix, "--warm-up", "1"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["whole"]
    assert told["silent"] == (2 if rate == "0" else 0)
    assert len(floor.floors) == 6
    rows = sum(len(each.rows) for each in floor.floors.values())
    # At a rate every table is in mid-shoe at the start, and what it had by then does not count.
    assert told["records"] == rows if rate == "0" else rows / 2 <= told["records"] < rows
    assert (told["p99_ms"] is None) == (rate == "0")
    whole = {journals.read(each).digest(_length(each)) for each in played.glob("*.db")}
    assert {each.head().digest for each in floor.floors.values()} <= whole


def _length(path: Path) -> int:
    return len(journals.read(path).records)


def test_records_are_due_over_all_rounds_and_not_at_one_moment(played: Path) -> None:
    journal = journals.read(played / "1.db")
    due = journal.offsets(60.0)
    assert due == sorted(due)
    assert due[-1] == pytest.approx(60.0 * journal.rounds)
    assert due[-1] / 4 < due[len(due) // 2] < due[-1] * 3 / 4
