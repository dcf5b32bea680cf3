"""The house around a round: the machine it runs on, a pause, another unit in the shoe's place."""

from msgspec.structs import replace

from controller.game.roles import Role
from controller.round import dealing, doubt
from controller.round.errors import Refused
from controller.round.rules import Message, Rules, wanted
from controller.round.state import Limits, Request, Table, noted

FAILED, HAD_FAILED = "self_test_failed", "self_test_had_failed"
PAUSED = "paused"
SWAP = "swap_device"

_LIMITS = ("minimum", "maximum", "differential")

_NAMED = 3
"""So many findings are told in a notice; the record has them all."""


def self_test(table: Table, message: Message, rules: Rules) -> Table:
    """What a self-test or a file check found. What is bad holds the table until it is good again,
    and then until somebody clears it."""
    bad = [str(each) for each in message.given.get("bad", [])]
    if bad:
        return dealing.latch(noted(table, "; ".join(bad[:_NAMED])), FAILED)
    if FAILED not in table.latches:
        return table
    others = tuple(why for why in table.latches if why != FAILED)
    return dealing.latch(replace(table, latches=others), HAD_FAILED)


def clock_stepped(table: Table, message: Message, rules: Rules) -> Table:
    """Order comes from the sequence, so play goes on; everybody can see that the clock jumped."""
    seconds = float(message.given.get("seconds", 0.0))
    way = "forward" if seconds > 0 else "back"
    return noted(table, f"the clock was put {way} by {abs(seconds):.0f} s")


def suspend(table: Table, message: Message, rules: Rules) -> Table:
    """The pit stops the table where it is; `resume` lets it go on."""
    rules.need(message, Role.PIT_SUPERVISOR)
    if PAUSED in table.latches:
        raise Refused("it is paused already")
    return dealing.latch(table, PAUSED)


def change_limits(table: Table, message: Message, rules: Rules) -> Table:
    """From the next round on. What is not named stays; 0 takes a limit away."""
    rules.need(message, Role.PIT_SUPERVISOR)
    now = table.limits or house_limits(rules)
    named = {name: _amount(message, name) for name in _LIMITS if name in message.given}
    if not named:
        raise Refused(f"say which limit: {', '.join(_LIMITS)}")
    changed = replace(now, **{name: amount or None for name, amount in named.items()})
    if changed.minimum and changed.maximum and changed.minimum > changed.maximum:
        raise Refused(f"the minimum {changed.minimum} is above the maximum {changed.maximum}")
    told = (f"{name} {getattr(changed, name) or 'none'}" for name in named)
    return noted(replace(table, limits=changed), f"limits from the next round: {', '.join(told)}")


def _amount(message: Message, name: str) -> int:
    amount = wanted(message, name, int)
    if amount < 0:
        raise Refused(f"{amount} is not an amount of money")
    return int(amount)


def house_limits(rules: Rules) -> Limits:
    house = rules.house
    return Limits(house.minimum, house.maximum, house.differential)


def swap_device(table: Table, message: Message, rules: Rules) -> Table:
    """Another unit takes a device's place: asked here, approved by a second person."""
    rules.need(message, Role.PIT_SUPERVISOR)
    if table.request is not None:
        raise Refused(f"a second person has yet to approve or refuse: {table.request.what}")
    device = wanted(message, "device")
    if device not in ("shoe", "shuffler"):
        raise Refused(f"{device!r} is no device: shoe or shuffler")
    given = {
        "device": device,
        "identity": wanted(message, "identity"),
        "asset": wanted(message, "asset"),
    }
    return replace(table, request=Request(SWAP, message.name, given, wanted(message, "reason")))


def swapped(table: Table, request: Request) -> Table:
    """From now on only this unit is taken. What the old one read last nobody can ask it any more,
    so with cards in use they are counted."""
    device, unit = request.given["device"], f"{request.given['identity']}"
    table = replace(table, enrolled={**table.enrolled, device: unit})
    table = noted(table, f"the {device} is now unit {request.given['asset']}")
    if device != "shoe" or table.shoe is None:
        return table
    return doubt.raised(table, "another shoe was put in place")
