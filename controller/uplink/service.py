"""The running uplink: a thread with its own loop, for which the table never waits.

While connected it sends records, beats and views and answers orders. After any failure it waits,
longer each time, and begins again by asking for the floor's position. The table's thread only sets
a flag here, after its step is durable.
"""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

import msgspec
import structlog

from controller.journal.errors import JournalError
from controller.messages.codes import Code
from controller.messages.sentence import sentence
from controller.protocol.documents import DocumentRequest, Documents
from controller.protocol.orders import SignedOrder
from controller.protocol.records import Refusal, Watermark
from controller.protocol.unreadable import UNREADABLE
from controller.runtime.client import Busy, Stopped, TableClient
from controller.runtime.msgspec_warmup import prepare_types
from controller.runtime.snapshots import SnapshotLog
from controller.table.commands.device_events import JournalLossEvent
from controller.table.commands.message import Message
from controller.table.commands.registry import Payload
from controller.uplink import reader
from controller.uplink.document_sync import DocumentSync
from controller.uplink.documents import SiteDocuments
from controller.uplink.links.back_off import BackOff
from controller.uplink.links.link import Link, LinkDown, NoAnswer
from controller.uplink.notes import Notes
from controller.uplink.orders import AnsweredOrders, OrderReceiver, OrderRules
from controller.uplink.outbox import Heard, Outbox, OutboxState, Speaker
from controller.uplink.reader import JournalReader
from controller.uplink.reporter import BEAT_S, StatusSources, TableIdentity, beat_of, live_of
from controller.uplink.watermark_store import WatermarkStore, divergence_sentence

ANSWER_S: Final = 5.0
ASK_AGAIN_S: Final = 30.0
"""Delay after a floor has refused or diverged: people have to act first."""
MAKE_SURE_S: Final = 15.0
"""Interval at which an idle table asks for the floor's position."""
MAX_SILENT_S: Final = 5.0
"""Delay while the broker is reachable but no floor answers: asking is cheap."""
GATHER_S: Final = 0.1
"""Records of one moment are collected into one batch, sent when the table is done with them. The
table needs the processor first, and a tenth of a second is short for a floor that has a whole
one."""
OLD_PAUSE_S: Final = 0.01
"""Pause between batches of old records, which leaves the processor to the table."""
VIEW_PAUSE_S: Final = 0.2
VIEW_AGAIN_S: Final = 10.0
"""Minimum time between two views: the first after a pause is sent at once, then five a second."""
MAX_VIEW_BYTES: Final = 900_000
"""A broker accepts one megabyte. A studio's round with more wagers has records, but no live
view."""
RECALLED: Final = 2000
STOP_S: Final = 10.0
THREAD: Final = "uplink"

Said = TypeVar("Said", bound=msgspec.Struct)

log = structlog.get_logger()


@dataclass(frozen=True)
class UplinkIntervals:
    """Intervals of an uplink's periodic work."""

    look_s: float = 1.0
    """Between two checks for new records, views and documents, even without a notification."""
    beat_s: float = BEAT_S
    pull_s: float = 30.0
    """Between two requests for newer documents of the site."""


UPLINK_INTERVALS: Final = UplinkIntervals()


@dataclass(frozen=True)
class UplinkSetup:
    """The parts of an uplink."""

    identity: TableIdentity
    speaker: Speaker
    orders: OrderRules
    around: StatusSources
    journal: Path
    witness: WatermarkStore
    documents: SiteDocuments
    wall: Callable[[], float]
    steady: Callable[[], float]
    chance: Callable[[], float]
    intervals: UplinkIntervals = UPLINK_INTERVALS


class LinkStatus(msgspec.Struct, frozen=True):
    """The state of the link between this table and its floor, for the pit's page."""

    connected: bool = False
    unsent: int = 0
    state: OutboxState = OutboxState.ASKING
    why: Refusal | None = None
    text: str = msgspec.field(default="", name="says")
    """Why there is no connection, in the network's own text."""
    refused: str = ""
    """Documents of the site that the table refuses, with the reason."""


class Flag:
    """An event set from any thread and awaited in the uplink's loop; setting it twice counts
    once."""

    def __init__(self) -> None:
        self._event = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._is_set = False

    def set(self) -> None:
        if not self._is_set:
            self._is_set = True
            try:
                self._loop.call_soon_threadsafe(self._event.set)
            except RuntimeError:
                return  # the uplink has ended

    async def wait(self, seconds: float) -> None:
        """Wait until it is set or the time-out expires, then clear it."""
        try:
            async with asyncio.timeout(seconds):
                await self._event.wait()
        except TimeoutError:
            return
        finally:
            self._is_set = False
            self._event.clear()


def _kinds(error: Exception) -> list[str]:
    """The classes of the errors in a group; the group's own name is not informative."""
    if isinstance(error, ExceptionGroup):
        return sorted({kind for each in error.exceptions for kind in _kinds(each)})
    return [type(error).__name__]


class Uplink:
    """Started and stopped with the table; `status` may be called from any thread."""

    def __init__(self, setup: UplinkSetup, client: TableClient, link: Link) -> None:
        self._setup = setup
        self._client = client
        self._link = link
        self._thread = threading.Thread(target=self._run, name=THREAD, daemon=True)
        self._stop: Callable[[], None] = lambda: None
        self._stopping = threading.Event()
        self._says = ""
        self._outbox: Outbox | None = None
        self._unsent = 0
        self._answered = AnsweredOrders()
        self._taking_over = DocumentSync(setup.documents, client, setup.wall)
        self._notes = Notes(client, setup.wall, setup.steady)

    def start(self) -> None:
        prepare_types()
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._stop()
        self._thread.join(STOP_S)

    def status(self) -> LinkStatus:
        outbox = self._outbox
        refused = self._taking_over.refusal_reason()
        if outbox is None:
            return LinkStatus(text=self._says, refused=refused)
        up, state = self._link.up, outbox.state
        return LinkStatus(up, self._unsent, state, outbox.why, self._says, refused)

    # --- the uplink's own thread -------------------------------------------------------------

    def _run(self) -> None:
        with asyncio.Runner() as runner:
            try:
                runner.run(self._until_stopped())
            except Exception as error:  # a fault of ours must not stop the table
                self._says = f"the uplink has ended: {type(error).__name__}"
                log.exception("uplink_ended")

    async def _until_stopped(self) -> None:
        stop = Flag()
        self._stop = stop.set
        working = asyncio.create_task(self._keep_connected())
        taking_over = asyncio.create_task(self._take_over())
        while not self._stopping.is_set() and not working.done():
            await stop.wait(self._setup.intervals.look_s)
            if self._notes.is_due():
                await self._notes.tell_unwritten()
        taking_over.cancel()
        while not working.done():
            working.cancel()  # repeated: a library may mistake it for its own time-out
            await asyncio.wait([working], timeout=self._setup.intervals.look_s)
        await self._link.close()
        self._keep_last()
        await self._notes.tell_unwritten()
        if not working.cancelled():
            working.result()

    async def _keep_connected(self) -> None:
        waits = BackOff(self._setup.chance)
        while True:
            try:
                with reader.opened(self._setup.journal) as records:
                    await self._connecting(records, waits)
            except JournalError as error:
                self._says = str(error)
                log.error("uplink_cannot_read", why=str(error))
            except Exception as error:  # a fault of ours is logged, and the uplink restarted
                kinds = ", ".join(_kinds(error))
                self._says = f"the uplink has failed and begins anew: {kinds}"
                log.exception("uplink_failed", kinds=kinds)
            await asyncio.sleep(waits.again_in())

    async def _connecting(self, records: JournalReader, waits: BackOff) -> None:
        """Reconnect for ever; each connection begins by asking for the floor's position."""
        self._answered.recall(records.last(RECALLED))
        outbox = self._outbox = Outbox(self._setup.speaker, records)
        while True:
            try:
                await self._connected(outbox, records, waits)
            except LinkDown as error:
                self._says = str(error)
                log.info("floor_link_down", why=str(error))
            finally:
                await self._link.close()
            self._unsent = outbox.unsent
            await asyncio.sleep(waits.again_in())
            outbox.ask_again()

    async def _connected(self, outbox: Outbox, records: JournalReader, waits: BackOff) -> None:
        """Run all tasks of one connection; raises the error that ends it."""
        setup = self._setup
        desk = OrderReceiver(setup.orders, self._client, setup.wall, self._answered, self._notes)
        await self._link.connect(self._answering(desk))
        self._says = ""
        log.info("floor_link_up", floor=str(setup.identity.name))
        news, views = Flag(), Flag()
        snapshots = self._client.snapshots
        unwatch = [snapshots.watch(each.set) for each in (news, views)]
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._send_records(outbox, records, news, waits))
                tasks.create_task(self._send_beats(outbox, records))
                tasks.create_task(self._send_views(snapshots, views))
                tasks.create_task(self._pull_documents())
        except* (LinkDown, JournalError) as group:
            raise group.exceptions[0] from None
        finally:
            for each in unwatch:
                each()

    # --- records -----------------------------------------------------------------------------

    async def _send_records(
        self, outbox: Outbox, records: JournalReader, news: Flag, waits: BackOff
    ) -> None:
        again = BackOff(self._setup.chance, most_s=MAX_SILENT_S)
        answered = self._setup.steady()
        while not self._stopping.is_set():
            batch = outbox.next_batch()
            self._unsent = outbox.unsent
            if batch is None:
                await news.wait(self._setup.intervals.look_s)
                await asyncio.sleep(GATHER_S)
                if self._setup.steady() - answered > MAKE_SURE_S:
                    outbox.make_sure()
                continue
            heard = await self._asked(outbox, self._packed(batch))
            if heard is Heard.TAKEN:
                waits.well()
                again.well()
                answered = self._setup.steady()
                self._keep(outbox)
                await asyncio.sleep(OLD_PAUSE_S if batch.replayed else 0)
            elif heard in (Heard.DIVERGED, Heard.REFUSED):
                await self._not_taken(outbox, records, heard)
            else:
                await asyncio.sleep(again.again_in())

    async def _asked(self, outbox: Outbox, data: bytes) -> Heard | None:
        """Classify the floor's answer; `None` if there was none that could be read."""
        try:
            found = await self._link.ask("rec", data, ANSWER_S)
        except NoAnswer as error:
            self._says = str(error)
            outbox.timed_out()
            return None
        try:
            return outbox.replied(self._unpacked(found, Watermark))
        except UNREADABLE:
            outbox.ignored += 1
            return None

    def _keep(self, outbox: Outbox) -> None:
        self._says = ""
        if outbox.mark is not None:
            self._setup.witness.keep(outbox.mark, self._setup.steady())

    def _keep_last(self) -> None:
        """Store the floor's last answer, with which the next start is compared."""
        outbox = self._outbox
        if outbox is not None and outbox.mark is not None and outbox.state is OutboxState.SENDING:
            self._setup.witness.keep(outbox.mark, self._setup.steady(), at_once=True)

    async def _not_taken(self, outbox: Outbox, records: JournalReader, heard: Heard) -> None:
        """Wait for people: the table is held over another history, and the floor is asked again."""
        soon = outbox.why is Refusal.TRY_LATER
        if heard is Heard.DIVERGED and outbox.mark is not None:
            # The event just recorded is a record that the floor lacks: asking again sends it and
            # raises the floor's alarm.
            soon = await self._tell_divergence(outbox.mark, records)
        if (
            outbox.why is not Refusal.TRY_LATER
        ):  # a floor whose database is away reports that itself
            log.error("floor_refuses", heard=heard.value, why=outbox.why and outbox.why.value)
        await asyncio.sleep(self._setup.intervals.look_s if soon else ASK_AGAIN_S)
        outbox.ask_again()

    async def _tell_divergence(self, mark: Watermark, records: JournalReader) -> bool:
        """Record the divergence once; return whether it was recorded now."""
        witness = self._setup.witness
        if witness.has_sent_divergence(mark):
            return False
        another = sentence(Code.FLOOR_HAS_ANOTHER, record=mark.seq)
        lost = JournalLossEvent(note=divergence_sentence(mark, records) or another)
        try:
            asked = self._client.ask(Message[Payload]("system", lost, at=self._setup.wall()))
            await asyncio.wrap_future(asked)
        except (Busy, Stopped) as error:
            log.warning("not_told", what="journal_loss", why=str(error))
            return False
        witness.keep(mark, self._setup.steady(), at_once=True)
        witness.mark_divergence_sent()
        return True

    # --- beats and views ---------------------------------------------------------------------

    async def _send_beats(self, outbox: Outbox, records: JournalReader) -> None:
        setup = self._setup
        while not self._stopping.is_set():
            seq = records.head().seq
            versions = setup.documents.in_force()
            beat = beat_of(setup.identity, setup.around, seq, outbox.unsent, setup.wall(), versions)
            await self._link.tell("beat", self._packed(beat))
            await asyncio.sleep(setup.intervals.beat_s)

    async def _send_views(self, snapshots: SnapshotLog, views: Flag) -> None:
        """Send the latest view only; views that came while the link was slow are dropped. It is
        repeated now and then, because publishing is not acknowledged."""
        shown, again = -1, 0.0
        while not self._stopping.is_set():
            posted, now = snapshots.latest, self._setup.steady()
            if posted is None or (posted.seq == shown and now < again):
                await views.wait(self._setup.intervals.look_s)
                continue
            shown, again = posted.seq, now + VIEW_AGAIN_S
            try:
                data = self._packed(live_of(self._setup.identity, posted, self._setup.wall()))
            except OverflowError:  # a number given by people that no message can hold
                log.warning("view_not_packed", seq=shown)
                continue
            if len(data) > MAX_VIEW_BYTES:
                log.warning("view_too_long", bytes=len(data))
                continue
            await self._link.tell("live", data)
            await asyncio.sleep(VIEW_PAUSE_S)

    # --- documents ---------------------------------------------------------------------------

    async def _pull_documents(self) -> None:
        """Fetch the site's newer documents; `_take_over` applies them, with or without a link."""
        name, documents = self._setup.identity.name, self._setup.documents
        while not self._stopping.is_set():
            asks = DocumentRequest(name.site, name.table, documents.have())
            try:
                found = await self._link.ask("doc", self._packed(asks), ANSWER_S)
                for each in self._unpacked(found, Documents).documents:
                    documents.take(each)
            except (NoAnswer, *UNREADABLE) as error:
                log.debug("site_document", why=str(error))
            await asyncio.sleep(self._setup.intervals.pull_s)

    async def _take_over(self) -> None:
        """Apply pending documents, independent of the link."""
        while not self._stopping.is_set():
            await self._taking_over.look()
            await asyncio.sleep(self._setup.intervals.look_s)

    # --- orders ------------------------------------------------------------------------------

    def _answering(self, desk: OrderReceiver) -> Callable[[bytes], Awaitable[bytes]]:
        async def answer(data: bytes) -> bytes:
            try:
                signed = self._unpacked(data, SignedOrder)
            except UNREADABLE:
                signed = None
            return self._packed(await desk.answer(signed))

        return answer

    def _packed(self, found: msgspec.Struct) -> bytes:
        encode = msgspec.msgpack.encode if self._link.packs else msgspec.json.encode
        return encode(found)

    def _unpacked(self, data: bytes, kind: type[Said]) -> Said:
        decode = msgspec.msgpack.decode if self._link.packs else msgspec.json.decode
        return decode(data, type=kind)
