"""The driver's belief about the machine, and how each line changes it.

Trust is lost at once and regained slowly. A lid, a fault, a restart or a gap in the numbers ends a
verification immediately; after any doubt no event restores it, only the machine's own STATUS and
REPORT, requested afterwards.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from drivers.events import (
    BadFrame,
    CardFault,
    Event,
    EventsLost,
    FaultClass,
    Jam,
    JamCleared,
    LidChanged,
    Notice,
    OrderDropped,
    OutputTaken,
    Progress,
    ShufflerChanged,
    ShufflerState,
    ShuffleVerified,
    Started,
    Verdict,
)
from drivers.shuffler_batch import faults
from drivers.shuffler_batch.codec import BOOT_NUMBER, MAX_NUMBER, Line, ShuffleReport

Told = list[Event]


@dataclass(frozen=True, slots=True)
class Status:
    """The fields of ST with their names."""

    state: ShufflerState
    cards_in: int
    cards_out: int
    total: int
    run: int
    verified: bool
    content: str
    fault: int
    motion: int
    last: int

    @staticmethod
    def of(state: str, *others: Any) -> "Status":
        cards_in, cards_out, total, run, verified, content, fault, motion, last = others
        counts = cards_in, cards_out, total, run
        return Status(ShufflerState[state], *counts, verified == 1, content, fault, motion, last)


class Belief:
    """The belief. `verified`: a verified pack is inside, and nothing contradicts it."""

    def __init__(self, decks: int) -> None:
        self.decks = decks
        """The decks of a right pack; a verification of another number of decks does not count."""
        self.state: ShufflerState | None = None
        self.verified = False
        self.doubt = True
        """An event may have been missed: STATUS and REPORT must be requested."""
        self.order_dropped = 0
        self.done: int | None = None
        """The request whose motion the machine reported as ended; the driver removes it."""
        self._heard: int | None = None
        self._status: Status | None = None
        """The last one, as long as no event followed it."""
        self._fault = 0
        self._reported: ShuffleReport | None = None

    # --- numbers ----------------------------------------------------------------------------

    def event(self, line: Line) -> Told:
        if line.word != "PROGRESS":
            self._status = None  # older than this event, so no REPORT can rely on it
        return _EVENTS[line.word](self, *line.fields)

    def numbered(self, number: int) -> tuple[bool, Told]:
        """Return whether an event with this number is new, and the events that its number
        implies."""
        heard, self._heard = self._heard, number
        if number == BOOT_NUMBER or heard is None or number == heard % MAX_NUMBER + 1:
            return True, []
        if number == heard:
            return False, [Notice("an event came twice; the second was dropped")]
        missing = (number - heard - 1) % MAX_NUMBER
        return True, self._lost(f"event {number} follows event {heard}", missing)

    def damaged(self, reason: str) -> Told:
        """Handle a line that could not be read: an event may have been in it. Its bytes are not
        kept, because the order of cards from a faulty machine must not get into the journal."""
        self.doubt, self._status = True, None
        return [BadFrame(reason)]

    def _lost(self, why: str, missing: int) -> Told:
        """Handle lost events: an opened lid may be among them."""
        self.doubt, self._status = True, None
        return [EventsLost(why, missing), *self.void()]

    def dropped(self) -> Told:
        self.order_dropped += 1
        return [OrderDropped(self.order_dropped)]

    # --- answers ----------------------------------------------------------------------------

    def status(self, now: Status) -> Told:
        reported: Told = []
        if self._heard is not None and now.last != self._heard:
            missing = (now.last - self._heard) % MAX_NUMBER
            reported += self._lost("the machine has said more than arrived", missing)
        self._heard, self._status = now.last, now
        reported += self._changed(now.state)
        if now.fault and now.fault != self._fault:
            service = now.state is ShufflerState.FAULT_SERVICE
            reported += self._faulty(
                now.fault, FaultClass.SERVICE if service else FaultClass.OPERATOR
            )
        self._fault = now.fault
        return reported if now.verified else reported + self.void()

    def report(self, report: ShuffleReport, asked: bool) -> Told:
        """Handle the answer to REPORT. After a STATUS, with no event between, it ends a doubt. A
        pack that is not inside is only shown: the table may have used that pack up already, and
        must not take it for another one."""
        status = self._status
        if status is not None:
            self.doubt = False
        inside = status is not None and status.verified and status.run == report.run
        if report.run == 0 or (report.verdict is Verdict.OK and not inside):
            was = f"run {report.run}: {report.verdict.value}, {report.cards} cards, not inside"
            return [Notice(was)] if asked else []
        return self._verification(report, asked)

    def under_way(self) -> int | None:
        """The request whose motion is in progress by the last STATUS, 0 for none."""
        return None if self._status is None else self._status.motion

    # --- losing trust -------------------------------------------------------------------------

    def void(self) -> Told:
        """Revoke what was verified inside the machine."""
        was, self.verified = self.verified, False
        return [ShuffleVerified(Verdict.NOT_VERIFIED)] if was else []

    def relinked(self) -> Told:
        """Handle a new link: valid findings are reported once more, after STATUS and REPORT."""
        self.doubt, self._status = True, None
        return self.void()

    def offline(self) -> Told:
        self.doubt = True
        return [*self._changed(ShufflerState.OFFLINE), *self.void()]

    # --- what each event means ------------------------------------------------------------------

    def _changed(self, state: ShufflerState) -> Told:
        before, self.state = self.state, state
        return [] if before is state else [ShufflerChanged(state)]

    def _boot(self, _content: str) -> Told:
        self._reported, self._fault, self.doubt = None, 0, True
        return [Started(), *self.void(), *self._changed(ShufflerState.BOOTING)]

    def _state(self, name: str) -> Told:
        state = ShufflerState[name]
        if state not in (ShufflerState.FAULT_OPERATOR, ShufflerState.FAULT_SERVICE):
            self._fault = 0
        return self._changed(state)

    def _progress(self, cards_in: int, cards_out: int, total: int) -> Told:
        return [Progress(cards_in, cards_out, total)]

    def _card_fault(self, kind: str) -> Told:
        return [CardFault(kind.lower())]

    def _verified(self, *fields: Any) -> Told:
        report = ShuffleReport.of(*fields)
        if self.doubt and report.verdict is Verdict.OK:
            return []  # REPORT is requested, and its answer has the result
        return self._verification(report, asked=False)

    def _verification(self, report: ShuffleReport, asked: bool) -> Told:
        before = self._reported
        if not report.sane:
            return [*self.damaged("a verification that contradicts itself"), *self.void()]
        if before is not None and before.run == report.run and before != report:
            # One run has one result. Changing results, one card at a time, would reveal an order.
            return [*self.dropped(), *self.void()]
        if before == report and not asked and (self.verified or report.verdict is not Verdict.OK):
            return []
        self._reported = report
        if report.verdict is Verdict.OK and report.decks != self.decks:
            text = f"{report.decks} decks were verified, but a pack here has {self.decks}"
            self.verified = False
            return [Notice(text), ShuffleVerified(Verdict.NOT_VERIFIED)]
        self.verified = report.verdict is Verdict.OK
        return [_shown(report)]

    def _jam(self, where: str, attempt: int) -> Told:
        return [Jam(where.lower(), attempt)]

    def _jam_cleared(self, where: str) -> Told:
        return [JamCleared(where.lower())]

    def _door(self, which: str, position: str) -> Told:
        is_open = position == "OPEN"
        given_out = which == "OUTPUT" and self.state in _GIVING_OUT
        reported: Told = [LidChanged(is_open, which.lower())]
        return reported + self.void() if is_open and not given_out else reported

    def _taken(self) -> Told:
        """Handle a pack that the dealer took: its verification stays valid, but it is not
        inside."""
        self.verified = False
        return [OutputTaken()]

    def _fault_told(self, code: int, kind: str) -> Told:
        return self._faulty(code, FaultClass[kind])

    def _faulty(self, code: int, kind: FaultClass) -> Told:
        reported: Told = [faults.event(code, kind)]
        if kind is FaultClass.NOTICE:
            return reported
        self._fault = code
        return reported + self.void()

    def _cut_card(self) -> Told:
        # Not `CutCard`: that is the card that leaves a shoe and ends its play.
        return [Notice("the shuffler has found a cutting card among the cards")]

    def _ready(self, _run: int, _cards: int) -> Told:
        return self._changed(ShufflerState.READY)

    def _done(self, request: int) -> Told:
        self.done = request
        return []


_GIVING_OUT: Final = (ShufflerState.UNLOADING, ShufflerState.DOOR_OPEN, ShufflerState.DEALING)

_EVENTS: Final[Mapping[str, Callable[..., Told]]] = {
    "BOOT": Belief._boot,
    "STATE": Belief._state,
    "PROGRESS": Belief._progress,
    "CARD_FAULT": Belief._card_fault,
    "VERIFIED": Belief._verified,
    "JAM": Belief._jam,
    "JAM_CLEARED": Belief._jam_cleared,
    "DOOR": Belief._door,
    "TAKEN": Belief._taken,
    "FAULT": Belief._fault_told,
    "CUT_CARD": Belief._cut_card,
    "READY": Belief._ready,
    "DONE": Belief._done,
}


def _shown(report: ShuffleReport) -> ShuffleVerified:
    return ShuffleVerified(
        *(report.verdict, report.cards, report.missing, report.extra),
        *(report.unreadable, report.foreign),
    )
