"""What a device says, in the table's words. One event in, at most one message out.

What changes nothing at the table (stand-by, progress, an answer to a command) is counted and shown
beside the device and makes no step.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from controller.game.hands import Outcome
from controller.runtime.devices import ConnectedDevice
from controller.sentences.codes import Code
from controller.sentences.sentence import GapValue, sentence
from controller.table.words import devices as words
from controller.table.words.message import Message
from controller.table.words.people import CutCardWord
from controller.table.words.vocabulary import Word
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

Said: TypeAlias = Message[Any]


def to_word(event: Event, device: ConnectedDevice) -> Said | None:
    """The message for the table, without a time; None where the table has nothing to do."""
    translate = (_FROM_SHOE if device.name == SHOE else _FROM_SHUFFLER).get(type(event))
    return None if translate is None else translate(event, device)


def tells_hands(event: Event) -> bool:
    """Whether a shoe says it because of what the hands come to. That it speaks at all after the
    fourth card tells that no third is due, so while cards lie face down nobody may notice."""
    return isinstance(event, StandBy) or (
        isinstance(event, DeviceResult) and event.winner is not Winner.GIVEN_UP
    )


def tells_its_end(event: Event) -> bool:
    """Whether it tells that a shoe's own round is over, or was not yet when its button for that
    was pressed: where cards of it were never seen, that would tell what they come to."""
    at_the_wrong_time = isinstance(event, ErrorRaised) and event.means is ErrorMeaning.NOTICE
    return at_the_wrong_time or isinstance(event, (StandBy, DeviceResult))


def _said(device: ConnectedDevice, word: Word, frame: bytes = b"") -> Said:
    return Message(device.name, word, frame=frame)


def _told(who: ConnectedDevice, word: type[words.Telling], code: Code, **gaps: GapValue) -> Said:
    """With a sentence of ours about the device."""
    return _said(who, word(note=sentence(code, **gaps)))


# --- cards ------------------------------------------------------------------------------------


def _card(event: CardRead, device: ConnectedDevice) -> Said:
    word = words.CardDrawnWord(
        card=event.card.code, hand=event.where, index=event.index, late=event.late
    )
    return _said(device, word, event.frame)


def _read_failed(event: ReadFailed, device: ConnectedDevice) -> Said:
    return _said(device, words.ReadFailedWord(), event.frame)


def _excess(event: ExcessCard, device: ConnectedDevice) -> Said:
    card = None if event.card is None else event.card.code
    return _said(device, words.ExcessCardWord(card=card), event.frame)


def _excess_named(event: ExcessNamed, device: ConnectedDevice) -> Said:
    return _said(device, words.ExcessNamedWord(card=event.card.code), event.frame)


def _excess_discarded(event: ExcessDiscarded, device: ConnectedDevice) -> Said:
    return _said(device, words.ExcessDiscardedWord())


def _cut_card(event: CutCard, device: ConnectedDevice) -> Said:
    return _said(device, CutCardWord())


def _result(event: DeviceResult, device: ConnectedDevice) -> Said:
    if event.winner is Winner.GIVEN_UP:
        return _said(device, words.GaveUpWord())
    word = words.DeviceResultWord(
        winner=Outcome(event.winner.value),
        player_pair=event.player_pair,
        banker_pair=event.banker_pair,
        player_total=event.player_total,
        banker_total=event.banker_total,
    )
    return _said(device, word)


# --- errors, locks, lids ----------------------------------------------------------------------


def _error(event: ErrorRaised, device: ConnectedDevice) -> Said:
    word = words.ErrorReportedWord(
        code=event.code, says=event.says, means=event.means, must_clear=event.must_clear
    )
    return _said(device, word)


def _error_cleared(event: ErrorCleared, device: ConnectedDevice) -> Said:
    return _said(device, words.ErrorClearedWord(code=event.code))


def _lock(event: LockChanged, device: ConnectedDevice) -> Said:
    return _said(device, words.LockedWord() if event.locked else words.UnlockedWord())


def _lid(event: LidChanged, device: ConnectedDevice) -> Said:
    return _said(device, words.LidOpenWord() if event.open else words.LidClosedWord())


def _started(event: Started, device: ConnectedDevice) -> Said:
    return _said(device, words.StartedWord())


# --- doubt and the link -----------------------------------------------------------------------


def _events_lost(event: EventsLost, device: ConnectedDevice) -> Said:
    return _said(device, words.EventsLostWord(says=event.why, by_number=event.by_number))


def _bad_frame(event: BadFrame, device: ConnectedDevice) -> Said | None:
    if not event.may_be_card:
        return None  # counted; a noisy line would fill the journal
    return _said(device, words.EventsLostWord(says=event.reason))


def _link_up(event: LinkUp, device: ConnectedDevice) -> Said:
    """Where a card may have been missed the table asks for the count."""
    shows_by_itself = not event.first and device.numbered
    plays_rounds = Capability.PLAYS_ROUNDS in device.sheet.capabilities
    return _said(
        device,
        words.LinkUpWord(
            count=not shows_by_itself, reads_cards=device.reads_cards, plays_rounds=plays_rounds
        ),
    )


def _link_lost(event: LinkLost, device: ConnectedDevice) -> Said:
    return _said(device, words.LinkLostWord(says=event.why))


# --- notices ----------------------------------------------------------------------------------


def _notice(event: Notice, device: ConnectedDevice) -> Said:
    return _said(device, words.NoticeWord(says=event.says))


def _mode(event: ModeChanged, device: ConnectedDevice) -> Said:
    return _told(device, words.NoticeWord, Code.DEVICE_MODE, device=device.name, mode=event.mode)


def _identified(event: Identified, device: ConnectedDevice) -> Said:
    tells = [each for each in (event.maker, event.model, event.serial, event.firmware) if each]
    return _told(device, words.NoticeWord, Code.DEVICE_IS, device=device.name, unit=tells)


def _refused(event: CommandRefused, device: ConnectedDevice) -> Said:
    gaps = {"device": device.name, "command": event.command, "says": event.why}
    return _told(device, words.NoticeWord, Code.DEVICE_REFUSED, **gaps)


def _timed_out(event: CommandTimedOut, device: ConnectedDevice) -> Said:
    gaps = {"device": device.name, "command": event.command}
    return _told(device, words.NoticeWord, Code.DEVICE_NO_ANSWER, **gaps)


# --- shufflers --------------------------------------------------------------------------------


def _verified(event: ShuffleVerified, device: ConnectedDevice) -> Said:
    """Only a machine that knows every card and finds them right vouches for them."""
    match event.verdict:
        case Verdict.OK:
            return _said(device, words.VerifiedWord(cards=event.cards))
        case Verdict.WRONG:
            note = sentence(
                Code.PACK_WRONG,
                missing=len(event.missing),
                extra=len(event.extra),
                unreadable=event.unreadable,
            )
            return _said(
                device,
                words.NotVerifiedWord(
                    note=note,
                    missing=tuple(card.code for card in event.missing),
                    extra=tuple(card.code for card in event.extra),
                ),
            )
        case Verdict.COUNT_ONLY:
            note = sentence(Code.PACK_ONLY_COUNTED, cards=event.cards)
            return _said(device, words.NotVerifiedWord(note=note, cards=event.cards))
        case _:
            return _told(device, words.NotVerifiedWord, Code.PACK_NOT_VERIFIED)


def _shuffler_lid(event: LidChanged, device: ConnectedDevice) -> Said | None:
    """A machine that is opened may hold other cards afterwards; its output is opened to take out
    what was verified."""
    if not event.open or event.which == "output":
        return None
    return _told(device, words.FaultWord, Code.SHUFFLER_OPENED, part=event.which)


def _shuffler_state(event: ShufflerChanged, device: ConnectedDevice) -> Said | None:
    if event.state not in _AT_WORK:
        return None
    return _told(device, words.NotVerifiedWord, Code.SHUFFLER_AT_WORK, work=event.state)


_AT_WORK = (ShufflerState.LOADING, ShufflerState.SHUFFLING, ShufflerState.RECOVERING_JAM)


def _shuffler_lost(event: LinkLost, device: ConnectedDevice) -> Said:
    return _told(device, words.FaultWord, Code.SHUFFLER_LINK_LOST, says=event.why)


def _jam(event: Jam, device: ConnectedDevice) -> Said:
    return _told(device, words.FaultWord, Code.SHUFFLER_JAM, part=event.location)


def _card_fault(event: CardFault, device: ConnectedDevice) -> Said:
    return _told(device, words.FaultWord, Code.SHUFFLER_CARD, state=event.kind)


def _shuffler_fault(event: ShufflerFault, device: ConnectedDevice) -> Said:
    word = words.NoticeWord if event.kind is FaultClass.NOTICE else words.FaultWord
    return _told(device, word, Code.SHUFFLER_FAULT, number=event.code, says=event.says)


def _output_taken(event: OutputTaken, device: ConnectedDevice) -> Said:
    return _said(device, words.OutputTakenWord())


def _shuffler_started(event: Started, device: ConnectedDevice) -> Said:
    return _told(device, words.FaultWord, Code.SHUFFLER_STARTED)


def _shuffler_gap(event: EventsLost, device: ConnectedDevice) -> Said:
    return _told(device, words.FaultWord, Code.SHUFFLER_EVENTS_LOST, says=event.why)


def _order_dropped(event: OrderDropped, device: ConnectedDevice) -> Said:
    return _told(
        device, words.NoticeWord, Code.ORDER_DROPPED, device=device.name, times=event.times
    )


Translate = Callable[[Any, ConnectedDevice], Said | None]

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
QUIET: Final = frozenset({"StandBy", "CommandDone", "Progress", "JamCleared"})
"""Events that make no step from either device; everything else is translated for one of them."""
