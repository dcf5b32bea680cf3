"""Cards named after they were drawn: entered by hand, corrected, or reported late by the device."""

from typing import Final

from msgspec.structs import replace

from controller.cases import steps
from controller.cases.manual_entry import manual_mode
from controller.game.hands import Side
from controller.game.irregularities import Fact
from controller.messages.codes import Code
from controller.messages.sentence import sentence
from controller.round import dealing, position, reconstruction, round_end, shoe
from controller.table.agenda import order, pending
from controller.table.agenda.items import CardToEnter
from controller.table.approvals import Act
from controller.table.cards import Drawn, UnplacedCard
from controller.table.case import (
    AwaitsApproval,
    AwaitsCard,
    AwaitsCounts,
    AwaitsKept,
    Case,
    Entered,
    ReportedFacts,
)
from controller.table.commands.device_events import ExcessNamedEvent
from controller.table.commands.message import Message, Seal
from controller.table.commands.people import CorrectCommand, EnterCardCommand
from controller.table.holds import Hold, HoldReason
from controller.table.phases import RoundEvent
from controller.table.refused import Refused
from controller.table.requests import ApprovalRequest, CorrectCard, EnterFirstCard
from controller.table.rules import Rules
from controller.table.state import (
    CardCorrection,
    CardCountCheck,
    Round,
    Table,
    add_hold,
    add_notice,
    change_part,
    emit,
    notify,
    queue_case,
    remove_hold,
    with_announcement,
)
from drivers.cards import Card

WRONG_NUMBER: Final = "wrong_number"
BY_HAND: Final = "by_hand"
"""The case of a card that was drawn without a reading, once it is exposed."""


def enter_card(table: Table, message: Message[EnterCardCommand], rules: Rules) -> Table:
    """Enter a card that the device could not read; a second person approves."""
    if table.shoe is not None and table.shoe.burn_left is None:
        return _enter_first(table, message, rules)
    item = order.to_end(table, rules, message.type)
    assert isinstance(item, CardToEnter)
    case, awaits = item.case, item.case.awaits
    if isinstance(awaits, AwaitsKept):
        rules.require_role(message, awaits.role, case.clause)
        return _enter_kept(table, case, awaits, message)
    rules.require_act(message, Act.DEAL)
    number = _number(table, case, message.payload)
    _may_be_entered(table, case, number)
    entered = Entered(number, _face(message))
    if case.id == BY_HAND and table.devices.by_hand is not None:
        # The card is visible to all; where the house requires it, a second person confirms all of
        # them.
        table = _known_to_people(set_card_face(table, number, entered.card), entered)
        table = manual_mode.note_entrant(table, message.actor)
        table = replace(table, case=replace(case, asker=message.actor, awaits=None))
        return dealing.check_entered_card(table, number)
    case = replace(
        case,
        entered=entered,
        asker=message.actor,
        awaits=AwaitsApproval("entered_card"),
        text=message.payload.reason,
    )
    return replace(table, case=case)


def _face(message: Message[EnterCardCommand] | Message[CorrectCommand]) -> Card:
    card = message.payload.card
    if card is None:
        raise Refused(Code.FIELD_NEEDED, word=message.type, field="card")
    return card


def _enter_first(table: Table, message: Message[EnterCardCommand], rules: Rules) -> Table:
    """Enter the first card of the shoe, which sets how many are burned and which the device did not
    read."""
    rules.require_act(message, Act.DEAL)
    return pending.ask(table, ApprovalRequest(EnterFirstCard(_face(message)), message.actor))


def _enter_kept(
    table: Table, case: Case, awaits: AwaitsKept, message: Message[EnterCardCommand]
) -> Table:
    """Enter a kept card the device could not read: the required witness looks, and it stays
    sealed."""
    unread = [drawn for drawn in case.kept if drawn.card is None]
    named = _named(unread[0], message.payload.card, message.seal)
    kept = tuple(named if each is unread[0] else each for each in case.kept)
    case = replace(case, kept=kept)
    if len(unread) > 1:
        return replace(table, case=case)
    assert case.ruling is not None
    clause = case.ruling.then[case.step - 1].clause
    return replace(table, case=replace(case, awaits=AwaitsCounts(awaits.role), clause=clause))


def _number(table: Table, case: Case, command: EnterCardCommand) -> int:
    """The card named, else the one asked for, else one that is unread, else the latest."""
    laid = [drawn.n for drawn in table.round.cards] if table.round else []
    unread = [drawn.n for drawn in table.round.cards if drawn.card is None] if table.round else []
    asked = case.awaits.n if isinstance(case.awaits, AwaitsCard) else None
    meant = asked if case.n is None else case.n
    likely = meant if meant is not None else (unread or laid[-1:] or [0])[0]
    number = likely if command.n is None else command.n
    if number not in laid:
        raise Refused(Code.NO_SUCH_CARD, n=number)
    if number != likely and likely in unread:  # else the other card would stay unread
        raise Refused(Code.OTHER_CARD_ASKED_FOR, case.clause, n=likely)
    return number


def _may_be_entered(table: Table, case: Case, number: int) -> None:
    """Refuse a card other than the case's own; without one, refuse a card that was read and lies
    unseen."""
    if case.n is not None and number != case.n:
        raise Refused(Code.OTHER_CARD_ASKED_FOR, case.clause, n=case.n)
    cards = table.round.cards if table.round else ()
    if any(each.n == number and each.card is not None and not each.exposed for each in cards):
        raise Refused(Code.NO_SUCH_EXPOSED_CARD, case.clause, n=number)


def enter_approved(table: Table, case: Case, rules: Rules) -> Table:
    """Apply an entered card that a second person has seen. What followed from an earlier reading of
    another face is undone."""
    round_, entered = table.round, case.entered
    assert round_ is not None
    assert entered is not None
    read = [drawn.card for drawn in round_.cards if drawn.n == entered.n]
    another = any(card not in (None, entered.card) for card in read)
    by, approver = case.asker or "", case.decided_by
    table = set_card_face(_noted(table, entered, by, approver, case.text), entered.n, entered.card)
    table = _known_to_people(table, entered)
    if another and not round_.betting and round_.void_by is None:
        table = _follows(table, round_, rules)
    return replace(table, case=replace(case, awaits=None))


def _noted(
    table: Table, named: Entered | CorrectCard, by: str, approver: str, reason: str
) -> Table:
    """Record with the round who named the card and who approved."""
    round_ = table.round
    assert round_ is not None
    was = [drawn.card for drawn in round_.cards if drawn.n == named.n and drawn.exposed]
    made = CardCorrection(named.n, was[0] if was else None, named.card, by, approver, reason)
    return replace(
        table,
        round=change_part(
            round_, "interventions", corrections=(*round_.interventions.corrections, made)
        ),
    )


def _known_to_people(table: Table, named: Entered | CorrectCard) -> Table:
    """Compare a card that the device may still report with what people entered. A card that it
    named otherwise holds the table no longer if people now enter the same."""
    if any(each.n == named.n for each in table.card_count.unheard):
        unheard = [
            replace(e, card=named.card) if e.n == named.n else e for e in table.card_count.unheard
        ]
        table = change_part(table, "card_count", unheard=tuple(unheard))
    differs = [each for each in table.latches if each.kind is HoldReason.CARD_DISAGREES]
    agrees = any((each.number, each.card) == (named.n, named.card) for each in differs)
    return remove_hold(table, HoldReason.CARD_DISAGREES, named.n) if agrees else table


def set_card_face(table: Table, number: int, card: Card) -> Table:
    """Replace a card's face, in the round and in the ledger."""
    round_, held = table.round, table.shoe
    assert round_ is not None
    assert held is not None
    cards, shown = [], False
    for drawn in round_.cards:
        if drawn.n != number:
            cards.append(drawn)
            continue
        shown = drawn.card is None
        if drawn.exposed and drawn.card is not None:
            held = shoe.forget(held, drawn.card, number)
        if drawn.exposed:
            held = shoe.note(held, card, number)
        cards.append(replace(drawn, card=card))
    table = replace(table, round=replace(round_, cards=tuple(cards)), shoe=held)
    return emit(table, RoundEvent.CARDS_SHOWN) if shown else table


def _in_order(table: Table, rules: Rules) -> Round:
    """Lay the round's cards as the table of play requires, with their present faces."""
    assert table.round is not None
    if table.round.interventions.kept_as_laid:
        return table.round
    return reconstruction.reconstruct_round(table.round, (), rules)


# --- corrections --------------------------------------------------------------------------------


def correct(table: Table, message: Message[CorrectCommand], rules: Rules) -> Table:
    """Request the correction of a misread; a second person approves it, published or not."""
    rules.require_act(message, Act.DEAL)
    round_, command = table.round, message.payload
    if round_ is None or not round_.cards:
        raise Refused(Code.NO_CARD_TO_CORRECT)
    if round_.void_by is not None:
        raise Refused(Code.ROUND_IS_VOID, round_.void_by)
    drawn = [each for each in round_.cards if each.n == command.n and each.exposed]
    if not drawn:
        raise Refused(Code.NO_SUCH_EXPOSED_CARD, n=command.n)
    wanted = CorrectCard(command.n, _face(message), drawn[0].card)
    if wanted.card == wanted.before:
        raise Refused(Code.CARD_IS_THAT, n=wanted.n, card=wanted.card)
    return pending.ask(table, ApprovalRequest(wanted, message.actor, command.reason))


def correct_card(
    table: Table, wanted: CorrectCard, request: ApprovalRequest, approver: str, rules: Rules
) -> Table:
    """Replace the card with what two people entered, and recompute all that depends on it."""
    before, was = table, table.round
    assert was is not None
    table = _noted(table, wanted, request.by, approver, request.reason)
    table = _known_to_people(set_card_face(table, wanted.n, wanted.card), wanted)
    assert table.round is not None
    if was.over and not _is_complete(table, rules):
        return _wrong_number(before, was, request)
    return _follows(
        replace(table, round=change_part(table.round, "interventions", corrected=True)), was, rules
    )


def _is_complete(table: Table, rules: Rules) -> bool:
    return position.due_card(rules.book, _in_order(table, rules)) is position.Due.NOTHING


def _wrong_number(table: Table, round_: Round, request: ApprovalRequest) -> Table:
    """Queue a case for hands of a settled round that get a wrong number of cards by that card. They
    cannot be completed any more: the book decides what becomes of the round, and the card stays
    unchanged until then."""
    table = notify(table, Code.CORRECTION_LEAVES_HANDS_OPEN)
    positions = {side: tuple(each.n for each in position.hand(round_, side)) for side in Side}
    about = ReportedFacts(lies=positions, round=round_.number, text=request.reason)
    facts = {Fact.RECONSTRUCTABLE.value: False}
    return queue_case(
        table, Case(WRONG_NUMBER, request.by, asker=request.by, about=about, facts=facts)
    )


def _follows(table: Table, before: Round, rules: Rules) -> Table:
    """Recompute the hands by their present faces: a changed outcome is to be announced, and a round
    that is over is settled again."""
    round_ = table.round
    assert round_ is not None
    laid = _in_order(table, rules)
    announced = reconstruction.is_announcement_valid(before, laid, rules)
    laid = with_announcement(laid, stands=announced)
    complete = position.due_card(rules.book, laid) is position.Due.NOTHING
    table = steps.lay_again(table, laid)
    if not round_.over:
        return table
    if not complete:
        raise Refused(Code.CORRECTION_LEAVES_HANDS_OPEN)
    renewed = round_end.settle_again(
        replace(table, round=change_part(laid, "interventions", corrected=True)), rules
    )
    return dealing.compare_result_again(renewed, rules)


# --- a card the device names late ---------------------------------------------------------------


def handle_excess_named(table: Table, message: Message[ExcessNamedEvent], rules: Rules) -> Table:
    """Name the card the device called one too many: it is not another card."""
    if message.payload.card is None:
        raise Refused(Code.FIELD_NEEDED, word=message.type, field="card")
    check = table.count_check
    if check is not None and (named := _in_doubt(check, message)) is not None:
        return change_part(table, "card_count", stage=named)
    drawn, card = _unnamed(table), message.payload.card
    if drawn is None:
        return notify(table, Code.NAMED_CARD_NOT_SEEN)
    return name_late_card(table, drawn, card, message.seal)


def name_late_card(table: Table, drawn: Drawn, card: Card, seal: Seal) -> Table:
    """Apply the device's late report of a card's face. The card need not be entered any more; where
    people entered another face, the table is held until it is corrected."""
    if drawn.card is not None:
        return has_other_face(table, drawn.n, drawn.card, card) if drawn.exposed else table
    if not drawn.exposed:
        return _with(table, drawn, replace(_named(drawn, card, seal), unnamed=False))
    table = set_card_face(table, drawn.n, card)
    case = table.case
    if case is None or case.n != drawn.n or not _waits_for_a_face(case):
        return table
    return replace(table, case=replace(case, awaits=None, entered=None))


def _waits_for_a_face(case: Case) -> bool:
    awaits = case.awaits
    entered = isinstance(awaits, AwaitsApproval) and awaits.of == "entered_card"
    return entered or isinstance(awaits, AwaitsCard)


def has_other_face(table: Table, n: int, has: Card, text: Card) -> Table:
    """Hold the table where the device names a card that all have seen in another way."""
    if has == text:
        return table
    why = sentence(Code.CARD_DIFFERS, n=n, shoe=text, table=has)
    hold = Hold(HoldReason.CARD_DISAGREES, table.at, dealing.SHOE, why, n, text)
    return add_hold(add_notice(table, why), hold)


def _in_doubt(check: CardCountCheck, message: Message[ExcessNamedEvent]) -> CardCountCheck | None:
    arrived = [each for each in check.unplaced if each.word == "excess" and each.card is None]
    if not arrived:
        return None
    named = [_with_face(each, message) if each is arrived[-1] else each for each in check.unplaced]
    return replace(check, unplaced=tuple(named))


def _with_face(arrived: UnplacedCard, message: Message[ExcessNamedEvent]) -> UnplacedCard:
    seal = message.seal
    return replace(arrived, card=message.payload.card, commitment=seal.commitment, salt=seal.salt)


def _named(drawn: Drawn, card: Card | None, seal: Seal) -> Drawn:
    return replace(drawn, card=card, commitment=seal.commitment, salt=seal.salt)


def _unnamed(table: Table) -> Drawn | None:
    cards = (*(table.round.cards if table.round else ()), *table.carried)
    return next((drawn for drawn in reversed(cards) if drawn.unnamed), None)


def _with(table: Table, old: Drawn, new: Drawn) -> Table:
    carried = tuple(new if each is old else each for each in table.carried)
    table = replace(table, carried=carried)
    if table.round is None:
        return table
    cards = tuple(new if each is old else each for each in table.round.cards)
    return replace(table, round=replace(table.round, cards=cards))
