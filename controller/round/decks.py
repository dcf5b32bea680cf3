"""Deck sets: their life, and the count of all their cards after each shoe.

A missing card changes every odd on the table, and cannot be seen on the felt. So the cards that
came out of a shoe and those left are compared with the full set: by the shuffler that verifies the
pack, by passing the rest through the shoe, or by two people who count. A set that is not whole is
not loaded again until a person has put it right.
"""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from controller.messages.codes import Code
from controller.table import approvals
from controller.table.agenda import pending
from controller.table.approvals import Act
from controller.table.commands.day import DeckSetCommand, PassRestCommand, ReconcileCommand
from controller.table.commands.device_events import CardDrawnEvent, ExcessCardEvent, ReadFailedEvent
from controller.table.commands.message import Message
from controller.table.decks import (
    DeckCount,
    DeckSet,
    DeckStage,
    DeckStep,
    PassedRest,
    ShoeLedger,
    card_codes,
)
from controller.table.refused import Refused
from controller.table.requests import ApprovalRequest, ConfirmDeckCount, TakeDeckStep, act_of_stage
from controller.table.rules import Rules
from controller.table.state import Shoe, Table, VerifiedDecks, change_part, notify
from drivers.cards import DECK, Card

SHUFFLER: Final = "shuffler"
SHOE: Final = "shoe"

MAX_GONE: Final = 200
"""The number of destroyed sets remembered: their names are not reused."""

_LEADS_FROM: Final[Mapping[DeckStage, tuple[DeckStage | None, ...]]] = {
    DeckStage.RECEIVED: (None,),
    DeckStage.INSPECTED: (DeckStage.RECEIVED, DeckStage.INSPECTED, DeckStage.IN_USE),
    DeckStage.RETIRED: (DeckStage.RECEIVED, DeckStage.INSPECTED, DeckStage.IN_USE),
    DeckStage.DESTROYED: (DeckStage.RETIRED,),
}


# --- the life of a set --------------------------------------------------------------------------


def deck_set(table: Table, message: Message[DeckSetCommand], rules: Rules) -> Table:
    """Receive, inspect, retire or destroy a set."""
    command = message.payload
    stage = DeckStage(command.stage)
    rules.require_act(message, Act.KEEP_DECKS)
    pending.nothing_is_asked_for(table)
    decks = rules.house.decks if command.decks is None else command.decks
    step = TakeDeckStep(command.deck_set, stage, decks)
    _may_be_taken(table, step, rules)
    _require_inspection_reason(table, message, stage, rules)
    if approvals.approval_row(act_of_stage(stage)).second:
        return pending.ask(table, ApprovalRequest(step, message.actor, command.reason))
    return _taken(table, step, DeckStep(stage, table.at, message.actor, reason=command.reason))


def _require_inspection_reason(
    table: Table, message: Message[DeckSetCommand], stage: DeckStage, rules: Rules
) -> None:
    """Require a reason where an inspection overrides a count's finding: it is recorded what was
    done."""
    known = table.decks.sets.get(message.payload.deck_set)
    found = None if known is None else known.count
    wanted = stage is DeckStage.INSPECTED and found is not None and not found.whole
    if wanted and not message.payload.reason.strip():
        raise Refused(Code.FIELD_NEEDED, word=message.type, field="reason")


def carry_out_deck_step(
    table: Table, request: ApprovalRequest, approver: str, rules: Rules
) -> Table:
    """Carry out the step of a deck set after the second person's approval."""
    what = request.subject
    if isinstance(what, ConfirmDeckCount):
        return _count_approved(table, what, request.by, approver)
    assert isinstance(what, TakeDeckStep)
    _may_be_taken(table, what, rules)
    done = DeckStep(what.stage, table.at, request.by, approver, request.reason)
    return _taken(table, what, done)


def _may_be_taken(table: Table, step: TakeDeckStep, rules: Rules) -> None:
    known = table.decks.sets.get(step.deck_set)
    stage = None if known is None else known.stage
    if stage not in _LEADS_FROM[step.stage]:
        if known is None:
            raise Refused(Code.DECK_SET_NOT_KNOWN, set=step.deck_set)
        raise Refused(Code.DECK_SET_IS, set=step.deck_set, stage=known.stage.value)
    shoe = table.shoe
    if shoe is not None and shoe.deck_set == step.deck_set and not table.change_shoe:
        raise Refused(Code.DECK_SET_IN_SHOE, set=step.deck_set)
    if known is None:
        allowed = rules.book.decks
        if not allowed.fewest <= step.decks <= allowed.most:
            raise Refused(
                Code.DECKS_NOT_ALLOWED, allowed.clause, fewest=allowed.fewest, most=allowed.most
            )
    out_of_use = step.stage in (DeckStage.RETIRED, DeckStage.DESTROYED)
    if out_of_use and rules.house.deck_control and deck_ledger(table, step.deck_set) is not None:
        raise Refused(Code.DECK_SET_NOT_COUNTED, set=step.deck_set)


def _taken(table: Table, step: TakeDeckStep, done: DeckStep) -> Table:
    known = table.decks.sets.get(step.deck_set) or DeckSet(step.decks, step.stage)
    after = replace(known, stage=step.stage, steps=(*known.steps, done)[-_MAX_STEPS:])
    if step.stage is DeckStage.INSPECTED:
        after = replace(after, uncounted=None, count=_by_inspection(table, step.deck_set, done))
    return _kept(table, step.deck_set, after)


def _by_inspection(table: Table, name: str, done: DeckStep) -> DeckCount | None:
    """The count by an inspection: two people looked at every card, so an earlier finding is over,
    and the shoe it was in last needs no other count."""
    shoe = table.shoe
    if shoe is None or shoe.deck_set != name:
        return None
    full = shoe.decks * len(DECK)
    return DeckCount(shoe.number, done.at, done.by, full, full, approved_by=done.approved_by)


_MAX_STEPS: Final = 20


def _kept(table: Table, name: str, known: DeckSet) -> Table:
    sets = {**table.decks.sets, name: known}
    gone = [each for each, of in sets.items() if of.stage is DeckStage.DESTROYED]
    for each in gone[:-MAX_GONE]:
        del sets[each]
    return change_part(table, "decks", sets=sets)


# --- into the shoe and out of it ----------------------------------------------------------------


def require_loadable(table: Table, name: str, decks: int, by: str, rules: Rules) -> None:
    """Refuse a set that is not fit to be played with."""
    known = table.decks.sets.get(name)
    control = rules.house.deck_control
    if known is None:
        if control:
            raise Refused(Code.DECK_SET_NOT_KNOWN, set=name)
        return
    if known.stage in (DeckStage.RETIRED, DeckStage.DESTROYED, DeckStage.RECEIVED):
        raise Refused(Code.DECK_SET_IS, set=name, stage=known.stage.value)
    if known.decks != decks:
        raise Refused(Code.DECK_SET_HAS_DECKS, set=name, decks=known.decks)
    if known.count is not None and not known.count.whole:
        raise deck_count_refusal(name, known.count)
    if control and by != SHUFFLER and deck_ledger(table, name) is not None:
        raise Refused(Code.DECK_SET_NOT_COUNTED, set=name)


def deck_count_refusal(name: str, count: DeckCount) -> Refused:
    """Why a set is not loaded, with the cards' names where they are known."""
    if count.foreign:
        return Refused(Code.DECK_SET_HAS_FOREIGN, set=name, cards=count.foreign)
    named = count.missing or count.among or count.extra
    if not named:
        return Refused(Code.DECK_SET_COUNT_DIFFERS, set=name, cards=count.cards, full=count.full)
    if count.missing and count.extra:  # the person who puts one in takes the other out
        found, more = list(count.missing), list(count.extra)
        return Refused(Code.DECK_SET_LACKS_AND_HAS, set=name, cards=found, extra=more)
    if count.missing:
        return Refused(Code.DECK_SET_LACKS, set=name, cards=list(count.missing))
    if count.extra:
        return Refused(Code.DECK_SET_HAS_TOO_MANY, set=name, cards=list(count.extra))
    return Refused(Code.DECK_SET_LACKS_AMONG, set=name, short=count.short, cards=list(named))


def load_deck_set(table: Table, name: str, decks: int, by: str) -> Table:
    """Load the set in the new shoe; the cards of the one before it are still to be counted.

    A shuffler that has verified all its cards has counted them.
    """
    table = _set_aside(table)
    known = table.decks.sets.get(name) or DeckSet(decks, DeckStage.IN_USE)
    count = known.count
    if by == SHUFFLER and known.uncounted is not None:
        count = DeckCount(known.uncounted.shoe, table.at, SHUFFLER, known.cards, known.cards)
    steps = known.steps
    if known.stage is not DeckStage.IN_USE or not steps:
        steps = (*steps, DeckStep(DeckStage.IN_USE, table.at, by))[-_MAX_STEPS:]
    after = replace(
        known,
        stage=DeckStage.IN_USE,
        steps=steps,
        shoes=known.shoes + 1,
        uncounted=None,
        count=count,
    )
    return change_part(_kept(table, name, after), "decks", rest=None, shuffler=None)


def _set_aside(table: Table) -> Table:
    """Keep what came out of the replaced shoe with its set, until it is counted."""
    shoe = table.shoe
    known = None if shoe is None else _known(table, shoe.deck_set)
    if shoe is None or known is None or _counted_after(known, shoe) or not shoe.drawn:
        return table
    return _kept(table, shoe.deck_set, replace(known, uncounted=_ledger(shoe)))


def _known(table: Table, name: str) -> DeckSet | None:
    return table.decks.sets.get(name)


def _ledger(shoe: Shoe) -> ShoeLedger:
    return ShoeLedger(shoe.number, shoe.decks, shoe.seen, shoe.drawn)


def _counted_after(known: DeckSet, shoe: Shoe) -> bool:
    return known.count is not None and known.count.shoe == shoe.number


def deck_ledger(table: Table, name: str) -> ShoeLedger | None:
    """What came out of the last shoe of a set, if its cards have not been counted since."""
    shoe, known = table.shoe, _known(table, name)
    if known is None:
        return None
    if shoe is None or shoe.deck_set != name:
        return known.uncounted
    return None if _counted_after(known, shoe) or not shoe.drawn else _ledger(shoe)


def needs_count(table: Table, name: str) -> bool:
    """Whether a shoe of this set is over and its cards have not been counted since."""
    shoe = table.shoe
    played = shoe is not None and shoe.deck_set == name and not table.change_shoe
    return not played and deck_ledger(table, name) is not None


def deck_set_to_count(table: Table) -> str | None:
    """The set of the shoe that is over, while its cards are to be counted."""
    shoe = table.shoe
    return shoe.deck_set if shoe is not None and needs_count(table, shoe.deck_set) else None


# --- the count ----------------------------------------------------------------------------------


def pass_rest(table: Table, message: Message[PassRestCommand], rules: Rules) -> Table:
    """Count cards of the shoe from now on and do not deal them: it is over."""
    rules.require_act(message, Act.DEAL)
    pending.nothing_is_asked_for(table)
    name = deck_set_to_count(table)
    if name is None:
        raise Refused(Code.SHOE_IS_NOT_OVER)
    if table.decks.rest is not None:
        raise Refused(Code.REST_IS_PASSING, set=name)
    if table.devices.by_hand is not None:
        raise Refused(Code.SAY_WHAT_IS_LEFT)  # no device would read what passes
    return change_part(table, "decks", rest=PassedRest(name))


AnyPassed = Message[CardDrawnEvent] | Message[ReadFailedEvent] | Message[ExcessCardEvent]


def handle_passed_card(table: Table, rest: PassedRest, message: AnyPassed) -> Table:
    """Record one more passed card of the rest; the last one completes the count."""
    event = message.payload
    card = None if isinstance(event, ReadFailedEvent) else event.card
    seen = bytearray(rest.seen)
    if card is not None:
        seen[card.number] += 1
    rest = replace(rest, seen=bytes(seen), cards=rest.cards + 1)
    table = change_part(table, "decks", rest=rest)
    ledger = deck_ledger(table, rest.deck_set)
    if ledger is None or ledger.drawn + rest.cards < ledger.decks * len(DECK):
        return table
    return _found(table, rest.deck_set, _of_pass(table, rest, ledger, {}))


def handle_foreign_card(table: Table) -> Table:
    """Handle the shoe's report that a passing card does not belong to these decks."""
    assert table.decks.rest is not None
    return change_part(
        table, "decks", rest=replace(table.decks.rest, foreign=table.decks.rest.foreign + 1)
    )


def handle_pass_failure(table: Table) -> Table:
    """Handle a failed pass: some cards may have passed unread, so people count."""
    assert table.decks.rest is not None
    name = table.decks.rest.deck_set
    return notify(change_part(table, "decks", rest=None), Code.REST_NOT_ALL_READ, set=name)


def reconcile(table: Table, message: Message[ReconcileCommand], rules: Rules) -> Table:
    """Compare what is left of a finished shoe with what came out of it and the full set."""
    rules.require_act(message, Act.DEAL)
    pending.nothing_is_asked_for(table)
    command, shoe = message.payload, table.shoe
    name = command.deck_set or (shoe.deck_set if shoe is not None else None)
    if name is None:
        raise Refused(Code.NOTHING_TO_RECONCILE)
    if shoe is not None and shoe.deck_set == name and not table.change_shoe:
        raise Refused(Code.SHOE_IS_NOT_OVER)
    ledger = deck_ledger(table, name)
    if ledger is None:
        raise Refused(Code.NOTHING_TO_RECONCILE)
    given = [command.left is not None, command.cards is not None, command.shuffler]
    if sum(given) > 1:
        raise Refused(Code.ONE_COUNT_OF_DECKS)
    if command.shuffler:
        return _found(table, name, _of_shuffler(table, ledger))
    if command.left is None and command.cards is None:
        if table.decks.rest is None or table.decks.rest.deck_set != name:
            raise Refused(Code.SAY_WHAT_IS_LEFT)
        return _found(table, name, _of_pass(table, table.decks.rest, ledger, command.unseen))
    counted = ConfirmDeckCount(
        name, ledger.shoe, _by_code(command.left), command.cards, command.unseen
    )
    _of_people(table, counted, ledger, message.actor, None)  # refused now rather than afterwards
    return pending.ask(table, ApprovalRequest(counted, message.actor, command.reason))


def _by_code(left: Mapping[str, int] | None) -> dict[str, int] | None:
    if left is None:
        return None
    found: dict[str, int] = {}
    for code, count in left.items():
        card = Card.parse(code)
        found[card.code] = found.get(card.code, 0) + count
    return found


def _count_approved(table: Table, counted: ConfirmDeckCount, by: str, approver: str) -> Table:
    ledger = deck_ledger(table, counted.deck_set)
    if ledger is None or ledger.shoe != counted.shoe:
        raise Refused(Code.NOTHING_TO_RECONCILE)
    count = _of_people(table, counted, ledger, by, approver)
    return _found(table, counted.deck_set, count)


def _of_people(
    table: Table, counted: ConfirmDeckCount, ledger: ShoeLedger, by: str, approver: str | None
) -> DeckCount:
    if counted.left is None:
        cards = ledger.drawn + (counted.cards or 0)
        full = ledger.decks * len(DECK)
        count = DeckCount(ledger.shoe, table.at, by, cards, full)
    else:
        left = bytearray(len(DECK))
        for code, number in counted.left.items():
            left[Card.parse(code).number] += _at_most_a_byte(number)
        total = sum(counted.left.values())
        count = _against(ledger, bytes(left), total, counted.unseen, (table.at, by))
    return replace(count, approved_by=approver)


def _at_most_a_byte(number: int) -> int:
    if number > _MOST_OF_A_CARD:
        raise Refused(Code.TOO_MANY_CARDS_TO_LIE_THERE, cards=number)
    return number


_MOST_OF_A_CARD: Final = 52


def _of_pass(
    table: Table, rest: PassedRest, ledger: ShoeLedger, unseen: Mapping[str, int]
) -> DeckCount:
    count = _against(ledger, rest.seen, rest.cards, unseen, (table.at, SHOE))
    return replace(count, foreign=rest.foreign)


def _of_shuffler(table: Table, ledger: ShoeLedger) -> DeckCount:
    """The latest verified or wrong set of the shuffler; the speaker names which set that was."""
    full = ledger.decks * len(DECK)
    held = table.decks.shuffler
    if isinstance(held, VerifiedDecks):
        cards = full if held.cards is None else held.cards
        return DeckCount(ledger.shoe, table.at, SHUFFLER, cards, full)
    if held is None:
        raise Refused(Code.NOT_VERIFIED)
    return DeckCount(
        ledger.shoe, table.at, SHUFFLER, held.cards, full, held.missing, (), held.extra
    )


def _against(
    ledger: ShoeLedger,
    left: bytes,
    left_cards: int,
    unseen: Mapping[str, int],
    answer: tuple[float, str],
) -> DeckCount:
    """Compare the full set with the cards seen and the cards left. Unseen cards account for some of
    those absent: missing cards are known by name only where no card is unknown."""
    looked_at = bytearray(len(DECK))
    for code, number in unseen.items():
        looked_at[Card.parse(code).number] += _at_most_a_byte(number)
    unknown = ledger.drawn - sum(ledger.seen) - sum(looked_at) + left_cards - sum(left)
    if unknown < 0:
        raise Refused(Code.MORE_THAN_CAME_UNSEEN, cards=-unknown)
    absent, extra = bytearray(len(DECK)), bytearray(len(DECK))
    for number in range(len(DECK)):
        lacks = ledger.decks - ledger.seen[number] - left[number] - looked_at[number]
        (absent if lacks > 0 else extra)[number] = abs(lacks)
    full = ledger.decks * len(DECK)
    short = full - ledger.drawn - left_cards
    names = card_codes(absent)
    known = not unknown
    return DeckCount(
        ledger.shoe,
        answer[0],
        answer[1],
        full - short,
        full,
        missing=names if known else (),
        among=tuple(dict.fromkeys(names)) if not known and short > 0 else (),
        extra=card_codes(extra),
    )


def _found(table: Table, name: str, count: DeckCount) -> Table:
    """Store the count: a set that is whole may be loaded again, any other may not."""
    known = _known(table, name)
    assert known is not None, "nothing is counted of a set that nobody knows"
    after = _kept(table, name, replace(known, uncounted=None, count=count))
    if after.decks.rest is not None and after.decks.rest.deck_set == name:
        after = change_part(after, "decks", rest=None)
    if count.whole:
        return notify(after, Code.DECK_SET_IS_WHOLE, set=name, cards=count.full)
    why = deck_count_refusal(name, count).reason
    return replace(after, notices=(*after.notices, why))
