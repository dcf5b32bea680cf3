"""A device's event as the table's word. One event in, at most one word out.

What changes nothing at the table (stand-by, progress, an answer to a command) is counted and shown
beside the device and makes no step.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from controller.game.hands import Outcome
from controller.runtime.devices import ConnectedDevice
from controller.sentences.codes import Code
from controller.sentences.sentence import GapValue, sentence
from controller.table.words import devices as words
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


def to_word(event: Event, device: ConnectedDevice) -> Word | None:
    """The word for the table; None where the table has nothing to do."""
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


def _note(word: type[words.Telling], code: Code, **gaps: GapValue) -> Word:
    """A sentence of ours about the device."""
    return word(note=sentence(code, **gaps))


# --- cards ------------------------------------------------------------------------------------


def _card(event: CardRead, device: ConnectedDevice) -> Word:
    return words.CardDrawnWord(
        card=event.card, hand=event.where, index=event.index, late=event.late
    )


def _read_failed(event: ReadFailed, device: ConnectedDevice) -> Word:
    return words.ReadFailedWord()


def _excess(event: ExcessCard, device: ConnectedDevice) -> Word:
    return words.ExcessCardWord(card=event.card)


def _excess_named(event: ExcessNamed, device: ConnectedDevice) -> Word:
    return words.ExcessNamedWord(card=event.card)


def _excess_discarded(event: ExcessDiscarded, device: ConnectedDevice) -> Word:
    return words.ExcessDiscardedWord()


def _cut_card(event: CutCard, device: ConnectedDevice) -> Word:
    return CutCardWord()


def _result(event: DeviceResult, device: ConnectedDevice) -> Word:
    if event.winner is Winner.GIVEN_UP:
        return words.GaveUpWord()
    return words.DeviceResultWord(
        winner=Outcome(event.winner.value),
        player_pair=event.player_pair,
        banker_pair=event.banker_pair,
        player_total=event.player_total,
        banker_total=event.banker_total,
    )


# --- errors, locks, lids ----------------------------------------------------------------------


def _error(event: ErrorRaised, device: ConnectedDevice) -> Word:
    return words.ErrorReportedWord(
        code=event.code, says=event.says, means=event.means, must_clear=event.must_clear
    )


def _error_cleared(event: ErrorCleared, device: ConnectedDevice) -> Word:
    return words.ErrorClearedWord(code=event.code)


def _lock(event: LockChanged, device: ConnectedDevice) -> Word:
    return words.LockedWord() if event.locked else words.UnlockedWord()


def _lid(event: LidChanged, device: ConnectedDevice) -> Word:
    return words.LidOpenWord() if event.open else words.LidClosedWord()


def _started(event: Started, device: ConnectedDevice) -> Word:
    return words.StartedWord()


# --- doubt and the link -----------------------------------------------------------------------


def _events_lost(event: EventsLost, device: ConnectedDevice) -> Word:
    return words.EventsLostWord(says=event.why, by_number=event.by_number)


def _bad_frame(event: BadFrame, device: ConnectedDevice) -> Word | None:
    if not event.may_be_card:
        return None  # counted; a noisy line would fill the journal
    return words.EventsLostWord(says=event.reason)


def _link_up(event: LinkUp, device: ConnectedDevice) -> Word:
    """Where a card may have been missed the table asks for the count."""
    shows_by_itself = not event.first and device.numbered
    plays_rounds = Capability.PLAYS_ROUNDS in device.sheet.capabilities
    return words.LinkUpWord(
        count=not shows_by_itself, reads_cards=device.reads_cards, plays_rounds=plays_rounds
    )


def _link_lost(event: LinkLost, device: ConnectedDevice) -> Word:
    return words.LinkLostWord(says=event.why)


# --- notices ----------------------------------------------------------------------------------


def _notice(event: Notice, device: ConnectedDevice) -> Word:
    return words.NoticeWord(says=event.says)


def _mode(event: ModeChanged, device: ConnectedDevice) -> Word:
    return _note(words.NoticeWord, Code.DEVICE_MODE, device=device.name, mode=event.mode)


def _identified(event: Identified, device: ConnectedDevice) -> Word:
    tells = [each for each in (event.maker, event.model, event.serial, event.firmware) if each]
    return _note(words.NoticeWord, Code.DEVICE_IS, device=device.name, unit=tells)


def _refused(event: CommandRefused, device: ConnectedDevice) -> Word:
    gaps = {"device": device.name, "command": event.command, "says": event.why}
    return _note(words.NoticeWord, Code.DEVICE_REFUSED, **gaps)


def _timed_out(event: CommandTimedOut, device: ConnectedDevice) -> Word:
    gaps = {"device": device.name, "command": event.command}
    return _note(words.NoticeWord, Code.DEVICE_NO_ANSWER, **gaps)


# --- shufflers --------------------------------------------------------------------------------


def _verified(event: ShuffleVerified, device: ConnectedDevice) -> Word:
    """Only a machine that knows every card and finds them right vouches for them."""
    match event.verdict:
        case Verdict.OK:
            return words.VerifiedWord(cards=event.cards)
        case Verdict.WRONG:
            note = sentence(
                Code.PACK_WRONG,
                missing=len(event.missing),
                extra=len(event.extra),
                unreadable=event.unreadable,
            )
            return words.NotVerifiedWord(
                note=note,
                missing=event.missing,
                extra=event.extra,
            )
        case Verdict.COUNT_ONLY:
            note = sentence(Code.PACK_ONLY_COUNTED, cards=event.cards)
            return words.NotVerifiedWord(note=note, cards=event.cards)
        case _:
            return _note(words.NotVerifiedWord, Code.PACK_NOT_VERIFIED)


def _shuffler_lid(event: LidChanged, device: ConnectedDevice) -> Word | None:
    """A machine that is opened may hold other cards afterwards; its output is opened to take out
    what was verified."""
    if not event.open or event.which == "output":
        return None
    return _note(words.FaultWord, Code.SHUFFLER_OPENED, part=event.which)


def _shuffler_state(event: ShufflerChanged, device: ConnectedDevice) -> Word | None:
    if event.state not in _AT_WORK:
        return None
    return _note(words.NotVerifiedWord, Code.SHUFFLER_AT_WORK, work=event.state)


_AT_WORK = (ShufflerState.LOADING, ShufflerState.SHUFFLING, ShufflerState.RECOVERING_JAM)


def _shuffler_lost(event: LinkLost, device: ConnectedDevice) -> Word:
    return _note(words.FaultWord, Code.SHUFFLER_LINK_LOST, says=event.why)


def _jam(event: Jam, device: ConnectedDevice) -> Word:
    return _note(words.FaultWord, Code.SHUFFLER_JAM, part=event.location)


def _card_fault(event: CardFault, device: ConnectedDevice) -> Word:
    return _note(words.FaultWord, Code.SHUFFLER_CARD, state=event.kind)


def _shuffler_fault(event: ShufflerFault, device: ConnectedDevice) -> Word:
    word = words.NoticeWord if event.kind is FaultClass.NOTICE else words.FaultWord
    return _note(word, Code.SHUFFLER_FAULT, number=event.code, says=event.says)


def _output_taken(event: OutputTaken, device: ConnectedDevice) -> Word:
    return words.OutputTakenWord()


def _shuffler_started(event: Started, device: ConnectedDevice) -> Word:
    return _note(words.FaultWord, Code.SHUFFLER_STARTED)


def _shuffler_gap(event: EventsLost, device: ConnectedDevice) -> Word:
    return _note(words.FaultWord, Code.SHUFFLER_EVENTS_LOST, says=event.why)


def _order_dropped(event: OrderDropped, device: ConnectedDevice) -> Word:
    return _note(words.NoticeWord, Code.ORDER_DROPPED, device=device.name, times=event.times)


Translate = Callable[[Any, ConnectedDevice], Word | None]

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
