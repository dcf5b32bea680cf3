"""Wagers: placing, raising, withdrawing, and the call that closes them."""

from collections.abc import Sequence
from math import lcm
from typing import Final

from msgspec.structs import replace

from controller.game.money.limits import (
    Exceeded,
    LimitFinding,
    Range,
    TableLimits,
    before_closing,
    exceeded,
)
from controller.game.money.rounding import Rounding, not_payable
from controller.game.money.settlement import Bet
from controller.game.rulebook import AreaLimit, BeforeClosing, Excess, Method
from controller.messages.codes import Code
from controller.round.wagers.wager_index import (
    WagerIndex,
    add_wager,
    drop_wager,
    lower_amount,
    raise_amount,
    wager_area,
    wager_index,
)
from controller.table import licences
from controller.table.agenda import pending
from controller.table.approvals import Act
from controller.table.case import AwaitsWagers
from controller.table.commands.message import Message
from controller.table.commands.people import (
    CloseBettingCommand,
    DecreaseWagerCommand,
    OpenBettingCommand,
    PlaceCommand,
    RaiseWagerCommand,
    WithdrawWagerCommand,
)
from controller.table.phases import RoundEvent
from controller.table.refused import Refused
from controller.table.requests import ApprovalRequest, CloseOverDifferential
from controller.table.rules import Rules
from controller.table.state import (
    BettingStage,
    CardsOut,
    DealingStage,
    HandHandling,
    LastWager,
    LimitsInForce,
    PlacedWager,
    Round,
    RoundLog,
    RoundTerms,
    Table,
)


def open_betting(table: Table, message: Message[OpenBettingCommand], rules: Rules) -> Table:
    """Open betting: play commences with a new round."""
    rules.require_act(message, Act.DEAL)
    licences.can_deal(table.site.people, message.actor, rules.book.id, table.at)
    pending.nothing_is_asked_for(table)
    if table.day.is_closing:
        raise Refused(Code.TABLE_CLOSES_NOW)
    left = table.devices.left_at_shoe
    if left is not None and left.to_be_ended:
        raise Refused(Code.END_ROUND_AT_SHOE, round=left.round)
    method = rules.method(table.play.method)
    face_down = method.face_down
    if face_down is None:
        face_down = rules.house.deal_face == "down"
    if needs_leave(table, method):
        raise Refused(
            Code.METHOD_NEEDS_LEAVE, method.choice, method=method.id, role=method.chosen_by
        )
    require_reading_device(table, method)
    if method.player_draws and table.play.drawer is None:
        raise Refused(Code.NOBODY_HAS_THE_DEVICE, method.draws)
    number = table.history.rounds + 1
    no_bets = bool(table.carried) and rules.excess is Excess.NO_BET_HAND
    begun = Round(
        number,
        method.id,
        face_down,
        message.actor,
        message.payload.ref,
        RoundTerms(table.play.limits or house_limits(rules), _rounding(rules), no_bets),
        log=RoundLog(table.at),
        stage=BettingStage(table.at),
        out=CardsOut(_cards_out(table), _cards_out(table)),
    )
    happened = (*table.happened, RoundEvent.BETTING_OPENED)
    return replace(
        table,
        history=replace(
            table.history, rounds=number, gone=None, last_wagers=_to_repeat(table.round)
        ),
        round=begun,
        rulings=(),
        notices=(),
        devices=replace(table.devices, left_at_shoe=None),
        happened=happened,
    )


def _cards_out(table: Table) -> int:
    """The number of the last card that has left the shoe."""
    return 0 if table.shoe is None else table.shoe.drawn


MAX_LAST_WAGERS: Final = 150
"""The most wagers that a layout with a dealer can hold; a studio's players repeat their own."""


def _to_repeat(last: Round | None) -> tuple[LastWager, ...]:
    """The wagers of the round before, as far as staff placed them; of a void round all of them,
    because they went back to the players."""
    if last is None:
        return ()
    took_part = last.wagers if last.void_by is not None else live_wagers(last)
    by_staff = [wager for wager in took_part if wager.placed_by is not None]
    if len(by_staff) > MAX_LAST_WAGERS:
        return ()
    return tuple(
        LastWager(wager.player, wager.position, wager.wager, wager.amount, wager.seated)
        for wager in by_staff
    )


def require_reading_device(table: Table, method: Method) -> None:
    """Refuse to let a player draw from a device that does not read cards."""
    if method.player_draws and table.devices.unread is not None:
        raise Refused(Code.SHOE_READS_NO_CARDS, method.draws, method=method.id)


def needs_leave(table: Table, method: Method) -> bool:
    """Whether the method needs authorisation by the role the book names, this gaming day: the
    configuration alone does not grant it."""
    return method.hlga_only and table.day.allowed_method != method.id


def _rounding(rules: Rules) -> Rounding:
    """How a stake that counts in part is rounded to a whole amount."""
    return (
        Rounding.HALF_UP
        if rules.pays_exactly and rules.book.may_settle_pro_rata
        else rules.rounding
    )


def live_wagers(round_: Round) -> list[PlacedWager]:
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
    return LimitsInForce(
        house.minimum, house.maximum, house.differential, house.wagers_per_area, house.limits
    )


def limits(round_: Round, rules: Rules) -> TableLimits:
    """The limits for wagers of the round."""
    own = round_.terms.limits
    if own is None or own == house_limits(rules):
        return rules.limits  # which are made once
    return own_limits(own)


def own_limits(own: LimitsInForce) -> TableLimits:
    table = Range(own.minimum, own.maximum)
    wagers = {wager: each.within(table) for wager, each in own.wagers.items()}
    return TableLimits(table, own.differential, wagers)


def _round(table: Table, rules: Rules) -> Round:
    if table.round is None or table.round.over:
        raise Refused(Code.NO_ROUND, rules.book.open_call.clause)
    return table.round


def place_wager(table: Table, message: Message[PlaceCommand], rules: Rules) -> Table:
    """Place a wager by a player, or by staff on the player's behalf."""
    if not rules.house.track_wagers:
        raise Refused(Code.WAGERS_NOT_TRACKED)
    round_, command = _round(table, rules), message.payload
    _still_open(table, round_, "late_wager", rules)
    if round_.terms.no_bets:
        raise Refused(Code.NO_BET_HAND)
    if message.source != "player":
        rules.require_act(message, Act.DEAL)
    index = wager_index(round_)
    wager = PlacedWager(
        index.free_id() if command.id is None else str(command.id),
        _player_of(message),
        _position(command.position, rules),
        kind(command.wager, rules),
        command.amount,
        seated=command.seated,
        placed_by=None if message.source == "player" else message.who,
        since=round_.stakes_changed + 1,
    )
    if wager.id in index:
        raise Refused(Code.WAGER_LIES_THERE, wager=wager.id)
    payable(round_, wager.wager, wager.amount, rules)
    _room_on_area(index, round_, wager, rules)
    return replace(table, round=add_wager(round_, wager))


def _player_of(message: Message[PlaceCommand]) -> str:
    """The player who bets: players bet for themselves, staff name the player."""
    player = message.who if message.source == "player" else message.payload.player
    if player is None:
        raise Refused(Code.FIELD_NEEDED, word=message.type, field="player")
    return player


def kind(wager: str, rules: Rules) -> str:
    if wager not in rules.book.wager_by_id:
        raise Refused(Code.NO_SUCH_WAGER_KIND, wager=wager)
    return wager


def payable(round_: Round, wager: str, amount: int, rules: Rules) -> None:
    """Refuse a wager that could not be paid exactly by its odds, also where it counts only up to
    the maximum: it would block the settlement of the whole round. Also refuse an amount that chips
    cannot make."""
    if rules.pays_exactly:
        _paid_exactly(round_, wager, amount, rules)
    if amount % rules.chip_unit:
        raise Refused(Code.NOT_WHOLE_CHIPS, unit=rules.chip_unit)


def _paid_exactly(round_: Round, wager: str, amount: int, rules: Rules) -> None:
    of = rules.book.wager_by_id[wager]
    own = round_.terms.limits.wagers.get(wager) if round_.terms.limits else None
    most = (own and own.maximum) or (round_.terms.limits and round_.terms.limits.maximum)
    counts = amount if not most else min(amount, most)
    multiple = lcm(of.payable_in, rules.chip_unit)
    if (level := not_payable(of, amount)) is not None:
        raise Refused(Code.CANNOT_BE_PAID, level.clause, wager=wager, multiple=multiple)
    if (level := not_payable(of, counts)) is not None:
        raise Refused(
            Code.MAXIMUM_CANNOT_BE_PAID,
            level.clause,
            wager=wager,
            maximum=counts,
            most=counts - counts % multiple,
            multiple=multiple,
        )


def _position(position: int, rules: Rules) -> int:
    """A position of the table's layout; any position where neither document nor house lists
    them."""
    most = rules.positions
    if position < 1 or (most and position > most):
        raise Refused(Code.NO_SUCH_POSITION, rules.book.layouts[0].clause, position=position)
    return position


def _room_on_area(index: WagerIndex, round_: Round, wager: PlacedWager, rules: Rules) -> None:
    rule = rules.book.limits.per_area
    if rule is None:
        return
    fewer = round_.terms.limits.per_area if round_.terms.limits else rules.house.wagers_per_area
    most = min(rule.most, fewer or rule.most)
    if index.wager_count(wager_area(wager)) >= most:
        clause = rule.clause if most == rule.most else rule.fewer
        raise Refused(Code.AREA_IS_FULL, clause, most=most)


def _still_open(table: Table, round_: Round, late: str, rules: Rules) -> None:
    """Refuse a wager that has to wait, or is late after the call: the book states what that
    means."""
    case = table.case
    if round_.betting and case is not None and not isinstance(case.awaits, AwaitsWagers):
        raise Refused(Code.WAGERS_WAIT, case.clause, irregularity=case.id)
    if round_.betting and table.latches:
        raise Refused(Code.WAGERS_WAIT_FOR_HOLD, hold=table.latches[0].kind)
    if round_.betting:
        _nothing_shown(round_, rules)
        return
    row = rules.book.irregularity_by_id.get(late)
    clause = row.rulings[0].clause if row else rules.book.uncovered.clause
    raise Refused(_LATE[late], clause)


def _nothing_shown(round_: Round, rules: Rules) -> None:
    """Refuse a stake from a player who has seen a card of the round, before the call too."""
    if any(drawn.exposed for drawn in round_.cards):
        raise Refused(Code.CARD_SHOWN_BEFORE_CALL)


_LATE = {"late_wager": Code.LATE_WAGER, "late_withdrawal": Code.LATE_WITHDRAWAL}


def raise_wager(table: Table, message: Message[RaiseWagerCommand], rules: Rules) -> Table:
    round_, more = _round(table, rules), message.payload.amount
    _still_open(table, round_, "late_wager", rules)
    place = _find_wager(round_, message, rules)
    wager = round_.wagers[place]
    payable(round_, wager.wager, wager.amount + more, rules)
    return replace(table, round=raise_amount(round_, place, more))


def decrease_wager(table: Table, message: Message[DecreaseWagerCommand], rules: Rules) -> Table:
    """Decrease the wager; the rest stays on the layout."""
    round_, less = _round(table, rules), message.payload.amount
    _still_open(table, round_, "late_withdrawal", rules)
    place = _find_wager(round_, message, rules)
    wager = round_.wagers[place]
    if less >= wager.amount:
        raise Refused(Code.DECREASE_TO_NOTHING, wager=wager.id)
    payable(round_, wager.wager, wager.amount - less, rules)
    return replace(table, round=lower_amount(round_, place, less))


def withdraw_wager(table: Table, message: Message[WithdrawWagerCommand], rules: Rules) -> Table:
    round_ = _round(table, rules)
    _still_open(table, round_, "late_withdrawal", rules)
    return replace(table, round=drop_wager(round_, _find_wager(round_, message, rules)))


_OfOneWager = (
    Message[RaiseWagerCommand] | Message[DecreaseWagerCommand] | Message[WithdrawWagerCommand]
)


def _find_wager(round_: Round, message: _OfOneWager, rules: Rules) -> int:
    """The wager that is meant, if the speaker may change it."""
    wanted = str(message.payload.id)
    place = wager_index(round_).place(wanted)
    if place is None:
        raise Refused(Code.NO_SUCH_WAGER, wager=wanted)
    if message.source == "player" and round_.wagers[place].player != message.who:
        raise Refused(Code.NOT_YOUR_WAGER, wager=wanted, player=message.who)
    if message.source != "player":
        rules.require_act(message, Act.DEAL)
    if round_.wagers[place].returned_by is not None:
        raise Refused(Code.WAGER_WENT_BACK, wager=wanted)
    return place


def close_betting(table: Table, message: Message[CloseBettingCommand], rules: Rules) -> Table:
    """Close bets with "No more bets". What can still be put right is put right first."""
    rules.require_act(message, Act.DEAL)
    round_ = _round(table, rules)
    held_to = limits(round_, rules)
    findings = before_closing(rules.book, bets(round_), held_to)
    if findings and not message.payload.anyway:
        raise _to_put_right(findings[0], held_to, exceeded_differential(round_, rules))
    over = [each for each in findings if each.of_differential]
    if over and rules.book.may_settle_pro_rata is None:
        raise _to_put_right(over[0], held_to, exceeded_differential(round_, rules))
    _drawer_has_wager(table, round_, rules)
    if over:  # one person alone may not close over it
        excess = tuple(each.excess for each in exceeded_differential(round_, rules))
        wanted = CloseOverDifferential(over[0].rule.clause, excess)
        return pending.ask(table, ApprovalRequest(wanted, message.actor))
    return mark_closed(table)


def exceeded_differential(round_: Round, rules: Rules) -> list[Exceeded]:
    """The places where the table, or a box of it, has too much on one side; empty if none."""
    return exceeded(rules.book, bets(round_), limits(round_, rules))


def mark_closed(table: Table) -> Table:
    """Record that the call was made."""
    round_ = table.round
    assert round_ is not None
    # Drawn before the call, in the last round or in this one: these are the first cards of the
    # round.
    early = (*table.carried, *round_.cards)
    out = CardsOut(round_.out.before, _cards_out(table))
    started = replace(
        round_, stage=DealingStage(), cards=early, control=table.play.control, out=out
    )
    happened = (*table.happened, RoundEvent.BETTING_CLOSED)
    return replace(table, round=started, carried=(), happened=happened)


def reopen_betting(round_: Round, at: float, rules: Rules) -> Round:
    """Reopen betting with cards drawn unseen out of play. Hands are assigned again, by the wagers
    at the next call."""
    given_up = round_.out.given_up + len(round_.cards)
    out = replace(round_.out, given_up=given_up)
    return replace(round_, stage=BettingStage(at), cards=(), handling=HandHandling(), out=out)


def _to_put_right(finding: LimitFinding, held_to: TableLimits, over: Sequence[Exceeded]) -> Refused:
    """The wagers to correct, and the limit or the excess: a page offers the remedy."""
    wagers, rule = [str(bet.id) for bet in finding.bets], finding.rule
    if isinstance(rule, AreaLimit):
        return Refused(Code.CLOSE_AREA_IS_FULL, rule.clause, most=rule.most, wagers=wagers)
    assert isinstance(rule.does, BeforeClosing)
    code = _OVER_DIFFERENTIAL.get(rule.does)
    if code is not None:
        # A rejection from one wager may be only a part of the excess of its box.
        boxes = [each for each in over if finding.bets[0] in each.heavy]
        excess = boxes[0].excess if boxes else finding.amount
        return Refused(code, rule.clause, wagers=wagers, excess=excess)
    bet = finding.bets[0]
    allowed = held_to.of(bet)
    if allowed.under(bet):
        minimum = allowed.minimum
        return Refused(Code.CLOSE_UNDER_MINIMUM, rule.clause, wagers=wagers, limit=minimum)
    return Refused(Code.CLOSE_OVER_MAXIMUM, rule.clause, wagers=wagers, limit=allowed.maximum)


_OVER_DIFFERENTIAL = {
    BeforeClosing.ASK_HEAVY_SIDE: Code.CLOSE_ASK_HEAVY_SIDE,
    BeforeClosing.LIGHT_SIDE_MAY_ADD: Code.CLOSE_LIGHT_SIDE_MAY_ADD,
    BeforeClosing.PIT_MANAGER_REMOVES: Code.CLOSE_PIT_MANAGER_REMOVES,
    BeforeClosing.REJECT_STANDING_FIRST: Code.CLOSE_REJECT_STANDING_FIRST,
}
"""What is to be put right about the two sides before bets close, by the book's rule."""


def _drawer_has_wager(table: Table, round_: Round, rules: Rules) -> None:
    """Require that the drawer has a wager, or permission to draw without one."""
    method = rules.method(round_.method)
    if not method.player_draws or not rules.house.track_wagers:
        return
    control = table.play.control
    if control is None:
        raise Refused(Code.NOBODY_HAS_THE_DEVICE, method.draws)
    if not control.without_wager and control.player not in {w.player for w in live_wagers(round_)}:
        raise Refused(Code.DRAWER_HAS_NO_WAGER, method.without_wager, player=control.player)
