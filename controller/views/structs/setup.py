"""The configuration of the table: rulebook, methods, wagers, limits and reportable events."""

from typing import Literal

import msgspec

from controller.game.roles import Role
from controller.table import approvals
from controller.table.approvals import Approval
from controller.table.commands.registry import REGISTRY, takes_own_pin
from controller.table.commands.reports import IDS
from controller.table.rules import Rules


class MethodView(msgspec.Struct, frozen=True):
    """A method of dealing in the rulebook."""

    id: str
    name: str
    clause: str
    chosen_by: Role
    player_draws: bool
    offered: bool


class HouseLimitsView(msgspec.Struct, frozen=True):
    """The limits that the house has set; null means no limit."""

    min: int | None
    max: int | None
    differential: int | None


class NamedIrregularity(msgspec.Struct, frozen=True):
    """A reportable irregularity; the name is null if the rulebook has none."""

    id: str
    name: str | None


class DeciderView(msgspec.Struct, frozen=True):
    """The role that decides what the rulebook does not cover."""

    role: Role
    clause: str | None


class ApprovalView(msgspec.Struct, frozen=True):
    """The minimum role for an act."""

    role: Role
    second: bool
    """A person other than the requester must approve."""
    clause: str | None
    in_person: bool
    """The approver must enter their own PIN."""


class TableAbout(msgspec.Struct, frozen=True):
    """The properties of the table that every view and message contains."""

    demo: bool
    """True means not real play."""
    mode: str
    """live, training or demo."""
    table: str | None
    """The name of the table."""


class RulesView(msgspec.Struct, frozen=True):
    """The rules and settings of the table."""

    rulebook: str
    title: str
    """The title of the rulebook."""
    version: str | None
    decks: int
    hlga: bool
    """The table is in the high limit area."""
    deck_control: bool
    """Only sets that were received, inspected and counted can be loaded."""
    track_wagers: bool
    closes_over_differential: bool
    """Two people may close betting over the differential: the rulebook settles it pro rata."""
    open_after_paying: bool
    """One tap pays and opens the next betting."""
    positions: int
    """0 means that the rulebook sets no number."""
    numbered: Literal["counter_clockwise", "clockwise"]
    """The direction in which the table positions are numbered, seen from above."""
    currency: str
    """The currency sign in texts: SGD, $."""
    minor_units: int
    wagers: list[str]
    methods: list[MethodView]
    limits: HouseLimitsView
    irregularities: list[NamedIrregularity]
    roles: list[Role]
    ladder: list[list[Role]]
    """Rungs in ascending order."""
    uncovered: DeciderView
    in_person: list[str]
    """Commands that require the sender's own PIN."""
    approvals: dict[str, ApprovalView]
    """By act."""


def rules_view(rules: Rules) -> RulesView:
    book, house = rules.book, rules.house
    known = book.irregularity_by_id
    return RulesView(
        rulebook=book.id,
        title=book.title,
        version=book.version,
        decks=house.decks,
        hlga=house.hlga,
        deck_control=house.deck_control,
        track_wagers=house.track_wagers,
        closes_over_differential=book.may_settle_pro_rata is not None,
        open_after_paying=house.open_after_paying,
        positions=rules.positions,
        numbered=house.numbered,
        currency=rules.currency.code,
        minor_units=rules.currency.minor_units,
        wagers=[wager.id for wager in book.wagers],
        methods=[_method(rules, method.id) for method in book.methods],
        limits=HouseLimitsView(house.minimum, house.maximum, house.differential),
        irregularities=[
            NamedIrregularity(each, known[each].name if each in known else None) for each in IDS
        ],
        roles=[role for rung in rules.ladder.rungs for role in rung],
        ladder=[list(rung) for rung in rules.ladder.rungs],
        uncovered=DeciderView(book.uncovered.role, book.uncovered.clause),
        in_person=[word for word in REGISTRY if takes_own_pin(word)],
        approvals={act.value: _approval(row) for act, row in approvals.APPROVALS.items()},
    )


def _approval(row: Approval) -> ApprovalView:
    return ApprovalView(row.role, row.second, row.clause, row.in_person)


def _method(rules: Rules, method_id: str) -> MethodView:
    method = rules.method(method_id)
    return MethodView(
        id=method.id,
        name=method.name,
        clause=method.choice or method.clause,
        chosen_by=method.chosen_by,
        player_draws=method.player_draws,
        offered=method in rules.offered_methods(),
    )
