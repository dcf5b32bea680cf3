"""The table's loop: one inbox, one thread, one queue of effects.

Everything that happens to a table is an effect: a driver's event, a step, bytes for a port, a
command for a device, a snapshot. An effect may return more effects, which go to the end of the
queue, so no step is taken within another. The order that follows:

1. A step's records are durable before any of its effects exists.
2. The driver's bytes are sent when all of its events are durable: a device never receives an
   acknowledgement of an event that the journal does not hold.
3. The snapshot of the step is posted, and the devices receive the commands of the step.
4. A person's request is answered when all effects of its step have been executed.

An error in our code stops the loop for good: nothing is acknowledged, and every answer contains the
reason. The table resumes from the journal at the next start. An error in a driver stops that driver
alone and holds the table, until a person renews the driver.
"""

import math
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from typing import Final

from msgspec.structs import replace

from controller.cases import offers
from controller.engine.handlers import apply
from controller.engine.session import Session
from controller.engine.step import Answer
from controller.runtime import card_redaction
from controller.runtime.client import MovedOn, Stopped
from controller.runtime.devices import ConnectedDevice
from controller.runtime.driver_calls import DriverCalls, failure_of
from controller.runtime.effects import (
    AskDevice,
    Effect,
    HandleEvent,
    LockShoe,
    PostSnapshot,
    ReleaseResults,
    TakenStep,
    TakeStep,
    effects_of,
)
from controller.runtime.inbox import DeviceInput, Inbox, StaffRequest
from controller.runtime.snapshots import Snapshot, SnapshotLog
from controller.runtime.wire import deferral, driver_steps, shoe_commands, translate
from controller.runtime.wire.driver_steps import DriverFailed
from controller.table.commands.device_events import (
    ByHandEvent,
    EventsLostEvent,
    NoticeEvent,
    TimeIsUpEvent,
)
from controller.table.commands.message import Message
from controller.table.commands.registry import Payload
from controller.views import audience
from controller.views.answers import StepAnswer, step_answer
from controller.views.structs.devices import DeviceView
from drivers.commands import Lock, Unlock
from drivers.events import CardRead, CommandDone, Event, LinkUp
from drivers.io.reader import Brought

WAKE_S: Final = 0.5
"""The loop turns at least this often, so that a watchdog sees it live."""

REPEATED: Final = (EventsLostEvent, NoticeEvent)
"""Events that are not recorded again while they change nothing."""

ENDED: Final = "the table was ended"


@dataclass(frozen=True)
class Clock:
    monotonic: Callable[[], float]
    """The clock for drivers: deadlines and time-outs."""
    wall: Callable[[], float] | None
    """The clock for records, in seconds since 1970. None: only the `at` of people's messages
    advances time."""


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
        self._effects: deque[Effect] = deque()
        """Effects to execute, in order; empty while the loop waits."""
        self._calls = DriverCalls(clock.monotonic)
        self._told: StepAnswer | None = None
        """The answer to the request in progress."""
        self.turns = 0
        """The number of turns, for a watchdog."""

    # --- from any thread ---------------------------------------------------------------------

    def ask(self, message: Message[Payload], seen: int | None = None) -> Future[StepAnswer]:
        asked = StaffRequest(message, Future(), seen)
        self._inbox.ask(asked)
        return asked.answer

    def devices(self) -> list[DeviceView]:
        return [device.shown() for device in self._devices.values()]

    def hear(self, device: str, what: Brought, at: float, timeout: float | None = None) -> bool:
        """Deliver input from a reader; returns False if it was not taken within `timeout`."""
        assert device in self._devices, f"no device {device}"
        return self._inbox.hear(DeviceInput(device, what, at), timeout)

    @property
    def at_work(self) -> str:
        """The name of the driver that is running now, which explains a loop that stands still."""
        return self._calls.at_work

    def waiting(self) -> int:
        """The number of items in the inbox."""
        return len(self._inbox)

    def stop(self, why: str = ENDED) -> None:
        """Accept no more input. The step in progress is finished, and what is answered is
        durable."""
        self._inbox.close(why)

    # --- the loop's own thread ---------------------------------------------------------------

    def run(self) -> None:
        """Run until `stop` is called and all accepted input is processed, or until an error."""
        try:
            self._carry_out(self._opening())
            while self._inbox.closed is None or len(self._inbox):
                self._turn()
        except Exception as error:  # noqa: BLE001  whatever it was, nothing goes on over it
            self._latch(error)
        finally:
            self._inbox.close(ENDED)
            self.snapshots.stop(self._inbox.closed or ENDED)
            self._refuse_the_rest()  # none are left unless an error stopped the loop

    def _opening(self) -> list[Effect]:
        """Post the table before its first step, for early readers of the snapshots. Its shoe may
        have been exchanged since the last run, for one that reads cards or for one that does
        not."""
        machine = self._session.machine
        table, shoe = machine.table, self._devices.get(translate.SHOE)
        at = table.at if self._clock.wall is None else self._clock.wall()
        answer = Answer(True, table, machine.rules, seq=self._session.journal.head.seq)
        found: list[Effect] = [PostSnapshot(at, "opened", answer)]
        by_hand = shoe is not None and shoe.sheet.link == "none"
        if shoe is not None and by_hand != (
            table.devices.by_hand is not None and table.devices.by_hand.only
        ):
            found.append(TakeStep(Message(shoe.name, ByHandEvent(on=by_hand))))
        return found

    def _turn(self) -> None:
        due = self._next_due()
        item = self._inbox.take(min(WAKE_S, max(0.0, due - self._clock.monotonic())))
        self.turns += 1
        if item is None:
            self._tick(self._clock.monotonic())
            self._carry_out(self._overdue_offer())
        elif isinstance(item, DeviceInput):
            if due <= item.at:
                self._tick(item.at)  # what was due before these bytes arrived
            self._carry_out(self._take_input(self._devices[item.device], item))
        else:
            self._take_request(item)

    def _next_due(self) -> float:
        """The earliest deadline of the drivers, computed while the loop is idle."""
        found = [self._due(each) for each in self._devices.values()]
        self._carry_out(())
        return min((at for at in found if at is not None), default=math.inf)

    def _tick(self, at: float) -> None:
        for device in self._devices.values():
            due = self._due(device)
            if due is not None and due <= at:
                self._carry_out(self._calls.call(device, partial(device.driver.tick, at)))
                self._check_moved_on(device, due)
        self._carry_out(())

    def _check_moved_on(self, device: ConnectedDevice, was_due: float) -> None:
        due = self._due(device)
        try:
            driver_steps.must_move_on(device, was_due, due)
        except DriverFailed as failed:
            self._effects.append(failure_of(device, failed))

    def _due(self, device: ConnectedDevice) -> float | None:
        if device.stopped:
            return None
        try:
            return driver_steps.deadline_of(device)
        except DriverFailed as failed:
            self._effects.append(failure_of(device, failed))
            return None

    def _overdue_offer(self) -> list[Effect]:
        """Decline an offer when its time expires, without waiting for the next message."""
        machine, wall = self._session.machine, self._clock.wall
        case = machine.table.case
        if wall is None or case is None or case.offer is None:
            return []
        if machine.table.count_check is not None or machine.table.clocks.stopped_at is not None:
            return []
        overdue = offers.overdue(case.offer, wall(), machine.rules)
        return [TakeStep(Message("system", TimeIsUpEvent()))] if overdue else []

    def _take_input(self, device: ConnectedDevice, item: DeviceInput) -> list[Effect]:
        what, at = item.what, item.at
        if isinstance(what, bytes):
            return self._calls.call(device, partial(device.driver.feed, what, at))
        found = self._handle_event(device, what)
        if isinstance(what, LinkUp):
            found += self._calls.greet(device)
        return found

    def _take_request(self, asked: StaffRequest) -> None:
        if not asked.answer.set_running_or_notify_cancel():
            return  # the client has cancelled the request
        if asked.seen is not None and self.snapshots.has_moved_on(asked.seen):
            asked.answer.set_exception(MovedOn("the table has moved on: look again"))
            return
        try:
            self._carry_out((TakeStep(asked.message, asked),))
        except BaseException as error:
            asked.answer.set_exception(Stopped(self._latch(error)))
            raise
        assert self._told is not None, "a snapshot of the step was posted"
        asked.answer.set_result(self._told)

    # --- effects -----------------------------------------------------------------------------

    def _carry_out(self, effects: Iterable[Effect]) -> None:
        """Execute these effects and all that follow from them, in order."""
        queue = self._effects
        queue += effects
        while queue:
            queue += self._carried_out(queue.popleft())

    def _carried_out(self, effect: Effect) -> list[Effect]:
        """Execute one effect; returns the effects that follow from it."""
        match effect:
            case HandleEvent(device, event):
                return self._handle_event(device, event)
            case PostSnapshot():
                return self._post(effect)
            case TakeStep():
                return self._step(effect)
            case LockShoe(shoe):
                return self._lock(shoe)
            case ReleaseResults():
                return self._release_results()
            case _:
                return self._calls.carry_out(effect)

    def _step(self, taken: TakeStep) -> list[Effect]:
        """Take one step of the table; its records are durable when the session returns."""
        machine, message = self._session.machine, taken.message
        before = machine.table
        may_repeat = taken.skips_repeats and isinstance(message.payload, REPEATED)
        if may_repeat and apply(before, message, machine.rules) is before:
            return []
        if self._clock.wall is not None:
            message = replace(message, at=self._clock.wall())
        answer = self._session.handle(message)
        return effects_of(TakenStep(before, message, answer, taken.request), self._devices)

    def _handle_event(self, device: ConnectedDevice, event: Event) -> list[Effect]:
        # A card is recorded in every state, and sealed if it must stay hidden.
        withheld = type(event) is not CardRead and deferral.is_withheld(
            device, event, self._session.machine.table
        )
        return [] if withheld else self._take_event(device, event)

    def _take_event(self, device: ConnectedDevice, event: Event) -> list[Effect]:
        try:
            message = driver_steps.device_message(device, event)
        except DriverFailed as failed:
            return self._step(failure_of(device, failed))
        found = [] if message is None else self._step(TakeStep(message, skips_repeats=True))
        if isinstance(event, CommandDone) and device.name == translate.SHOE:
            # One command at a time: send now what the device refused meanwhile.
            found.append(LockShoe(device))
        return found

    def _release_results(self) -> list[Effect]:
        """Release one result at a time: its step may cause the next to be deferred again."""
        for device in self._devices.values():
            event = deferral.next_released_event(device, self._session.machine.table)
            if event is not None:
                return [*self._take_event(device, event), ReleaseResults()]
        return []

    def _lock(self, shoe: ConnectedDevice) -> list[Effect]:
        """Lock the shoe while wagers are open, if the house requires it. The command is repeated
        with the next step after a lost link or a refusal, because a shoe must not stay locked."""
        machine = self._session.machine
        wanted = shoe_commands.is_lock_due(machine.table, machine.rules.house)
        if wanted is None or wanted is shoe.asked_to_lock or shoe.link != "up":
            return []
        shoe.asked_to_lock = wanted
        return [AskDevice(shoe, (Lock() if wanted else Unlock(),))]

    def _post(self, posted: PostSnapshot) -> list[Effect]:
        """Post the snapshot of the step."""
        answer, asked = posted.answer, posted.request is not None
        views = audience.render_views(answer.table, answer.rules)
        answer_view = step_answer(answer, views.dealer, answer.seq)
        self.snapshots.post(Snapshot(answer.seq, posted.at, posted.what, views, answer_view, asked))
        if asked:
            self._told = answer_view
        return []

    # --- the end -----------------------------------------------------------------------------

    def _latch(self, error: BaseException) -> str:
        """Stop for good after an error; returns the reason."""
        if self._inbox.closed is None:
            self._inbox.close(card_redaction.stop_reason(error))
        return self._inbox.closed or ENDED

    def _refuse_the_rest(self) -> None:
        while (item := self._inbox.take(0)) is not None:
            if isinstance(item, StaffRequest) and item.answer.set_running_or_notify_cancel():
                item.answer.set_exception(Stopped(self._inbox.closed or ENDED))
