"""Requests for rounds: search, recall, proof, export."""

import asyncio
import io
from collections.abc import Iterator
from typing import Annotated, Any, Final, Literal, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from controller.console.auth.accounts import SURVEILLANCE
from controller.console.context import ConsoleContext, answer
from controller.console.data.round_history import (
    DIVERGED,
    Played,
    Recall,
    RoundCorrection,
    RoundProof,
    RoundStep,
    corrections,
)
from controller.console.data.round_list import RoundList, RoundRow, row_in, row_without_summary
from controller.console.data.shift import shift
from controller.console.problems import Problem
from controller.messages.codes import Code
from controller.messages.sentence import sentence
from controller.messages.spreadsheet import Sheet
from controller.table import approvals
from controller.table.approvals import Act

MAX_FOUND: Final = 200
MAX_LOOKED_AT: Final = 10_000
"""Rounds that one search examines; its cursor continues from there."""
_MAX_NUMBER: Final = 10**9
_Number = Annotated[int, msgspec.Meta(ge=0, le=_MAX_NUMBER)]
COLUMNS: Final = (
    "shoe", "round", "ref", "began", "ended", "method", "dealer", "deck_set", "result", "void",
    "corrected", "player", "banker", "rulings", "wagers", "staked", "won", "returned", "first",
    "last", "summary",
)  # fmt: skip


class FoundRounds(msgspec.Struct, frozen=True):
    """The matching rounds, the newest first."""

    rounds: list[RoundRow]
    before: str | None
    """The cursor for older rounds; null where there are none."""


class RecalledRound(msgspec.Struct, frozen=True):
    """One round, step by step."""

    summary: RoundRow
    superseded: list[int]
    """Earlier summaries of the round, which are no longer valid."""
    phases: list[RoundStep]
    corrections: list[RoundCorrection]


class RoundQuery(msgspec.Struct, frozen=True, omit_defaults=True):
    """The filters of a search; all given filters must match."""

    shoe: _Number | None = None
    round: _Number | None = None
    since: float | None = None
    """Begun at this time or later, in seconds since 1970."""
    until: float | None = None
    result: Literal["B", "P", "T", "void"] | None = None
    void: bool = False
    corrected: bool = False
    irregularity: str | None = None
    clause: str | None = None
    """A clause of a ruling in the round, or of its voiding."""
    dealer: str | None = None
    """The dealer's id, or name as the pages show it."""
    ref: str | None = None
    text: Annotated[str, msgspec.Meta(max_length=200)] = ""


class ListQuery(RoundQuery, frozen=True, omit_defaults=True):
    limit: Annotated[int, msgspec.Meta(ge=0, le=MAX_FOUND)] = 50
    before: _Number | None = None
    """The cursor of an earlier answer."""


class Search(msgspec.Struct, frozen=True):
    """A prepared query that matches rounds."""

    query: RoundQuery
    dealers: frozenset[str] | None = None
    """Ids of the wanted dealers in lower case."""

    def is_past(self, found: RoundRow) -> bool:
        """Whether no round older than this can match."""
        wanted = self.query
        return (
            (wanted.shoe is not None and found.shoe < wanted.shoe)
            or (wanted.round is not None and found.round < wanted.round)
            or (wanted.since is not None and found.began < wanted.since)
        )

    def fits(self, found: RoundRow) -> bool:
        return self._fits_place(found) and self._fits_outcome(found) and self._fits_story(found)

    def _fits_place(self, found: RoundRow) -> bool:
        wanted = self.query
        return (
            (wanted.shoe is None or found.shoe == wanted.shoe)
            and (wanted.round is None or found.round == wanted.round)
            and (wanted.since is None or found.began >= wanted.since)
            and (wanted.until is None or found.began <= wanted.until)
        )

    def _fits_outcome(self, found: RoundRow) -> bool:
        wanted = self.query
        result = "void" if found.void is not None else (found.result or "")[:1]
        return (
            (wanted.result is None or result == wanted.result)
            and (not wanted.void or found.void is not None)
            and (not wanted.corrected or found.corrected)
        )

    def _fits_story(self, found: RoundRow) -> bool:
        wanted = self.query
        clauses = {found.void, *(ruled.clause for ruled in found.rulings)}
        ids = [ruled.id for ruled in found.rulings]
        return (
            (not wanted.irregularity or wanted.irregularity in ids)
            and (not wanted.clause or wanted.clause in clauses)
            and (not wanted.ref or found.ref == wanted.ref)
            and (self.dealers is None or (found.dealer or "").lower() in self.dealers)
            and (not wanted.text or wanted.text.lower() in _words(found))
        )


def _words(found: RoundRow) -> str:
    reported = [found.rulings, found.method, found.void, found.ref, found.dealer]
    return msgspec.json.encode(reported).decode().lower()


def _dealers(context: ConsoleContext, given: str | None) -> frozenset[str] | None:
    """The ids of the dealers with this id or shown name."""
    if not given:
        return None
    wanted = given.strip().lower()
    named = [each.who for each in context.accounts.everybody() if each.name.lower() == wanted]
    return frozenset({wanted, *(who.lower() for who in named)})


Query = TypeVar("Query", bound=RoundQuery)


def _query(request: Request, shape: type[Query]) -> Query:
    """Decodes the query string; an empty form field counts as absent."""
    given = {name: value for name, value in request.query_params.items() if value.strip()}
    try:
        return msgspec.convert(given, shape, strict=False)
    except msgspec.ValidationError as error:
        raise Problem("bad_request", str(error)) from None


def _search(context: ConsoleContext, query: RoundQuery) -> Search:
    return Search(query, _dealers(context, query.dealer))


def _list(context: ConsoleContext) -> RoundList:
    if context.rounds is None:
        raise Problem("not_found", sentence(Code.NO_ROUNDS_KEPT))
    return context.rounds


async def search(context: ConsoleContext, request: Request) -> Response:
    context.signed(request)
    query = _query(request, ListQuery)
    wanted, limit = _search(context, query), max(1, query.limit)
    return answer(await _off_the_loop(_look, _list(context), wanted, query.before, limit))


def _look(rounds: RoundList, wanted: Search, before: int | None, limit: int) -> FoundRounds:
    """Up to `limit` matching rounds and the cursor; examines a bounded number."""
    found: list[RoundRow] = []
    for looked, each in enumerate(rounds.rows(before), start=1):
        if wanted.is_past(each):
            break
        if wanted.fits(each):
            found.append(each)
        if len(found) == limit or looked >= MAX_LOOKED_AT:
            # Every summary of an older round is before this one's first record.
            return FoundRounds(found, str(each.first))
    return FoundRounds(found, None)


async def this_shift(context: ConsoleContext, request: Request) -> Response:
    """The figures of the shift, for supervisors of the table."""
    account = context.signed(request).account
    if "pit" not in context.feeds_of(account):
        raise Problem("not_allowed", sentence(Code.NOT_YOUR_VIEW), then=["sign-in"])
    shoe = context.latest().views.pit.shoe
    return answer(await _off_the_loop(shift, _list(context), shoe, context.wall()))


async def recall_round(context: ConsoleContext, request: Request) -> Response:
    return answer(await _off_the_loop(_told, *_asked(context, request)))


def _asked(context: ConsoleContext, request: Request) -> tuple[Recall, int, int]:
    shoe, number = request.path_params["shoe"], request.path_params["n"]
    if max(shoe, number) > _MAX_NUMBER:
        raise Problem("not_found", sentence(Code.NO_SUCH_ROUND))
    context.signed(request)
    _list(context)
    if context.recall is None:
        raise Problem("not_found", sentence(Code.ROUNDS_CANNOT_BE_PLAYED))
    return context.recall, shoe, number


def _found(recall: Recall, shoe: int, number: int) -> Played:
    played = recall.find(shoe, number)
    if played is None:
        raise Problem("not_found", sentence(Code.NO_SUCH_ROUND))
    return played


def _told(recall: Recall, shoe: int, number: int) -> RecalledRound:
    played = _found(recall, shoe, number)
    phases = recall.phases(played)
    written = played.summaries
    record, table = played.steps[-1]
    return RecalledRound(
        row_in(written[-1]) if written else row_without_summary(table, record.seq),
        [each.seq for each in written[:-1]],
        phases,
        corrections(phases),
    )


async def proof(context: ConsoleContext, request: Request) -> Response:
    return answer(await _off_the_loop(_proved, *_asked(context, request)))


def _proved(recall: Recall, shoe: int, number: int) -> RoundProof:
    return recall.proof(_found(recall, shoe, number))


async def _off_the_loop(work: Any, *given: Any) -> Any:
    """Runs slow reading in a thread, and reports an unreadable journal as a problem."""
    try:
        return await asyncio.to_thread(work, *given)
    except DIVERGED:
        raise Problem(
            "not_found",
            sentence(Code.ROUNDS_CANNOT_BE_PLAYED),
        ) from None


# --- export -----------------------------------------------------------------------------------


async def export_csv(context: ConsoleContext, request: Request) -> Response:
    rounds, wanted = _exports(context, request)
    return _file(_csv_lines(_all(rounds, wanted)), "text/csv", "rounds.csv")


async def export_jsonl(context: ConsoleContext, request: Request) -> Response:
    rounds, wanted = _exports(context, request)
    lines = (msgspec.json.encode(each) + b"\n" for each in _all(rounds, wanted))
    return _file(lines, "application/x-ndjson", "rounds.jsonl")


def _exports(context: ConsoleContext, request: Request) -> tuple[RoundList, Search]:
    account = context.signed(request).account
    if account.role != SURVEILLANCE and not context.may(account, Act.EXPORT_ROUNDS):
        role = approvals.approval_row(Act.EXPORT_ROUNDS).role
        raise Problem("not_allowed", sentence(Code.TAKES_ROLE, role=role))
    return _list(context), _search(context, _query(request, RoundQuery))


def _all(rounds: RoundList, wanted: Search) -> Iterator[RoundRow]:
    for each in rounds.rows():
        if wanted.is_past(each):
            return
        if wanted.fits(each):
            yield each


def _csv_lines(found: Iterator[RoundRow]) -> Iterator[bytes]:
    out = io.StringIO()
    sheet = Sheet(out)
    sheet.row(COLUMNS)
    for each in found:
        sheet.row(_flat(each))
        yield out.getvalue().encode()
        out.seek(0)
        out.truncate()
    yield out.getvalue().encode()


def _flat(found: RoundRow) -> Iterator[object]:
    """A round with every value in one cell; money is that of all wagers, in minor units."""
    wagers = list(found.wagers.values())
    made: dict[str, int | str] = {
        "player": " ".join(card or "-" for card in found.player),
        "banker": " ".join(card or "-" for card in found.banker),
        "rulings": "; ".join(f"{each.id} {each.clause or ''}".strip() for each in found.rulings),
        "wagers": sum(each.wagers for each in wagers),
        "staked": sum(each.staked for each in wagers),
        "won": sum(each.won for each in wagers),
        "returned": sum(each.returned for each in wagers),
    }
    return (made[column] if column in made else getattr(found, column) for column in COLUMNS)


def _file(lines: Iterator[bytes], kind: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingResponse(lines, media_type=kind, headers=headers)
