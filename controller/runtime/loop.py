"""The table's loop: one inbox, one thread, one order of things.

Bytes go through their driver; every event becomes a step that is on disk before the next is looked
at; only then do the driver's own bytes leave, so that a device is never told more than the journal
holds; then a snapshot of the step is put up. People's words take the same way and are answered when
their step is durable.

An error stops the loop for good: nothing is acknowledged, every answer says why. Whoever starts the
table again goes on from the journal.
"""

import traceback
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Final

import structlog
from msgspec.structs import replace

from controller.cases import offers
from controller.engine.carrying import CARRY
from controller.engine.session import Session
from controller.engine.step import Answer
from controller.journal.errors import JournalError
from controller.round import position
from controller.runtime import shoe_commands, translate
from controller.runtime.client import MovedOn, Stopped
from controller.runtime.devices import ConnectedDevice
from controller.runtime.inbox import DeviceInput, Inbox, Said, StaffRequest
from controller.runtime.snapshots import Snapshot, SnapshotLog
from controller.sentences.codes import Code
from controller.sentences.sentence import Sentence, sentence
from controller.table.state import Table
from controller.table.words.devices import (
    ErrorReportedWord,
    EventsLostWord,
    NoticeWord,
    TimeIsUpWord,
)
from controller.table.words.message import Message
from controller.table.words.vocabulary import Word
from controller.views import audience
from controller.views.answers import AnswerView, answer_json
from controller.views.sayings import View
from drivers.commands import Command
from drivers.contract import NOTHING, Capability, Step
from drivers.error_meaning import ErrorMeaning
from drivers.errors import LinkError, UnsupportedCommand
from drivers.events import Event, LinkUp

WAKE_S: Final = 0.5
"""The loop turns at least this often, so that a watchdog sees it live."""

REPEATED: Final = (EventsLostWord, NoticeWord)
"""Words that are not recorded again while they change nothing."""

ENDED: Final = "the table was ended"

log = structlog.get_logger()


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
            while self._inbox.closed is None or len(self._inbox):
                self._turn()
        except Exception as error:  # noqa: BLE001  whatever it was, nothing goes on over it
            self._latch(error)
        finally:
            self._inbox.close(ENDED)
            self.snapshots.stop(self._inbox.closed or ENDED)
            self._refuse_the_rest()  # none are left unless an error stopped the loop

    def _turn(self) -> None:
        item = self._inbox.take(self._wait())
        self.turns += 1
        if item is None:
            self._tick(self._clock.monotonic())
            self._close_overdue_offer()
        elif isinstance(item, DeviceInput):
            self._tick(item.at)  # what was due before these bytes came
            self._take_input(self._devices[item.device], item)
        else:
            self._take_request(item)

    def _wait(self) -> float:
        due = [at for each in self._devices.values() if (at := each.driver.deadline()) is not None]
        if not due:
            return WAKE_S
        return min(WAKE_S, max(0.0, min(due) - self._clock.monotonic()))

    def _tick(self, at: float) -> None:
        for device in self._devices.values():
            deadline = device.driver.deadline()
            if deadline is not None and deadline <= at:
                self._carry_out(device, device.driver.tick(at))

    def _close_overdue_offer(self) -> None:
        """Silence plays on by itself when its time is up, not when somebody next speaks."""
        machine, wall = self._session.machine, self._clock.wall
        case = machine.table.case
        if wall is None or case is None or case.offer is None or machine.table.doubt is not None:
            return
        if offers.overdue(case.offer, wall(), machine.rules):
            self._step(Message("system", TimeIsUpWord()))

    def _take_input(self, device: ConnectedDevice, item: DeviceInput) -> None:
        what, at = item.what, item.at
        if isinstance(what, bytes):
            self._carry_out(device, device.driver.feed(what, at))
            return
        self._event(device, what)
        if isinstance(what, LinkUp):
            self._carry_out(device, device.driver.hello(at))

    def _carry_out(self, device: ConnectedDevice, step: Step) -> None:
        if step is NOTHING:
            return
        for event in step.events:
            self._event(device, event)
        if step.send:  # every event is on disk: now it may be acknowledged
            self._send(device, step.send)

    def _send(self, device: ConnectedDevice, data: bytes) -> None:
        try:
            device.write(data)
        except LinkError as error:
            self._note(device, sentence(Code.DEVICE_NOT_TOLD, device=device.name, says=str(error)))

    def _event(self, device: ConnectedDevice, event: Event) -> None:
        if translate.tells_hands(event) and self._face_down():
            device.held.append(event)
            return
        device.note(event)
        message = translate.to_word(event, device)
        if message is not None and not self._known(message):
            self._step(message)

    def _face_down(self) -> bool:
        """Whether a card on a hand, or one that waits to be counted, has not been exposed."""
        table = self._session.machine.table
        round_ = table.round
        if round_ is None or round_.over:
            return False
        uncounted = round_.face_down and table.doubt is not None
        return uncounted or any(not drawn.exposed for drawn in position.on_hands(round_))

    def _flush_deferred_results(self) -> None:
        """What a shoe said about hands that now lie open."""
        for device in self._devices.values():
            while device.held and not self._face_down():
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
        return CARRY[type(word)](machine.table, message, machine.rules) is machine.table

    def _command_shoe(self, before: Table, after: Table, said: Word) -> None:
        """What the step asks of the shoe, or of the dealer where the shoe takes no commands."""
        shoe = self._devices.get(translate.SHOE)
        if shoe is None or before is after:
            return
        excess = self._session.machine.rules.excess
        says_excess = isinstance(said, ErrorReportedWord) and said.meaning is ErrorMeaning.EXCESS
        in_error = shoe.in_error()
        for command in shoe_commands.after(
            before, after, excess, in_error, says_excess=says_excess
        ):
            self._ask(shoe, command)
        if shoe_commands.left_alone(before, after) and _plays_rounds(shoe):
            self._note(shoe, sentence(shoe_commands.END_ITS_ROUND))

    def _ask(self, device: ConnectedDevice, command: Command) -> None:
        try:
            step = device.driver.ask(command, self._clock.monotonic())
        except UnsupportedCommand:
            by_hand = shoe_commands.AT_THE_SHOE.get(type(command))
            if by_hand is not None:
                self._note(device, sentence(by_hand))
            return
        self._carry_out(device, step)

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
        self._command_shoe(before, answer.table, message.word)
        self._flush_deferred_results()
        return told

    def _post_as_it_is(self) -> None:
        """Where the table stands before its first step, for whoever reads the snapshots early."""
        machine = self._session.machine
        table = machine.table
        at = table.at if self._clock.wall is None else self._clock.wall()
        seq = self._session.journal.head.seq
        self._post(at, "opened", Answer(True, table, machine.rules, seq=seq))

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
            self._inbox.close(_why(error))
        return self._inbox.closed or ENDED

    def _refuse_the_rest(self) -> None:
        while (item := self._inbox.take(0)) is not None:
            if isinstance(item, StaffRequest) and item.answer.set_running_or_notify_cancel():
                item.answer.set_exception(Stopped(self._inbox.closed or ENDED))


def _plays_rounds(device: ConnectedDevice) -> bool:
    return Capability.PLAYS_ROUNDS in device.sheet.capabilities


def _why(error: BaseException) -> str:
    """What stopped the table, without a word that could name a card."""
    if isinstance(error, JournalError | OSError):
        log.error("table_stopped", why=str(error))
        return f"the table has stopped, nothing more is taken: {error}"
    where = [f"{at.filename}:{at.lineno}" for at in traceback.extract_tb(error.__traceback__)]
    log.error("table_stopped", kind=type(error).__name__, where=where)
    return f"the table has stopped on an error of its own ({type(error).__name__}): start it again"
