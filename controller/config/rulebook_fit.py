"""Checks of a table's file against its rulebook: layout, limits, fractional shares."""

from controller.game.errors import BadAmount
from controller.game.money.limits import Range
from controller.game.rulebook import Layout, Rulebook
from controller.messages.codes import Code
from controller.messages.sentence import Sentence, sentence
from controller.table.rules import HouseRules, Rules


def check(book: Rulebook, house: HouseRules) -> None:
    """Raises `ValueError`, with what to change, for settings that the rulebook excludes."""
    _check_positions(book, house)
    _check_areas(book, house)
    for wager in house.limits:
        book.wager(wager)  # raises UnknownWager with the nearest name
    table = Range(house.minimum, house.maximum)
    for wager, own in house.limits.items():
        try:
            own.within(table)
        except BadAmount as error:
            raise ValueError(f"{error} - at `$.table.limits.{wager}`") from None


def _check_areas(book: Rulebook, house: HouseRules) -> None:
    rule, most = book.limits.per_area, house.wagers_per_area
    if most is None or (rule is not None and most <= rule.most):
        return
    allowed = "no such limit" if rule is None else f"at most {rule.most} (clause {rule.clause})"
    raise ValueError(f"{book.id} has {allowed}, not {most} - at `$.table.wagers_per_area`")


def _check_positions(book: Rulebook, house: HouseRules) -> None:
    layouts = [each for each in book.layouts if house.layout in ("", each.name)]
    if not layouts:
        names = ", ".join(dict.fromkeys(each.name for each in book.layouts))
        raise ValueError(f"the layouts of {book.id} are {names} - at `$.table.layout`")
    if house.positions is None:
        return
    if not any(_fits(layout, house.positions) for layout in layouts):
        made = ", ".join(dict.fromkeys(_made_with(layout) for layout in layouts))
        raise ValueError(
            f"no layout of clause {layouts[0].clause} has {house.positions} positions ({made})"
            " - at `$.table.positions`"
        )


def _fits(layout: Layout, positions: int) -> bool:
    fewest, most = layout.positions or (1, positions)
    return max(1, fewest) <= positions <= most


def _made_with(layout: Layout) -> str:
    fewest, most = layout.positions or (1, 1)
    return str(most) if fewest == most else f"{fewest} to {most}"


def shortcomings(rules: Rules) -> list[Sentence]:
    """Return the shortcomings that stop a new table and only warn at a table that has a journal:
    limits that must be displayed and are missing, and shares that have fractions."""
    found: list[Sentence] = []
    house, displayed = rules.house, rules.book.limits.displayed
    if displayed is not None and house.track_wagers:
        missing = [each.value for each in displayed.limits if getattr(house, each.value) is None]
        if missing:
            clause = displayed.clause
            found.append(sentence(Code.LIMITS_NOT_DISPLAYED, limits=missing, clause=clause))
    rounded = pro_rata_is_rounded(rules)
    return found if rounded is None else [*found, rounded]


def pro_rata_is_rounded(rules: Rules) -> Sentence | None:
    """Return a warning where shares have fractions, because those cannot be paid exactly."""
    pro_rata = rules.book.may_settle_pro_rata
    if pro_rata is None or not rules.house.track_wagers or not rules.pays_exactly:
        return None
    return sentence(Code.PRO_RATA_IS_ROUNDED, clause=pro_rata)
