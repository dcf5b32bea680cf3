"""The Angel Eye driver: decoder, sequence, damage, meaning and commands."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from drivers.commands import (
    ClearError,
    ConfirmGame,
    DeviceCommand,
    DiscardExcess,
    KeepExcess,
    Lock,
    Unlock,
)
from drivers.contract import Settings, Step
from drivers.errors import UnsupportedCommand
from drivers.events import (
    CardRead,
    CommandDone,
    CommandRefused,
    CommandTimedOut,
    Event,
    EventsLost,
    Notice,
)
from drivers.registry import checked
from drivers.shoe_angel_eye.codec import (
    REFUSALS,
    Decoder,
    Done,
    EventFrame,
    Found,
    FrameRules,
    Junk,
    RefusedFrame,
    Reply,
    command,
)
from drivers.shoe_angel_eye.damage import Damage
from drivers.shoe_angel_eye.meaning import Meaning
from drivers.shoe_angel_eye.sequence import WITH_CARD, Sequence
from drivers.shoe_angel_eye.sheet import SHEET

LETTERS: Final[Mapping[type[DeviceCommand], str]] = {
    Lock: "OPLK02",
    Unlock: "OPLK01",
    ClearError: "OPEC00",
    KeepExcess: "OPEC01",
    DiscardExcess: "OPEC02",
    ConfirmGame: "OPGP00",
}


@dataclass(frozen=True, slots=True)
class _Asked:
    name: str
    until: float


class AngelEye:
    """See `drivers.contract.Driver`."""

    def __init__(self, settings: Settings) -> None:
        given: dict[str, Any] = checked(SHEET, settings)
        self._settings = given
        self._quiet_s: float = given["repeat_window_s"]
        self._decoder = Decoder(
            FrameRules(given["check_bcc"], given["bcc_case"] == "any", given["require_bit7"])
        )
        self._sequence = Sequence(
            given["sequence"], given["start_counts"], self._quiet_s, given["copies"]
        )
        self._damage = Damage(self._quiet_s)
        self._meaning = Meaning(
            given["r_event"],
            given["burn_count"],
            unread_is_one_card=given["unread_card"] == "one_card",
        )
        self._asked: _Asked | None = None
        self._last_byte_at = 0.0

    def hello(self, at: float) -> Step:
        """Start a link. A partly received frame is incomplete, and a due answer will not come."""
        events = self._overdue(at)
        self._give_up_partial()
        if self._asked is not None:
            events.append(self._timed_out(self._asked))
        self._sequence.link_up()
        self._meaning.link_up()
        return Step(tuple(events))

    def feed(self, data: bytes, at: float) -> Step:
        events = self._overdue(at)
        if data:
            self._last_byte_at = at
        for found in self._decoder.feed(data):
            events += self._take(found, at)
        return Step(tuple(events))

    def ask(self, command_: DeviceCommand, at: float) -> Step:
        letters = LETTERS.get(type(command_))
        name = type(command_).__name__
        if letters is None:
            raise UnsupportedCommand(f"{SHEET.name} is a shoe and cannot do {name}")
        if self._settings["read_only"]:
            raise UnsupportedCommand(
                f"{SHEET.name} is read-only and sends no {name}: do it at the shoe, or set "
                "read_only = false once this unit has proved on a bench that it takes commands"
            )
        events = self._overdue(at)
        if self._asked is not None:
            why = f"{self._asked.name} has not been answered yet"
            return Step((*events, CommandRefused(name, why)))
        self._asked = _Asked(name, at + self._settings["command_timeout_s"])
        self._decoder.answer_due = True
        with_stx = self._settings["command_bcc"] == "with_stx"
        return Step(tuple(events), command(letters, with_stx=with_stx))

    def tick(self, at: float) -> Step:
        return Step(tuple(self._overdue(at)))

    def deadline(self) -> float | None:
        times = (
            self._asked.until if self._asked else None,
            self._last_byte_at + self._quiet_s if len(self._decoder) else None,
            self._damage.deadline(),
            self._meaning.deadline(),
        )
        return min((time for time in times if time is not None), default=None)

    # --- received ----------------------------------------------------------------------------

    def _take(self, found: Found, at: float) -> list[Event]:
        if isinstance(found, EventFrame):
            return self._event(found, at)
        if isinstance(found, Junk):
            self._damage.note(found, at)
            return []
        if isinstance(found, Reply):
            return [Notice(f"the shoe sent a reply of {found.size} bytes that nobody asked for")]
        return self._answer(found)

    def _event(self, frame: EventFrame, at: float) -> list[Event]:
        damage, sequence = self._damage, self._sequence
        explained = sequence.unheard_bytes(damage.doubtful_since) if damage.doubtful else 0
        shown = sequence.shows_losses
        clean = damage.doubtful <= explained and not damage.was_doubt
        judged = sequence.judge(frame, at, clean=clean)
        if not judged.is_new:
            return list(judged.says)
        if shown or damage.doubtful <= explained + sequence.other_copies(frame):
            damage.accounted_for()
        if judged.late:
            return self._came_late(frame, at)
        if not judged.says:
            return self._meaning.of(frame, at)
        events: list[Event] = []
        if any(isinstance(each, EventsLost) for each in judged.says):
            events += self._meaning.gap()
        return [*events, *judged.says, *self._meaning.of(frame, at)]

    def _came_late(self, frame: EventFrame, at: float) -> list[Event]:
        """Handle an event that was reported as lost. The table needs its card; anything else is
        about a past moment."""
        if frame.code not in WITH_CARD:
            return [Notice("the shoe said something late that was lost before")]
        reported = self._meaning.of(frame, at)
        if not all(isinstance(each, CardRead | Notice) for each in reported):
            return [EventsLost("the shoe said something late about a card"), *reported]
        return [replace(e, late=True) if isinstance(e, CardRead) else e for e in reported]

    def _answer(self, found: Done | RefusedFrame) -> list[Event]:
        assert self._asked is not None, "an answer is looked for only while a command waits"
        name = self._asked.name
        self._no_longer_asked()
        if isinstance(found, Done):
            return [CommandDone(name)]
        return [CommandRefused(name, REFUSALS[found.code], found.code)]

    # --- missing ----------------------------------------------------------------------------------

    def _overdue(self, at: float) -> list[Event]:
        events: list[Event] = []
        if self._asked is not None and at >= self._asked.until:
            events.append(self._timed_out(self._asked))
        events += self._meaning.overdue(at)
        if at >= self._last_byte_at + self._quiet_s:
            self._give_up_partial()
        report_at = self._damage.deadline()
        if report_at is not None and at >= report_at:
            copies = self._sequence.unheard_bytes(self._damage.doubtful_since)
            events.append(self._damage.report(at, copies))
        return events

    def _give_up_partial(self) -> None:
        junk = self._decoder.flush()
        if junk is not None:
            self._damage.note(junk, self._last_byte_at)

    def _timed_out(self, asked: _Asked) -> Event:
        self._no_longer_asked()
        return CommandTimedOut(asked.name)

    def _no_longer_asked(self) -> None:
        self._asked = None
        self._decoder.answer_due = False
