"""Handlers of the pages that read the floor."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from datetime import datetime, tzinfo
from typing import Annotated, Final, TypeVar

import msgspec
from msgspec import Meta
from starlette.requests import Request

from controller.console.problems import Problem
from controller.floor.shifts import Shifts, SiteShift
from controller.floor.trends import BookTrend, Stretch, trend
from controller.floor.web.context import FloorContext
from controller.floor.web.live.board import BoardView, Counts, Tile
from controller.floor.web.live.exceptions import ExceptionRow
from controller.floor.web.queries import (
    ArchiveRow,
    DealerRow,
    FloorRound,
    HeadRow,
    PeopleHour,
    RootRow,
    StakesRow,
    StretchRow,
    UndeliveredRow,
    UnitRow,
    WebStore,
)
from controller.rulebooks import RULEBOOKS

HOUR_S: Final = 3600
FEW_ROUNDS: Final = 20_000
"""Up to so many rounds the rounds themselves are read, and a plot is drawn finer than by hours."""
STEPS_S: Final = (60, 300, 900)
POINTS: Final = 48
"""The approximate number of points of a plot."""

Row = TypeVar("Row", bound=msgspec.Struct)
Query = TypeVar("Query", bound=msgspec.Struct)
Moment = Annotated[int, Meta(ge=0, le=2**40)]


class NewestQuery(msgspec.Struct, frozen=True):
    most: Annotated[int, Meta(ge=0, le=1000)] = 100


class RoundsQuery(msgspec.Struct, frozen=True):
    most: Annotated[int, Meta(ge=0, le=200)] = 50
    before: Moment | None = None
    """The rounds must have ended before this."""


class PeriodQuery(msgspec.Struct, frozen=True):
    hours: Annotated[int, Meta(ge=0, le=24 * 400)] = 24
    """The length of the period up to now."""

    def since(self, now: float) -> float:
        return now - self.hours * HOUR_S


class DealersQuery(PeriodQuery, frozen=True):
    since_hour: Moment | None = msgspec.field(name="since", default=None)
    """The start of a shift; it replaces `hours`."""
    until: Moment | None = None


class FloorPage(msgspec.Struct, frozen=True):
    """The board, for clients without a feed."""

    revision: int
    now: float
    tiles: list[Tile]
    counts: Counts
    exceptions: list[ExceptionRow]
    store_down: str | None
    """Why the database is down; null while it is up."""


class TablePage(msgspec.Struct, frozen=True):
    """One table: its tile, its own pit view, what is wrong with it."""

    tile: Tile
    view: BoardView | None
    """Null before the table's first view."""
    exceptions: list[ExceptionRow]


class ProofRow(HeadRow, frozen=True, kw_only=True):
    title: str
    unsent: int
    """As the table reports it; -1 if it is away."""
    ahead: int
    """Records on the table's disk beyond what the floor has."""


class ProofPage(msgspec.Struct, frozen=True):
    """What the floor can prove: its head of each table, and its roots."""

    heads: list[ProofRow]
    roots: list[RootRow]
    archives: list[ArchiveRow]


class ShiftRow(msgspec.Struct, frozen=True):
    """Totals of one shift."""

    begins: float
    ends: float
    day: str
    """These three by the site's own clock."""
    from_hour: str
    to_hour: str
    dealers: int
    tables: int
    hours: float
    """The sum of the hours in which each of them dealt."""
    rounds: int
    voids: int
    corrections: int
    irregularities: dict[str, int]


class TrendsPage(msgspec.Struct, frozen=True):
    since: float
    now: float
    books: list[BookTrend]


async def floor(context: FloorContext, request: Request) -> FloorPage:
    context.people.signed(request)
    board = context.board
    return FloorPage(
        board.revision,
        context.wall(),
        board.tiles(),
        board.counts(),
        context.exceptions(),
        context.store_down,
    )


async def table(context: FloorContext, request: Request) -> TablePage:
    context.people.signed(request)
    tile = _tile(context, request)
    mine = [row for row in context.exceptions() if row.table == tile.table]
    return TablePage(tile, context.board.view(tile.table), mine)


async def table_rounds(context: FloorContext, request: Request) -> list[FloorRound]:
    context.people.signed(request)
    query = _query(request, RoundsQuery)
    before = float("inf") if query.before is None else query.before
    return await context.store.rounds(_tile(context, request).table, before, query.most)


async def devices(context: FloorContext, request: Request) -> list[UnitRow]:
    context.people.signed(request)
    return await context.reports.devices(_since(context, request))


async def dealers(context: FloorContext, request: Request) -> list[DealerRow]:
    """Totals of dealers in the last hours, or in one shift with `since` and `until`."""
    context.people.signed(request)
    query, now = _query(request, DealersQuery), context.wall()
    since, until = query.since_hour, now + 1 if query.until is None else query.until
    if since is None:
        since = int(query.since(now) // HOUR_S) * HOUR_S
    return await context.reports.dealers(since, until)


async def shifts(context: FloorContext, request: Request) -> list[ShiftRow]:
    """Every shift that these hours touch, complete, the newest first."""
    context.people.signed(request)
    since = context.shifts.around(_since(context, request)).begins
    hours = await context.reports.people_hours(since, context.wall() + 1)
    return by_shift(context.shifts, hours)


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


async def trends(context: FloorContext, request: Request) -> TrendsPage:
    """The trends, computed in a thread: the first computation of a book's odds takes a moment."""
    context.people.signed(request)
    since, now, store = _since(context, request), context.wall(), context.reports
    stretches, stakes = await store.hours(since), await store.stakes(since)
    if 0 < sum(each.rounds for each in stretches) <= FEW_ROUNDS:
        first = await store.first_round(since)
        if first is not None and (step := step_of(now - first)) < HOUR_S:
            stretches = await store.stretches(since, step)
            stakes = await store.stretch_stakes(since, step)
    found = await asyncio.to_thread(by_book, stretches, stakes)
    return TrendsPage(since, now, found)


def step_of(span: float) -> int:
    """The seconds between two points of a plot, for some dozens of points."""
    return next((each for each in STEPS_S if span / each <= POINTS), HOUR_S)


def by_book(stretches: list[StretchRow], stakes: list[StakesRow]) -> list[BookTrend]:
    """The trend of each played book against its own odds."""
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


async def proof(context: FloorContext, request: Request) -> ProofPage:
    context.people.signed(request)
    store = context.store
    heads = [_proof_row(context, head) for head in await store.heads()]
    return ProofPage(heads, await store.roots(48), await store.archives(200))


def _proof_row(context: FloorContext, head: HeadRow) -> ProofRow:
    tile = context.board.tile(head.table)
    known = tile is not None and not tile.away
    return ProofRow(
        **msgspec.structs.asdict(head),
        title=tile.title if tile else head.table,
        unsent=tile.unsent if tile and known else -1,
        ahead=max(tile.seq - head.seq, 0) if tile and known else 0,
    )


def newest(
    ask: Callable[[WebStore, int], Awaitable[list[Row]]],
) -> Callable[[FloorContext, Request], Awaitable[list[Row]]]:
    """Makes a handler that returns the newest rows of one kind."""

    async def page(context: FloorContext, request: Request) -> list[Row]:
        context.people.signed(request)
        return await ask(context.store, _query(request, NewestQuery).most)

    return page


async def undelivered(context: FloorContext, request: Request) -> list[UndeliveredRow]:
    context.people.signed(request)
    return await context.store.undelivered()


def _since(context: FloorContext, request: Request) -> float:
    return _query(request, PeriodQuery).since(context.wall())


def _query(request: Request, shape: type[Query]) -> Query:
    try:
        return msgspec.convert(dict(request.query_params), shape, strict=False)
    except msgspec.ValidationError as error:
        raise Problem("bad_request", str(error)) from None


def _tile(context: FloorContext, request: Request) -> Tile:
    found = context.board.tile(request.path_params["table"])
    if found is None:
        raise Problem("not_found", "there is no such table")
    return found
