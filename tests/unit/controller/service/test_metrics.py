"""What a monitoring system is told, in the words Prometheus reads."""

import itertools

from controller.journal.memory import MemoryJournal
from controller.runtime.snapshots import Snapshot, SnapshotLog
from controller.service.metrics import Metrics
from controller.views.structs.devices import DeviceView
from support.journal.journals import step
from support.table.snapshots import snapshot


def posted(seq: int, what: str, state: str, clause: str | None = None) -> Snapshot:
    return snapshot(seq, what, 1000.0, clause, state=state, round=3)


def device(counts: dict[str, int], link: str) -> DeviceView:
    return DeviceView("shoe", "shoe_angel_eye", "", link, counts, [], "", "", [])


def told(metrics: Metrics) -> dict[str, float]:
    lines = metrics.text().decode().splitlines()
    return {
        name: float(value)
        for name, _, value in (line.rpartition(" ") for line in lines if not line.startswith("#"))
    }


def test_steps_and_halts_are_counted_from_the_board() -> None:
    metrics, snapshots = Metrics(), SnapshotLog()
    snapshots.post(posted(1, "opened", "ready"))
    stop = metrics.watch(snapshots)
    snapshots.post(posted(2, "card", "dealing"))
    snapshots.post(posted(3, "report", "halted", "5.8.2"))
    snapshots.post(posted(4, "answer", "halted", "5.8.2"))
    snapshots.post(posted(5, "approve", "ready"))
    snapshots.post(posted(6, "link_lost", "halted"))
    stop()
    snapshots.post(posted(7, "card", "dealing"))
    found = told(metrics)
    assert found['sabot_steps_total{word="card"}'] == 1
    assert 'sabot_steps_total{word="opened"}' not in found, "it was up before"
    assert found['sabot_halts_total{clause="5.8.2"}'] == 1
    assert found['sabot_halts_total{clause="none"}'] == 1
    assert found["sabot_round"] == 3


def test_devices_tell_misreads_per_thousand_and_their_link() -> None:
    metrics = Metrics()
    counts = {"CardRead": 995, "ReadFailed": 5, "LinkLost": 2}
    metrics.look_at(lambda: [device(counts, "up")], int)
    found = told(metrics)
    assert found['sabot_cards_total{device="shoe"}'] == 1000
    assert found['sabot_misreads_per_thousand{device="shoe"}'] == 5
    assert found['sabot_link_losses_total{device="shoe"}'] == 2
    assert found['sabot_link_up{device="shoe"}'] == 1


def test_a_device_that_has_said_nothing_divides_by_nothing() -> None:
    metrics = Metrics()
    metrics.look_at(lambda: [device({}, "not open yet")], int)
    assert told(metrics)['sabot_misreads_per_thousand{device="shoe"}'] == 0


def test_every_append_is_measured_and_the_journal_stays_the_same() -> None:
    metrics, journal = Metrics(), MemoryJournal()
    seconds = itertools.count(0, 0.25)
    timed = metrics.timed(journal, lambda: next(seconds))
    timed.append(step(1))
    timed.append(step(2))
    assert timed.head == journal.head
    assert [each.seq for each in timed.records()] == [1, 2]
    found = told(metrics)
    assert found["sabot_journal_seconds_count"] == 2
    assert found["sabot_journal_seconds_sum"] == 0.5


def test_the_queue_is_asked_when_somebody_looks() -> None:
    metrics, waiting = Metrics(), [1]
    metrics.look_at(list, lambda: len(waiting))
    assert told(metrics)["sabot_queue_depth"] == 1
    waiting.append(2)
    assert told(metrics)["sabot_queue_depth"] == 2
