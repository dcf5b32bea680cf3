"""The report of a shift: the totals of a period."""

import asyncio
from collections.abc import Mapping
from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from controller.console.context import ConsoleContext, answer
from controller.console.data.round_history import DIVERGED
from controller.console.problems import Problem
from controller.messages.codes import Code
from controller.messages.sentence import sentence
from controller.table import approvals
from controller.table.approvals import Act
from controller.views.figures import Figures, Tally

LONGEST_S: Final = 31 * 86_400


class ReportQuery(msgspec.Struct, frozen=True):
    """The period, in seconds since 1970; a month at most."""

    since: float
    until: float


class TimesCounted(msgspec.Struct, frozen=True):
    """The count of a clause, an irregularity or a hold, by its id."""

    what: str
    times: int


class TallyRow(msgspec.Struct, frozen=True):
    """Rounds and money of a dealer, a deck set or an hour; money in minor units."""

    name: str
    rounds: int
    voids: int
    drop: int
    hold: int


class HourRow(TallyRow, frozen=True, kw_only=True):
    at: int
    """The start of the hour, in seconds since 1970."""


class WagerRow(msgspec.Struct, frozen=True):
    """All wagers of one kind in the rounds that were settled, in minor units."""

    wager: str
    wagers: int
    staked: int
    won: int
    returned: int
    hold: int


class DeviceRow(msgspec.Struct, frozen=True):
    device: str
    cards: int
    misreads: int
    link_losses: int
    errors: int


class ShiftReport(msgspec.Struct, frozen=True):
    """The totals of a period. A round belongs to the hour in which it ended, and to the dealer who
    opened its betting."""

    since: float
    until: float
    tracked: bool
    """Whether wagers are tracked; without tracking there is no money."""
    total: TallyRow
    shoes: int
    corrections: int
    refused: int
    results: dict[str, int]
    """The counts of B, P and T."""
    voids: list[TimesCounted]
    halts: list[TimesCounted]
    hours: list[HourRow]
    dealers: list[TallyRow]
    deck_sets: list[TallyRow]
    wagers: list[WagerRow]
    devices: list[DeviceRow]


async def report(context: ConsoleContext, request: Request) -> Response:
    account = context.signed(request).account
    if "pit" not in context.feeds_of(account):
        role = approvals.approval_row(Act.SEE_AS_PIT).role
        raise Problem("not_allowed", sentence(Code.TAKES_ROLE, role=role))
    query = _query(request)
    if context.shift is None:
        raise Problem("not_found", sentence(Code.NO_ROUNDS_KEPT))
    try:
        found = await asyncio.to_thread(context.shift.of, query.since, query.until)
    except DIVERGED:
        raise Problem("not_found", sentence(Code.ROUNDS_CANNOT_BE_PLAYED)) from None
    return answer(_told(found, tracked=context.rules.house.track_wagers))


def _query(request: Request) -> ReportQuery:
    try:
        query = msgspec.convert(dict(request.query_params), ReportQuery, strict=False)
    except msgspec.ValidationError as error:
        raise Problem("bad_request", str(error)) from None
    if not 0 <= query.until - query.since <= LONGEST_S:
        raise Problem("bad_request", "until comes after since, by 31 days at most")
    return query


def _told(found: Figures, *, tracked: bool) -> ShiftReport:
    return ShiftReport(
        since=found.since,
        until=found.until,
        tracked=tracked,
        total=_row("", found.total),
        shoes=found.shoes,
        corrections=found.corrections,
        refused=found.refused,
        results={letter: found.results[letter] for letter in "PBT"},
        voids=_counted(found.voids),
        halts=_counted(found.halts),
        hours=[_hour(at, tally) for at, tally in sorted(found.hours.items())],
        dealers=[_row(who, tally) for who, tally in sorted(found.dealers.items())],
        deck_sets=[_row(name, tally) for name, tally in sorted(found.deck_sets.items())],
        wagers=[
            WagerRow(kind, each.wagers, each.staked, each.won, each.returned, each.kept)
            for kind, each in sorted(found.wagers.items())
        ],
        devices=[
            DeviceRow(name, each.cards, each.misreads, each.link_losses, each.errors.total())
            for name, each in sorted(found.devices.items())
            if name != "system"
        ],
    )


def _row(name: str, tally: Tally) -> TallyRow:
    return TallyRow(name, tally.rounds, tally.voids, tally.drop, tally.hold)


def _hour(at: int, tally: Tally) -> HourRow:
    return HourRow("", tally.rounds, tally.voids, tally.drop, tally.hold, at=at)


def _counted(counts: Mapping[str, int]) -> list[TimesCounted]:
    most_first = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    return [TimesCounted(what, times) for what, times in most_first]
