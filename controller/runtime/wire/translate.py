"""Translates a device's event into the table's payload: one event in, at most one payload out.

An event that changes nothing at the table (stand-by, progress, an answer to a command) is counted,
shown with the device, and makes no step.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from controller.game.hands import Outcome
from controller.messages.codes import Code
from controller.messages.sentence import ParamValue, sentence
from controller.runtime.devices import ConnectedDevice
from controller.table.commands import device_events as words
from controller.table.commands.people import CutCardCommand
from controller.table.commands.registry import Payload
from drivers.contract import Capability
from drivers.error_meaning import ErrorMeaning
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
    ExcessDiscarded,
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
SHUFFLER: Final = "shuffler"


def to_payload(event: Event, device: ConnectedDevice) -> Payload | None:
    """The payload of the event; None if the table has nothing to do."""
    translate = (_FROM_SHOE if device.name == SHOE else _FROM_SHUFFLER).get(type(event))
    return None if translate is None else translate(event, device)


def tells_hands(event: Event) -> bool:
    """Whether the shoe sends the event because of the hands' totals. After the fourth card any such
    event reveals that no third card is due, so it is withheld while cards are face down."""
    return isinstance(event, StandBy) or (
        isinstance(event, DeviceResult) and event.winner is not Winner.GIVEN_UP
    )


def tells_its_end(event: Event) -> bool:
    """Whether the event reveals that the shoe's own round is over, or was not yet when the button
    for that was pressed. If its cards were never seen, that would reveal their totals."""
    at_the_wrong_time = isinstance(event, ErrorRaised) and event.means is ErrorMeaning.NOTICE
    return at_the_wrong_time or isinstance(event, (StandBy, DeviceResult))


def _note(event: type[words.Telling], code: Code, **params: ParamValue) -> Payload:
    """An event with a sentence of ours about the device."""
    return event(note=sentence(code, **params))


# --- cards ------------------------------------------------------------------------------------


def _card(event: CardRead, device: ConnectedDevice) -> Payload:
    return words.CardDrawnEvent(
        card=event.card, hand=event.where, index=event.index, late=event.late
    )


def _read_failed(event: ReadFailed, device: ConnectedDevice) -> Payload:
    return words.ReadFailedEvent()


def _excess(event: ExcessCard, device: ConnectedDevice) -> Payload:
    return words.ExcessCardEvent(card=event.card)


def _excess_named(event: ExcessNamed, device: ConnectedDevice) -> Payload:
    return words.ExcessNamedEvent(card=event.card)


def _excess_discarded(event: ExcessDiscarded, device: ConnectedDevice) -> Payload:
    return words.ExcessDiscardedEvent()


def _cut_card(event: CutCard, device: ConnectedDevice) -> Payload:
    return CutCardCommand()


def _result(event: DeviceResult, device: ConnectedDevice) -> Payload:
    if event.winner is Winner.GIVEN_UP:
        return words.GaveUpEvent()
    return words.DeviceResultEvent(
        winner=Outcome(event.winner.value),
        player_pair=event.player_pair,
        banker_pair=event.banker_pair,
        player_total=event.player_total,
        banker_total=event.banker_total,
    )


# --- errors, locks, lids ----------------------------------------------------------------------


def _error(event: ErrorRaised, device: ConnectedDevice) -> Payload:
    return words.ErrorReportedEvent(
        code=event.code, says=event.says, means=event.means, must_clear=event.must_clear
    )


def _error_cleared(event: ErrorCleared, device: ConnectedDevice) -> Payload:
    return words.ErrorClearedEvent(code=event.code)


def _lock(event: LockChanged, device: ConnectedDevice) -> Payload:
    return words.LockedEvent() if event.locked else words.UnlockedEvent()


def _lid(event: LidChanged, device: ConnectedDevice) -> Payload:
    return words.LidOpenEvent() if event.open else words.LidClosedEvent()


def _started(event: Started, device: ConnectedDevice) -> Payload:
    return words.StartedEvent()


# --- doubt and the link -----------------------------------------------------------------------


def _events_lost(event: EventsLost, device: ConnectedDevice) -> Payload:
    return words.EventsLostEvent(says=event.why, by_number=event.by_number)


def _bad_frame(event: BadFrame, device: ConnectedDevice) -> Payload | None:
    if not event.may_be_card:
        return None  # counted; a noisy line would fill the journal
    return words.EventsLostEvent(says=event.reason)


def _link_up(event: LinkUp, device: ConnectedDevice) -> Payload:
    """The link is up again. If a card may have been missed, the table asks for the count."""
    shows_by_itself = not event.first and device.numbered
    plays_rounds = Capability.PLAYS_ROUNDS in device.sheet.capabilities
    return words.LinkUpEvent(
        count=not shows_by_itself, reads_cards=device.reads_cards, plays_rounds=plays_rounds
    )


def _link_lost(event: LinkLost, device: ConnectedDevice) -> Payload:
    return words.LinkLostEvent(says=event.why)


# --- notices ----------------------------------------------------------------------------------


def _notice(event: Notice, device: ConnectedDevice) -> Payload:
    return words.NoticeEvent(says=event.says)


def _mode(event: ModeChanged, device: ConnectedDevice) -> Payload:
    return _note(words.NoticeEvent, Code.DEVICE_MODE, device=device.name, mode=event.mode)


def _identified(event: Identified, device: ConnectedDevice) -> Payload:
    tells = [each for each in (event.maker, event.model, event.serial, event.firmware) if each]
    return _note(words.NoticeEvent, Code.DEVICE_IS, device=device.name, unit=tells)


def _refused(event: CommandRefused, device: ConnectedDevice) -> Payload:
    params = {"device": device.name, "command": event.command, "says": event.why}
    return _note(words.NoticeEvent, Code.DEVICE_REFUSED, **params)


def _timed_out(event: CommandTimedOut, device: ConnectedDevice) -> Payload:
    params = {"device": device.name, "command": event.command}
    return _note(words.NoticeEvent, Code.DEVICE_NO_ANSWER, **params)


# --- shufflers --------------------------------------------------------------------------------


def _verified(event: ShuffleVerified, device: ConnectedDevice) -> Payload:
    """Only a machine that knows every card and finds them right vouches for them."""
    match event.verdict:
        case Verdict.OK:
            return words.VerifiedEvent(cards=event.cards)
        case Verdict.WRONG:
            note = sentence(
                Code.PACK_WRONG,
                missing=len(event.missing),
                extra=len(event.extra),
                unreadable=event.unreadable,
            )
            return words.NotVerifiedEvent(
                note=note,
                missing=event.missing,
                extra=event.extra,
            )
        case Verdict.COUNT_ONLY:
            note = sentence(Code.PACK_ONLY_COUNTED, cards=event.cards)
            return words.NotVerifiedEvent(note=note, cards=event.cards)
        case _:
            return _note(words.NotVerifiedEvent, Code.PACK_NOT_VERIFIED)


def _shuffler_lid(event: LidChanged, device: ConnectedDevice) -> Payload | None:
    """The lid of the shuffler. A machine that was opened may hold other cards afterwards; its
    output is opened to take out verified cards."""
    if not event.open or event.which == "output":
        return None
    return _note(words.FaultEvent, Code.SHUFFLER_OPENED, part=event.which)


def _shuffler_state(event: ShufflerChanged, device: ConnectedDevice) -> Payload | None:
    if event.state not in _AT_WORK:
        return None
    return _note(words.NotVerifiedEvent, Code.SHUFFLER_AT_WORK, work=event.state)


_AT_WORK = (ShufflerState.LOADING, ShufflerState.SHUFFLING, ShufflerState.RECOVERING_JAM)


def _shuffler_lost(event: LinkLost, device: ConnectedDevice) -> Payload:
    return _note(words.FaultEvent, Code.SHUFFLER_LINK_LOST, says=event.why)


def _jam(event: Jam, device: ConnectedDevice) -> Payload:
    return _note(words.FaultEvent, Code.SHUFFLER_JAM, part=event.location)


def _card_fault(event: CardFault, device: ConnectedDevice) -> Payload:
    return _note(words.FaultEvent, Code.SHUFFLER_CARD, state=event.kind)


def _shuffler_fault(event: ShufflerFault, device: ConnectedDevice) -> Payload:
    device_event = words.NoticeEvent if event.kind is FaultClass.NOTICE else words.FaultEvent
    return _note(device_event, Code.SHUFFLER_FAULT, number=event.code, says=event.says)


def _output_taken(event: OutputTaken, device: ConnectedDevice) -> Payload:
    return words.OutputTakenEvent()


def _shuffler_started(event: Started, device: ConnectedDevice) -> Payload:
    return _note(words.FaultEvent, Code.SHUFFLER_STARTED)


def _shuffler_gap(event: EventsLost, device: ConnectedDevice) -> Payload:
    return _note(words.FaultEvent, Code.SHUFFLER_EVENTS_LOST, says=event.why)


def _order_dropped(event: OrderDropped, device: ConnectedDevice) -> Payload:
    return _note(words.NoticeEvent, Code.ORDER_DROPPED, device=device.name, times=event.times)


Translate = Callable[[Any, ConnectedDevice], Payload | None]

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
    ExcessDiscarded: _excess_discarded,
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
