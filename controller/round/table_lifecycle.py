"""The table around a round: opening and closing, a pause, limits, the machine it runs on."""

from msgspec.structs import replace

from controller.game.money.limits import WagerRange
from controller.messages.codes import Code
from controller.round import methods
from controller.round.wagers import betting
from controller.round.wagers.betting import house_limits
from controller.table import approvals
from controller.table.approvals import Act
from controller.table.commands.day import (
    ChangeLimitsCommand,
    CloseTableCommand,
    OpenTableCommand,
    StayOpenCommand,
    SuspendCommand,
)
from controller.table.commands.device_events import (
    ClockSteppedEvent,
    JournalLossEvent,
    RestartedEvent,
    SelfTestEvent,
    SiteLimitsEvent,
    SitePeopleEvent,
)
from controller.table.commands.message import Message
from controller.table.holds import Hold, HoldReason
from controller.table.licences import SiteList
from controller.table.phases import RoundEvent
from controller.table.refused import Refused
from controller.table.rules import Rules
from controller.table.state import (
    DayStage,
    GamingDay,
    LimitsInForce,
    Table,
    add_hold,
    add_notice,
    change_part,
    current_round_number,
    emit,
    notify,
)

_NAMED = 3
"""The number of findings in a notice; the record has them all."""


def open_table(table: Table, message: Message[OpenTableCommand], rules: Rules) -> Table:
    rules.require_act(message, Act.OPEN_TABLE)
    method = table.play.method or rules.default_method()
    methods.check_place(rules.method(method), rules)
    betting.require_reading_device(table, rules.method(method))
    # A gaming day lasts from opening to closing: a tolerance may be used again each day, and an
    # authorisation is valid for one day.
    table = replace(
        table,
        play=replace(table.play, method=method),
        day=GamingDay(DayStage.OPEN),
    )
    return emit(table, RoundEvent.TABLE_OPENED)


def close_table(table: Table, message: Message[CloseTableCommand], rules: Rules) -> Table:
    """Close the table: between rounds at once; during one, after it."""
    rules.require_act(message, Act.CLOSE_TABLE)
    if table.round is None or table.round.over:
        table = change_part(table, "day", stage=DayStage.CLOSED)
        return emit(table, RoundEvent.TABLE_CLOSED)
    return change_part(table, "day", stage=DayStage.CLOSING)


def stay_open(table: Table, message: Message[StayOpenCommand], rules: Rules) -> Table:
    """Take back an early closing of the table, while the round still runs."""
    rules.require_act(message, Act.CLOSE_TABLE)
    if not table.day.is_closing:
        raise Refused(Code.NOT_ABOUT_TO_CLOSE)
    return change_part(table, "day", stage=DayStage.OPEN)


def suspend(table: Table, message: Message[SuspendCommand], rules: Rules) -> Table:
    """Suspend the table at once; `resume` continues it."""
    rules.require_act(message, Act.PAUSE)
    if any(hold.kind is HoldReason.PAUSED for hold in table.latches):
        raise Refused(Code.PAUSED_ALREADY)
    return add_hold(table, Hold(HoldReason.PAUSED, table.at, message.actor))


def change_limits(table: Table, message: Message[ChangeLimitsCommand], rules: Rules) -> Table:
    """Change limits from the next round on. Those not named stay; 0 removes a limit."""
    rules.require_act(message, Act.CHANGE_LIMITS)
    command = message.payload
    now = table.play.limits or house_limits(rules)
    if command.per_area is not None:
        now = replace(now, per_area=_per_area(message, rules))
    own = {"minimum": command.minimum, "maximum": command.maximum}
    named = {name: amount for name, amount in own.items() if amount is not None}
    if command.differential is not None and command.wager is None:
        named["differential"] = command.differential
    if not named and command.per_area is None:
        raise Refused(Code.SAY_WHICH_LIMIT, limits=["minimum", "maximum", "differential"])
    amounts = {name: amount or None for name, amount in named.items()}
    if command.wager is not None and named:
        kind = betting.kind(command.wager, rules)
        changed = replace(now.wagers.get(kind, WagerRange()), **amounts)
        now = replace(now, wagers={**now.wagers, kind: changed})
    elif named:
        now = replace(now, **amounts)
    _in_order(now)
    return _notify_limits(change_part(table, "play", limits=now), now, message.payload)


def _per_area(message: Message[ChangeLimitsCommand], rules: Rules) -> int | None:
    """The number of wagers an area takes; the role the book names may allow fewer."""
    rule, most = rules.book.limits.per_area, message.payload.per_area
    if rule is None or most is None:
        raise Refused(Code.NO_AREA_LIMIT)
    rules.require_role(message, approvals.approval_row(Act.ALLOW_FEWER_ON_AN_AREA).role, rule.fewer)
    if most > rule.most:
        raise Refused(Code.AREA_LIMIT_ABOVE, rule.clause, most=rule.most)
    return most or None


def _in_order(now: LimitsInForce) -> None:
    """Require that no minimum is above its maximum, the table's or any kind's own."""
    for each in (WagerRange(), *now.wagers.values()):
        least, most = each.minimum or now.minimum, each.maximum or now.maximum
        if least and most and least > most:
            raise Refused(Code.MINIMUM_ABOVE_MAXIMUM, minimum=least, maximum=most)


def _notify_limits(table: Table, now: LimitsInForce, command: ChangeLimitsCommand) -> Table:
    """Notify the changed limits."""
    if command.per_area is not None:
        table = notify(table, Code.AREA_TAKES, most=now.per_area)
    if command.wager is not None:
        own = now.wagers.get(command.wager, WagerRange())
        least, most = own.minimum or now.minimum, own.maximum or now.maximum
        return notify(
            table, Code.LIMITS_CHANGE_OF, wager=command.wager, minimum=least, maximum=most
        )
    if (
        command.per_area is not None
        and (command.minimum, command.maximum, command.differential) == _NONE
    ):
        return table
    return notify(
        table,
        Code.LIMITS_CHANGE,
        minimum=now.minimum,
        maximum=now.maximum,
        differential=now.differential,
    )


_NONE = (None, None, None)


# --- events of the site -------------------------------------------------------------------------


def apply_people_document(table: Table, message: Message[SitePeopleEvent], rules: Rules) -> Table:
    """Apply the site's list: only people on it open betting from now on; an older list is
    refused."""
    event = message.payload
    _newer(table, event.version, table.site.people.version if table.site.people else 0)
    table = change_part(table, "site", people=SiteList(event.version, event.licences))
    people = len(event.licences)
    return notify(table, Code.SITE_LIST_TAKEN_OVER, version=event.version, people=people)


def apply_limits_document(table: Table, message: Message[SiteLimitsEvent], rules: Rules) -> Table:
    """Apply the site's limits from the next round on; limits of single kinds of wagers stay."""
    event = message.payload
    _newer(table, event.version, table.site.limits_version)
    now = replace(
        table.play.limits or house_limits(rules),
        minimum=event.minimum or None,
        maximum=event.maximum or None,
        differential=event.differential or None,
    )
    _in_order(now)
    table = replace(
        table,
        play=replace(table.play, limits=now),
        site=replace(table.site, limits_version=event.version),
    )
    return notify(table, Code.SITE_LIMITS_TAKEN_OVER, version=event.version)


def _newer(table: Table, version: int, have: int) -> None:
    """Refuse a version older than the one in force, and any while a round is played."""
    if current_round_number(table) is not None:
        raise Refused(Code.NOT_NOW, phase=table.phase)
    if version <= have:
        raise Refused(Code.OLDER_DOCUMENT, version=version, have=have)


# --- the machine it runs on ---------------------------------------------------------------------


def handle_restart(table: Table, message: Message[RestartedEvent], rules: Rules) -> Table:
    """Handle a restart of the process. It is not a power failure: in mid-round people are asked."""
    round_ = table.round
    if round_ is None or round_.over or table.clocks.restarted_at is not None:
        return table
    return change_part(table, "clocks", restarted_at=table.at)


def handle_self_test(table: Table, message: Message[SelfTestEvent], rules: Rules) -> Table:
    """Handle the findings of a self-test or a file check. A bad finding holds the table until it is
    good again and a person clears it."""
    bad = message.payload.bad
    if bad:
        table = notify(table, Code.SELF_TEST_FAILED, checks=bad[:_NAMED])
        return add_hold(table, Hold(HoldReason.SELF_TEST_FAILED, table.at))
    others = tuple(each for each in table.latches if each.kind is not HoldReason.SELF_TEST_FAILED)
    if len(others) == len(table.latches):
        return table
    table = replace(table, latches=others)
    return add_hold(table, Hold(HoldReason.SELF_TEST_HAD_FAILED, table.at))


def handle_clock_step(table: Table, message: Message[ClockSteppedEvent], rules: Rules) -> Table:
    """Notify a clock step: order comes from the sequence, so play goes on."""
    seconds = round(message.payload.seconds)
    code = Code.CLOCK_PUT_FORWARD if seconds > 0 else Code.CLOCK_PUT_BACK
    return notify(table, code, seconds=abs(seconds))


def handle_journal_loss(table: Table, message: Message[JournalLossEvent], rules: Rules) -> Table:
    """Hold the table for a damaged or missing end of the journal: people look before play goes
    on."""
    event = message.payload
    if event.note is not None:
        table = add_notice(table, event.note)
    elif event.says is not None:
        table = notify(table, Code.SYSTEM_SAYS, says=event.says)
    else:
        table = notify(table, Code.JOURNAL_LOST)
    return add_hold(table, Hold(HoldReason.JOURNAL_LOSS, table.at))
