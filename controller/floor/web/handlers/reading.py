"""Reading the floor: what each page asks for."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from controller.console.context import answer, whole
from controller.console.problems import Problem
from controller.floor.trends import BookTrend, Hour, trend
from controller.floor.web.context import FloorContext
from controller.floor.web.live.board import Tile
from controller.floor.web.live.exceptions import ExceptionRow
from controller.floor.web.queries import (
    ArchiveRow,
    HeadRow,
    HourRow,
    ResultRow,
    RootRow,
    StakesRow,
)
from controller.rulebooks import RULEBOOKS

DAY_S: Final = 86_400
HOURS_MOST: Final = 24 * 400
ROUNDS_MOST: Final = 200

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
    return answer(await context.store.devices(_since(context, request)))


async def dealers(context: FloorContext, request: Request) -> Response:
    context.people.signed(request)
    since = _since(context, request)
    until = whole(request, "until", int(context.wall()) + 1, 2**40)
    return answer(await context.store.dealers(since, until))


class TrendsPage(msgspec.Struct, frozen=True):
    since: float
    now: float
    books: list[BookTrend]


async def trends_page(context: FloorContext, request: Request) -> Response:
    """Worked out in a thread: a book's odds take a moment the first time."""
    context.people.signed(request)
    since, store = _since(context, request), context.store
    results, hours = await store.results(since), await store.hours(since)
    stakes = await store.stakes(since)
    found = await asyncio.to_thread(by_book, results, hours, stakes)
    return answer(TrendsPage(since, context.wall(), found))


def by_book(
    results: list[ResultRow], hours: list[HourRow], stakes: list[StakesRow]
) -> list[BookTrend]:
    """Each book that was played, against its own odds."""
    return [
        trend(
            book,
            [_hour(each, stakes) for each in hours if each.rulebook == book],
            {each.letter: each.rounds for each in results if each.rulebook == book},
        )
        for book in sorted({each.rulebook for each in hours} & RULEBOOKS.keys())
    ]


def _hour(hour: HourRow, stakes: list[StakesRow]) -> Hour:
    mine = [each for each in stakes if (each.rulebook, each.hour) == (hour.rulebook, hour.hour)]
    return Hour(
        hour.hour,
        hour.rounds,
        {each.one: each.staked for each in mine if each.one == each.two},
        {(each.one, each.two): each.product for each in mine},
        hour.kept,
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
