"""What devices say besides cards: they may hold the table, and never move it on."""

from typing import Final

from msgspec.structs import replace

from controller.round import decks, doubt, shoe
from controller.sentences.codes import Code
from controller.sentences.sentence import Sentence, sentence
from controller.table.case import Case
from controller.table.decks import PackFound
from controller.table.hold_sentences import SHOE
from controller.table.holds import Latch, LatchKind
from controller.table.rules import Rules
from controller.table.state import (
    BlindShoe,
    CardsCounted,
    LossAfterCount,
    Table,
    VerifiedDecks,
    change_part,
    found,
    latched,
    noted,
    notice,
)
from controller.table.words.devices import (
    SAYS_MOST,
    DriverFailedWord,
    ErrorClearedWord,
    ErrorReportedWord,
    EventsLostWord,
    FaultWord,
    GaveUpWord,
    LidClosedWord,
    LidOpenWord,
    LinkLostWord,
    LinkUpWord,
    LockedWord,
    NoticeWord,
    NotVerifiedWord,
    OutputTakenWord,
    StartedWord,
    Telling,
    UnlockedWord,
    VerifiedWord,
)
from controller.table.words.message import Message
from controller.table.words.vocabulary import short
from drivers.error_meaning import ErrorMeaning

_CASES: dict[ErrorMeaning, str] = {
    ErrorMeaning.SEVERAL_AT_ONCE: "simultaneous",
    ErrorMeaning.DOES_NOT_BELONG: "foreign_card",
    ErrorMeaning.EXCESS: "excess_card",
}
"""What an error opens. A device never voids: it opens a case and people decide."""

_FOREIGN: Final = ErrorMeaning.DOES_NOT_BELONG
_CLEARED_THERE: Final = frozenset({*_CASES, ErrorMeaning.UNREADABLE, ErrorMeaning.NOTICE})
"""What is over for the table as soon as somebody has cleared it at the device. Any other error is
a hold of its own, that a person looks at afterwards."""


def error(table: Table, message: Message[ErrorReportedWord], rules: Rules) -> Table:
    """Decided by what it means; the maker's number and words are shown."""
    word, says = message.word, _error_says(message)
    table = _heard_behind_a_count(table, message.source)
    table = noted(table, says)
    if word.must_clear and word.meaning in _CLEARED_THERE:
        must = Latch(LatchKind.MUST_CLEAR, table.at, message.source, says, word.code)
        table = latched(table, replace(must, means=word.meaning))
    if table.decks.rest is not None and word.meaning in _CLEARED_THERE:
        # No round is dealt: what it makes of these cards by its own rules is no irregularity.
        return decks.of_another_set(table) if word.meaning is _FOREIGN else table
    if word.meaning is ErrorMeaning.UNREADABLE:  # the card itself arrives as read_failed
        return _about_a_card(table, says)
    if word.meaning in _CASES:
        return _open_once(table, _CASES[word.meaning], says)
    table = noted(table, says)
    if word.meaning is ErrorMeaning.NOTICE:
        return table
    failed = Latch(LatchKind.DEVICE_ERROR, table.at, message.source, says)
    return latched(table, replace(failed, means=word.meaning))


def _about_a_card(table: Table, says: Sentence) -> Table:
    """Shown where the table asks for the card: it has come already, or comes next."""
    case = table.case
    if case is not None and case.id == "unreadable" and case.says is None:
        return replace(table, case=replace(case, says=says))
    return change_part(table, "devices", card_error=says)


def _error_says(message: Message[ErrorReportedWord]) -> Sentence:
    """The maker's own words and number; where it says none, what kind of error it is."""
    word = message.word
    if word.says is not None:
        says = word.says[:SAYS_MOST]
        return sentence(Code.DEVICE_ERROR_SAYS, device=message.source, number=word.code, says=says)
    if word.meaning is ErrorMeaning.NOTICE:
        return sentence(Code.DEVICE_NOTICE, number=word.code)
    return sentence(Code.DEVICE_ERROR, device=message.source, number=word.code)


def _open_once(table: Table, what: str, says: Sentence | None = None) -> Table:
    """The lamp says again what the card itself has said: that is one irregularity, not two."""
    open_now = [case for case in (table.case, *table.queue) if case is not None]
    same = [case for case in open_now if case.id == what and case.reported_by == "shoe"]
    if not same:
        ruled = table.rulings[-1:]  # at once, where nobody had to be asked
        if any((each.id, each.reported_by) == (what, "shoe") for each in ruled):
            return table
        return found(table, Case(what, "shoe", n=_not_read(table, what), says=says))
    if says is None or same[0].says is not None:
        return table
    told = replace(same[0], says=says)
    if table.case is same[0]:
        return replace(table, case=told)
    return replace(table, queue=tuple(told if case is same[0] else case for case in table.queue))


def _not_read(table: Table, what: str) -> int | None:
    """Which card the shoe calls foreign, where one has just come that it could not read."""
    case = table.case
    meant = what == "foreign_card" and case is not None and case.id == "unreadable"
    return case.n if meant and case is not None else None


def error_cleared(table: Table, message: Message[ErrorClearedWord], rules: Rules) -> Table:
    """What had to be cleared at the device has been: somebody stood there and looked."""
    code = message.word.code
    table = _heard_behind_a_count(table, message.source)
    left = tuple(
        latch
        for latch in table.latches
        if latch.kind is not LatchKind.MUST_CLEAR
        or latch.by != message.source
        or (code is not None and latch.number != code)
    )
    if len(left) != len(table.latches):
        table = replace(table, latches=left)
    return _over(table, LatchKind.DEVICE_ERROR, LatchKind.DEVICE_HAD_ERROR, message.source)


def lid_open(table: Table, message: Message[LidOpenWord], rules: Rules) -> Table:
    table = _without(table, LatchKind.LID_WAS_OPEN, message.source)
    return latched(table, Latch(LatchKind.LID_OPEN, table.at, message.source))


def lid_closed(table: Table, message: Message[LidClosedWord], rules: Rules) -> Table:
    return _over(table, LatchKind.LID_OPEN, LatchKind.LID_WAS_OPEN, message.source)


def events_lost(table: Table, message: Message[EventsLostWord], rules: Rules) -> Table:
    """Something the device said never arrived: a card may have been in it."""
    why = _says(message, Code.SHOE_EVENTS_LOST)
    if table.decks.rest is not None:
        return decks.pass_failed(noted(table, why))
    if table.card_count.is_counted and message.word.by_number:
        if table.card_count.loss == why:
            return table
        return change_part(noted(table, why), "card_count", stage=CardsCounted(why))
    in_doubt = doubt.raised(table, why)
    return noted(table, why) if in_doubt is table and table.count_check is None else in_doubt


def started(table: Table, message: Message[StartedWord], rules: Rules) -> Table:
    """The device was reset or switched on. With cards out, some may have left it unread; a shoe
    nobody has drawn from is just being made ready."""
    if table.decks.rest is not None:
        return decks.pass_failed(notice(table, Code.SHOE_STARTED))
    if table.shoe is None or not table.shoe.drawn:
        return notice(table, Code.SHOE_STARTED)
    return doubt.raised(table, sentence(Code.SHOE_STARTED))


def gave_up(table: Table, message: Message[GaveUpWord], rules: Rules) -> Table:
    """The device has given the round up. It never voids one: people decide."""
    if table.round is None or table.round.over:
        return notice(table, Code.SHOE_GAVE_UP_NOTHING)
    return _open_once(table, "device_gave_up")


def link_lost(table: Table, message: Message[LinkLostWord], rules: Rules) -> Table:
    """Why is told as well: a cable, a name mistyped and a port in use are put right differently."""
    table = _without(table, LatchKind.LINK_WAS_LOST, message.source)
    table = latched(table, Latch(LatchKind.LINK_LOST, table.at, message.source))
    said = message.word.says or message.word.note
    return noted(table, _says(message, Code.DEVICE_SAYS_WORD)) if said else table


def link_up(table: Table, message: Message[LinkUpWord], rules: Rules) -> Table:
    """Where a loss does not show by itself, the cards are counted; a shuffler deals none."""
    table = _over(table, LatchKind.LINK_LOST, LatchKind.LINK_WAS_LOST, message.source)
    if message.source == SHOE:
        unread = None if message.word.reads_cards else BlindShoe()
        if unread != table.devices.unread:
            table = change_part(table, "devices", unread=unread)
    if message.word.count and message.source != shoe.SHUFFLER:
        unheard = sentence(Code.SHOE_NOT_LISTENED_TO)
        if table.decks.rest is not None:
            return decks.pass_failed(noted(table, unheard))
        return doubt.raised(table, unheard, late=True)
    return table


def driver_failed(table: Table, message: Message[DriverFailedWord], rules: Rules) -> Table:
    """The table waits until somebody has the driver taken up anew: `resume`. What the device says
    meanwhile nobody understands."""
    word = message.word
    says = sentence(
        Code.DRIVER_FAILED, device=message.source, driver=short(word.driver), kind=short(word.kind)
    )
    failed = Latch(LatchKind.DRIVER_FAILED, table.at, message.source, says)
    return latched(noted(table, says), failed)


def verified(table: Table, message: Message[VerifiedWord], rules: Rules) -> Table:
    return shoe.verified_anew(to_know(table, message, rules), message.word.cards)


def taken(table: Table, message: Message[OutputTakenWord], rules: Rules) -> Table:
    """Cards were taken out of the shuffler; if they were verified, that stays with them."""
    held, table = table.decks.shuffler, to_know(table, message, rules)
    if not isinstance(held, VerifiedDecks):
        return table
    return change_part(table, "decks", shuffler=replace(held, taken_out=True))


def fault(
    table: Table, message: Message[FaultWord] | Message[NotVerifiedWord], rules: Rules
) -> Table:
    """What a faulty shuffler had verified counts no longer, if it is still inside."""
    table = to_know(table, message, rules)
    held = table.decks.shuffler
    inside = isinstance(held, VerifiedDecks) and not held.taken_out
    return change_part(table, "decks", shuffler=None) if inside else table


def not_verified(table: Table, message: Message[NotVerifiedWord], rules: Rules) -> Table:
    """What the shuffler holds is not right; where it says what is wrong, that is kept."""
    word = message.word
    table = fault(table, message, rules)
    taken_out = isinstance(table.decks.shuffler, VerifiedDecks)
    if taken_out or not (word.missing or word.extra or word.cards is not None):
        return table
    wrong = PackFound(word.missing, word.extra, word.cards)
    return change_part(table, "decks", shuffler=wrong)


AnyTelling = (
    Message[EventsLostWord]
    | Message[LinkLostWord]
    | Message[LockedWord]
    | Message[UnlockedWord]
    | Message[VerifiedWord]
    | Message[OutputTakenWord]
    | Message[FaultWord]
    | Message[NotVerifiedWord]
    | Message[NoticeWord]
)


def to_know(table: Table, message: AnyTelling, rules: Rules) -> Table:
    """Known, and nothing follows by itself."""
    if message.word.note is None:  # else it is not the device that says so
        table = _heard_behind_a_count(table, message.source)
    return noted(table, _says(message, Code.DEVICE_SAYS_WORD))


def _heard_behind_a_count(table: Table, source: str) -> Table:
    """The shoe goes on with its numbers: what is lost from here on left it after the cards were
    counted."""
    stage = table.card_count.stage
    if source != SHOE or not isinstance(stage, CardsCounted):
        return table
    after = None if stage.loss is None else LossAfterCount(stage.loss)
    return change_part(table, "card_count", stage=after)


def _says(message: AnyTelling, otherwise: Code) -> Sentence:
    """What the device says: a sentence of ours, else its own words, cut to what a screen shows."""
    word: Telling = message.word
    if word.note is not None:
        return word.note
    if word.says is not None:
        return sentence(Code.DEVICE_SAYS, device=message.source, says=word.says[:SAYS_MOST])
    if otherwise is Code.DEVICE_SAYS_WORD:
        return sentence(otherwise, device=message.source, word=message.verb)
    return sentence(otherwise)


def _over(table: Table, now: LatchKind, then: LatchKind, by: str) -> Table:
    """It is over, and the table stays held until somebody clears it."""
    without = _without(table, now, by)
    if len(without.latches) == len(table.latches):
        return table
    return latched(without, Latch(then, table.at, by))


def _without(table: Table, kind: LatchKind, by: str) -> Table:
    """Less what this device put on."""
    others = tuple(latch for latch in table.latches if latch.kind is not kind or latch.by != by)
    return table if len(others) == len(table.latches) else replace(table, latches=others)
