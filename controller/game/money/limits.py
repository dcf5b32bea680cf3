"""Table limits: corrections before "No more bets", and settlement after.

The books differ in their rows (`rulebook.Limits`); this module applies the rows. Each wager first
gets the amount it *counts* for, then is settled on that.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from msgspec import Struct

from controller.game.errors import BadAmount
from controller.game.hands import DealtRound
from controller.game.money.rounding import Rounding
from controller.game.money.settlement import (
    LOST,
    Bet,
    Settlement,
    payment,
    returned_whole,
    settle,
    to_minor_units,
)
from controller.game.rulebook import (
    AreaLimit,
    BeforeClosing,
    Differential,
    LimitRule,
    OutOfLimits,
    Rulebook,
    Scope,
)
from controller.game.wagers import WagerResult, WagerVerdict

MAIN = ("player", "banker")


@dataclass(frozen=True, slots=True)
class Range:
    """The least and most one wager may be, in minor units; None is no limit."""

    minimum: int | None = None
    maximum: int | None = None

    def __post_init__(self) -> None:
        for name, limit in (("minimum", self.minimum), ("maximum", self.maximum)):
            if limit is not None and limit < 1:
                raise BadAmount(f"a {name} of {limit} is not an amount of money")
        if self.minimum and self.maximum and self.minimum > self.maximum:
            raise BadAmount(f"the minimum {self.minimum} is over the maximum {self.maximum}")

    def holds(self, amount: int) -> bool:
        return (self.minimum is None or amount >= self.minimum) and (
            self.maximum is None or amount <= self.maximum
        )

    def under(self, bet: Bet) -> bool:
        return self.minimum is not None and bet.amount < self.minimum

    def over(self, bet: Bet) -> bool:
        return self.maximum is not None and bet.amount > self.maximum


class WagerRange(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The range of one kind of wager, in place of the table's range; None: the table's."""

    minimum: int | None = None
    maximum: int | None = None

    def within(self, table: Range) -> Range:
        return Range(self.minimum or table.minimum, self.maximum or table.maximum)


@dataclass(frozen=True, slots=True)
class TableLimits:
    """The limits displayed at the table; `wagers` holds those that have a range of their own."""

    range: Range = field(default_factory=Range)
    differential: int | None = None
    wagers: Mapping[str, Range] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.differential is not None and self.differential < 0:
            raise BadAmount(f"a differential of {self.differential} is not an amount of money")

    def of(self, bet: Bet) -> Range:
        return self.wagers.get(bet.wager, self.range)


@dataclass(frozen=True, slots=True)
class LimitFinding:
    """A correction needed before wagers are closed, with its amount."""

    rule: LimitRule | AreaLimit
    bets: tuple[Bet, ...]
    amount: int | None = None

    @property
    def does(self) -> str:
        if isinstance(self.rule, AreaLimit):
            return f"{BeforeClosing.REFUSED.value}: an area takes {self.rule.most} wagers"
        return str(self.rule.does.value)

    @property
    def of_differential(self) -> bool:
        """Whether it concerns the two sides and not one wager."""
        return isinstance(self.rule, LimitRule) and self.rule.does in _OF_DIFFERENTIAL


_OF_DIFFERENTIAL = frozenset(
    {
        BeforeClosing.ASK_HEAVY_SIDE,
        BeforeClosing.LIGHT_SIDE_MAY_ADD,
        BeforeClosing.PIT_MANAGER_REMOVES,
        BeforeClosing.REJECT_STANDING_FIRST,
    }
)


# --- before "No more bets" ------------------------------------------------------------------


def before_closing(book: Rulebook, bets: Sequence[Bet], limits: TableLimits) -> list[LimitFinding]:
    """List the dealer's corrections before "No more bets"; empty if the book is silent."""
    _all_known(book, bets)
    rules = book.limits
    findings: list[LimitFinding] = []
    if rules.per_area is not None and (beyond := _beyond_area(rules.per_area, bets)):
        findings += [LimitFinding(rules.per_area, (bets[at],), bets[at].amount) for at in beyond]
        gone = set(beyond)
        bets = [bet for place, bet in enumerate(bets) if place not in gone]
    for bet in bets:
        allowed = limits.of(bet)
        if rules.under_minimum_open and allowed.minimum and allowed.under(bet):
            short = allowed.minimum - bet.amount
            findings.append(LimitFinding(rules.under_minimum_open, (bet,), short))
        if rules.over_maximum_open and allowed.maximum and allowed.over(bet):
            excess = bet.amount - allowed.maximum
            findings.append(LimitFinding(rules.over_maximum_open, (bet,), excess))
    return findings + _differential_findings(book, bets, limits)


def _all_known(book: Rulebook, bets: Sequence[Bet]) -> None:
    known = book.wager_by_id
    for bet in bets:
        if bet.wager not in known:
            book.wager(bet.wager)  # raises UnknownWager with the nearest name


def _beyond_area(rule: AreaLimit, bets: Sequence[Bet]) -> list[int]:
    """The bets beyond the number that their area takes, in the order placed.

    An area is one wager's spot at one position, so a bet without a box is on no known area.
    """
    laid: dict[tuple[object, str], int] = {}
    beyond = []
    for place, bet in enumerate(bets):
        if bet.box is None:
            continue
        area = (bet.box, bet.wager)
        there = laid.get(area, 0)
        if there >= rule.most:
            beyond.append(place)
        laid[area] = there + 1
    return beyond


@dataclass(frozen=True, slots=True)
class Exceeded:
    """A differential that is exceeded: of the table, or of one box."""

    heavy: tuple[Bet, ...]
    light: tuple[Bet, ...]
    excess: int
    """The excess amount on the heavier side."""


def exceeded(book: Rulebook, bets: Sequence[Bet], limits: TableLimits) -> list[Exceeded]:
    """List where the difference between Player and Banker exceeds the limit. In a silent book, the
    house's limit applies to the whole table."""
    if limits.differential is None:
        return []
    rule = book.limits.differential
    found = []
    for places in _by_scope(Scope.TABLE if rule is None else rule.scope, bets):
        heavy, light = _sides([bets[place] for place in places])
        excess = _sum(heavy) - _sum(light) - limits.differential
        if excess > 0:
            found.append(Exceeded(tuple(heavy), tuple(light), excess))
    return found


def _differential_findings(
    book: Rulebook, bets: Sequence[Bet], limits: TableLimits
) -> list[LimitFinding]:
    rule = book.limits.differential
    if rule is None:
        return []
    findings = []
    for over in exceeded(book, bets, limits):
        for step in rule.before_closing:
            if step.does is BeforeClosing.REJECT_STANDING_FIRST:
                findings += _rejections(step, over.heavy, over.excess, limits)
            else:
                asked = over.light if step.does is BeforeClosing.LIGHT_SIDE_MAY_ADD else over.heavy
                findings.append(LimitFinding(step, asked, over.excess))
    return findings


def _rejections(
    step: LimitRule, heavy: Sequence[Bet], excess: int, limits: TableLimits
) -> list[LimitFinding]:
    """Standing before seated, latest before earliest; a remainder under the minimum is rejected
    whole."""
    findings = []
    by_right = sorted(heavy, key=lambda bet: not bet.seated)
    for bet in reversed(by_right):
        if excess <= 0:
            break
        off = min(bet.amount, excess)
        minimum = limits.of(bet).minimum
        if minimum is not None and bet.amount - off < minimum:
            off = bet.amount
        findings.append(LimitFinding(step, (bet,), off))
        excess -= off
    return findings


def _by_scope(scope: Scope, bets: Sequence[Bet]) -> list[list[int]]:
    """Group bets by differential: the whole table, or each box (unnamed is one box)."""
    if scope is Scope.TABLE:
        return [list(range(len(bets)))]
    boxes: dict[object, list[int]] = defaultdict(list)
    for place, bet in enumerate(bets):
        boxes[bet.box].append(place)
    return list(boxes.values())


def _sides(bets: Sequence[Bet]) -> tuple[list[Bet], list[Bet]]:
    """Return the Player and Banker wagers, the heavier side first."""
    player, banker = ([bet for bet in bets if bet.wager == side] for side in MAIN)
    return (player, banker) if _sum(player) > _sum(banker) else (banker, player)


def _sum(bets: Sequence[Bet]) -> int:
    return sum(bet.amount for bet in bets)


# --- settlement -----------------------------------------------------------------------------


class CountedBet(Struct, frozen=True, gc=False):
    """The amount a bet counts for, and the clause; `stake` None means that it is no bet at all."""

    stake: Fraction | None
    clause: str | None = None


WHOLE = CountedBet(None)
"""A bet within the limits, as nearly all are: it counts in full."""


def settle_within(
    book: Rulebook,
    dealt: DealtRound,
    bets: Sequence[Bet],
    limits: TableLimits,
    rounding: Rounding = Rounding.EXACT,
    under_minimum_before: frozenset[str] = frozenset(),
) -> list[Settlement]:
    """Settle bets found outside the limits once the outcome is known.

    `under_minimum_before` contains the players who have had a wager under the minimum settled
    earlier this gaming day.
    """
    _all_known(book, bets)
    counts = what_counts(book, bets, limits, under_minimum_before)
    as_they_lie = [bet for bet, count in zip(bets, counts, strict=True) if count is WHOLE]
    if len(as_they_lie) == len(bets):
        return settle(book, dealt, bets, rounding)
    whole = iter(settle(book, dealt, as_they_lie, rounding))
    verdicts = book.judge.round(dealt)
    return [
        next(whole) if count is WHOLE else _settle_on(verdicts[bet.wager], bet, count, rounding)
        for bet, count in zip(bets, counts, strict=True)
    ]


def what_counts(
    book: Rulebook,
    bets: Sequence[Bet],
    limits: TableLimits,
    under_minimum_before: frozenset[str] = frozenset(),
) -> list[CountedBet]:
    """Return the amount that each bet counts for once wagers are closed."""
    rules = book.limits
    if rules.under_minimum is None and rules.over_maximum is None:
        counts = [WHOLE] * len(bets)
    else:
        counts = [_by_range(book, bet, limits.of(bet), under_minimum_before) for bet in bets]
    if rules.per_area is not None:
        no_bet = CountedBet(None, rules.per_area.clause)
        for place in _beyond_area(rules.per_area, bets):
            counts[place] = no_bet
    if rules.differential and rules.differential.unnoticed and limits.differential is not None:
        for places in _by_scope(rules.differential.scope, bets):
            scaled = _pro_rata(rules.differential, [bets[place] for place in places], limits)
            for place, count in zip(places, scaled, strict=True):
                counts[place] = count or counts[place]
    return counts


def _by_range(
    book: Rulebook, bet: Bet, allowed: Range, under_minimum_before: frozenset[str]
) -> CountedBet:
    if allowed.holds(bet.amount):
        return WHOLE
    under, over = book.limits.under_minimum, book.limits.over_maximum
    if under is not None and allowed.under(bet):
        once_only = under.does is OutOfLimits.ONCE_THEN_RETURNED
        if once_only and bet.player in under_minimum_before:
            return CountedBet(None, under.clause)
        return CountedBet(Fraction(bet.amount), under.clause)
    if over is not None and allowed.over(bet) and allowed.maximum is not None:
        up_to = over.does is OutOfLimits.UP_TO_THE_MAXIMUM
        return CountedBet(Fraction(allowed.maximum if up_to else bet.amount), over.clause)
    return WHOLE


def _pro_rata(
    rule: Differential, boxed: Sequence[Bet], limits: TableLimits
) -> list[CountedBet | None]:
    """In a box over the limit every bet on the heavier side counts for the same fraction.

    The result has one item for each bet, None if the differential does not change it.
    """
    assert rule.unnoticed is not None
    assert limits.differential is not None
    heavy, light = _sides(boxed)
    may_count = _sum(light) + limits.differential
    if _sum(heavy) <= may_count or rule.unnoticed.does is not OutOfLimits.PRO_RATA:
        return [None] * len(boxed)
    exempt = rule.under_minimum
    if exempt is not None and exempt.does is OutOfLimits.NOT_PRO_RATA:
        under = {bet.id for bet in boxed if limits.of(bet).under(bet)}
        concerned = under | {bet.id for bet in heavy}
        if under:
            return [
                CountedBet(Fraction(bet.amount), exempt.clause) if bet.id in concerned else None
                for bet in boxed
            ]
    fraction = Fraction(may_count, _sum(heavy))
    return [
        CountedBet(_at_least(bet.amount * fraction, limits.of(bet)), rule.unnoticed.clause)
        if bet.wager == heavy[0].wager
        else None
        for bet in boxed
    ]


def _at_least(stake: Fraction, allowed: Range) -> Fraction:
    return max(stake, Fraction(allowed.minimum or 0))


def _settle_on(
    verdict: WagerVerdict | None, bet: Bet, counts: CountedBet, rounding: Rounding
) -> Settlement:
    """Settle a bet that does not count in full; the verdict is None if it is lost."""
    stake = counts.stake
    if stake is None:
        return returned_whole(bet, counts.clause)
    assert 0 <= stake <= bet.amount, "a bet never counts for more than lies there"
    if verdict is None:
        collected = to_minor_units(stake, f"wager {bet.id} ({bet.wager}, lost)", rounding)
        back = bet.amount - collected
        return Settlement(WagerResult.LOSE, LOST.odds, 0, back, counts.clause)
    if verdict.result is WagerResult.PUSH:
        return returned_whole(bet, None)
    pays = payment(verdict, bet, stake, rounding)
    return Settlement(WagerResult.WIN, verdict.odds, pays, bet.amount, counts.clause)
