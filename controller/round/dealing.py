"""Cards: drawn, laid, exposed, and laid aside until their place is due."""

from typing import TypeGuard

from msgspec.structs import replace

from controller.game.hands import DealtRound as Dealt
from controller.game.hands import Side
from controller.game.irregularities import RulingStep
from controller.game.roles import Role
from controller.messages.codes import Code
from controller.messages.sentence import Sentence, sentence
from controller.round import count_check, decks, position, shoe
from controller.table.agenda.order import do_cards_wait, is_busy
from controller.table.approvals import Act
from controller.table.cards import Drawn
from controller.table.case import (
    KEPT,
    AwaitsCard,
    AwaitsCounts,
    AwaitsKept,
    Case,
    ReportedFacts,
)
from controller.table.commands.device_events import (
    CardDrawnEvent,
    DeviceResultEvent,
    ExcessCardEvent,
    ReadFailedEvent,
)
from controller.table.commands.message import Message
from controller.table.commands.people import ExposeCommand
from controller.table.holds import Hold, HoldReason
from controller.table.phases import AFTER_THE_CALL, RoundEvent
from controller.table.refused import Refused
from controller.table.rules import Rules
from controller.table.state import (
    DeviceResult,
    Round,
    Shoe,
    Table,
    add_hold,
    add_notice,
    change_part,
    emit,
    notify,
    queue_case,
    remove_hold,
)
from drivers.cards import Card

SHOE = "shoe"
"""Who reports what the table itself finds in the cards."""

AnyCard = Message[CardDrawnEvent] | Message[ReadFailedEvent] | Message[ExcessCardEvent]


def handle_card(table: Table, message: AnyCard, rules: Rules, *, counted: bool = False) -> Table:
    """Record a card that has left the shoe, even if something is wrong with it. `counted`: people
    have counted it, so its place needs no other count."""
    held = table.shoe
    if held is None:
        raise Refused(Code.NO_SHOE_FOR_CARD)
    if not table.day.is_open:
        return _while_closed(table, held)
    if table.card_count.is_counted or table.card_count.loss is not None:
        table = _after_a_count(table, message, rules)
    if table.count_check is not None:
        return count_check.keep_card(table, table.count_check, message)
    if held.burn_left != 0:
        return shoe.burn_card(table, lay_faced(message))
    if do_cards_wait(table):
        return _while_held(_with_one_less(table, held), _drawn(held, message))
    if shoe.empty_shoe(held):
        table = _aside(_with_one_less(table, held), _drawn(held, message))
        return queue_case(table, Case("wrong_count", SHOE))
    return _lay(table, held, message, rules, counted=counted)


def _after_a_count(table: Table, message: AnyCard, rules: Rules) -> Table:
    """Handle a loss that the shoe's numbers show after a count: it is the counted one if this card
    is for the place that is due; else something was lost since."""
    loss, event = table.card_count.loss, message.payload
    table = change_part(table, "card_count", stage=None)
    if loss is None:
        return table
    reported = (
        count_check.reported_place(event.hand, event.index)
        if isinstance(event, CardDrawnEvent)
        else None
    )
    fits = reported is not None and reported == count_check.next_place(table, rules)
    return table if fits else count_check.start_count_check(table, loss)


def lay_faced(message: AnyCard) -> Card | None:
    """The card the device read; None where it could not."""
    event = message.payload
    return None if isinstance(event, ReadFailedEvent) else event.card


def handle_excess_card(table: Table, message: Message[ExcessCardEvent], rules: Rules) -> Table:
    """Put aside a card that the shoe itself calls one too many, whichever card is due."""
    if table.decks.rest is not None:
        return decks.handle_passed_card(table, table.decks.rest, message)
    held = table.shoe
    prepared = held is not None and held.burn_left == 0 and table.day.is_open
    held_up = do_cards_wait(table) or table.card_count.loss is not None
    if held is None or not prepared or held_up:
        return handle_card(table, message, rules)
    return _too_many(_with_one_less(table, held), _drawn(held, message), rules)


def _while_closed(table: Table, held: Shoe) -> Table:
    """Hold the table: a shoe that was drawn from while the table is closed is not played from."""
    table = replace(table, shoe=replace(held, drawn=held.drawn + 1, must_change=True))
    return notify(table, Code.CARD_WHILE_CLOSED)


def _while_held(table: Table, drawn: Drawn) -> Table:
    """Put aside a card drawn while a case is open; 5.11 asks for two that are kept."""
    case = table.case
    if case is not None and isinstance(case.awaits, AwaitsCounts) and len(case.kept) < KEPT:
        kept = (*case.kept, drawn)
        unread = len(kept) == KEPT and any(each.card is None for each in kept)
        role, case = case.awaits.role, replace(case, kept=kept)
        return replace(table, case=_kept_to_be_entered(case, role) if unread else case)
    return _aside(notify(table, Code.CARD_WHILE_HELD, n=drawn.n), drawn)


def _kept_to_be_entered(case: Case, role: Role) -> Case:
    """Ask for a kept card that was not read: the required witness looks before any count."""
    steps = case.ruling.then if case.ruling else ()
    clause = next((each.clause for each in steps if each.step == RulingStep.KEEP_TWO), case.clause)
    return replace(case, awaits=AwaitsKept(role), clause=clause)


def _drawn(
    held: Shoe, message: AnyCard, hand: Side | None = None, *, exposed: bool = False
) -> Drawn:
    """The card as it left the shoe, with its place."""
    read, seal = lay_faced(message), message.seal
    unnamed = read is None and isinstance(message.payload, ExcessCardEvent)
    return Drawn(held.drawn + 1, read, hand, exposed, seal.commitment, seal.salt, unnamed)


def _with_one_less(table: Table, held: Shoe) -> Table:
    """Record that a card has left the shoe, without further details."""
    return replace(table, shoe=replace(held, drawn=held.drawn + 1))


def _lay(table: Table, held: Shoe, message: AnyCard, rules: Rules, *, counted: bool) -> Table:
    round_ = table.round
    side = position.due_hand(rules.book, round_)
    if side is None or round_ is None:
        return _too_many(_with_one_less(table, held), _drawn(held, message), rules)
    elsewhere = count_check.misfit(message, round_, side)
    if elsewhere is not None and not round_.device.places_differ:
        if not counted:
            in_doubt = count_check.start_count_check(table, elsewhere)
            assert in_doubt.count_check is not None
            return count_check.keep_card(in_doubt, in_doubt.count_check, message)
        table = hold_disagreement(table, HoldReason.PLACE_DISAGREES, elsewhere)
        round_ = change_part(round_, "device", places_differ=True)
    laid = _drawn(held, message, side, exposed=not round_.face_down)
    on_layout = _with_totals_called(replace(round_, cards=(*round_.cards, laid)), round_, rules)
    positions = _lay_open if laid.exposed else _lay_face_down
    return check_enough_cards(positions(table, held, on_layout, laid, rules), rules)


def _with_totals_called(laid: Round, before: Round, rules: Rules) -> Round:
    """Record the totals: drawing a third card counts as the announcement of both."""
    if len(position.hand_cards(before)) < len(position.INITIAL):
        return laid
    return replace(laid, totals_called=position.totals_of_two(rules.book, before))


def _lay_open(table: Table, held: Shoe, on_layout: Round, laid: Drawn, rules: Rules) -> Table:
    happened = (*table.happened, *_LAID_OPEN)
    held = _noted(replace(held, drawn=laid.n), [laid])
    table = replace(table, shoe=held, round=on_layout, happened=happened)
    return lay_asides(_look_at(table, held, [laid]), rules)


_LAID_OPEN = (RoundEvent.CARD_LAID, RoundEvent.CARDS_SHOWN)


def _lay_face_down(table: Table, held: Shoe, on_layout: Round, laid: Drawn, _: Rules) -> Table:
    held = replace(held, drawn=laid.n)
    happened = (*table.happened, RoundEvent.CARD_LAID)
    table = replace(table, shoe=held, round=on_layout, happened=happened)
    unread = laid.card is None and table.devices.by_hand is None
    return notify(table, Code.UNREAD_FACE_DOWN, n=laid.n) if unread else table


def hold_disagreement(table: Table, kind: HoldReason, sentence_: Sentence) -> Table:
    """Hold the table where device and table disagree on the round: people look before it goes
    on."""
    hold = Hold(kind, table.at, SHOE, sentence_)
    same = [each for each in table.latches if each.kind is kind]
    if same and replace(same[0], since=hold.since, round=None) == hold:
        return table
    return add_hold(remove_hold(table, kind), hold)


def _too_many(table: Table, drawn: Drawn, rules: Rules) -> Table:
    """Put aside a card that was not due, until a person decides on it."""
    in_play = table.round is not None and not table.round.over
    named = (drawn.n,) if in_play else ()
    return queue_case(
        _aside(table, drawn), Case("excess_card", SHOE, about=ReportedFacts(cards=named))
    )


def _aside(table: Table, drawn: Drawn) -> Table:
    round_ = table.round
    if round_ is None or round_.over:
        return replace(table, carried=(*table.carried, drawn))
    return replace(table, round=replace(round_, cards=(*round_.cards, drawn)))


def demand_first_cards(table: Table, rules: Rules) -> Table:
    """Lay the cards that are out after "No more bets", and require the rest of the shoe."""
    return check_enough_cards(lay_asides(table, rules), rules)


def check_enough_cards(table: Table, rules: Rules) -> Table:
    """Check that the shoe has the cards that the round still needs."""
    held = table.shoe
    if held is None or not shoe.empty_shoe(held) or table.round is None or is_busy(table):
        return table
    if position.next_side(rules.book, table.round) is None:
        return table
    return queue_case(table, Case("not_enough_cards", SHOE))


# --- exposing -----------------------------------------------------------------------------------


def expose_cards(table: Table, numbers: list[int], rules: Rules) -> Table:
    """Expose these cards to all, and lay the cards aside that they call for."""
    return lay_asides(_turned_over(table, numbers), rules)


def _turned_over(table: Table, numbers: list[int]) -> Table:
    """Enter the cards in the ledger and check them."""
    round_, held = table.round, table.shoe
    assert round_ is not None
    assert held is not None
    cards, turned = [], []
    for drawn in round_.cards:
        laid = drawn
        if drawn.n in numbers and not drawn.exposed:
            laid = replace(drawn, exposed=True)
            turned.append(laid)
        cards.append(laid)
    held = _noted(held, turned)
    table = replace(table, round=replace(round_, cards=tuple(cards)), shoe=held)
    return _look_at(emit(table, RoundEvent.CARDS_SHOWN), held, turned)


def _noted(held: Shoe, turned: list[Drawn]) -> Shoe:
    """The ledger with the faces that could be read."""
    for drawn in turned:
        if drawn.card is not None:
            held = shoe.note(held, drawn.card, drawn.n)
    return held


def _look_at(table: Table, held: Shoe, turned: list[Drawn]) -> Table:
    """Run the checks that look at a face, once it may be seen."""
    unshuffled = False
    for drawn in turned:
        if drawn.card is None:
            table = _without_a_face(table, drawn)
        elif shoe.is_impossible(held, drawn.card):
            table = queue_case(table, Case("foreign_card", SHOE, n=drawn.n))
        unshuffled = unshuffled or shoe.new_deck_order(held, drawn.n)
    return queue_case(table, Case("unshuffled", SHOE)) if unshuffled else table


def _without_a_face(table: Table, drawn: Drawn) -> Table:
    """Ask for the face of an open, unread card. Where the shoe has reported a foreign card without
    naming it, it is this one, and whether it belongs is asked first."""
    if table.devices.by_hand is not None:
        return queue_case(table, Case("by_hand", SHOE, n=drawn.n))
    sentence_, table = table.devices.card_error, change_part(table, "devices", card_error=None)
    if is_foreign(table.case):
        return replace(table, case=replace(table.case, n=drawn.n))
    for at, case in enumerate(table.queue):
        if is_foreign(case):
            meant = replace(case, n=drawn.n)
            return replace(table, queue=(*table.queue[:at], meant, *table.queue[at + 1 :]))
    return queue_case(table, Case("unreadable", SHOE, n=drawn.n, device_text=sentence_))


def is_foreign(case: Case | None) -> TypeGuard[Case]:
    """Whether the shoe reported a card that does not belong, before its face is known."""
    return case is not None and (case.id, case.reported_by, case.n) == ("foreign_card", SHOE, None)


def check_entered_card(table: Table, number: int) -> Table:
    """Check a card that was exposed and is entered now: its face was not available before."""
    assert table.shoe is not None
    assert table.round is not None
    entered = [drawn for drawn in table.round.cards if drawn.n == number]
    return _look_at(table, table.shoe, entered)


def lay_asides(table: Table, rules: Rules) -> Table:
    """Lay a card from aside where it is due, as soon as that place is determined."""
    round_ = table.round
    if round_ is None or round_.over:
        return table
    if round_.betting:
        return _without_a_result(table, round_)
    while (laid := _with_one_laid(table, rules)) is not None:
        table = laid
    return _compare_result(table, rules)


def _without_a_result(table: Table, round_: Round) -> Table:
    """The table without the device's result when wagers are open again: its cards are out of
    play."""
    if round_.device.result is None:
        return table
    return replace(table, round=change_part(round_, "device", result=None))


def _with_one_laid(table: Table, rules: Rules) -> Table | None:
    """The table with one card laid or some turned over; None where that is not due, or something is
    wrong."""
    round_ = table.round
    if round_ is None or do_cards_wait(table):
        return None
    aside: Drawn | None = None
    hidden: list[int] = []
    for drawn in round_.cards:
        if drawn.hand is None:
            aside = aside or drawn
        elif not drawn.exposed:
            hidden.append(drawn.n)
    if hidden and not round_.face_down:
        return _turned_over(table, hidden)
    if aside is None or (side := position.next_side(rules.book, round_)) is None:
        return None
    cards = tuple(replace(c, hand=side) if c is aside else c for c in round_.cards)
    return emit(replace(table, round=replace(round_, cards=cards)), RoundEvent.CARD_LAID)


def expose(table: Table, message: Message[ExposeCommand], rules: Rules) -> Table:
    """Mark a hand, or one card, as exposed."""
    rules.require_act(message, Act.DEAL)
    round_, command = advance_play(table), message.payload
    _nothing_is_asked(table)
    numbers = _which(round_, command)
    if not numbers:
        raise Refused(Code.NO_FACE_DOWN_CARD)
    if command.card is None and len(position.hand_cards(round_)) < len(position.INITIAL):
        raise Refused(Code.INITIAL_DEAL_NOT_COMPLETE)
    if (
        command.card is None
        and round_.handling.first is not None
        and _out_of_turn(round_, command.hand)
    ):
        clause = rules.method(round_.method).first
        raise Refused(Code.OTHER_HAND_FIRST, clause, hand=round_.handling.first)
    return check_enough_cards(expose_cards(table, numbers, rules), rules)


def _nothing_is_asked(table: Table) -> None:
    """Refuse more cards while a player chooses or a person decides; a card shown all the same is
    reported."""
    case = table.case
    if case is not None and case.offer is not None:
        raise Refused(Code.OPTIONS_ARE_OPEN, case.offer.clause)
    if case is not None and not isinstance(case.awaits, AwaitsCard):
        raise Refused(Code.ANSWER_FIRST, case.clause)


def advance_play(table: Table) -> Round:
    if table.round is None or table.round.over:
        raise Refused(Code.NO_ROUND)
    return table.round


def _out_of_turn(round_: Round, hand: Side) -> bool:
    first = position.hand(round_, round_.handling.first) if round_.handling.first else []
    return hand is not round_.handling.first and any(not drawn.exposed for drawn in first[:2])


def _which(round_: Round, command: ExposeCommand) -> list[int]:
    laid = position.hand(round_, command.hand)
    if command.card is not None:
        laid = laid[command.card - 1 : command.card]  # empty for 0
    return [drawn.n for drawn in laid if not drawn.exposed]


# --- the device's own result --------------------------------------------------------------------


def handle_device_result(table: Table, message: Message[DeviceResultEvent], rules: Rules) -> Table:
    """Store the device's own result as evidence: a difference holds the table, once it may be
    seen."""
    text = _device_result(message)
    if table.phase not in AFTER_THE_CALL:
        return _compare_late_result(table, text, rules)
    round_ = change_part(advance_play(table), "device", result=text)
    return _compare_result(replace(table, round=round_), rules)


def _device_result(message: Message[DeviceResultEvent]) -> DeviceResult:
    event = message.payload
    if event.winner is None:
        raise Refused(Code.FIELD_NEEDED, word=message.type, field="winner")
    return DeviceResult(
        event.winner,
        message.seal.commitment,
        event.player_pair,
        event.banker_pair,
        event.player_total,
        event.banker_total,
    )


def _compare_late_result(table: Table, text: DeviceResult, rules: Rules) -> Table:
    """Compare a result that came after the settlement. A difference holds the table before the next
    round is called; one that two people already went on over is not asked again."""
    round_ = table.round
    stands = round_ is not None and round_.over and round_.void_by is None
    if round_ is None or not stands or table.decks.rest is not None:
        raise Refused(Code.NOT_NOW, phase=table.phase)
    if not round_.cards:  # they left with their shoe
        return table
    if round_.device.result is not None:
        text = replace(text, passed=round_.device.result.passed)
    return _compared(
        replace(table, round=change_part(round_, "device", result=text)), round_, text, rules
    )


def compare_result_again(table: Table, rules: Rules) -> Table:
    """Compare again after a settled round was put right: if the two now agree, the hold ends."""
    round_ = table.round
    if round_ is None or round_.device.result is None or not round_.over:
        return table
    differ = result_differences(round_.device.result, position.dealt_round(rules.book, round_))
    return table if differ else _agrees(table)


def _compare_result(table: Table, rules: Rules) -> Table:
    """Compare the results once every card on a hand may be seen: a complaint would give the sealed
    ones away.

    The result is kept and compared again after every step: cards that are corrected or laid again
    may bring the two together, and then the hold ends.
    """
    round_ = table.round
    if round_ is None or round_.device.result is None or do_cards_wait(table):
        return table
    waits_for = position.due_card(rules.book, round_)
    hidden = any(not drawn.exposed for drawn in position.hand_cards(round_))
    if waits_for is not position.Due.CARD and hidden:
        return table
    if waits_for is not position.Due.NOTHING:
        return _over_too_soon(table, round_.device.result)
    return _compared(table, round_, round_.device.result, rules)


def _compared(table: Table, round_: Round, text: DeviceResult, rules: Rules) -> Table:
    """With every card of a finished round."""
    if text.commitment is not None:
        text = replace(text, commitment=None)
        table = replace(table, round=change_part(round_, "device", result=text))
    found_now = result_differences(text, position.dealt_round(rules.book, round_))
    if not found_now:
        return _agrees(table)
    if found_now[0] == text.passed:
        return table
    reported = hold_disagreement(table, HoldReason.DEVICE_DISAGREES, found_now[0])
    for each in found_now if reported is not table else ():
        reported = add_notice(reported, each)
    return reported


def _over_too_soon(table: Table, text: DeviceResult) -> Table:
    """Handle a shoe that has finished while the table waits for a card: one may be missing. Where
    people have just counted and none is, the two disagree."""
    if table.card_count.loss is not None:
        return count_check.start_count_check(table, table.card_count.loss)
    why = sentence(Code.RESULT_BEFORE_THE_CARDS)
    if why == text.passed:
        return table
    if table.card_count.is_counted or any(
        each.kind is HoldReason.DEVICE_DISAGREES for each in table.latches
    ):
        return hold_disagreement(table, HoldReason.DEVICE_DISAGREES, why)
    return count_check.start_count_check(table, why)


def _agrees(table: Table) -> Table:
    """Remove the hold of a difference that is gone."""
    return remove_hold(table, HoldReason.DEVICE_DISAGREES)


def result_differences(text: DeviceResult, dealt: Dealt) -> list[Sentence]:
    """Differences between the shoe's result of a finished round and the table's."""
    found: list[Sentence] = []
    if text.winner is not dealt.outcome:
        found.append(sentence(Code.WINNER_DIFFERS, shoe=text.winner, table=dealt.outcome))
    totals = (
        (Side.PLAYER, text.player_total, dealt.player_total),
        (Side.BANKER, text.banker_total, dealt.banker_total),
    )
    for hand, reported, has in totals:
        if reported is not None and reported != has:
            found.append(sentence(Code.TOTAL_DIFFERS, hand=hand, shoe=reported, table=has))
    pairs = (
        (Side.PLAYER, text.player_pair, _is_pair(dealt.player)),
        (Side.BANKER, text.banker_pair, _is_pair(dealt.banker)),
    )
    for hand, pair, is_pair in pairs:
        if pair is not None and pair is not is_pair:
            found.append(sentence(Code.PAIR_SAID if pair else Code.PAIR_NOT_SAID, hand=hand))
    return found


def _is_pair(hand: tuple[Card, ...]) -> bool:
    return hand[0].rank is hand[1].rank
