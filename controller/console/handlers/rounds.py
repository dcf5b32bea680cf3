"""Rounds: search, recall, proof, export."""

import asyncio
import csv
import io
from collections.abc import Iterator
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from controller.console.auth.accounts import SURVEILLANCE
from controller.console.context import ConsoleContext, answer, whole
from controller.console.data.listing import RoundList, RoundRow, row_in, row_without_summary
from controller.console.data.recall import DIVERGED, Played, Recall, corrections
from controller.console.problems import Problem
from controller.sentences.codes import Code
from controller.sentences.sentence import sentence
from controller.table import approvals
from controller.table.approvals import Act
from controller.views.sayings import View

FOUND_MOST: Final = 200
LOOKED_AT_MOST: Final = 10_000
"""Rounds one search looks at; its cursor goes on from there."""
PLAYED_AGAIN: Final = 10
"""As many as one of an older form counts for: without a summary its shoe is played again."""
_MOST: Final = 10**9
_RESULTS: Final = ("B", "P", "T", "void")
COLUMNS: Final = (
    "shoe", "round", "ref", "began", "ended", "method", "dealer", "deck_set", "result", "void",
    "corrected", "player", "banker", "rulings", "wagers", "staked", "won", "returned", "first",
    "last", "summary",
)  # fmt: skip


class FoundRounds(msgspec.Struct, frozen=True):
    """The rounds that fit, the newest first."""

    rounds: list[RoundRow]
    before: str | None
    """Where to go on; null where there are no older ones."""


class Search(msgspec.Struct, frozen=True):
    """What is looked for; everything that is given has to fit."""

    shoe: int | None = None
    number: int | None = None
    since: float | None = None
    until: float | None = None
    result: str | None = None
    corrected: bool = False
    irregularity: str | None = None
    ref: str | None = None
    dealers: frozenset[str] | None = None
    """Ids in small letters."""
    text: str = ""

    def is_past(self, found: RoundRow) -> bool:
        """Whether nothing older than this can fit."""
        return (
            (self.shoe is not None and found.shoe < self.shoe)
            or (self.number is not None and found.round < self.number)
            or (self.since is not None and found.began < self.since)
        )

    def fits(self, found: RoundRow) -> bool:
        return self._fits_place(found) and self._fits_story(found)

    def _fits_place(self, found: RoundRow) -> bool:
        return (
            (self.shoe is None or found.shoe == self.shoe)
            and (self.number is None or found.round == self.number)
            and (self.since is None or found.began >= self.since)
            and (self.until is None or found.began <= self.until)
        )

    def _fits_story(self, found: RoundRow) -> bool:
        ids = [ruled.id for ruled in found.rulings]
        result = "void" if found.void is not None else (found.result or "")[:1]
        return (
            (self.result is None or result == self.result)
            and (not self.corrected or found.corrected)
            and (self.irregularity is None or self.irregularity in ids)
            and (self.ref is None or found.ref == self.ref)
            and (self.dealers is None or (found.dealer or "").lower() in self.dealers)
            and (not self.text or self.text.lower() in _words(found))
        )


def _words(found: RoundRow) -> str:
    told = [found.rulings, found.method, found.void, found.ref, found.dealer]
    return msgspec.json.encode(told).decode().lower()


def _dealers(context: ConsoleContext, given: str | None) -> frozenset[str] | None:
    """Whom somebody means by an id, or by the name that the page shows."""
    if not given:
        return None
    wanted = given.strip().lower()
    named = [each.who for each in context.accounts.everybody() if each.name.lower() == wanted]
    return frozenset({wanted, *(who.lower() for who in named)})


def _search(context: ConsoleContext, request: Request) -> Search:
    query = request.query_params
    result = query.get("result") or None
    if result is not None and result not in _RESULTS:
        raise Problem("bad_request", f"result is one of {', '.join(_RESULTS)}")
    return Search(
        shoe=_number(request, "shoe"),
        number=_number(request, "round"),
        since=_time(request, "since"),
        until=_time(request, "until"),
        result=result,
        corrected=query.get("corrected") in ("1", "true"),
        irregularity=query.get("irregularity") or None,
        ref=query.get("ref") or None,
        dealers=_dealers(context, query.get("dealer")),
        text=query.get("text", "")[:200],
    )


def _number(request: Request, name: str) -> int | None:
    return whole(request, name, 0, _MOST) if request.query_params.get(name) else None


def _time(request: Request, name: str) -> float | None:
    given = request.query_params.get(name)
    if not given:
        return None
    try:
        return float(given)
    except ValueError:
        raise Problem("bad_request", f"{name} is in seconds since 1970") from None


def _list(context: ConsoleContext) -> RoundList:
    if context.rounds is None:
        raise Problem("not_found", sentence(Code.NO_ROUNDS_KEPT))
    return context.rounds


async def search(context: ConsoleContext, request: Request) -> Response:
    context.signed(request)
    wanted, before = _search(context, request), _number(request, "before")
    limit = max(1, whole(request, "limit", 50, FOUND_MOST))
    return answer(await _off_the_loop(_look, _list(context), wanted, before, limit))


def _look(rounds: RoundList, wanted: Search, before: int | None, limit: int) -> FoundRounds:
    """So many that fit, and where to go on; a bounded number is looked at."""
    found: list[RoundRow] = []
    looked = 0
    for each in rounds.rows(before):
        if wanted.is_past(each):
            break
        if wanted.fits(each):
            found.append(each)
        looked += PLAYED_AGAIN if each.over and each.summary is None else 1
        if len(found) == limit or looked >= LOOKED_AT_MOST:
            # Whatever tells of an older round was written before this one's first record.
            return FoundRounds(found, str(each.first))
    return FoundRounds(found, None)


async def recall_round(context: ConsoleContext, request: Request) -> Response:
    return answer(await _off_the_loop(_told, *_asked(context, request)))


def _asked(context: ConsoleContext, request: Request) -> tuple[Recall, int, int]:
    shoe, number = request.path_params["shoe"], request.path_params["n"]
    if max(shoe, number) > _MOST:
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


def _told(recall: Recall, shoe: int, number: int) -> View:
    played = _found(recall, shoe, number)
    phases = recall.phases(played)
    written = played.summaries
    record, table = played.steps[-1]
    return {
        "summary": row_in(written[-1]) if written else row_without_summary(table, record.seq),
        "superseded": [each.seq for each in written[:-1]],
        "phases": phases,
        "corrections": corrections(phases),
    }


async def proof(context: ConsoleContext, request: Request) -> Response:
    return answer(await _off_the_loop(_proved, *_asked(context, request)))


def _proved(recall: Recall, shoe: int, number: int) -> View:
    return recall.proof(_found(recall, shoe, number))


async def _off_the_loop(work: Any, *given: Any) -> Any:
    """Reading a shoe takes its time, and the journal may not be what was expected."""
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
        role = approvals.of(Act.EXPORT_ROUNDS).role
        raise Problem("not_allowed", sentence(Code.TAKES_ROLE, role=role))
    return _list(context), _search(context, request)


def _all(rounds: RoundList, wanted: Search) -> Iterator[RoundRow]:
    for each in rounds.rows():
        if wanted.is_past(each):
            return
        if wanted.fits(each):
            yield each


def _csv_lines(found: Iterator[RoundRow]) -> Iterator[bytes]:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for each in found:
        told = _flat(each)
        writer.writerow([told[column] for column in COLUMNS])
        yield out.getvalue().encode()
        out.seek(0)
        out.truncate()
    yield out.getvalue().encode()


def _flat(found: RoundRow) -> View:
    """With every value in one cell; money is that of all wagers, in minor units."""
    wagers = list(found.wagers.values())
    return {
        **msgspec.to_builtins(found),
        "player": " ".join(card or "-" for card in found.player),
        "banker": " ".join(card or "-" for card in found.banker),
        "rulings": "; ".join(f"{each.id} {each.clause or ''}".strip() for each in found.rulings),
        "wagers": sum(each.wagers for each in wagers),
        "staked": sum(each.staked for each in wagers),
        "won": sum(each.won for each in wagers),
        "returned": sum(each.returned for each in wagers),
    }


def _file(lines: Iterator[bytes], kind: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingResponse(lines, media_type=kind, headers=headers)
