"""What a device says, in the table's words. One event in, at most one message out.

What changes nothing at the table (stand-by, progress, an answer to a command) is counted and shown
beside the device and makes no step.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from controller.round.rules import Message
from controller.runtime.devices import ConnectedDevice
from drivers.events import (
    BadFrame,
    CardFault,
    CardRead,
    CommandRefused,
    CommandTimedOut,
    CutCard,
    DeviceResult,
    ErrorCleared,
    ErrorRaised,
    Event,
    EventsLost,
    ExcessCard,
    ExcessNamed,
    FaultClass,
    Identified,
    Jam,
    LidChanged,
    LinkLost,
    LinkUp,
    LockChanged,
    ModeChanged,
    Notice,
    OrderDropped,
    OutputTaken,
    ReadFailed,
    ShufflerChanged,
    ShufflerFault,
    ShufflerState,
    ShuffleVerified,
    StandBy,
    Started,
    Verdict,
    Winner,
)

SHOE: Final = "shoe"


def to_word(event: Event, device: ConnectedDevice) -> Message | None:
    """The message for the table, without a time; None where the table has nothing to do."""
    translate = (_FROM_SHOE if device.name == SHOE else _FROM_SHUFFLER).get(type(event))
    return None if translate is None else translate(event, device)


def tells_hands(event: Event) -> bool:
    """Whether a shoe says it because of what the hands come to. That it speaks at all after the
    fourth card tells that no third is due, so while cards lie face down nobody may notice."""
    return isinstance(event, StandBy) or (
        isinstance(event, DeviceResult) and event.winner is not Winner.GIVEN_UP
    )


def _said(device: ConnectedDevice, word: str, **more: Any) -> Message:
    return Message(device.name, event=word, **more)


def _told(device: ConnectedDevice, word: str, says: str) -> Message:
    return _said(device, word, given={"says": says})


# --- cards ------------------------------------------------------------------------------------


def _card(event: CardRead, device: ConnectedDevice) -> Message:
    hand = None if event.where is None else event.where.value
    return _said(
        device, "card", card=event.card.code, hand=hand, index=event.index, frame=event.frame
    )


def _read_failed(event: ReadFailed, device: ConnectedDevice) -> Message:
    return _said(device, "read_failed", frame=event.frame)


def _excess(event: ExcessCard, device: ConnectedDevice) -> Message:
    card = None if event.card is None else event.card.code
    return _said(device, "excess", card=card, frame=event.frame)


def _excess_named(event: ExcessNamed, device: ConnectedDevice) -> Message:
    return _said(device, "excess_named", card=event.card.code, frame=event.frame)


def _cut_card(event: CutCard, device: ConnectedDevice) -> Message:
    return _said(device, "cut_card")


def _result(event: DeviceResult, device: ConnectedDevice) -> Message:
    if event.winner is Winner.GIVEN_UP:
        return _said(device, "gave_up")
    return _said(device, "result", winner=event.winner.value)


# --- errors, locks, lids ----------------------------------------------------------------------


def _error(event: ErrorRaised, device: ConnectedDevice) -> Message:
    says = f"error {event.code}: {event.says}"
    return _said(device, "error", code=event.code, given={"says": says})


def _error_cleared(event: ErrorCleared, device: ConnectedDevice) -> Message:
    return _said(device, "error_cleared")


def _lock(event: LockChanged, device: ConnectedDevice) -> Message:
    return _said(device, "locked" if event.locked else "unlocked")


def _lid(event: LidChanged, device: ConnectedDevice) -> Message:
    return _said(device, "lid_open" if event.open else "lid_closed")


def _started(event: Started, device: ConnectedDevice) -> Message:
    return _said(device, "started")


# --- doubt and the link -----------------------------------------------------------------------


def _events_lost(event: EventsLost, device: ConnectedDevice) -> Message:
    return _told(device, "events_lost", event.why)


def _bad_frame(event: BadFrame, device: ConnectedDevice) -> Message | None:
    if not event.may_be_card:
        return None  # counted; a noisy line would fill the journal
    return _told(device, "events_lost", event.reason)


def _link_up(event: LinkUp, device: ConnectedDevice) -> Message:
    """Where a card may have been missed the table asks for the count."""
    shows_by_itself = not event.first and device.numbered
    return _said(device, "link_up", given={} if shows_by_itself else {"count": True})


def _link_lost(event: LinkLost, device: ConnectedDevice) -> Message:
    return _told(device, "link_lost", event.why)


# --- notices ----------------------------------------------------------------------------------


def _notice(event: Notice, device: ConnectedDevice) -> Message:
    return _told(device, "notice", event.says)


def _mode(event: ModeChanged, device: ConnectedDevice) -> Message:
    return _told(device, "notice", f"it is in mode {event.mode}")


def _identified(event: Identified, device: ConnectedDevice) -> Message:
    tells = " ".join(filter(None, (event.maker, event.model, event.serial, event.firmware)))
    return _told(device, "notice", f"it calls itself {tells}")


def _refused(event: CommandRefused, device: ConnectedDevice) -> Message:
    return _told(device, "notice", f"it refused {event.command}: {event.why}")


def _timed_out(event: CommandTimedOut, device: ConnectedDevice) -> Message:
    return _told(device, "notice", f"it did not answer {event.command}: do it at the device")


# --- shufflers --------------------------------------------------------------------------------


def _verified(event: ShuffleVerified, device: ConnectedDevice) -> Message:
    """Only a machine that knows every card and finds them right vouches for them."""
    if event.verdict is Verdict.OK:
        return _said(device, "verified", given={"cards": event.cards})
    found = {
        Verdict.WRONG: f"{len(event.missing)} cards are missing, {len(event.extra)} too many, "
        f"{event.unreadable} unreadable",
        Verdict.COUNT_ONLY: f"it counted {event.cards} cards and cannot tell which they are",
        Verdict.NOT_VERIFIED: "it did not verify the cards",
    }
    return _told(device, "not_verified", found[event.verdict])


def _shuffler_lid(event: LidChanged, device: ConnectedDevice) -> Message | None:
    """A machine that is opened may hold other cards afterwards; its output is opened to take out
    what was verified."""
    if not event.open or event.which == "output":
        return None
    return _told(device, "fault", f"its {event.which} was opened")


def _shuffler_state(event: ShufflerChanged, device: ConnectedDevice) -> Message | None:
    if event.state not in _AT_WORK:
        return None
    return _told(device, "not_verified", f"it is {event.state.value.replace('_', ' ')}")


_AT_WORK = (ShufflerState.LOADING, ShufflerState.SHUFFLING, ShufflerState.RECOVERING_JAM)


def _shuffler_lost(event: LinkLost, device: ConnectedDevice) -> Message:
    return _told(device, "fault", f"the link is lost: {event.why}")


def _jam(event: Jam, device: ConnectedDevice) -> Message:
    return _told(device, "fault", f"cards are jammed at {event.location}")


def _card_fault(event: CardFault, device: ConnectedDevice) -> Message:
    return _told(device, "fault", f"a card is {event.kind.replace('_', ' ')}")


def _shuffler_fault(event: ShufflerFault, device: ConnectedDevice) -> Message:
    says = f"fault {event.code}: {event.says}"
    return _told(device, "notice" if event.kind is FaultClass.NOTICE else "fault", says)


def _output_taken(event: OutputTaken, device: ConnectedDevice) -> Message:
    return _said(device, "taken")


def _shuffler_started(event: Started, device: ConnectedDevice) -> Message:
    return _told(device, "fault", "it was reset or switched on")


def _shuffler_gap(event: EventsLost, device: ConnectedDevice) -> Message:
    return _told(device, "fault", f"something it said was lost: {event.why}")


def _order_dropped(event: OrderDropped, device: ConnectedDevice) -> Message:
    return _told(device, "notice", f"it told the order of cards {event.times} times, unread")


Translate = Callable[[Any, ConnectedDevice], Message | None]

_FROM_ANY: Mapping[type, Translate] = {
    Notice: _notice,
    Identified: _identified,
    ModeChanged: _mode,
    CommandRefused: _refused,
    CommandTimedOut: _timed_out,
    OrderDropped: _order_dropped,
}
_FROM_SHOE: Mapping[type, Translate] = {
    **_FROM_ANY,
    CardRead: _card,
    ReadFailed: _read_failed,
    ExcessCard: _excess,
    ExcessNamed: _excess_named,
    CutCard: _cut_card,
    DeviceResult: _result,
    ErrorRaised: _error,
    ErrorCleared: _error_cleared,
    LockChanged: _lock,
    LidChanged: _lid,
    Started: _started,
    EventsLost: _events_lost,
    BadFrame: _bad_frame,
    LinkUp: _link_up,
    LinkLost: _link_lost,
}
_FROM_SHUFFLER: Mapping[type, Translate] = {
    **_FROM_ANY,
    ShuffleVerified: _verified,
    ShufflerChanged: _shuffler_state,
    LidChanged: _shuffler_lid,
    LinkLost: _shuffler_lost,
    Jam: _jam,
    CardFault: _card_fault,
    ShufflerFault: _shuffler_fault,
    OutputTaken: _output_taken,
    Started: _shuffler_started,
    EventsLost: _shuffler_gap,
}
QUIET: Final = frozenset({"StandBy", "CommandDone", "Progress", "JamCleared"})
"""Events that make no step from either device; everything else is translated for one of them."""
