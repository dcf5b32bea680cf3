"""What devices say besides cards: they may hold the table, and never move it on."""

from msgspec.structs import replace

from controller.round import dealing, procedures
from controller.round.rules import Message, Rules
from controller.round.state import Table

UNREADABLE, EXCESS, BELONGS = 1, 2, 6
ORDER_IN_DOUBT = (4, 5)
NOTICES = (3, 7)
"""Angel Eye's own error numbers. A device never voids: it opens a case and people decide."""


def error(table: Table, message: Message, rules: Rules) -> Table:
    code = message.code
    if code in NOTICES:
        return replace(table, notices=(*table.notices, f"the device reports notice {code}"))
    if code in ORDER_IN_DOUBT:
        return _open_once(table, "simultaneous", rules)
    if code == BELONGS:
        return _open_once(table, "foreign_card", rules)
    if code == EXCESS:
        return _open_once(table, "excess_card", rules)
    if code == UNREADABLE:
        return table  # the card itself arrives as read_failed
    return dealing.latch(table, "device_error")


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


def link_lost(table: Table, message: Message, rules: Rules) -> Table:
    return dealing.latch(_without(table, "link_was_lost"), "link_lost")


def link_up(table: Table, message: Message, rules: Rules) -> Table:
    return _was(table, "link_lost", "link_was_lost")


def verified(table: Table, message: Message, rules: Rules) -> Table:
    return replace(notice(table, message, rules), verified=True)


def fault(table: Table, message: Message, rules: Rules) -> Table:
    """What a faulty shuffler had verified counts no longer."""
    return replace(notice(table, message, rules), verified=False)


def notice(table: Table, message: Message, rules: Rules) -> Table:
    """Known, and nothing follows by itself."""
    return replace(table, notices=(*table.notices, f"{message.source}: {message.word}"))


def _was(table: Table, now: str, then: str) -> Table:
    """It is over, and the table stays held until somebody clears it."""
    return dealing.latch(_without(table, now), then) if now in table.latches else table


def _without(table: Table, why: str) -> Table:
    return replace(table, latches=tuple(each for each in table.latches if each != why))
