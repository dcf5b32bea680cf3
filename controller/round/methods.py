"""Methods A, B and C: who chooses, who draws, who handles each hand."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from controller.game.hands import Side
from controller.game.roles import Role
from controller.game.rulebook import Method, Passing
from controller.round import play
from controller.round.betting import live
from controller.round.errors import Refused
from controller.round.rules import Message, Rules, wanted
from controller.round.state import Paid, Round, Table, Wager

DEALER = "dealer"


def choose_method(table: Table, message: Message, rules: Rules) -> Table:
    """Before a round commences; the device is handed on among players also while they wager."""
    method = rules.method(wanted(message, "method"))
    round_ = table.round
    if round_ is not None and not round_.over and round_.method != method.id:
        raise Refused("the method is changed before a round commences", method.choice)
    leave = bool(message.given.get("leave", False))
    if leave:
        rules.need(message, method.chosen_by, method.without_wager)
    handed_on = method.player_draws and table.method == method.id
    rules.need(message, Role.DEALER if handed_on else method.chosen_by, method.choice)
    check_place(method, rules)
    _check_device(table, message, method)
    if not method.player_draws:
        return replace(table, method=method.id, drawer=None, draws_without_wager=False)
    if "drawer" not in message.given:
        return replace(table, method=method.id)
    drawer = str(message.given["drawer"] or "") or None
    return replace(table, method=method.id, drawer=drawer, draws_without_wager=leave)


def _check_device(table: Table, message: Message, method: Method) -> None:
    """The dealer keeps the device, or a player who has it keeps it until giving it up."""
    to, has = message.given.get("drawer"), table.drawer
    if to and not method.player_draws:
        raise Refused(f"the dealer keeps the device under Method {method.id}", _keeps(method))
    if to and has not in (None, to) and table.method == method.id:
        raise Refused(f"{has} has the device and has not given it up", _keeps(method))


def _keeps(method: Method) -> str | None:
    return method.control.keeps if method.control else method.dealer_keeps_device


def keeps_device(round_: Round, paid: tuple[Paid, ...]) -> str | None:
    """Control of the device ends when the drawer's main wager loses."""
    main = {w.id for w in round_.wagers if w.wager in ("player", "banker")}
    lost = {each.player for each in paid if each.id in main and each.result == "lose"}
    return None if round_.drawer in lost else round_.drawer


def nobody_draws(table: Table, rules: Rules) -> str | None:
    """Where a player has to be handed the device: the clause by which nobody has it."""
    control = rules.method(table.method).control
    if control is None or table.drawer is not None:
        return None
    round_ = table.round
    if round_ is None or round_.method != table.method:
        return control.in_view  # it is handed out for the first time, to be used where staff see it
    lost = round_.drawer is not None and keeps_device(round_, round_.paid) is None
    return control.lost if lost else control.given_up


def check_place(method: Method, rules: Rules) -> None:
    if method.hlga_only and not rules.house.hlga:
        raise Refused(f"Method {method.id} is for the HLGA only", method.choice)


def may_handle(rules: Rules, round_: Round) -> bool:
    """Whether a player may handle cards at all under the round's method."""
    method = rules.method(round_.method)
    return round_.face_down and (method.face_down is True or method.squeeze is not None)


class Turn(NamedTuple):
    """Whom a hand goes to, and the clause that says so; None when nobody is left to take it."""

    player: str | None
    clause: str


def next_handler(rules: Rules, round_: Round, side: Side) -> str | None:
    return turn(rules, round_, side).player


def turn(rules: Rules, round_: Round, side: Side) -> Turn:
    """Whom the hand goes to: who draws it, else the highest wager on it by the order of Method A.

    Among equals the one placed first; if that one refuses, the next equal one counter-clockwise;
    then the next highest. When nobody is left the pit supervisor names someone.
    """
    method = rules.method(round_.method)
    if method.squeeze is not None:
        return Turn(highest_seated(round_), method.squeeze)
    refused = round_.refusals.get(side, ())
    if method.passing is not None:
        return _passed(method.passing, _on(round_, side), refused, rules)
    player = None if round_.drawer in refused else round_.drawer
    return Turn(player, method.handling or method.clause)


def _passed(passing: Passing, on_side: list[Wager], refused: Sequence[str], rules: Rules) -> Turn:
    for place, amount in enumerate(sorted({w.amount for w in on_side}, reverse=True)):
        equals = [wager for wager in on_side if wager.amount == amount]
        first = passing.first_of_equals if len(equals) > 1 else passing.highest
        clause = passing.next_highest if place else first
        for wager in _round_the_table(equals, rules):
            if wager.player not in refused:
                return Turn(wager.player, clause)
            clause = passing.next_equal
    return Turn(None, passing.named if on_side else passing.highest)


def _on(round_: Round, side: Side) -> list[Wager]:
    return [wager for wager in live(round_) if wager.wager == side.value]


def all_refused(rules: Rules, round_: Round, side: Side) -> bool:
    """Somebody wagered on the hand and nobody wants it: the pit supervisor names someone."""
    return bool(_on(round_, side)) and next_handler(rules, round_, side) is None


def highest_seated(round_: Round) -> str | None:
    """The seated player with the highest bet on the table; among equals the one placed first."""
    seated = [wager for wager in live(round_) if wager.seated]
    return max(seated, key=lambda wager: wager.amount).player if seated else None


def _round_the_table(equals: list[Wager], rules: Rules) -> list[Wager]:
    """The first placed, then the others counter-clockwise from there."""
    first = equals[0]
    step = 1 if rules.house.numbered == "counter_clockwise" else -1
    most = max(wager.position for wager in equals) + 1
    return sorted(equals, key=lambda wager: (step * (wager.position - first.position)) % most)


def accept_cards(table: Table, message: Message, rules: Rules) -> Table:
    """A player takes the hand that is passed to them."""
    round_, side = _offered(table, message, rules)
    _asked_in_time(round_, side, rules)
    player = _speaker(message)
    whose = turn(rules, round_, side)
    if message.given.get("leave", False):
        rules.need(message, Role.PIT_MANAGER, rules.book.any_squeezer)
    elif player != whose.player and not _may_pass(message, round_, side, rules):
        whom = whose.player or "nobody but the dealer"
        raise Refused(f"the {side.value} hand goes to {whom}", whose.clause)
    return replace(table, round=replace(round_, handlers={**round_.handlers, side: player}))


def _may_pass(message: Message, round_: Round, side: Side, rules: Rules) -> bool:
    """Whether the speaker may pass the hand to somebody whose turn it is not."""
    if not rules.house.track_wagers:
        return True  # only the people at the table know who wagered what
    if message.source == "player":
        return False
    if rules.method(round_.method).player_draws:
        return rules.ladder.may_act(rules.role(message), Role.DEALER)
    named = rules.ladder.may_act(rules.role(message), Role.PIT_SUPERVISOR)
    return named and all_refused(rules, round_, side)


def _asked_in_time(round_: Round, side: Side, rules: Rules) -> None:
    """Where cards are asked for: after bets are closed, before the card is dealt."""
    clause = rules.method(round_.method).squeeze
    if clause is None:
        return
    if round_.betting:
        raise Refused("who has the highest bet is known once bets are closed", clause)
    lying = play.hand(round_, side)
    if len(lying) > 1 and any(not drawn.exposed for drawn in lying):
        raise Refused("a card is asked for before it is dealt", clause)


def refuse_cards(table: Table, message: Message, rules: Rules) -> Table:
    round_, side = _offered(table, message, rules)
    player = _speaker(message)
    whose = turn(rules, round_, side)
    if player != whose.player:
        raise Refused(f"the {side.value} hand was not passed to {player}", whose.clause)
    refusals = {**round_.refusals, side: (*round_.refusals.get(side, ()), player)}
    return replace(table, round=replace(round_, refusals=refusals))


def _order(rules: Rules, round_: Round) -> str:
    method = rules.method(round_.method)
    return method.squeeze or method.handling or method.clause


def _offered(table: Table, message: Message, rules: Rules) -> tuple[Round, Side]:
    round_ = table.round
    assert round_ is not None
    if not may_handle(rules, round_):
        raise Refused("nobody but the dealer handles the cards", _order(rules, round_))
    return round_, Side(_side(message))


def _side(message: Message) -> str:
    side = str(wanted(message, "hand"))
    if side not in ("player", "banker"):
        raise Refused(f"{side!r} is no hand: player or banker")
    return side


def _speaker(message: Message) -> str:
    if message.source == "player":
        return message.name
    return str(wanted(message, "player"))


def reveal_first(table: Table, message: Message, rules: Rules) -> Table:
    """The dealer says which hand is revealed first."""
    rules.need(message, Role.DEALER)
    assert table.round is not None
    if any(drawn.exposed for drawn in table.round.cards):
        clause = rules.method(table.round.method).first
        raise Refused("a hand has been revealed already", clause)
    return replace(table, round=replace(table.round, first=Side(_side(message))))
