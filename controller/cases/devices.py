"""Events of devices besides cards: they may hold the table, and never move it on."""

from typing import Final

from msgspec.structs import replace

from controller.cases.facts import affected_cards
from controller.cases.reports.preconditions import TOGETHER
from controller.cases.reports.report import with_those_together
from controller.messages.codes import Code
from controller.messages.sentence import Sentence, sentence
from controller.round import count_check, decks, shoe
from controller.table.case import Case, ReportedFacts
from controller.table.commands.device_events import (
    MAX_SAYS,
    DriverFailedEvent,
    ErrorClearedEvent,
    ErrorReportedEvent,
    EventsLostEvent,
    FaultEvent,
    GaveUpEvent,
    LidClosedEvent,
    LidOpenEvent,
    LinkLostEvent,
    LinkUpEvent,
    LockedEvent,
    NoticeEvent,
    NotVerifiedEvent,
    OutputTakenEvent,
    StartedEvent,
    Telling,
    UnlockedEvent,
    VerifiedEvent,
)
from controller.table.commands.message import Message
from controller.table.commands.registry import shortened_name
from controller.table.decks import PackFound
from controller.table.hold_sentences import SHOE
from controller.table.holds import Hold, HoldReason
from controller.table.rules import Rules
from controller.table.state import (
    BlindShoe,
    CardsCounted,
    LossAfterCount,
    Table,
    VerifiedDecks,
    add_hold,
    add_notice,
    change_part,
    latest_round,
    notify,
    queue_case,
)
from drivers.error_meaning import ErrorMeaning

_CASES: dict[ErrorMeaning, str] = {
    ErrorMeaning.SEVERAL_AT_ONCE: "simultaneous",
    ErrorMeaning.DOES_NOT_BELONG: "foreign_card",
    ErrorMeaning.EXCESS: "excess_card",
}
"""The case each error opens. A device never voids: it opens a case and people decide."""

_OF_THE_LAST_CARDS: Final = frozenset({"simultaneous", "foreign_card"})
"""Errors that are another irregularity when they are reported again after another card."""

_FOREIGN: Final = ErrorMeaning.DOES_NOT_BELONG
_CLEARED_THERE: Final = frozenset({*_CASES, ErrorMeaning.UNREADABLE, ErrorMeaning.NOTICE})
"""Holds that end when a person clears the error at the device. Any other error puts on a hold of
its own, which a person checks and clears afterwards."""


def handle_error(table: Table, message: Message[ErrorReportedEvent], rules: Rules) -> Table:
    """Handle a device error by its meaning; the maker's number and text are shown."""
    event, sentence_ = message.payload, _error_text(message)
    table = _heard_behind_a_count(table, message.source)
    table = add_notice(table, sentence_)
    if event.must_clear and event.meaning in _CLEARED_THERE:
        must = Hold(HoldReason.MUST_CLEAR, table.at, message.source, sentence_, event.code)
        table = add_hold(table, replace(must, meaning=event.meaning))
    if table.decks.rest is not None and event.meaning in _CLEARED_THERE:
        # No round is dealt: the shoe's own ruling about these cards is no irregularity.
        return decks.handle_foreign_card(table) if event.meaning is _FOREIGN else table
    if event.meaning is ErrorMeaning.UNREADABLE:  # the card itself arrives as read_failed
        return _about_a_card(table, sentence_)
    if event.meaning in _CASES:
        return _open_once(table, _CASES[event.meaning], sentence_)
    table = add_notice(table, sentence_)
    if event.meaning is ErrorMeaning.NOTICE:
        return table
    failed = Hold(HoldReason.DEVICE_ERROR, table.at, message.source, sentence_)
    return add_hold(table, replace(failed, meaning=event.meaning))


def _about_a_card(table: Table, sentence_: Sentence) -> Table:
    """Show the error where the table asks for the card: it has come already, or comes next."""
    case = table.case
    if case is not None and case.id == "unreadable" and case.device_text is None:
        return replace(table, case=replace(case, device_text=sentence_))
    return change_part(table, "devices", card_error=sentence_)


def _error_text(message: Message[ErrorReportedEvent]) -> Sentence:
    """The maker's own text and number; the meaning of the error where the device reports none."""
    event = message.payload
    if event.says is not None:
        text = event.says[:MAX_SAYS]
        return sentence(Code.DEVICE_ERROR_SAYS, device=message.source, number=event.code, says=text)
    if event.meaning is ErrorMeaning.NOTICE:
        return sentence(Code.DEVICE_NOTICE, number=event.code)
    return sentence(Code.DEVICE_ERROR, device=message.source, number=event.code)


def _open_once(table: Table, what: str, sentence_: Sentence | None = None) -> Table:
    """Open what the device reports, unless it is open or ruled already.

    The shoe reports an error in addition to the card itself, and may repeat it: that is one
    irregularity as long as no other card has been drawn.
    """
    drawn = table.shoe.drawn if table.shoe else 0
    open_now = [case for case in (table.case, *table.queue) if case is not None]
    same = [case for case in open_now if _is_same(case, what, drawn)]
    if not same:
        if _is_ruled(table, what, drawn):
            return table  # at once, where no person had to be asked
        case = Case(what, SHOE, n=_not_read(table, what), device_text=sentence_, drawn=drawn)
        if what == TOGETHER:
            table = with_those_together(_with_earlier_pairs(table))
        return queue_case(table, case)
    if sentence_ is None or same[0].device_text is not None:
        return table
    return _replace_case(table, same[0], replace(same[0], device_text=sentence_))


def _is_same(case: Case, what: str, drawn: int) -> bool:
    """Whether an open case is the one the shoe reports after so many cards. A card too many is a
    case of its own, by the card's own message."""
    if (case.id, case.reported_by) != (what, SHOE):
        return False
    # The shoe may report a foreign card before the card itself.
    card_to_come = what == _CASES[_FOREIGN] and case.n is None
    found_by_table = case.drawn == 0
    return found_by_table or card_to_come or case.drawn == drawn or what not in _OF_THE_LAST_CARDS


def _is_ruled(table: Table, what: str, drawn: int) -> bool:
    """Whether the latest ruling was about what the shoe reports."""
    if not any((each.id, each.reported_by) == (what, SHOE) for each in table.rulings[-1:]):
        return False
    return what not in _OF_THE_LAST_CARDS or table.devices.drawn_at_ruling == drawn


def _with_earlier_pairs(table: Table) -> Table:
    """The table where the shoe reports another pair: the one before is the last two of its time.

    While there is no other, the last two cards are meant: the shoe may report them before it reads
    the second."""
    round_ = latest_round(table)
    for case in (table.case, *table.queue):
        unnamed = case is not None and case.drawn and not case.about.cards
        if case is None or round_ is None or case.id != TOGETHER or not unnamed:
            continue
        until = tuple(each for each in round_.cards if each.n <= case.drawn)
        cards = affected_cards(replace(round_, cards=until), case)
        if len(cards) > 1:
            table = _replace_case(table, case, replace(case, about=ReportedFacts(cards=cards)))
    return table


def _replace_case(table: Table, case: Case, now: Case) -> Table:
    """The table with one of its cases changed."""
    if table.case is case:
        return replace(table, case=now)
    return replace(table, queue=tuple(now if each is case else each for each in table.queue))


def _not_read(table: Table, what: str) -> int | None:
    """Which card the shoe calls foreign, where one has just come that it could not read."""
    case = table.case
    meant = what == "foreign_card" and case is not None and case.id == "unreadable"
    return case.n if meant and case is not None else None


def handle_error_cleared(table: Table, message: Message[ErrorClearedEvent], rules: Rules) -> Table:
    """End the holds of an error that a person has cleared at the device."""
    code = message.payload.code
    table = _heard_behind_a_count(table, message.source)
    left = tuple(
        hold
        for hold in table.latches
        if hold.kind is not HoldReason.MUST_CLEAR
        or hold.by != message.source
        or (code is not None and hold.number != code)
    )
    if len(left) != len(table.latches):
        table = replace(table, latches=left)
    return _end_hold(table, HoldReason.DEVICE_ERROR, HoldReason.DEVICE_HAD_ERROR, message.source)


def handle_lid_open(table: Table, message: Message[LidOpenEvent], rules: Rules) -> Table:
    table = _remove_holds(table, HoldReason.LID_WAS_OPEN, message.source)
    return add_hold(table, Hold(HoldReason.LID_OPEN, table.at, message.source))


def handle_lid_closed(table: Table, message: Message[LidClosedEvent], rules: Rules) -> Table:
    return _end_hold(table, HoldReason.LID_OPEN, HoldReason.LID_WAS_OPEN, message.source)


def handle_events_lost(table: Table, message: Message[EventsLostEvent], rules: Rules) -> Table:
    """Handle lost events: one of them may have been a card."""
    why = _device_text(message, Code.SHOE_EVENTS_LOST)
    if table.decks.rest is not None:
        return decks.handle_pass_failure(add_notice(table, why))
    if table.card_count.is_counted and message.payload.by_number:
        if table.card_count.loss == why:
            return table
        return change_part(add_notice(table, why), "card_count", stage=CardsCounted(why))
    in_doubt = count_check.start_count_check(table, why)
    return add_notice(table, why) if in_doubt is table and table.count_check is None else in_doubt


def handle_restart(table: Table, message: Message[StartedEvent], rules: Rules) -> Table:
    """Handle a reset or power-up of the device. With cards out, some may have left it unread; a
    shoe that no card was drawn from is only being prepared."""
    if table.decks.rest is not None:
        return decks.handle_pass_failure(notify(table, Code.SHOE_STARTED))
    if table.shoe is None or not table.shoe.drawn:
        return notify(table, Code.SHOE_STARTED)
    return count_check.start_count_check(table, sentence(Code.SHOE_STARTED))


def handle_round_given_up(table: Table, message: Message[GaveUpEvent], rules: Rules) -> Table:
    """Handle a round that the device gave up. The device never voids one: people decide."""
    if table.round is None or table.round.over:
        return notify(table, Code.SHOE_GAVE_UP_NOTHING)
    return _open_once(table, "device_gave_up")


def handle_link_lost(table: Table, message: Message[LinkLostEvent], rules: Rules) -> Table:
    """Record the lost link with its cause: a cable, a mistyped name and a busy port need different
    repairs."""
    table = _remove_holds(table, HoldReason.LINK_WAS_LOST, message.source)
    table = add_hold(table, Hold(HoldReason.LINK_LOST, table.at, message.source))
    text = message.payload.says or message.payload.note
    return add_notice(table, _device_text(message, Code.DEVICE_SAYS_WORD)) if text else table


def handle_link_up(table: Table, message: Message[LinkUpEvent], rules: Rules) -> Table:
    """Handle a link that is back. Where a loss is not detectable, the cards are counted; a shuffler
    deals none."""
    table = _end_hold(table, HoldReason.LINK_LOST, HoldReason.LINK_WAS_LOST, message.source)
    if message.source == SHOE:
        unread = None if message.payload.reads_cards else BlindShoe()
        if unread != table.devices.unread:
            table = change_part(table, "devices", unread=unread)
    if message.payload.count and message.source != shoe.SHUFFLER:
        unheard = sentence(Code.SHOE_NOT_LISTENED_TO)
        if table.decks.rest is not None:
            return decks.handle_pass_failure(add_notice(table, unheard))
        return count_check.start_count_check(table, unheard, late=True)
    return table


def handle_driver_failure(table: Table, message: Message[DriverFailedEvent], rules: Rules) -> Table:
    """Hold the table until a person restarts the driver with `resume`. Until then the device's
    reports are not interpreted."""
    event = message.payload
    sentence_ = sentence(
        Code.DRIVER_FAILED,
        device=message.source,
        driver=shortened_name(event.driver),
        kind=shortened_name(event.kind),
    )
    failed = Hold(HoldReason.DRIVER_FAILED, table.at, message.source, sentence_)
    return add_hold(add_notice(table, sentence_), failed)


def handle_verified(table: Table, message: Message[VerifiedEvent], rules: Rules) -> Table:
    return shoe.note_verified_cards(note_event(table, message, rules), message.payload.cards)


def handle_output_taken(table: Table, message: Message[OutputTakenEvent], rules: Rules) -> Table:
    """Record cards taken out of the shuffler; if they were verified, they stay verified."""
    held, table = table.decks.shuffler, note_event(table, message, rules)
    if not isinstance(held, VerifiedDecks):
        return table
    return change_part(table, "decks", shuffler=replace(held, taken_out=True))


def handle_fault(
    table: Table, message: Message[FaultEvent] | Message[NotVerifiedEvent], rules: Rules
) -> Table:
    """Discard what a faulty shuffler had verified, if it is still inside."""
    table = note_event(table, message, rules)
    held = table.decks.shuffler
    inside = isinstance(held, VerifiedDecks) and not held.taken_out
    return change_part(table, "decks", shuffler=None) if inside else table


def handle_not_verified(table: Table, message: Message[NotVerifiedEvent], rules: Rules) -> Table:
    """Handle cards that the shuffler found wrong; its finding is kept where it reports one."""
    event = message.payload
    table = handle_fault(table, message, rules)
    taken_out = isinstance(table.decks.shuffler, VerifiedDecks)
    if taken_out or not (event.missing or event.extra or event.cards is not None):
        return table
    wrong = PackFound(event.missing, event.extra, event.cards)
    return change_part(table, "decks", shuffler=wrong)


AnyTelling = (
    Message[EventsLostEvent]
    | Message[LinkLostEvent]
    | Message[LockedEvent]
    | Message[UnlockedEvent]
    | Message[VerifiedEvent]
    | Message[OutputTakenEvent]
    | Message[FaultEvent]
    | Message[NotVerifiedEvent]
    | Message[NoticeEvent]
)


def note_event(table: Table, message: AnyTelling, rules: Rules) -> Table:
    """Accept an event that has no effect by itself."""
    if message.payload.note is None:  # else the event does not come from the device
        table = _heard_behind_a_count(table, message.source)
    return add_notice(table, _device_text(message, Code.DEVICE_SAYS_WORD))


def _heard_behind_a_count(table: Table, source: str) -> Table:
    """Record that the shoe goes on with its numbers: later losses left it after the cards were
    counted."""
    stage = table.card_count.stage
    if source != SHOE or not isinstance(stage, CardsCounted):
        return table
    after = None if stage.loss is None else LossAfterCount(stage.loss)
    return change_part(table, "card_count", stage=after)


def _device_text(message: AnyTelling, otherwise: Code) -> Sentence:
    """What the device reports: a sentence of ours, else its own words, cut to what a screen
    shows."""
    event: Telling = message.payload
    if event.note is not None:
        return event.note
    if event.says is not None:
        return sentence(Code.DEVICE_SAYS, device=message.source, says=event.says[:MAX_SAYS])
    if otherwise is Code.DEVICE_SAYS_WORD:
        return sentence(otherwise, device=message.source, word=message.type)
    return sentence(otherwise)


def _end_hold(table: Table, now: HoldReason, then: HoldReason, by: str) -> Table:
    """Mark the device's error as over; the table stays held until a person clears it."""
    without = _remove_holds(table, now, by)
    if len(without.latches) == len(table.latches):
        return table
    return add_hold(without, Hold(then, table.at, by))


def _remove_holds(table: Table, kind: HoldReason, by: str) -> Table:
    """The table without the holds of this device."""
    others = tuple(hold for hold in table.latches if hold.kind is not kind or hold.by != by)
    return table if len(others) == len(table.latches) else replace(table, latches=others)
