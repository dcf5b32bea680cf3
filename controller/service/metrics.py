"""A table's Prometheus metrics: counts and latencies, never a card.

Everything is counted from the table's snapshots, so a metric reveals no more than a screen.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from controller.journal.records import AnyJournal, Entry, Head, Record
from controller.runtime.snapshots import Snapshot, SnapshotLog
from controller.views.structs.devices import DeviceView

LATENCIES_S: Final = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2.0)
"""A commit takes about 0.3 ms on a good disk; a tenth of a second needs attention."""

_CARDS: Final = ("CardRead", "ReadFailed", "ExcessCard")
_STOPPED: Final = ("halted", "suspended")


def reads(counts: Mapping[str, int]) -> tuple[int, int]:
    """Return how many cards left a device, and how many of them it could not read."""
    return sum(counts.get(each, 0) for each in _CARDS), counts.get("ReadFailed", 0)


class Metrics:
    """The metrics of one table. `text` is the body of `/metrics`."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._steps = Counter(
            "sabot_steps",
            "Steps taken, by the word that was said",
            ["word"],
            registry=self._registry,
        )
        self._halts = Counter(
            "sabot_halts", "Times the table stopped, by clause", ["clause"], registry=self._registry
        )
        self._journal = Histogram(
            "sabot_journal_seconds",
            "Until a record was durable",
            buckets=LATENCIES_S,
            registry=self._registry,
        )
        self._round = Gauge("sabot_round", "The round's number", registry=self._registry)
        self._devices = _Devices()
        self._registry.register(self._devices)
        self._queue = Gauge("sabot_queue_depth", "What waits", registry=self._registry)
        self._state = ""
        self._seen = 0

    def text(self) -> bytes:
        return generate_latest(self._registry)

    def watch(self, snapshots: SnapshotLog) -> Callable[[], None]:
        """Count every later snapshot; return the function that stops it."""
        latest = snapshots.latest
        self._seen = latest.seq if latest else 0

        def count() -> None:
            for posted in snapshots.after(self._seen) or ():
                self._seen = posted.seq
                self._count(posted)

        return snapshots.watch(count)

    def _count(self, posted: Snapshot) -> None:
        view = posted.views.public
        self._steps.labels(posted.what).inc()
        self._round.set(view.round)
        state = view.state
        if state in _STOPPED and self._state not in _STOPPED:
            self._halts.labels(posted.answer.clause or "none").inc()
        self._state = state

    def look_at(self, devices: Callable[[], list[DeviceView]], waiting: Callable[[], int]) -> None:
        """Set the sources that are read at each scrape: the devices, and the length of the table's
        queue."""
        self._devices.ask = devices
        self._queue.set_function(waiting)

    def timed(self, journal: AnyJournal, clock: Callable[[], float]) -> AnyJournal:
        """Return the journal with every append measured."""
        return _Timed(journal, clock, self._journal.observe)


class _Timed:
    def __init__(
        self, journal: AnyJournal, clock: Callable[[], float], observe: Callable[[float], None]
    ) -> None:
        self._journal = journal
        self._clock = clock
        self._observe = observe
        self.since_checkpoint = journal.since_checkpoint
        self.records = journal.records
        self.round_ended = journal.round_ended
        self.close = journal.close

    @property
    def head(self) -> Head:
        return self._journal.head

    def append(self, *entries: Entry) -> list[Record]:
        began = self._clock()
        written = self._journal.append(*entries)
        self._observe(self._clock() - began)
        return written


class _Devices(Collector):
    """Device counters, read at each scrape because the loop has them anyway."""

    def __init__(self) -> None:
        self.ask: Callable[[], list[DeviceView]] = list

    def describe(self) -> Iterable[Metric]:
        return ()

    def collect(self) -> Iterator[Metric]:
        cards = CounterMetricFamily("sabot_cards", "Cards that left the shoe", labels=["device"])
        misreads = CounterMetricFamily(
            "sabot_misreads", "Cards that could not be read", labels=["device"]
        )
        rate = GaugeMetricFamily(
            "sabot_misreads_per_thousand", "Misreads per thousand cards", labels=["device"]
        )
        losses = CounterMetricFamily(
            "sabot_link_losses", "Times a link was lost", labels=["device"]
        )
        up = GaugeMetricFamily(
            "sabot_link_up", "1 while a device can be reached", labels=["device"]
        )
        for device in self.ask():
            name, counts = [device.name], device.counts
            drawn, failed = reads(counts)
            cards.add_metric(name, drawn)
            misreads.add_metric(name, failed)
            rate.add_metric(name, 1000 * failed / drawn if drawn else 0)
            losses.add_metric(name, counts.get("LinkLost", 0))
            up.add_metric(name, device.link == "up")
        yield from (cards, misreads, rate, losses, up)
