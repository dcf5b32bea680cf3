"""The table's loop: one inbox, one thread, one order of things.

Bytes go through their driver; every event becomes a step that is on disk before the next is looked
at; only then do the driver's own bytes leave, so that a device is never told more than the journal
holds; then a snapshot of the step is put up. People's words take the same way and are answered when
their step is durable.

An error of ours stops the loop for good: nothing is acknowledged, every answer says why. Whoever
starts the table again goes on from the journal. An error of a driver stops that driver alone and
holds the table, until somebody has it taken up anew.
"""

import math
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from typing import Final

from msgspec.structs import replace

from controller.cases import offers
from controller.engine.carrying import carry
from controller.engine.session import Session
from controller.engine.step import Answer
from controller.runtime import hidden
from controller.runtime.client import MovedOn, Stopped
from controller.runtime.devices import ConnectedDevice
from controller.runtime.inbox import DeviceInput, Inbox, Said, StaffRequest
from controller.runtime.snapshots import Snapshot, SnapshotLog
from controller.runtime.wire import driving, shoe_commands, translate
from controller.runtime.wire.driving import DriverFailed
from controller.sentences.codes import Code
from controller.sentences.sentence import Sentence, sentence
from controller.table.state import Table, driver_failed
from controller.table.words.day import StartShuffleWord
from controller.table.words.devices import (
    ByHandWord,
    DriverFailedWord,
    ErrorReportedWord,
    EventsLostWord,
    LinkLostWord,
    NoticeWord,
    TimeIsUpWord,
)
from controller.table.words.message import Message
from controller.table.words.vocabulary import Word
from controller.views import audience
from controller.views.answers import AnswerView, answer_json
from controller.views.sayings import View
from drivers.commands import Command, Lock, StartShuffle, Unlock
from drivers.contract import NOTHING, Step
from drivers.error_meaning import ErrorMeaning
from drivers.errors import LinkError, UnsupportedCommand
from drivers.events import CardRead, CommandDone, ErrorCleared, ErrorRaised, Event, LinkUp

WAKE_S: Final = 0.5
"""The loop turns at least this often, so that a watchdog sees it live."""

REPEATED: Final = (EventsLostWord, NoticeWord)
"""Words that are not recorded again while they change nothing."""

ENDED: Final = "the table was ended"


@dataclass(frozen=True)
class Clock:
    monotonic: Callable[[], float]
    """For drivers: deadlines and time-outs."""
    wall: Callable[[], float] | None
    """For records, in seconds since 1970. None: time moves only by the `at` of what people say."""


class Loop:
    """One running table: a `TableClient` for people, a listener for each device."""

    def __init__(
        self, session: Session, devices: Iterable[ConnectedDevice], clock: Clock, inbox: Inbox
    ) -> None:
        self.snapshots = SnapshotLog()
        self._session = session
        self._devices = {device.name: device for device in devices}
        self._clock = clock
        self._inbox = inbox
        self.turns = 0
        """How often it has turned, for a watchdog."""
        self.at_work = ""
        """The driver that works at this moment: where the loop stands still, by whose doing."""

    # --- from any thread ---------------------------------------------------------------------

    def ask(self, message: Message[Word], seen: int | None = None) -> Future[AnswerView]:
        asked = StaffRequest(message, Future(), seen)
        self._inbox.ask(asked)
        return asked.answer

    def devices(self) -> list[View]:
        return [device.shown() for device in self._devices.values()]

    def hear(self, device: str, what: Said, at: float, timeout: float | None = None) -> bool:
        """Where a reader delivers what it has; False when nothing was taken within `timeout`."""
        assert device in self._devices, f"no device {device}"
        return self._inbox.hear(DeviceInput(device, what, at), timeout)

    def waiting(self) -> int:
        """How much has come in and was not looked at yet."""
        return len(self._inbox)

    def stop(self, why: str = ENDED) -> None:
        """Take no more; what is under way is finished, what is answered is on disk."""
        self._inbox.close(why)

    # --- the loop's own thread ---------------------------------------------------------------

    def run(self) -> None:
        """Until `stop` and all that was taken in is dealt with, or until an error."""
        try:
            self._post_as_it_is()
            self._say_who_reads()
            while self._inbox.closed is None or len(self._inbox):
                self._turn()
        except Exception as error:  # noqa: BLE001  whatever it was, nothing goes on over it
            self._latch(error)
        finally:
            self._inbox.close(ENDED)
            self.snapshots.stop(self._inbox.closed or ENDED)
            self._refuse_the_rest()  # none are left unless an error stopped the loop

    def _turn(self) -> None:
        due = self._next_due()
        item = self._inbox.take(min(WAKE_S, max(0.0, due - self._clock.monotonic())))
        self.turns += 1
        if item is None:
            self._tick(self._clock.monotonic())
            self._close_overdue_offer()
        elif isinstance(item, DeviceInput):
            if due <= item.at:
                self._tick(item.at)  # what was due before these bytes came
            self._take_input(self._devices[item.device], item)
        else:
            self._take_request(item)

    def _next_due(self) -> float:
        """When the first of the drivers wants to be woken: worked out while nobody waits."""
        due = [at for each in self._devices.values() if (at := self._due(each)) is not None]
        return min(due, default=math.inf)

    def _tick(self, at: float) -> None:
        for device in self._devices.values():
            deadline = self._due(device)
            if deadline is not None and deadline <= at:
                self._drive(device, partial(device.driver.tick, at))
                self._must_move_on(device, deadline)

    def _must_move_on(self, device: ConnectedDevice, was_due: float) -> None:
        due = self._due(device)
        try:
            driving.must_move_on(device, was_due, due)
        except DriverFailed as failed:
            self._held_by_driver(device, failed)

    def _due(self, device: ConnectedDevice) -> float | None:
        if device.stopped:
            return None
        try:
            return driving.deadline_of(device)
        except DriverFailed as failed:
            self._held_by_driver(device, failed)
            return None

    def _drive(
        self, device: ConnectedDevice, call: Callable[[], Step], *, may_refuse: bool = False
    ) -> None:
        """What the driver makes of it is done; a driver that fails holds the table. One that has
        failed hears nothing: what it would make of half a conversation nobody could say."""
        if device.stopped:
            return
        began, self.at_work = self._clock.monotonic(), device.sheet.name
        try:
            step = driving.step_of(device, call, may_refuse=may_refuse)
        except DriverFailed as failed:
            self._held_by_driver(device, failed)
            return
        finally:
            self.at_work = ""
        slow = self._clock.monotonic() - began > driving.SLOW_S
        self._carry_out(device, step)
        if slow and not device.stopped:
            self._held_by_driver(device, driving.too_slow(device))

    def _held_by_driver(self, device: ConnectedDevice, failed: DriverFailed) -> None:
        device.counts["DriverFailed"] += 1
        word = DriverFailedWord(driver=device.sheet.name, kind=str(failed))
        self._step(Message(device.name, word))

    def _take_up(self, before: Table, after: Table) -> None:
        """Somebody has said that a driver that failed is to be taken up anew."""
        for device in self._devices.values():
            held = [driver_failed(table, device.name) for table in (before, after)]
            if held != [True, False]:
                continue
            try:
                driving.made_anew(device)
            except DriverFailed as failed:
                self._held_by_driver(device, failed)
                continue
            if device.link == "up":
                self._drive(device, partial(device.driver.hello, self._clock.monotonic()))

    def _close_overdue_offer(self) -> None:
        """Silence plays on by itself when its time is up, not when somebody next speaks."""
        machine, wall = self._session.machine, self._clock.wall
        case = machine.table.case
        if wall is None or case is None or case.offer is None:
            return
        if machine.table.doubt is not None or machine.table.clock_stood_at is not None:
            return
        if offers.overdue(case.offer, wall(), machine.rules):
            self._step(Message("system", TimeIsUpWord()))

    def _take_input(self, device: ConnectedDevice, item: DeviceInput) -> None:
        what, at = item.what, item.at
        if isinstance(what, bytes):
            self._drive(device, partial(device.driver.feed, what, at))
            return
        self._event(device, what)
        if isinstance(what, LinkUp):
            self._drive(device, partial(device.driver.hello, at))

    def _carry_out(self, device: ConnectedDevice, step: Step) -> None:
        if step is NOTHING:
            return
        for event in step.events:
            self._event(device, event)
        if step.send and not device.stopped:  # every event is on disk: now it may be acknowledged
            self._send(device, step.send)

    def _send(self, device: ConnectedDevice, data: bytes) -> None:
        try:
            device.write(data)
        except LinkError as error:
            self._note(device, sentence(Code.DEVICE_NOT_TOLD, device=device.name, says=str(error)))

    def _event(self, device: ConnectedDevice, event: Event) -> None:
        # A card is told whatever lies there: sealed where nobody may see it.
        if type(event) is not CardRead and self._kept_back(device, event):
            return
        try:
            message = driving.message_of(device, event)
        except DriverFailed as failed:
            self._held_by_driver(device, failed)
            return
        if message is not None and not self._known(message):
            self._step(message)
        if isinstance(event, CommandDone) and device.name == translate.SHOE:
            # One command at a time: what it refused meanwhile is asked now.
            self._lock_shoe(device, self._session.machine.table)

    def _kept_back(self, device: ConnectedDevice, event: Event) -> bool:
        """Whether it would tell of cards that nobody has seen: now, or for ever."""
        if translate.tells_hands(event) and hidden.face_down(self._session.machine.table):
            device.held.append(event)
            return True
        return self._never_to_be_told(device, event)

    def _never_to_be_told(self, device: ConnectedDevice, event: Event) -> bool:
        if isinstance(event, ErrorCleared) and event.code in device.untold:
            device.untold.discard(event.code)
            return True
        table = self._session.machine.table
        plays = table.shoe_plays is not None
        tells = translate.tells_its_end(event) if plays else translate.tells_hands(event)
        if not tells or device.name != translate.SHOE or not hidden.never_seen(table):
            return False
        if isinstance(event, ErrorRaised):
            device.untold.add(event.code)
        return True

    def _flush_deferred_results(self) -> None:
        """What a shoe said about hands that now lie open."""
        for device in self._devices.values():
            if device.held and hidden.never_seen(self._session.machine.table):
                device.held.clear()
            while device.held and not hidden.face_down(self._session.machine.table):
                self._event(device, device.held.popleft())

    def _note(self, device: ConnectedDevice, says: Sentence) -> None:
        """Something to know about a device that is ours to say."""
        device.counts["Notice"] += 1
        message = Message(device.name, NoticeWord(note=says))
        if not self._known(message):
            self._step(message)

    def _known(self, message: Message[Word]) -> bool:
        """A line full of noise says the same again and again: once is enough for the journal."""
        word = message.word
        if not isinstance(word, REPEATED):
            return False
        machine = self._session.machine
        return carry(machine.table, message, machine.rules) is machine.table

    def _command_shoe(self, before: Table, after: Table, said: Word) -> None:
        """What the step asks of the shoe, or of the dealer where the shoe takes no commands."""
        shoe = self._devices.get(translate.SHOE)
        if shoe is None:
            return
        self._lock_shoe(shoe, after)
        if before is after:
            return
        excess = self._session.machine.rules.excess
        says_excess = isinstance(said, ErrorReportedWord) and said.meaning is ErrorMeaning.EXCESS
        in_error = shoe.in_error()
        for command in shoe_commands.after(
            before, after, excess, in_error, says_excess=says_excess
        ):
            self._ask(shoe, command)
        if before.by_hand is not None and after.by_hand is None and shoe.link != "up":
            self._step(Message(shoe.name, LinkLostWord(says=shoe.link)))

    def _lock_shoe(self, shoe: ConnectedDevice, table: Table) -> None:
        """Locked while wagers are open, where the house wants it. It is asked again after a lost
        link and after a refusal, with whatever step comes next: a shoe must not stay locked."""
        wanted = shoe_commands.locked(table, self._session.machine.rules.house)
        if wanted is None or wanted is shoe.asked_to_lock or shoe.link != "up":
            return
        shoe.asked_to_lock = wanted
        self._ask(shoe, Lock() if wanted else Unlock())

    def _start_shuffle(self, word: StartShuffleWord) -> None:
        """Verified as it is shuffled where the machine can, and shuffled only where it cannot."""
        shuffler = self._devices.get(translate.SHUFFLER)
        if shuffler is None:
            note = NoticeWord(note=sentence(Code.AT_SHUFFLER_START))
            self._step(Message("system", note))
            return
        decks = word.decks or self._session.machine.rules.house.decks
        self._ask(shuffler, StartShuffle("shuffle_verify", decks), StartShuffle("shuffle", decks))

    def _ask(self, device: ConnectedDevice, command: Command, *otherwise: Command) -> None:
        """The first of these that the device can be asked; else people are told to do it there."""
        try:
            asked = partial(device.driver.ask, command, self._clock.monotonic())
            self._drive(device, asked, may_refuse=True)
        except UnsupportedCommand:
            if otherwise:
                self._ask(device, *otherwise)
                return
            by_hand = shoe_commands.AT_THE_SHOE.get(type(command))
            if by_hand is not None:
                self._note(device, sentence(by_hand))

    def _take_request(self, asked: StaffRequest) -> None:
        if not asked.answer.set_running_or_notify_cancel():
            return  # whoever asked has gone before it was looked at
        if asked.seen is not None and self.snapshots.moved_on(asked.seen):
            asked.answer.set_exception(MovedOn("the table has moved on: look again"))
            return
        try:
            answer = self._step(asked.message, asked=True)
        except BaseException as error:
            asked.answer.set_exception(Stopped(self._latch(error)))
            raise
        asked.answer.set_result(answer)

    def _step(self, message: Message[Word], *, asked: bool = False) -> AnswerView:
        """One step through the table: durable when the session returns, then shown."""
        if self._clock.wall is not None:
            message = replace(message, at=self._clock.wall())
        before = self._session.machine.table
        answer = self._session.handle(message)
        told = self._post(message.at, message.verb, answer, asked=asked)
        self._take_up(before, answer.table)
        self._command_shoe(before, answer.table, message.word)
        if answer.accepted and isinstance(message.word, StartShuffleWord):
            self._start_shuffle(message.word)
        self._flush_deferred_results()
        return told

    def _post_as_it_is(self) -> None:
        """Where the table stands before its first step, for whoever reads the snapshots early."""
        machine = self._session.machine
        table = machine.table
        at = table.at if self._clock.wall is None else self._clock.wall()
        seq = self._session.journal.head.seq
        self._post(at, "opened", Answer(True, table, machine.rules, seq=seq))

    def _say_who_reads(self) -> None:
        """A table may have been set up with another shoe since it last ran: one that reads cards,
        or none."""
        shoe, mode = self._devices.get(translate.SHOE), self._session.machine.table.by_hand
        if shoe is None:
            return
        by_hand = shoe.sheet.link == "none"
        if by_hand != (mode is not None and mode.only):
            self._step(Message(shoe.name, ByHandWord(on=by_hand)))

    def _post(self, at: float, what: str, answer: Answer, *, asked: bool = False) -> AnswerView:
        """Show the step to everybody; gives back what whoever took it is told."""
        views = audience.everybody(answer.table, answer.rules)
        seq = answer.seq
        told = {**answer_json(answer, views["dealer"]), "seq": seq}
        self.snapshots.post(Snapshot(seq, at, what, views, told, asked))
        return told

    def _latch(self, error: BaseException) -> str:
        """Nothing more is taken; gives back why."""
        if self._inbox.closed is None:
            self._inbox.close(hidden.why_stopped(error))
        return self._inbox.closed or ENDED

    def _refuse_the_rest(self) -> None:
        while (item := self._inbox.take(0)) is not None:
            if isinstance(item, StaffRequest) and item.answer.set_running_or_notify_cancel():
                item.answer.set_exception(Stopped(self._inbox.closed or ENDED))
