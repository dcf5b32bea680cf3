"""The house around a round: opening and closing, a pause, limits, the machine it runs on."""

from msgspec.structs import replace

from controller.game.money.limits import WagerRange
from controller.round import methods
from controller.round.wagers import betting
from controller.round.wagers.betting import house_limits
from controller.sentences.codes import Code
from controller.table import approvals
from controller.table.approvals import Act
from controller.table.holds import Latch, LatchKind
from controller.table.licences import SiteList
from controller.table.phases import Happening
from controller.table.refused import Refused
from controller.table.rules import Rules
from controller.table.state import (
    DayStage,
    GamingDay,
    LimitsInForce,
    Table,
    change_part,
    happens,
    in_play,
    latched,
    noted,
    notice,
)
from controller.table.words.day import (
    ChangeLimitsWord,
    CloseTableWord,
    OpenTableWord,
    StayOpenWord,
    SuspendWord,
)
from controller.table.words.devices import (
    ClockSteppedWord,
    JournalLossWord,
    RestartedWord,
    SelfTestWord,
    SiteLimitsWord,
    SitePeopleWord,
)
from controller.table.words.message import Message

_NAMED = 3
"""So many findings are told in a notice; the record has them all."""


def open_table(table: Table, message: Message[OpenTableWord], rules: Rules) -> Table:
    rules.may(message, Act.OPEN_TABLE)
    method = table.play.method or rules.default_method()
    methods.check_place(rules.method(method), rules)
    betting.must_read_cards(table, rules.method(method))
    # A gaming day lasts from opening to closing: what was let pass once may be let pass again.
    # And what is played by somebody's leave is played by leave of that day.
    table = replace(
        table,
        play=replace(table.play, method=method),
        day=GamingDay(DayStage.OPEN),
    )
    return happens(table, Happening.TABLE_OPENED)


def close_table(table: Table, message: Message[CloseTableWord], rules: Rules) -> Table:
    """Between rounds at once; during one, after it."""
    rules.may(message, Act.CLOSE_TABLE)
    if table.round is None or table.round.over:
        table = change_part(table, "day", stage=DayStage.CLOSED)
        return happens(table, Happening.TABLE_CLOSED)
    return change_part(table, "day", stage=DayStage.CLOSING)


def stay_open(table: Table, message: Message[StayOpenWord], rules: Rules) -> Table:
    """What was said too early is taken back, while the round still runs."""
    rules.may(message, Act.CLOSE_TABLE)
    if not table.day.is_closing:
        raise Refused(Code.NOT_ABOUT_TO_CLOSE)
    return change_part(table, "day", stage=DayStage.OPEN)


def suspend(table: Table, message: Message[SuspendWord], rules: Rules) -> Table:
    """The pit stops the table where it is; `resume` lets it go on."""
    rules.may(message, Act.PAUSE)
    if any(latch.kind is LatchKind.PAUSED for latch in table.latches):
        raise Refused(Code.PAUSED_ALREADY)
    return latched(table, Latch(LatchKind.PAUSED, table.at, message.name))


def change_limits(table: Table, message: Message[ChangeLimitsWord], rules: Rules) -> Table:
    """From the next round on. What is not named stays; 0 takes a limit away."""
    rules.may(message, Act.CHANGE_LIMITS)
    word = message.word
    now = table.play.limits or house_limits(rules)
    if word.per_area is not None:
        now = replace(now, per_area=_per_area(message, rules))
    own = {"minimum": word.minimum, "maximum": word.maximum}
    named = {name: amount for name, amount in own.items() if amount is not None}
    if word.differential is not None and word.wager is None:
        named["differential"] = word.differential
    if not named and word.per_area is None:
        raise Refused(Code.SAY_WHICH_LIMIT, limits=["minimum", "maximum", "differential"])
    amounts = {name: amount or None for name, amount in named.items()}
    if word.wager is not None and named:
        kind = betting.kind(word.wager, rules)
        changed = replace(now.wagers.get(kind, WagerRange()), **amounts)
        now = replace(now, wagers={**now.wagers, kind: changed})
    elif named:
        now = replace(now, **amounts)
    _in_order(now)
    return _told(change_part(table, "play", limits=now), now, message.word)


def _per_area(message: Message[ChangeLimitsWord], rules: Rules) -> int | None:
    """How many wagers an area takes, by whoever the book lets allow fewer."""
    rule, most = rules.book.limits.per_area, message.word.per_area
    if rule is None or most is None:
        raise Refused(Code.NO_AREA_LIMIT)
    rules.need(message, approvals.of(Act.ALLOW_FEWER_ON_AN_AREA).role, rule.fewer)
    if most > rule.most:
        raise Refused(Code.AREA_LIMIT_ABOVE, rule.clause, most=rule.most)
    return most or None


def _in_order(now: LimitsInForce) -> None:
    """No minimum is above its maximum, of the table's nor of any kind's own."""
    for each in (WagerRange(), *now.wagers.values()):
        least, most = each.minimum or now.minimum, each.maximum or now.maximum
        if least and most and least > most:
            raise Refused(Code.MINIMUM_ABOVE_MAXIMUM, minimum=least, maximum=most)


def _told(table: Table, now: LimitsInForce, word: ChangeLimitsWord) -> Table:
    """Everybody is told what changed."""
    if word.per_area is not None:
        table = notice(table, Code.AREA_TAKES, most=now.per_area)
    if word.wager is not None:
        own = now.wagers.get(word.wager, WagerRange())
        least, most = own.minimum or now.minimum, own.maximum or now.maximum
        return notice(table, Code.LIMITS_CHANGE_OF, wager=word.wager, minimum=least, maximum=most)
    if word.per_area is not None and (word.minimum, word.maximum, word.differential) == _NONE:
        return table
    return notice(
        table,
        Code.LIMITS_CHANGE,
        minimum=now.minimum,
        maximum=now.maximum,
        differential=now.differential,
    )


_NONE = (None, None, None)


# --- what the site says -------------------------------------------------------------------------


def people_taken_over(table: Table, message: Message[SitePeopleWord], rules: Rules) -> Table:
    """From now on only whom the site's list names opens betting; an older list is not put back."""
    word = message.word
    _newer(table, word.version, table.site.people.version if table.site.people else 0)
    table = change_part(table, "site", people=SiteList(word.version, word.licences))
    people = len(word.licences)
    return notice(table, Code.SITE_LIST_TAKEN_OVER, version=word.version, people=people)


def limits_taken_over(table: Table, message: Message[SiteLimitsWord], rules: Rules) -> Table:
    """The site's limits, from the next round on; what kinds of wagers have of their own stays."""
    word = message.word
    _newer(table, word.version, table.site.limits_version)
    now = replace(
        table.play.limits or house_limits(rules),
        minimum=word.minimum or None,
        maximum=word.maximum or None,
        differential=word.differential or None,
    )
    _in_order(now)
    table = replace(
        table,
        play=replace(table.play, limits=now),
        site=replace(table.site, limits_version=word.version),
    )
    return notice(table, Code.SITE_LIMITS_TAKEN_OVER, version=word.version)


def _newer(table: Table, version: int, have: int) -> None:
    """Refuse what is older than what is in force, and all of it while a round is played."""
    if in_play(table) is not None:
        raise Refused(Code.NOT_NOW, phase=table.phase)
    if version <= have:
        raise Refused(Code.OLDER_DOCUMENT, version=version, have=have)


# --- the machine it runs on ---------------------------------------------------------------------


def restarted(table: Table, message: Message[RestartedWord], rules: Rules) -> Table:
    """The process came back. A restart is not a power failure: in mid-round people are asked."""
    round_ = table.round
    if round_ is None or round_.over or table.clocks.restarted_at is not None:
        return table
    return change_part(table, "clocks", restarted_at=table.at)


def self_test(table: Table, message: Message[SelfTestWord], rules: Rules) -> Table:
    """What a self-test or a file check found. What is bad holds the table until it is good again,
    and then until somebody clears it."""
    bad = message.word.bad
    if bad:
        table = notice(table, Code.SELF_TEST_FAILED, checks=bad[:_NAMED])
        return latched(table, Latch(LatchKind.SELF_TEST_FAILED, table.at))
    others = tuple(each for each in table.latches if each.kind is not LatchKind.SELF_TEST_FAILED)
    if len(others) == len(table.latches):
        return table
    table = replace(table, latches=others)
    return latched(table, Latch(LatchKind.SELF_TEST_HAD_FAILED, table.at))


def clock_stepped(table: Table, message: Message[ClockSteppedWord], rules: Rules) -> Table:
    """Order comes from the sequence, so play goes on; everybody can see that the clock jumped."""
    seconds = round(message.word.seconds)
    code = Code.CLOCK_PUT_FORWARD if seconds > 0 else Code.CLOCK_PUT_BACK
    return notice(table, code, seconds=abs(seconds))


def journal_loss(table: Table, message: Message[JournalLossWord], rules: Rules) -> Table:
    """The journal's end is damaged or missing: nobody plays over that before people have looked."""
    word = message.word
    if word.note is not None:
        table = noted(table, word.note)
    elif word.says is not None:
        table = notice(table, Code.SYSTEM_SAYS, says=word.says)
    else:
        table = notice(table, Code.JOURNAL_LOST)
    return latched(table, Latch(LatchKind.JOURNAL_LOSS, table.at))
