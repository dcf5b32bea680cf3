"""Wagers: placing, raising, withdrawing, and the call that closes them."""

from msgspec.structs import replace

from controller.game.money.limits import LimitFinding, Range, TableLimits, before_closing
from controller.game.money.settlement import Bet
from controller.game.rulebook import AreaLimit, BeforeClosing
from controller.round.wager_index import (
    WagerIndex,
    area_of,
    index_of,
    with_amount,
    with_wager,
    without_wager,
)
from controller.sentences.codes import Code
from controller.table.approvals import Act
from controller.table.case import AwaitsWagers
from controller.table.phases import Happening
from controller.table.refused import Refused
from controller.table.rules import Excess, Rules
from controller.table.state import LimitsInForce, PlacedWager, Round, Table, happens
from controller.table.words.message import Message
from controller.table.words.people import (
    CloseBettingWord,
    OpenBettingWord,
    PlaceWord,
    RaiseWagerWord,
    WithdrawWagerWord,
)


def open_betting(table: Table, message: Message[OpenBettingWord], rules: Rules) -> Table:
    """Commencement of play: a new round begins."""
    rules.may(message, Act.DEAL)
    nothing_is_asked_for(table)
    if table.close_after:
        raise Refused(Code.TABLE_CLOSES_NOW)
    method = rules.method(table.method)
    face_down = method.face_down
    if face_down is None:
        face_down = rules.house.deal_face == "down"
    if method.player_draws and table.drawer is None:
        raise Refused(Code.NOBODY_HAS_THE_DEVICE, method.draws)
    number = table.rounds + 1
    no_bets = bool(table.carried) and rules.house.excess is Excess.NO_BET_HAND
    begun = Round(
        number,
        method.id,
        face_down,
        no_bets=no_bets,
        opened_at=table.at,
        began=table.at,
        limits=table.limits or house_limits(rules),
        rounding=rules.rounding,
        dealer=message.name,
        ref=message.word.ref,
    )
    table = replace(table, rounds=number, round=begun, rulings=(), notices=())
    return happens(table, Happening.BETTING_OPENED)


def nothing_is_asked_for(table: Table) -> None:
    """Refuse while one person's request waits for another."""
    if table.request is not None:
        raise Refused(Code.SECOND_PERSON_FIRST, request=table.request.kind)


def live(round_: Round) -> list[PlacedWager]:
    """The wagers that take part: those not given back."""
    return [wager for wager in round_.wagers if wager.returned_by is None]


def bets(round_: Round) -> list[Bet]:
    return [
        Bet(w.id, w.wager, w.amount, w.player, w.position, w.seated)
        for w in round_.wagers
        if w.returned_by is None
    ]


def house_limits(rules: Rules) -> LimitsInForce:
    house = rules.house
    return LimitsInForce(house.minimum, house.maximum, house.differential)


def limits(round_: Round, rules: Rules) -> TableLimits:
    """What wagers of the round are held to."""
    own = round_.limits
    if own is None:
        return rules.limits
    return TableLimits(Range(own.minimum, own.maximum), own.differential)


def _round(table: Table) -> Round:
    if table.round is None or table.round.over:
        raise Refused(Code.NO_ROUND)
    return table.round


def place(table: Table, message: Message[PlaceWord], rules: Rules) -> Table:
    """A wager by a player, or by staff on the player's behalf."""
    if not rules.house.track_wagers:
        raise Refused(Code.WAGERS_NOT_TRACKED)
    round_, word = _round(table), message.word
    _still_open(table, round_, "late_wager", rules)
    if round_.no_bets:
        raise Refused(Code.NO_BET_HAND)
    if message.source != "player":
        rules.may(message, Act.DEAL)
    index = index_of(round_)
    wager = PlacedWager(
        index.free_id() if word.id is None else str(word.id),
        _whose(message),
        _position(word.position, rules),
        _kind(word.wager, rules),
        word.amount,
        seated=word.seated,
        placed_by=None if message.source == "player" else message.who,
    )
    if wager.id in index:
        raise Refused(Code.WAGER_LIES_THERE, wager=wager.id)
    _room_on_area(index, wager, rules)
    return replace(table, round=with_wager(round_, wager))


def _whose(message: Message[PlaceWord]) -> str:
    """A player bets for themselves; staff say for whom."""
    player = message.who if message.source == "player" else message.word.player
    if player is None:
        raise Refused(Code.FIELD_NEEDED, word=message.verb, field="player")
    return player


def _kind(wager: str, rules: Rules) -> str:
    if wager not in rules.book.wager_by_id:
        raise Refused(Code.NO_SUCH_WAGER_KIND, wager=wager)
    return wager


def _position(position: int, rules: Rules) -> int:
    """One that some layout of the book has; any at all where the document does not say."""
    most = rules.book.most_positions
    if position < 1 or (most and position > most):
        raise Refused(Code.NO_SUCH_POSITION, rules.book.layouts[0].clause, position=position)
    return position


def _room_on_area(index: WagerIndex, wager: PlacedWager, rules: Rules) -> None:
    rule = rules.book.limits.per_area
    if rule is None:
        return
    most = min(rule.most, rules.house.wagers_per_area or rule.most)
    if index.lying(area_of(wager)) >= most:
        clause = rule.clause if most == rule.most else rule.fewer
        raise Refused(Code.AREA_IS_FULL, clause, most=most)


def _still_open(table: Table, round_: Round, late: str, rules: Rules) -> None:
    """After the call a wager is late: the book says what that means."""
    case = table.case
    if round_.betting and case is not None and not isinstance(case.awaits, AwaitsWagers):
        raise Refused(Code.WAGERS_WAIT, case.clause, irregularity=case.id)
    if round_.betting and table.latches:
        raise Refused(Code.WAGERS_WAIT_FOR_HOLD, hold=table.latches[0].kind)
    if round_.betting:
        return
    row = rules.book.irregularity_by_id.get(late)
    clause = row.rulings[0].clause if row else rules.book.uncovered.clause
    raise Refused(_LATE[late], clause)


_LATE = {"late_wager": Code.LATE_WAGER, "late_withdrawal": Code.LATE_WITHDRAWAL}


def raise_wager(table: Table, message: Message[RaiseWagerWord], rules: Rules) -> Table:
    round_, more = _round(table), message.word.amount
    _still_open(table, round_, "late_wager", rules)
    place = _lies_at(round_, message, rules)
    amount = round_.wagers[place].amount + more
    return replace(table, round=with_amount(round_, place, amount))


def withdraw(table: Table, message: Message[WithdrawWagerWord], rules: Rules) -> Table:
    round_ = _round(table)
    _still_open(table, round_, "late_withdrawal", rules)
    return replace(table, round=without_wager(round_, _lies_at(round_, message, rules)))


def _lies_at(
    round_: Round, message: Message[RaiseWagerWord] | Message[WithdrawWagerWord], rules: Rules
) -> int:
    """Which wager is meant, if whoever speaks may change it."""
    wanted = str(message.word.id)
    place = index_of(round_).place(wanted)
    if place is None:
        raise Refused(Code.NO_SUCH_WAGER, wager=wanted)
    if message.source == "player" and round_.wagers[place].player != message.who:
        raise Refused(Code.NOT_YOUR_WAGER, wager=wanted, player=message.who)
    if message.source != "player":
        rules.may(message, Act.DEAL)
    return place


def close_betting(table: Table, message: Message[CloseBettingWord], rules: Rules) -> Table:
    """ "No more bets". What can still be put right is put right first."""
    rules.may(message, Act.DEAL)
    round_ = _round(table)
    findings = before_closing(rules.book, bets(round_), limits(round_, rules))
    if findings and not message.word.anyway:
        raise _to_put_right(findings[0])
    _drawer_has_wager(table, round_, rules)
    # Drawn before the call, in the last round or in this one: these are the first cards of it.
    early = (*table.carried, *round_.cards)
    started = replace(round_, betting=False, cards=early, drawer=table.drawer)
    table = replace(table, round=started, carried=())
    return happens(table, Happening.BETTING_CLOSED)


def _to_put_right(finding: LimitFinding) -> Refused:
    wagers, rule = [str(bet.id) for bet in finding.bets], finding.rule
    if isinstance(rule, AreaLimit):
        return Refused(Code.CLOSE_AREA_IS_FULL, rule.clause, most=rule.most, wagers=wagers)
    assert isinstance(rule.does, BeforeClosing)
    return Refused(_BEFORE_CLOSING[rule.does], rule.clause, wagers=wagers)


_BEFORE_CLOSING = {
    BeforeClosing.PUT_RIGHT: Code.CLOSE_PUT_RIGHT,
    BeforeClosing.RAISE_OR_WITHDRAW: Code.CLOSE_RAISE_OR_WITHDRAW,
    BeforeClosing.REFUSED: Code.CLOSE_REFUSED,
    BeforeClosing.ASK_HEAVY_SIDE: Code.CLOSE_ASK_HEAVY_SIDE,
    BeforeClosing.LIGHT_SIDE_MAY_ADD: Code.CLOSE_LIGHT_SIDE_MAY_ADD,
    BeforeClosing.PIT_MANAGER_REMOVES: Code.CLOSE_PIT_MANAGER_REMOVES,
    BeforeClosing.REJECT_STANDING_FIRST: Code.CLOSE_REJECT_STANDING_FIRST,
}
"""What is to be put right before bets close, by what the book does about it."""


def _drawer_has_wager(table: Table, round_: Round, rules: Rules) -> None:
    """Who draws has a wager, or leave to draw without one."""
    method = rules.method(round_.method)
    if not method.player_draws or not rules.house.track_wagers:
        return
    if table.drawer is None:
        raise Refused(Code.NOBODY_HAS_THE_DEVICE, method.draws)
    if not table.draws_without_wager and table.drawer not in {w.player for w in live(round_)}:
        raise Refused(Code.DRAWER_HAS_NO_WAGER, method.without_wager, player=table.drawer)
