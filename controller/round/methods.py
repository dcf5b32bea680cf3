"""Methods A, B and C: who chooses, who draws, who handles each hand."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from controller.game.hands import Side
from controller.game.rulebook import Method, Passing
from controller.messages.codes import Code
from controller.round import position
from controller.round.wagers import betting
from controller.round.wagers.betting import live_wagers
from controller.table import approvals
from controller.table.approvals import Act
from controller.table.commands.day import ChooseMethodCommand
from controller.table.commands.message import Message
from controller.table.commands.people import (
    AcceptCardsCommand,
    RefuseCardsCommand,
    RevealFirstCommand,
)
from controller.table.refused import Refused
from controller.table.rules import Rules
from controller.table.state import DeviceControl, Paid, PlacedWager, Round, Table, change_part


def choose_method(table: Table, message: Message[ChooseMethodCommand], rules: Rules) -> Table:
    """Choose the method before a round commences; the device may also be passed on while players
    wager."""
    command = message.payload
    method = rules.method(command.method)
    round_ = table.round
    if round_ is not None and not round_.over and round_.method != method.id:
        raise Refused(Code.METHOD_BEFORE_THE_ROUND, method.choice)
    if command.leave:
        rules.require_role(message, method.chosen_by, method.without_wager)
    same = method.player_draws and table.play.method == method.id
    handed_on = same and not betting.needs_leave(table, method)
    chooses = approvals.approval_row(Act.DEAL).role if handed_on else method.chosen_by
    rules.require_role(message, chooses, method.choice)
    check_place(method, rules)
    betting.require_reading_device(table, method)
    _check_device(table, command, method)
    if method.hlga_only:  # any role the book allows, or the dealer who passes it on, may
        table = change_part(table, "day", allowed_method=method.id)
    if not method.player_draws:
        return change_part(table, "play", method=method.id, control=None)
    if command.drawer is UNSET:
        return change_part(table, "play", method=method.id)
    control = DeviceControl(command.drawer, command.leave) if command.drawer else None
    return change_part(table, "play", method=method.id, control=control)


def _check_device(table: Table, command: ChooseMethodCommand, method: Method) -> None:
    """Refuse a drawer where the dealer keeps the device, or while another player has not given it
    up."""
    to, has = command.drawer or None, table.play.drawer
    if to and not method.player_draws:
        raise Refused(Code.DEALER_KEEPS_DEVICE, _keeps(method), method=method.id)
    if to and has not in (None, to) and table.play.method == method.id:
        raise Refused(Code.DEVICE_NOT_GIVEN_UP, _keeps(method), player=has)


def _keeps(method: Method) -> str | None:
    return method.control.keeps if method.control else method.dealer_keeps_device


def is_device_kept(round_: Round, paid: tuple[Paid, ...]) -> DeviceControl | None:
    """Control of the device ends when the drawer's wager on a hand loses; without one, when all of
    the drawer's wagers have lost."""
    control = round_.control
    if control is None:
        return None
    own = [wager for wager in live_wagers(round_) if wager.player == control.player]
    main = [wager for wager in own if wager.wager in ("player", "banker")]
    ids = {wager.id for wager in main or own}
    lost = [each.result == "lose" for each in paid if each.id in ids]
    ends = any(lost) if main else bool(lost) and all(lost)
    return None if ends else control


def no_drawer_clause(table: Table, rules: Rules) -> str | None:
    """Where a player has to be handed the device: the clause by which no player has it."""
    control = rules.method(table.play.method).control
    if control is None or table.play.drawer is not None:
        return None
    round_ = table.round
    if round_ is None or round_.method != table.play.method:
        return control.in_view  # handed out for the first time, to be used where staff see it
    lost = round_.drawer is not None and is_device_kept(round_, round_.paid) is None
    return control.lost if lost else control.given_up


def check_place(method: Method, rules: Rules) -> None:
    if method.hlga_only and not rules.house.hlga:
        raise Refused(Code.METHOD_FOR_HLGA_ONLY, method.choice, method=method.id)


def can_handle(rules: Rules, round_: Round) -> bool:
    """Whether a player may handle cards at all under the round's method."""
    method = rules.method(round_.method)
    return round_.face_down and (method.face_down is True or method.squeeze is not None)


class Turn(NamedTuple):
    """The player a hand goes to, and the clause for it; None when no player is left to take it."""

    player: str | None
    clause: str


def next_handler(rules: Rules, round_: Round, side: Side) -> str | None:
    return turn(rules, round_, side).player


class Stake(NamedTuple):
    """All that one player has on one hand."""

    player: str
    amount: int
    since: int
    """The change of the wagers since which the amount is there."""
    position: int
    """The position of the first of their wagers."""


def turn(rules: Rules, round_: Round, side: Side) -> Turn:
    """The player the hand goes to: who draws it, else the highest wager on it by the order of
    Method A.

    Among equals it is the one whose amount was placed first; if that one refuses, the next equal
    one counter-clockwise; then the next highest. When no player is left the pit supervisor names
    one.
    """
    method = rules.method(round_.method)
    if method.squeeze is not None:
        return Turn(highest_seated_player(round_), method.squeeze)
    refused = round_.handling.refusals.get(side, ())
    if method.passing is not None:
        stakes = hand_stakes(live_wagers(round_), side)
        return _passed(method.passing, stakes, refused, rules)
    player = None if round_.drawer in refused else round_.drawer
    return Turn(player, method.handling or method.clause)


def _passed(
    passing: Passing, stakes: Sequence[Stake], refused: Sequence[str], rules: Rules
) -> Turn:
    for place, amount in enumerate(sorted({each.amount for each in stakes}, reverse=True)):
        equals = [each for each in stakes if each.amount == amount]
        first = passing.first_of_equals if len(equals) > 1 else passing.highest
        clause = passing.next_highest if place else first
        for each in _round_the_table(equals, rules):
            if each.player not in refused:
                return Turn(each.player, clause)
            clause = passing.next_equal
    return Turn(None, passing.named if stakes else passing.highest)


def hand_stakes(wagers: Iterable[PlacedWager], side: Side) -> list[Stake]:
    """The stakes of each player on a hand, in one wager or several, in the order they were placed.

    A player's amount counts as placed when the last of their wagers on it was.
    """
    found: dict[str, Stake] = {}
    for wager in wagers:
        if wager.wager != side.value:
            continue
        known = found.get(wager.player)
        amount, since = wager.amount, wager.since
        at = wager.position
        if known is not None:
            amount, since, at = known.amount + amount, max(known.since, since), known.position
        found[wager.player] = Stake(wager.player, amount, since, at)
    return sorted(found.values(), key=lambda each: each.since)


def _on(round_: Round, side: Side) -> list[PlacedWager]:
    return [wager for wager in live_wagers(round_) if wager.wager == side.value]


def is_refused_by_all(rules: Rules, round_: Round, side: Side) -> bool:
    """Whether the hand has wagers and all players refused it: the pit supervisor names one."""
    return bool(_on(round_, side)) and next_handler(rules, round_, side) is None


def highest_seated_player(round_: Round) -> str | None:
    """The seated player with the highest bet on the table: the larger of their stakes on the two
    hands. Among equals the one whose amount was placed first."""
    seated = [wager for wager in live_wagers(round_) if wager.seated]
    stakes = [stake for side in Side for stake in hand_stakes(seated, side)]
    return min(stakes, key=lambda each: (-each.amount, each.since)).player if stakes else None


def _round_the_table(equals: list[Stake], rules: Rules) -> list[Stake]:
    """The first stake placed, then the others counter-clockwise from there."""
    first = equals[0]
    step = 1 if rules.house.numbered == "counter_clockwise" else -1
    most = max(each.position for each in equals) + 1
    return sorted(equals, key=lambda each: (step * (each.position - first.position)) % most)


def accept_cards(table: Table, message: Message[AcceptCardsCommand], rules: Rules) -> Table:
    """Accept the hand that is passed to a player, or their request to squeeze it."""
    round_, side = _offered(table, rules), message.payload.hand
    _asked_in_time(round_, side, rules)
    player = _speaker(message, message.payload.player)
    owner = turn(rules, round_, side)
    if message.payload.leave and rules.book.any_squeezer is not None:
        rules.require_role(
            message, approvals.approval_row(Act.ALLOW_A_SQUEEZE).role, rules.book.any_squeezer
        )
    elif player != owner.player and not _may_pass(message, round_, side, rules):
        raise Refused(Code.HAND_GOES_TO, owner.clause, hand=side, player=owner.player)
    if needs_permission(rules, round_):
        if message.source == "player":
            asked = {**round_.handling.squeeze_asked, side: player}
            return replace(table, round=change_part(round_, "handling", squeeze_asked=asked))
        rules.require_role(message, approvals.approval_row(Act.PERMIT_A_SQUEEZE).role, owner.clause)
    asked = _without(round_.handling.squeeze_asked, side)
    handlers = {**round_.handling.handlers, side: player}
    return replace(
        table, round=change_part(round_, "handling", handlers=handlers, squeeze_asked=asked)
    )


def needs_permission(rules: Rules, round_: Round) -> bool:
    """Whether a player's own command is only a request."""
    return rules.method(round_.method).squeeze is not None


def pending_squeeze(round_: Round) -> tuple[Side, str] | None:
    """The player who waits for permission to squeeze, and the hand, while it can still be given."""
    for side, player in round_.handling.squeeze_asked.items():
        if not _dealt(round_, side):
            return side, player
    return None


def can_still_accept(rules: Rules, round_: Round, side: Side) -> bool:
    """Whether a player may still take the hand, and there is time for it."""
    late = rules.method(round_.method).squeeze is not None and _dealt(round_, side)
    return not late and next_handler(rules, round_, side) is not None


def can_refuse(rules: Rules, round_: Round, side: Side) -> bool:
    """Whether a hand that no player took can be declined: a squeeze only once it was asked for."""
    if needs_permission(rules, round_):
        return side in round_.handling.squeeze_asked
    return next_handler(rules, round_, side) is not None


def _without(of: dict[Side, str], side: Side) -> dict[Side, str]:
    return {each: player for each, player in of.items() if each is not side}


def _may_pass(
    message: Message[AcceptCardsCommand], round_: Round, side: Side, rules: Rules
) -> bool:
    """Whether the speaker may pass the hand to a player whose turn it is not."""
    if not rules.house.track_wagers:
        return True  # only the people at the table know the wagers
    if message.source == "player" or needs_permission(rules, round_):
        return False
    if rules.method(round_.method).player_draws:
        return rules.ladder.may_act(rules.role(message), approvals.approval_row(Act.DEAL).role)
    named = rules.ladder.may_act(
        rules.role(message), approvals.approval_row(Act.NAME_A_HANDLER).role
    )
    return named and is_refused_by_all(rules, round_, side)


def _asked_in_time(round_: Round, side: Side, rules: Rules) -> None:
    """Refuse a request before bets are closed, or after the card is dealt."""
    clause = rules.method(round_.method).squeeze
    if clause is None:
        return
    if round_.betting:
        raise Refused(Code.HIGHEST_BET_NOT_KNOWN, clause)
    if _dealt(round_, side):
        raise Refused(Code.ASKED_FOR_TOO_LATE, clause)


def _dealt(round_: Round, side: Side) -> bool:
    """Whether the cards that a player might squeeze are dealt."""
    laid = position.hand(round_, side)
    return len(laid) > 1 and any(not drawn.exposed for drawn in laid)


def refuse_cards(table: Table, message: Message[RefuseCardsCommand], rules: Rules) -> Table:
    """Decline the hand for a player who does not want it, or a squeeze by staff."""
    round_, side = _offered(table, rules), message.payload.hand
    player = _speaker(message, message.payload.player)
    if needs_permission(rules, round_):
        return _no_squeeze(table, round_, side, player, message, rules)
    owner = turn(rules, round_, side)
    handles = round_.handling.handlers.get(side) == player
    if player != owner.player and not handles:
        raise Refused(Code.HAND_NOT_PASSED, owner.clause, hand=side, player=player)
    refusals = {**round_.handling.refusals, side: (*round_.handling.refusals.get(side, ()), player)}
    handlers = _without(round_.handling.handlers, side) if handles else round_.handling.handlers
    return replace(
        table, round=change_part(round_, "handling", refusals=refusals, handlers=handlers)
    )


def _no_squeeze(
    table: Table,
    round_: Round,
    side: Side,
    player: str,
    message: Message[RefuseCardsCommand],
    rules: Rules,
) -> Table:
    """Decline, withdraw or end the squeeze: the dealer exposes the cards."""
    clause = rules.method(round_.method).squeeze
    if message.source != "player":
        rules.require_role(message, approvals.approval_row(Act.PERMIT_A_SQUEEZE).role, clause)
    if player not in (round_.handling.squeeze_asked.get(side), round_.handling.handlers.get(side)):
        raise Refused(Code.HAND_NOT_PASSED, clause, hand=side, player=player)
    asked, handlers = (
        _without(round_.handling.squeeze_asked, side),
        _without(round_.handling.handlers, side),
    )
    return replace(
        table, round=change_part(round_, "handling", squeeze_asked=asked, handlers=handlers)
    )


def _order(rules: Rules, round_: Round) -> str:
    method = rules.method(round_.method)
    return method.squeeze or method.handling or method.clause


def _offered(table: Table, rules: Rules) -> Round:
    round_ = table.round
    assert round_ is not None
    if not can_handle(rules, round_):
        raise Refused(Code.ONLY_DEALER_HANDLES, _order(rules, round_))
    squeezed = rules.method(round_.method).squeeze is not None  # has a reason of its own
    if round_.betting and not squeezed:
        raise Refused(Code.HANDS_AFTER_THE_CALL, _order(rules, round_))
    return round_


def _speaker(
    message: Message[AcceptCardsCommand] | Message[RefuseCardsCommand], named: str | None
) -> str:
    """The player concerned: players speak for themselves, staff name the player."""
    if message.source == "player":
        return message.actor
    if named is None:
        raise Refused(Code.FIELD_NEEDED, word=message.type, field="player")
    return named


def reveal_first(table: Table, message: Message[RevealFirstCommand], rules: Rules) -> Table:
    """Record which hand the dealer reveals first."""
    rules.require_act(message, Act.DEAL)
    assert table.round is not None
    if any(drawn.exposed for drawn in table.round.cards):
        raise Refused(Code.ALREADY_REVEALED, rules.method(table.round.method).first)
    return replace(table, round=change_part(table.round, "handling", first=message.payload.hand))
