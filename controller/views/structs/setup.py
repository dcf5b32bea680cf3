"""The table as it was set up: its book, methods, wagers, limits and what may be reported."""

from typing import Literal

import msgspec

from controller.game.roles import Role
from controller.table import approvals
from controller.table.approvals import Approval
from controller.table.commands.registry import REGISTRY, takes_own_pin
from controller.table.commands.reports import IDS
from controller.table.rules import Rules


class MethodView(msgspec.Struct, frozen=True):
    """A way of dealing that the rulebook has."""

    id: str
    name: str
    clause: str
    chosen_by: Role
    player_draws: bool
    offered: bool


class HouseLimitsView(msgspec.Struct, frozen=True):
    """The limits that the house has set; null is no limit."""

    min: int | None
    max: int | None
    differential: int | None


class NamedIrregularity(msgspec.Struct, frozen=True):
    """What may be reported; the name is null where the rulebook has none."""

    id: str
    name: str | None


class DeciderView(msgspec.Struct, frozen=True):
    """Who decides what the rulebook does not cover."""

    role: Role
    clause: str | None


class ApprovalView(msgspec.Struct, frozen=True):
    """Who may do something at least."""

    role: Role
    second: bool
    """It takes somebody else than whoever asked for it."""
    clause: str | None
    in_person: bool
    """It takes the own PIN of whoever does it."""


class TableAbout(msgspec.Struct, frozen=True):
    """What every view and message says of the table."""

    demo: bool
    """True: not real play."""
    mode: str
    """live, training or demo."""
    table: str | None
    """Its name."""


class RulesView(msgspec.Struct, frozen=True):
    """What the table plays by."""

    rulebook: str
    title: str
    """The rulebook's."""
    version: str | None
    decks: int
    hlga: bool
    """In the high limit area."""
    deck_control: bool
    """Only sets that were received, inspected and counted are loaded."""
    track_wagers: bool
    closes_over_differential: bool
    """Two people may close over the differential: the rulebook settles it pro rata."""
    open_after_paying: bool
    """One tap pays and opens the next betting."""
    positions: int
    """0: the rulebook does not say."""
    numbered: Literal["counter_clockwise", "clockwise"]
    """Which way round the table positions are numbered, seen from above."""
    currency: str
    """As people write it: SGD, $."""
    minor_units: int
    wagers: list[str]
    methods: list[MethodView]
    limits: HouseLimitsView
    irregularities: list[NamedIrregularity]
    roles: list[Role]
    ladder: list[list[Role]]
    """Rungs from the lowest up."""
    uncovered: DeciderView
    in_person: list[str]
    """Commands that take the speaker's own PIN."""
    approvals: dict[str, ApprovalView]
    """By the act."""


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
