"""What devices say besides cards: they may hold the table, and never move it on."""

from msgspec.structs import replace

from controller.round import dealing, doubt, procedures
from controller.round.rules import Message, Rules
from controller.round.state import Table, noted

UNREADABLE, EXCESS, BELONGS = 1, 2, 6
ORDER_IN_DOUBT = (4, 5)
NOTICES = (3, 7)
"""Angel Eye's own error numbers; other makers' begin at 99 and hold the table until somebody has
looked. A device never voids: it opens a case and people decide."""

SAYS_MOST = 200
"""Characters of a device's own words that are shown."""


def error(table: Table, message: Message, rules: Rules) -> Table:
    code = message.code
    if code in NOTICES:
        return noted(table, _says(message, f"the device reports notice {code}"))
    if code in ORDER_IN_DOUBT:
        return _open_once(table, "simultaneous", rules)
    if code == BELONGS:
        return _open_once(table, "foreign_card", rules)
    if code == EXCESS:
        return _open_once(table, "excess_card", rules)
    if code == UNREADABLE:
        return table  # the card itself arrives as read_failed
    return dealing.latch(noted(table, _says(message, "the device has an error")), "device_error")


def _open_once(table: Table, what: str, rules: Rules) -> Table:
    """The lamp says again what the card itself has said: that is one irregularity, not two."""
    open_now = [case for case in (table.case, *table.queue) if case is not None]
    if any(case.id == what and case.reported_by == "shoe" for case in open_now):
        return table
    return procedures.open_case(table, what, "shoe", rules)


def error_cleared(table: Table, message: Message, rules: Rules) -> Table:
    return _was(table, "device_error", "device_had_error")


def lid_open(table: Table, message: Message, rules: Rules) -> Table:
    return dealing.latch(_without(table, "lid_was_open"), "lid_open")


def lid_closed(table: Table, message: Message, rules: Rules) -> Table:
    return _was(table, "lid_open", "lid_was_open")


def events_lost(table: Table, message: Message, rules: Rules) -> Table:
    """Something the device said never arrived: a card may have been in it."""
    said = _says(message, "something the shoe said was lost")
    in_doubt = doubt.raised(table, said)
    return noted(table, said) if in_doubt is table and table.doubt is None else in_doubt


def started(table: Table, message: Message, rules: Rules) -> Table:
    """The device was reset or switched on. With cards out, some may have left it unread; a shoe
    nobody has drawn from is just being made ready."""
    said = "the shoe was reset or switched on"
    if table.shoe is None or not table.shoe.drawn:
        return noted(table, said)
    return doubt.raised(table, said)


def gave_up(table: Table, message: Message, rules: Rules) -> Table:
    """The device has given the round up. It never voids one: people decide."""
    if table.round is None or table.round.over:
        return noted(table, "the shoe gave up a round that is not being played")
    return _open_once(table, "device_gave_up", rules)


def link_lost(table: Table, message: Message, rules: Rules) -> Table:
    """Why is told as well: a cable, a name mistyped and a port in use are put right differently."""
    table = dealing.latch(_without(table, "link_was_lost"), "link_lost")
    return notice(table, message, rules) if "says" in message.given else table


def link_up(table: Table, message: Message, rules: Rules) -> Table:
    """Where a loss does not show by itself, the cards are counted."""
    table = _was(table, "link_lost", "link_was_lost")
    if message.given.get("count", False):
        return doubt.raised(table, "the shoe was not listened to for a while")
    return table


def verified(table: Table, message: Message, rules: Rules) -> Table:
    cards = message.given.get("cards")
    counted = cards if isinstance(cards, int) else None
    table = notice(table, message, rules)
    return replace(table, verified=True, verified_cards=counted, pack_out=False)


def taken(table: Table, message: Message, rules: Rules) -> Table:
    """Cards were taken out of the shuffler; if they were verified, that stays with them."""
    return replace(notice(table, message, rules), pack_out=table.verified)


def fault(table: Table, message: Message, rules: Rules) -> Table:
    """What a faulty shuffler had verified counts no longer, if it is still inside."""
    table = notice(table, message, rules)
    return table if table.pack_out else replace(table, verified=False, verified_cards=None)


def notice(table: Table, message: Message, rules: Rules) -> Table:
    """Known, and nothing follows by itself."""
    return noted(table, f"{message.source}: {_says(message, message.word)}")


def _says(message: Message, otherwise: str) -> str:
    """What the device says in words, cut to what a screen can show."""
    return str(message.given.get("says", otherwise))[:SAYS_MOST]


def _was(table: Table, now: str, then: str) -> Table:
    """It is over, and the table stays held until somebody clears it."""
    return dealing.latch(_without(table, now), then) if now in table.latches else table


def _without(table: Table, why: str) -> Table:
    return replace(table, latches=tuple(each for each in table.latches if each != why))
