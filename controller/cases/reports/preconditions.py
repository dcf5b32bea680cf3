"""Preconditions of reports: one function each checks what the table can compute.

Each returns None where the report may be true, else the sentence with the reason why it is not. A
report of an earlier round is not checked: its cards and wagers are gone.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from controller.cases import facts
from controller.game.hands import Side
from controller.game.irregularities import Precondition
from controller.messages.codes import Code
from controller.messages.sentence import Sentence, sentence
from controller.round import methods, position, reconstruction, shoe
from controller.round.wagers import wager_corrections
from controller.table.cards import Drawn
from controller.table.case import Case
from controller.table.commands.registry import DEALER
from controller.table.rules import Rules
from controller.table.state import Round, Table, change_part, latest_round

TOGETHER: Final = "simultaneous"
"""Where no card is named, the report is about the last two."""

Check = Callable[[Table, Case, Rules], Sentence | None]
RoundCheck = Callable[[Round, Case, Rules], Sentence | None]


def unmet(table: Table, case: Case, needs: Iterable[Precondition], rules: Rules) -> Sentence | None:
    """Why the report is not true, as far as the table can compute it; None where it may be."""
    for each in needs:
        why = CHECKS[each](table, case, rules)
        if why is not None:
            return why
    return None


# --- of the round -------------------------------------------------------------------------------


def _round(table: Table, case: Case, rules: Rules) -> Sentence | None:
    return None if latest_round(table) is not None else sentence(Code.NO_ROUND_TO_REPORT)


def _earlier(table: Table, case: Case, rules: Rules) -> Sentence | None:
    return None if facts.is_of_earlier_round(table, case) else sentence(Code.NOT_AN_EARLIER_ROUND)


def _aside(table: Table, case: Case, rules: Rules) -> Sentence | None:
    aside = _lie_aside(table)
    on_a_hand = sorted(set(case.about.cards) - aside)
    if on_a_hand:
        return sentence(Code.CARD_LIES_ON_A_HAND, n=on_a_hand[0])
    return None if aside else sentence(Code.NO_CARD_ASIDE)


def _lie_aside(table: Table) -> set[int]:
    """Cards on neither hand, of this round or taken for the next."""
    cards = (*(table.round.cards if table.round else ()), *table.carried)
    return {drawn.n for drawn in cards if drawn.hand is None}


def _aside_not_ruled(table: Table, case: Case, rules: Rules) -> Sentence | None:
    """Cards aside are asked about once; when the hands are complete they are not asked about."""
    round_ = table.round
    if round_ is None or round_.over or _due(round_, case, rules) is not None:
        return None
    open_now = (
        each.about.cards for each in (table.case, *table.queue) if each and each.id == case.id
    )
    ruled = (each.cards for each in table.rulings if each.id == case.id)
    known = {n for cards in (*open_now, *ruled) for n in cards}
    return sentence(Code.RULED_ALREADY) if _lie_aside(table) <= known else None


def _of_round(check: RoundCheck) -> Check:
    """Wrap a check of the round; without a round there is nothing to report."""

    def checked(table: Table, case: Case, rules: Rules) -> Sentence | None:
        round_ = latest_round(table)
        if round_ is None:
            return sentence(Code.NO_ROUND_TO_REPORT)
        return check(round_, case, rules)

    return checked


def _not_void(round_: Round, case: Case, rules: Rules) -> Sentence | None:
    return sentence(Code.ROUND_IS_VOID) if round_.void_by is not None else None


def _void(round_: Round, case: Case, rules: Rules) -> Sentence | None:
    return sentence(Code.ROUND_IS_NOT_VOID) if round_.void_by is None else None


def _after_the_call(round_: Round, case: Case, rules: Rules) -> Sentence | None:
    return sentence(Code.CALL_NOT_MADE) if round_.betting else None


# --- of the cards -------------------------------------------------------------------------------


def _dealt(round_: Round, case: Case, rules: Rules) -> Sentence | None:
    return None if round_.cards else sentence(Code.NO_CARD_DEALT)


def _together(round_: Round, case: Case, rules: Rules) -> Sentence | None:
    """Cards that came out together are next to each other in drawn order, and only their order may
    be changed."""
    drawn = sorted(each.n for each in round_.cards)
    cards = sorted(facts.affected_cards(round_, case))
    if len(cards) < 2:  # two or more, as every book has it
        named = len(case.about.cards) == 1 and len(drawn) > 1
        return sentence(Code.NOT_DRAWN_TOGETHER if named else Code.NOT_TWO_CARDS)
    if len({facts.drawn_in(round_, n) for n in cards}) > 1:
        return sentence(Code.NOT_DRAWN_TOGETHER)
    first = drawn.index(cards[0])
    if drawn[first : first + len(cards)] != cards:
        return sentence(Code.NOT_DRAWN_TOGETHER)
    order = case.about.order
    if order and sorted(order) != cards:
        return sentence(Code.ORDER_OF_THESE_CARDS, cards=cards)
    return None


def _elsewhere(round_: Round, case: Case, rules: Rules) -> Sentence | None:
    positions = case.about.lies
    if positions is None or reconstruction.misplaced_cards(round_, positions):
        return None
    return sentence(Code.ALL_LIE_RIGHT)


def _number_wrong(round_: Round, case: Case, rules: Rules) -> Sentence | None:
    positions = case.about.lies
    if positions is None or reconstruction.wrong_number(round_, positions):
        return None
    return sentence(Code.NUMBER_IS_RIGHT)


def _due(round_: Round, case: Case, rules: Rules) -> Sentence | None:
    complete = position.due_card(rules.book, round_) is position.Due.NOTHING
    return sentence(Code.HANDS_ARE_COMPLETE) if complete else None


def _runs_short(table: Table, case: Case, rules: Rules) -> Sentence | None:
    """A shoe that is empty sooner lacks cards: another clause covers that."""
    round_, held = table.round, table.shoe
    if round_ is None or held is None:
        return sentence(Code.NO_ROUND_TO_REPORT)
    left, takes = shoe.remaining_cards(held), position.min_cards_left(rules.book, round_)
    return None if left < takes else sentence(Code.SHOE_HAS_ENOUGH, left=left, takes=takes)


def _shown(round_: Round, case: Case, rules: Rules) -> Sentence | None:
    """Where all cards are dealt face up, only an unseen card is shown by mistake."""
    named = case.about.cards or case.about.hand is not None
    if not round_.face_down:
        hidden = any(not each.exposed for each in round_.cards if each.n in case.about.cards)
        return None if hidden else sentence(Code.DEALT_FACE_UP_HERE)
    if not named:
        shown = any(drawn.exposed for drawn in round_.cards)
        return None if shown else sentence(Code.NAME_SHOWN_CARDS)
    if any(_by_mistake(round_, drawn) for drawn in facts.concerned_cards(round_, case)):
        return None
    return sentence(Code.LIES_OPEN_BY_RIGHT)


def _by_mistake(round_: Round, drawn: Drawn) -> bool:
    """Whether the card may have been shown by mistake: it is unseen, or it lies open while another
    of its hand does not, or the initial deal is not complete."""
    if len(position.hand_cards(round_)) < len(position.INITIAL):
        return True
    hand = [] if drawn.hand is None else position.hand(round_, drawn.hand)
    return not drawn.exposed or len(hand) < 2 or any(not each.exposed for each in hand)


def _handled(round_: Round, case: Case, rules: Rules) -> Sentence | None:
    if not methods.can_handle(rules, round_):
        return sentence(Code.ONLY_DEALER_HANDLES)
    hands = list(Side) if case.about.hand is None else [case.about.hand]
    if not rules.house.track_wagers or any(_handler(round_, side, rules) for side in hands):
        return None
    return sentence(Code.NOBODY_HANDLES)


def _handler(round_: Round, side: Side, rules: Rules) -> str | None:
    """Who handles the hand, or should; None for a squeeze that still needs permission."""
    has = round_.handling.handlers.get(side)
    if has not in (None, DEALER) or methods.needs_permission(rules, round_):
        return None if has == DEALER else has
    return methods.next_handler(rules, round_, side)


def _elsewhere_handled(round_: Round, case: Case, rules: Rules) -> Sentence | None:
    """A hand taken by the player it belongs to was not passed wrongly; a player who has it by
    permission may be the wrong one."""
    side = case.about.hand
    has = None if side is None or round_.over else round_.handling.handlers.get(side)
    if side is None or has in (None, DEALER):
        return None
    handlers = {each: who for each, who in round_.handling.handlers.items() if each is not side}
    right = methods.next_handler(rules, change_part(round_, "handling", handlers=handlers), side)
    return sentence(Code.HAND_IS_WITH, hand=side, player=has) if has == right else None


def _not_ruled(table: Table, case: Case, rules: Rules) -> Sentence | None:
    """Players do not get the same options twice for the same cards."""
    cards = set(reported_cards(table, case))
    known = [(each.id, set(each.about.cards)) for each in (table.case, *table.queue) if each]
    known += [(each.id, set(each.cards)) for each in table.rulings]
    return sentence(Code.RULED_ALREADY) if cards and (case.id, cards) in known else None


def _not_decided(table: Table, case: Case, rules: Rules) -> Sentence | None:
    """A card that the decision was not about is another matter; a report that names none means
    any."""
    cards, round_ = set(case.about.cards), latest_round(table)
    matters = round_.interventions.decided if round_ is not None else ()
    decided = [set(each.cards) for each in matters if each.id == case.id]
    same = any(not cards or not about or cards <= about for about in decided)
    return sentence(Code.DECIDED_ALREADY) if same else None


def reported_cards(table: Table, case: Case) -> tuple[int, ...]:
    """The cards a report is about: named, of the hand named, or those that came out together."""
    round_ = latest_round(table)
    if round_ is None:
        return ()
    if case.about.cards or case.about.hand is not None:
        return tuple(drawn.n for drawn in facts.concerned_cards(round_, case))
    return facts.affected_cards(round_, case) if case.id == TOGETHER else ()


def _not_running(table: Table, case: Case, rules: Rules) -> Sentence | None:
    running = table.round is not None and not table.round.over
    if table.history.shoes <= 1 and table.history.rounds <= running:
        return sentence(Code.NO_ROUND_TO_REPORT)
    named_it = running and table.round is not None and case.about.round == table.round.number
    return sentence(Code.NOT_AN_EARLIER_ROUND) if named_it else None


# --- of the wagers ------------------------------------------------------------------------------
# Where wagers are not tracked only the people at the table know.


def _under(round_: Round, case: Case, rules: Rules) -> Sentence | None:
    if wager_corrections.bets_under_minimum(round_, rules) or not rules.house.track_wagers:
        return None
    return sentence(Code.NO_WAGER_UNDER_MINIMUM)


def _over(round_: Round, case: Case, rules: Rules) -> Sentence | None:
    """Where a book has no other maximum than its differential, the differential is exceeded."""
    found = wager_corrections.bets_over_maximum(round_, rules)
    if found or not rules.house.track_wagers:
        return None
    if rules.book.limits.over_maximum is None and wager_corrections.exceeded_differential(
        round_, rules
    ):
        return None
    return sentence(Code.NO_WAGER_OVER_MAXIMUM)


def _differential(round_: Round, case: Case, rules: Rules) -> Sentence | None:
    if wager_corrections.exceeded_differential(round_, rules) or not rules.house.track_wagers:
        return None
    return sentence(Code.DIFFERENTIAL_NOT_EXCEEDED)


CHECKS: Final[Mapping[Precondition, Check]] = {
    Precondition.ROUND: _round,
    Precondition.EARLIER_ROUND: _earlier,
    Precondition.CARD_ASIDE: _aside,
    Precondition.ASIDE_NOT_RULED: _aside_not_ruled,
    Precondition.NOT_VOID: _of_round(_not_void),
    Precondition.VOID: _of_round(_void),
    Precondition.AFTER_THE_CALL: _of_round(_after_the_call),
    Precondition.CARDS_DEALT: _of_round(_dealt),
    Precondition.TWO_CARDS_TOGETHER: _of_round(_together),
    Precondition.LIES_ELSEWHERE: _of_round(_elsewhere),
    Precondition.NUMBER_WRONG: _of_round(_number_wrong),
    Precondition.CARD_DUE: _of_round(_due),
    Precondition.SHOE_RUNS_SHORT: _runs_short,
    Precondition.CARDS_SHOWN: _of_round(_shown),
    Precondition.PLAYERS_HANDLE: _of_round(_handled),
    Precondition.NOT_WITH_ITS_PLAYER: _of_round(_elsewhere_handled),
    Precondition.NOT_RULED_YET: _not_ruled,
    Precondition.NOT_DECIDED_YET: _not_decided,
    Precondition.NOT_RUNNING: _not_running,
    Precondition.UNDER_MINIMUM: _of_round(_under),
    Precondition.OVER_MAXIMUM: _of_round(_over),
    Precondition.DIFFERENTIAL_EXCEEDED: _of_round(_differential),
}
