"""The steps a ruling is made of: each is done at once, or leaves the case waiting for a person."""

from collections.abc import Callable, Mapping
from typing import Literal

from msgspec.structs import replace

from controller.cases import facts, offers
from controller.game.hands import Side
from controller.game.irregularities import Fact, RulingStep, Then
from controller.game.roles import Role
from controller.messages.codes import Code
from controller.round import methods, reconstruction, shoe
from controller.round.dealing import SHOE
from controller.round.wagers import betting, wager_corrections
from controller.table import approvals
from controller.table.approvals import Act
from controller.table.case import (
    Awaits,
    AwaitsApproval,
    AwaitsCard,
    AwaitsCounts,
    AwaitsDecision,
    AwaitsOption,
    AwaitsOrder,
    AwaitsWagers,
    Case,
    Offer,
)
from controller.table.commands.registry import DEALER
from controller.table.phases import RoundEvent
from controller.table.rules import Rules
from controller.table.state import Round, Table, change_part, emit, notify


def _case(table: Table) -> Case:
    assert table.case is not None
    return table.case


def _wait(table: Table, awaits: Awaits) -> Table:
    return replace(table, case=replace(_case(table), awaits=awaits))


def _go_on(table: Table, then: Then, rules: Rules) -> Table:
    return table


def _no_effect(table: Table, then: Then, rules: Rules) -> Table:
    round_ = table.round
    if round_ is not None and round_.void_by is not None:
        return table
    in_play = round_ is not None and not round_.over
    return notify(table, Code.WHAT_IS_SETTLED_STANDS if in_play else Code.EARLIER_RESULTS_STAND)


def _ask_void(table: Table, then: Then, rules: Rules) -> Table:
    """Ask a second person for the void; with no round in play there is nothing to void."""
    over = table.round is None or table.round.over
    if over and then.step != RulingStep.VOID_IF_SETTLED_TOO:
        return notify(table, Code.EARLIER_RESULTS_STAND)
    return _wait(table, AwaitsApproval("void"))


def _ask_order(table: Table, then: Then, rules: Rules) -> Table:
    return _wait(table, AwaitsOrder(then.role or approvals.approval_row(Act.SAY_THE_ORDER).role))


def _top(then: Then, rules: Rules) -> Role:
    return then.role or rules.book.uncovered.role


def _ask_decision(table: Table, then: Then, rules: Rules) -> Table:
    return _wait(table, AwaitsDecision(_top(then, rules)))


def _ask_missing(table: Table, then: Then, rules: Rules) -> Table:
    if table.round is None or table.round.over:
        return _ask_decision(table, then, rules)  # no round to complete: the same role decides
    return _wait(table, AwaitsCounts(_top(then, rules)))


def _ask_put_right(table: Table, then: Then, rules: Rules) -> Table:
    return _wait(
        table, AwaitsWagers(then.role or approvals.approval_row(Act.PUT_WAGERS_RIGHT).role)
    )


def _ask_card(table: Table, then: Then, rules: Rules) -> Table:
    """Ask for the card the case names, else for the first unread one, else for the latest open one:
    where a device does not report which card it means, people may name another."""
    case, round_ = _case(table), table.round
    cards = round_.cards if round_ else ()
    entered = round_ is not None and any(
        each.n == case.n for each in round_.interventions.corrections
    )
    if entered or (not cards and case.n is None):
        return table  # two people named it, so it belongs; or there is none to enter
    unread = [drawn for drawn in cards if drawn.card is None]
    if case.reported_by != SHOE and case.n is None:
        named = [drawn for drawn in cards if drawn.n in case.about.cards]
        if named:
            unread = [each for each in named if each.exposed or each.card is None]
        if not unread:
            return table  # a card that was read and not named, or lies unseen, is not entered
    face_down = round_ is not None and round_.face_down
    meant = [each for each in unread if each.n == case.n] or unread
    if case.reported_by == SHOE and meant and not meant[0].exposed and face_down:
        return table  # it may not be looked at yet: it is entered when it is exposed
    if case.n is not None or not cards:
        return _wait(table, AwaitsCard(case.n))
    if unread:
        case = replace(case, n=unread[0].n)
        return _wait(replace(table, case=case), AwaitsCard(case.n))
    lie_open = [drawn.n for drawn in cards if drawn.exposed]
    return _wait(table, AwaitsCard(lie_open[-1])) if lie_open else table


def _ask_unread(table: Table, then: Then, rules: Rules) -> Table:
    """Ask only for those cards that are unread; where the device has the face, play goes on."""
    case, round_ = _case(table), table.round
    if round_ is None:
        return table
    cards = tuple(facts.concerned_cards(round_, case))
    unread = [drawn.n for drawn in cards if drawn.card is None]
    if not unread:
        return table
    if case.about.hand is not None:
        table = replace(table, case=replace(case, n=unread[0]))
    return _ask_card(table, then, rules)


def _reconstruct(table: Table, then: Then, rules: Rules) -> Table:
    """Lay the cards in drawn order where the table of play requires them; the rest go aside."""
    round_, about = table.round, _case(table).about
    if round_ is None or round_.betting or round_.over:
        return table  # a card drawn between rounds or too soon stays aside until bets are closed
    if round_.interventions.kept_as_laid and not about.order and not about.lies:
        return table  # positions are settled for this round; a card aside gets its place
    if reconstruction.moves_seen_card(round_, about.order, rules) and _lacks(
        table, "moved_card", rules
    ):
        return _second_first(table, "moved_card")
    seen = reconstruction.lay_as_seen(round_, about.lies or {})
    table = lay_again(table, reconstruction.reconstruct_round(seen, about.order, rules))
    said_how = Fact.ORDER_KNOWN.value in _case(table).facts  # also where it is as the shoe read it
    by_people = about.lies is not None or about.order or said_how
    return notify_moves(table) if by_people else table


def lay_again(table: Table, round_: Round) -> Table:
    """The table with its cards laid in another way."""
    return emit(replace(table, round=round_), RoundEvent.RECONSTRUCTED)


def notify_moves(table: Table) -> Table:
    """Notify which card went where; if none moves, notify that all positions were right."""
    assert table.round is not None
    if not table.round.interventions.moved:
        return notify(table, Code.ALL_LIE_RIGHT)
    for moved in table.round.interventions.moved:
        if moved.now is None:
            table = notify(table, Code.CARD_LAID_ASIDE, n=moved.n)
        else:
            table = notify(table, Code.CARD_RELAID, n=moved.n, hand=moved.now)
    return table


def _lay_as_they_lie(table: Table, then: Then, rules: Rules) -> Table:
    """Play on with the hands as people see them."""
    round_, positions = table.round, _case(table).about.lies
    if round_ is None or round_.over or not positions:
        return table
    laid = reconstruction.keep_as_laid(round_, positions, rules)
    moved = {each.n for each in laid.interventions.moved}
    exposed = any(drawn.exposed for drawn in round_.cards if drawn.n in moved)
    if exposed and _lacks(table, "moved_card", rules):
        return _second_first(table, "moved_card")
    return notify_moves(lay_again(table, laid))


def _strike(table: Table, then: Then, rules: Rules) -> Table:
    """Strike wagers that came late; a wager that is not on the layout was refused at once."""
    round_, late = table.round, _case(table).about.wagers
    if round_ is None or not late:
        return table
    if _lacks(table, "strike", rules):
        return _second_first(table, "strike")
    return wager_corrections.remove_wagers(table, _case(table), late, rules, came_late=True)


def _lacks(table: Table, of: str, rules: Rules) -> bool:
    """Whether this rests on a person's report that has no approval yet. A device reports what it
    saw and needs none."""
    case = _case(table)
    return case.asker is not None and of not in case.approved


def _second_first(table: Table, of: Literal["moved_card", "doubt", "strike"]) -> Table:
    """Take the step once a second person has approved what it rests on."""
    case = _case(table)
    return replace(table, case=replace(case, step=case.step - 1, awaits=AwaitsApproval(of)))


def _set_aside(table: Table, then: Then, rules: Rules) -> Table:
    """Exclude the cards on neither hand from this round, whatever the table of play asks."""
    round_ = table.round
    if round_ is None or round_.over:
        return table
    laid = tuple(drawn for drawn in round_.cards if drawn.hand is not None)
    aside = (*table.carried, *reconstruction.carried_cards(round_, rules))
    return replace(table, round=replace(round_, cards=laid), carried=aside)


def _take_back(table: Table, then: Then, rules: Rules) -> Table:
    """Take the hand back and give it to the right player, if the report names them."""
    about, round_ = _case(table).about, table.round
    if round_ is None:
        return table
    taken = _hands(about.hand)
    handlers = {side: who for side, who in round_.handling.handlers.items() if side not in taken}
    right = change_part(round_, "handling", handlers=handlers)
    to = about.to
    if len(taken) == 1 and to is not None and to == methods.next_handler(rules, right, taken[0]):
        right = change_part(right, "handling", handlers={**handlers, taken[0]: to})
    return replace(table, round=right)


def _hands(named: Side | None) -> list[Side]:
    return list(Side) if named is None else [named]


def _dealer_exposes(table: Table, then: Then, rules: Rules) -> Table:
    about, round_ = _case(table).about, table.round
    if round_ is None or round_.betting:
        return table  # no hand belongs to a player before bets are closed
    hands = _hands(about.hand)
    if about.hand is None:
        # A player who has not been passed a hand yet is not the one who left.
        taken = [side for side in hands if round_.handling.handlers.get(side, DEALER) != DEALER]
        hands = taken or hands
    his = dict.fromkeys(hands, DEALER)
    return replace(
        table, round=change_part(round_, "handling", handlers={**round_.handling.handlers, **his})
    )


def _rebet(table: Table, then: Then, rules: Rules) -> Table:
    """Reset the device: cards drawn unseen are out of play, and wagers are open again."""
    if table.round is None:
        return table
    if any(drawn.exposed for drawn in table.round.cards):
        # Shown while players chose: no wager was made knowing it, and it stays in its place.
        top = rules.book.uncovered
        up = replace(_case(table), awaits=AwaitsDecision(top.role), clause=top.clause, ruling=None)
        return replace(table, case=up)
    renewed = betting.reopen_betting(table.round, table.at, rules)
    return emit(replace(table, round=renewed), RoundEvent.BETTING_REOPENED)


def _may_replace(table: Table, then: Then, rules: Rules) -> Table:
    table = shoe.require_other_cards(table, then.clause)
    return notify(table, Code.CARDS_MAY_BE_REPLACED, clause=then.clause)


def _take_equal(table: Table, then: Then, rules: Rules) -> Table:
    if _case(table).text:
        return table  # no count showed which are missing: it was decided otherwise
    return notify(table, Code.TAKE_EQUAL_CARDS, clause=then.clause)


def _must_replace(table: Table, then: Then, rules: Rules) -> Table:
    return shoe.must_be_replaced(table, then.clause)


def _offer(table: Table, then: Then, rules: Rules) -> Table:
    """Put the options to every player with a wager; do nothing where there is none."""
    case, round_ = _case(table), table.round
    if round_ is None or round_.over:
        return table
    in_doubt = facts.doubtful_cards(round_, case, rules)
    by_person = case.reported_by != SHOE  # a device's report needs no approval
    if (
        by_person
        and offers.can_free_wager(round_, in_doubt, rules)
        and _lacks(table, "doubt", rules)
    ):
        return _second_first(table, "doubt")
    players = offers.affected_players(round_, rules, in_doubt)
    if not players:
        return table
    offer = Offer(
        RulingStep(then.step),
        then.clause,
        players,
        table.at,
        returns=then.returns or then.clause,
        plays_on=then.plays_on or then.clause,
        in_doubt=in_doubt,
    )
    return _wait(table, AwaitsOption(offer))


STEPS: Mapping[str, Callable[[Table, Then, Rules], Table]] = {
    RulingStep.VOID: _ask_void,
    RulingStep.VOID_IF_SETTLED_TOO: _ask_void,
    RulingStep.GO_ON: _go_on,
    RulingStep.PLAY_ON: _go_on,
    RulingStep.REFUSE: _go_on,
    RulingStep.STANDS: _go_on,
    RulingStep.NO_EFFECT: _no_effect,
    RulingStep.RECONSTRUCT: _reconstruct,
    RulingStep.SET_ASIDE: _set_aside,
    RulingStep.AS_THEY_LIE: _lay_as_they_lie,
    RulingStep.STRIKE: _strike,
    RulingStep.SAY_ORDER: _ask_order,
    RulingStep.TAKE_BACK: _take_back,
    RulingStep.DEALER_EXPOSES: _dealer_exposes,
    RulingStep.REBET: _rebet,
    RulingStep.DECIDE: _ask_decision,
    RulingStep.MAY_REPLACE_CARDS: _may_replace,
    RulingStep.MUST_REPLACE_CARDS: _must_replace,
    RulingStep.KEEP_TWO: _go_on,
    RulingStep.SORT: _go_on,
    RulingStep.MISSING_CARDS: _ask_missing,
    RulingStep.TAKE_EQUAL_CARDS: _take_equal,
    RulingStep.ENTER_CARD: _ask_card,
    RulingStep.ENTER_UNREAD: _ask_unread,
    RulingStep.PUT_RIGHT: _ask_put_right,
    RulingStep.OFFER_EACH: _offer,
    RulingStep.OFFER_ALL: _offer,
    RulingStep.OFFER_REMAINING: _offer,
    RulingStep.OFFER_DEALING_ERROR: _offer,
}
