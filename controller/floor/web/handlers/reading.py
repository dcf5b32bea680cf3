"""Reading the floor: what each page asks for."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from datetime import datetime, tzinfo
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from controller.console.context import answer, whole
from controller.console.problems import Problem
from controller.floor.shifts import Shifts, SiteShift
from controller.floor.trends import BookTrend, Stretch, trend
from controller.floor.web.context import FloorContext
from controller.floor.web.live.board import Tile
from controller.floor.web.live.exceptions import ExceptionRow
from controller.floor.web.queries import (
    ArchiveRow,
    HeadRow,
    PeopleHour,
    RootRow,
    StakesRow,
    StretchRow,
)
from controller.rulebooks import RULEBOOKS

DAY_S: Final = 86_400
HOURS_MOST: Final = 24 * 400
ROUNDS_MOST: Final = 200
HOUR_S: Final = 3600
FEW_ROUNDS: Final = 20_000
"""Of so many the rounds themselves are read, and a plot is drawn finer than by hours."""
STEPS_S: Final = (60, 300, 900)
POINTS: Final = 48
"""Of a plot, about."""

Page = Callable[[FloorContext, Request], Awaitable[Response]]


class TablePage(msgspec.Struct, frozen=True):
    """One table: its tile, its own pit view, what is wrong with it."""

    tile: Tile
    view: dict[str, Any] | None
    exceptions: list[ExceptionRow]


class ProofPage(msgspec.Struct, frozen=True):
    """What the floor can prove: how far it has each table, and under which roots."""

    heads: list["ProofRow"]
    roots: list[RootRow]
    archives: list[ArchiveRow]


class ProofRow(HeadRow, frozen=True, kw_only=True):
    title: str
    unsent: int
    """As the table says it; -1 where it is away."""
    ahead: int
    """Records on the table's disk beyond what the floor has."""


async def floor(context: FloorContext, request: Request) -> Response:
    """The board as it is, for whoever has no feed."""
    context.people.signed(request)
    board = context.board
    found = {
        "revision": board.revision,
        "now": context.wall(),
        "tiles": board.tiles(),
        "counts": board.counts(),
        "exceptions": context.exceptions(),
        "store_down": context.store_down,
    }
    return answer(found)


async def table(context: FloorContext, request: Request) -> Response:
    context.people.signed(request)
    tile = _tile(context, request)
    live = context.board.view(tile.table)
    mine = [row for row in context.exceptions() if row.table == tile.table]
    return answer(TablePage(tile, live.view if live else None, mine))


async def table_rounds(context: FloorContext, request: Request) -> Response:
    context.people.signed(request)
    most = whole(request, "most", 50, ROUNDS_MOST)
    before = whole(request, "before", int(context.wall()) + DAY_S, 2**40)
    return answer(await context.store.rounds(_tile(context, request).table, before, most))


async def devices(context: FloorContext, request: Request) -> Response:
    context.people.signed(request)
    return answer(await context.reports.devices(_since(context, request)))


async def dealers(context: FloorContext, request: Request) -> Response:
    """Of the last hours; of one shift where `since` and `until` are given."""
    context.people.signed(request)
    until = whole(request, "until", int(context.wall()) + 1, 2**40)
    period = _since(context, request)
    since = whole(request, "since", int(period - period % HOUR_S), 2**40)
    return answer(await context.reports.dealers(since, until))


async def shifts(context: FloorContext, request: Request) -> Response:
    """Every shift that these hours touch, whole, the newest first."""
    context.people.signed(request)
    since = context.shifts.around(_since(context, request)).begins
    hours = await context.reports.people_hours(since, context.wall() + 1)
    return answer(by_shift(context.shifts, hours))


class ShiftRow(msgspec.Struct, frozen=True):
    """What was dealt in one shift."""

    begins: float
    ends: float
    day: str
    """These three by the site's own clock."""
    from_hour: str
    to_hour: str
    dealers: int
    tables: int
    hours: float
    """In which each of them dealt, added up."""
    rounds: int
    voids: int
    corrections: int
    irregularities: dict[str, int]


def by_shift(shifts: Shifts, hours: list[PeopleHour]) -> list[ShiftRow]:
    found: dict[SiteShift, list[PeopleHour]] = {}
    for each in hours:
        found.setdefault(shifts.around(each.hour), []).append(each)
    return [_shift(shifts.zone, shift, its) for shift, its in found.items()]


def _shift(zone: tzinfo, shift: SiteShift, hours: list[PeopleHour]) -> ShiftRow:
    clauses: Counter[str] = Counter()
    for each in hours:
        clauses.update(each.irregularities)
    return ShiftRow(
        shift.begins,
        shift.ends,
        f"{datetime.fromtimestamp(shift.begins, zone):%Y-%m-%d}",
        f"{datetime.fromtimestamp(shift.begins, zone):%H:%M}",
        f"{datetime.fromtimestamp(shift.ends, zone):%H:%M}",
        len({name for each in hours for name in each.dealers}),
        len({name for each in hours for name in each.tables}),
        sum(each.dealt for each in hours),
        sum(each.rounds for each in hours),
        sum(each.voids for each in hours),
        sum(each.corrections for each in hours),
        dict(clauses),
    )


class TrendsPage(msgspec.Struct, frozen=True):
    since: float
    now: float
    books: list[BookTrend]


async def trends_page(context: FloorContext, request: Request) -> Response:
    """Worked out in a thread: a book's odds take a moment the first time."""
    context.people.signed(request)
    since, now, store = _since(context, request), context.wall(), context.reports
    stretches, stakes = await store.hours(since), await store.stakes(since)
    if 0 < sum(each.rounds for each in stretches) <= FEW_ROUNDS:
        first = await store.first_round(since)
        if first is not None and (step := step_of(now - first)) < HOUR_S:
            stretches = await store.stretches(since, step)
            stakes = await store.stretch_stakes(since, step)
    found = await asyncio.to_thread(by_book, stretches, stakes)
    return answer(TrendsPage(since, now, found))


def step_of(span: float) -> int:
    """The seconds between two points of a plot: some dozens of them, whatever the span."""
    return next((each for each in STEPS_S if span / each <= POINTS), HOUR_S)


def by_book(stretches: list[StretchRow], stakes: list[StakesRow]) -> list[BookTrend]:
    """Each book that was played, against its own odds."""
    return [
        trend(book, _stretches(book, stretches, stakes), _results(book, stretches))
        for book in sorted({each.rulebook for each in stretches} & RULEBOOKS.keys())
    ]


def _results(book: str, rows: list[StretchRow]) -> Counter[str]:
    found: Counter[str] = Counter()
    for each in rows:
        if each.rulebook == book:
            found[each.letter] += each.rounds
    return found


def _stretches(book: str, rows: list[StretchRow], stakes: list[StakesRow]) -> Iterator[Stretch]:
    mine: dict[float, list[StretchRow]] = {}
    lay: dict[float, list[StakesRow]] = {}
    for row in rows:
        if row.rulebook == book:
            mine.setdefault(row.at, []).append(row)
    for stake in stakes:
        if stake.rulebook == book:
            lay.setdefault(stake.at, []).append(stake)
    for at, its in mine.items():
        yield Stretch(
            at,
            sum(each.rounds for each in its),
            {each.one: each.staked for each in lay.get(at, ()) if each.one == each.two},
            {(each.one, each.two): each.product for each in lay.get(at, ())},
            sum(each.kept for each in its),
        )


async def proof(context: FloorContext, request: Request) -> Response:
    context.people.signed(request)
    store = context.store
    heads = [_proof_row(context, head) for head in await store.heads()]
    return answer(ProofPage(heads, await store.roots(48), await store.archives(200)))


def _proof_row(context: FloorContext, head: HeadRow) -> ProofRow:
    tile = context.board.tile(head.table)
    known = tile is not None and not tile.away
    return ProofRow(
        **msgspec.structs.asdict(head),
        title=tile.title if tile else head.table,
        unsent=tile.unsent if tile and known else -1,
        ahead=max(tile.seq - head.seq, 0) if tile and known else 0,
    )


async def orders(context: FloorContext, request: Request) -> Response:
    context.people.signed(request)
    return answer(await context.store.orders(whole(request, "most", 100, 1000)))


async def orders_not_taken(context: FloorContext, request: Request) -> Response:
    context.people.signed(request)
    return answer(await context.store.not_taken(whole(request, "most", 100, 1000)))


async def events(context: FloorContext, request: Request) -> Response:
    context.people.signed(request)
    return answer(await context.store.events(whole(request, "most", 100, 1000)))


async def undelivered(context: FloorContext, request: Request) -> Response:
    context.people.signed(request)
    return answer(await context.store.undelivered())


def _since(context: FloorContext, request: Request) -> float:
    hours = whole(request, "hours", 24, HOURS_MOST)
    return context.wall() - hours * 3600.0


def _tile(context: FloorContext, request: Request) -> Tile:
    found = context.board.tile(request.path_params["table"])
    if found is None:
        raise Problem("not_found", "there is no such table")
    return found
