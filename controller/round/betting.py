"""Wagers: placing, raising, withdrawing, and the call that closes them."""

from collections.abc import Callable
from itertools import count

from msgspec.structs import replace

from controller.game.limits import Range, TableLimits, before_closing
from controller.game.roles import Role
from controller.game.settlement import Bet
from controller.round.errors import Refused
from controller.round.rules import Excess, Message, Rules, wanted
from controller.round.state import Round, Table, Wager


def open_betting(table: Table, message: Message, rules: Rules) -> Table:
    """Commencement of play: a new round begins."""
    rules.need(message, Role.DEALER)
    if table.request is not None:
        raise Refused(f"a second person has yet to approve or refuse: {table.request.what}")
    if table.close_after:
        raise Refused("the table closes after the round that has ended")
    method = rules.method(table.method)
    face_down = method.face_down
    if face_down is None:
        face_down = rules.house.deal_face == "down"
    if method.player_draws and table.drawer is None:
        raise Refused("no player has the device: Method C needs one who draws", method.draws)
    number = table.rounds + 1
    no_bets = bool(table.carried) and rules.house.excess is Excess.NO_BET_HAND
    begun = Round(
        number, method.id, face_down, no_bets=no_bets, opened_at=table.at, limits=table.limits
    )
    return replace(table, rounds=number, round=begun, rulings=(), notices=())


def live(round_: Round) -> list[Wager]:
    """The wagers that take part: those not given back."""
    return [wager for wager in round_.wagers if wager.returned_by is None]


def bets(round_: Round) -> list[Bet]:
    return [Bet(w.id, w.wager, w.amount, w.player, w.position, w.seated) for w in live(round_)]


def limits(round_: Round, rules: Rules) -> TableLimits:
    """What wagers of the round are held to."""
    own = round_.limits
    if own is None:
        return rules.limits
    return TableLimits(Range(own.minimum, own.maximum), own.differential)


def _round(table: Table) -> Round:
    if table.round is None or table.round.over:
        raise Refused("no round is being played")
    return table.round


def place(table: Table, message: Message, rules: Rules) -> Table:
    """A wager by a player, or by staff on the player's behalf."""
    if not rules.house.track_wagers:
        raise Refused("this table does not track wagers")
    round_ = _round(table)
    _still_open(table, round_, "late_wager", rules)
    if round_.no_bets:
        raise Refused("this is a no-bet hand: it uses up a card drawn in excess")
    behalf = None if message.source == "player" else message.who
    if behalf is not None:
        rules.need(message, Role.DEALER)
    player = message.who if behalf is None else wanted(message, "player")
    wager = Wager(
        _id(round_, message),
        str(player),
        _position(wanted(message, "position", int), rules),
        rules.book.wager(wanted(message, "wager")).id,
        _amount(wanted(message, "amount", int)),
        seated=bool(message.given.get("seated", True)),
        placed_by=behalf,
    )
    if any(wager.id == other.id for other in round_.wagers):
        raise Refused(f"a wager {wager.id!r} lies there already")
    _room_on_area(round_, wager, rules)
    return replace(table, round=replace(round_, wagers=(*round_.wagers, wager)))


def _id(round_: Round, message: Message) -> str:
    """The id given, else the first free one."""
    if "id" in message.given:
        return str(wanted(message, "id", (str, int)))
    taken = {wager.id for wager in round_.wagers}
    return next(name for n in count(1) if (name := f"w{n}") not in taken)


def _position(position: int, rules: Rules) -> int:
    """One that some layout of the book has; any at all where the document does not say."""
    most = rules.book.most_positions
    if position < 1 or (most and position > most):
        raise Refused(f"no layout has a position {position}", rules.book.layouts[0].clause)
    return position


def _amount(amount: int) -> int:
    if amount < 1:
        raise Refused(f"{amount} is not an amount of money")
    return amount


def _room_on_area(round_: Round, wager: Wager, rules: Rules) -> None:
    rule = rules.book.limits.per_area
    if rule is None:
        return
    most = min(rule.most, rules.house.wagers_per_area or rule.most)
    area = (wager.position, wager.wager)
    lying = [other for other in live(round_) if (other.position, other.wager) == area]
    if len(lying) >= most:
        clause = rule.clause if most == rule.most else rule.fewer
        raise Refused(f"there are {most} wagers on that area already", clause)


def _still_open(table: Table, round_: Round, late: str, rules: Rules) -> None:
    """After the call a wager is late: the book says what that means."""
    halted = table.case is not None and table.case.waits_for != "put_right"
    if round_.betting and halted:
        raise Refused("the table is halted: wagers wait until that is settled")
    if round_.betting and table.latches:
        raise Refused(f"the table is held: {table.latches[0].replace('_', ' ')}")
    if round_.betting:
        return
    row = rules.book.irregularity_by_id.get(late)
    clause = row.rulings[0].clause if row else rules.book.uncovered.clause
    raise Refused(_LATE[late], clause)


_LATE = {
    "late_wager": "too late: bets are closed, the wager is refused",
    "late_withdrawal": "too late: bets are closed, the wager stays and wins or loses",
}


def raise_(table: Table, message: Message, rules: Rules) -> Table:
    round_ = _round(table)
    _still_open(table, round_, "late_wager", rules)
    more = _amount(wanted(message, "amount", int))
    return _change(table, message, rules, lambda wager: replace(wager, amount=wager.amount + more))


def withdraw(table: Table, message: Message, rules: Rules) -> Table:
    round_ = _round(table)
    _still_open(table, round_, "late_withdrawal", rules)
    return _change(table, message, rules, lambda _: None)


def _change(
    table: Table, message: Message, rules: Rules, change: Callable[[Wager], Wager | None]
) -> Table:
    round_ = _round(table)
    wanted_id = str(wanted(message, "id", (str, int)))
    mine = [wager for wager in round_.wagers if wager.id == wanted_id]
    if not mine:
        raise Refused(f"there is no wager {wanted_id!r}")
    if message.source == "player" and mine[0].player != message.who:
        raise Refused(f"wager {wanted_id!r} is not {message.who}'s")
    if message.source != "player":
        rules.need(message, Role.DEALER)
    kept = [change(wager) if wager.id == wanted_id else wager for wager in round_.wagers]
    wagers = tuple(wager for wager in kept if wager is not None)
    return replace(table, round=replace(round_, wagers=wagers))


def close_betting(table: Table, message: Message, rules: Rules) -> Table:
    """ "No more bets". What can still be put right is put right first."""
    rules.need(message, Role.DEALER)
    round_ = _round(table)
    findings = before_closing(rules.book, bets(round_), limits(round_, rules))
    if findings and not message.given.get("anyway", False):
        first = findings[0]
        who = ", ".join(str(bet.id) for bet in first.bets)
        raise Refused(f"before bets close: {first.does} ({who})", first.rule.clause)
    _drawer_has_wager(table, round_, rules)
    # Drawn before the call, in the last round or in this one: these are the first cards of it.
    early = (*table.carried, *round_.cards)
    started = replace(round_, betting=False, cards=early, drawer=table.drawer)
    return replace(table, round=started, carried=())


def _drawer_has_wager(table: Table, round_: Round, rules: Rules) -> None:
    """Who draws has a wager, or leave to draw without one."""
    method = rules.method(round_.method)
    if not method.player_draws or not rules.house.track_wagers:
        return
    if table.drawer is None:
        raise Refused("no player has the device: hand it to one who draws", method.draws)
    if not table.draws_without_wager and table.drawer not in {w.player for w in live(round_)}:
        raise Refused(f"{table.drawer} has the device and no wager", method.without_wager)
