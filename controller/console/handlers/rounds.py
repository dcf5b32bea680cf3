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
from controller.console.data.recall import DIVERGED, Played, Recall, Summary, corrections, summary
from controller.console.problems import Problem
from controller.sentences.codes import Code
from controller.sentences.sentence import sentence
from controller.table import approvals
from controller.table.approvals import Act
from controller.views.sayings import View

FOUND_MOST: Final = 200
SHOES_AT_ONCE: Final = 20
"""Shoes one search looks through; its cursor goes on from there."""
_MOST: Final = 10**9
_RESULTS: Final = ("B", "P", "T", "void")
COLUMNS: Final = (
    "shoe", "round", "began", "ended", "method", "result", "void", "corrected", "player", "banker",
    "rulings", "first", "last",
)  # fmt: skip


class Search(msgspec.Struct, frozen=True):
    """What is looked for; everything that is given has to fit."""

    shoe: int | None = None
    number: int | None = None
    since: float | None = None
    until: float | None = None
    result: str | None = None
    corrected: bool = False
    irregularity: str | None = None
    text: str = ""

    def fits(self, found: Summary) -> bool:
        return self._fits_place(found) and self._fits_story(found)

    def _fits_place(self, found: Summary) -> bool:
        return (
            (self.shoe is None or found.shoe == self.shoe)
            and (self.number is None or found.round == self.number)
            and (self.since is None or found.began >= self.since)
            and (self.until is None or found.began <= self.until)
        )

    def _fits_story(self, found: Summary) -> bool:
        ids = [ruled["id"] for ruled in found.rulings]
        result = "void" if found.void is not None else (found.result or "")[:1]
        return (
            (self.result is None or result == self.result)
            and (not self.corrected or found.corrected)
            and (self.irregularity is None or self.irregularity in ids)
            and (not self.text or self.text.lower() in _words(found))
        )


def _words(found: Summary) -> str:
    return msgspec.json.encode([found.rulings, found.method, found.void]).decode().lower()


def _search(request: Request) -> Search:
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


def _before(request: Request) -> tuple[int, int] | None:
    """The cursor `shoe-round`: everything older than that."""
    given = request.query_params.get("before")
    if not given:
        return None
    shoe, _, number = given.partition("-")
    if not (given.isascii() and shoe.isdecimal() and number.isdecimal()) or len(given) > 24:
        raise Problem("bad_request", "before is a cursor of an earlier answer")
    return int(shoe), int(number)


def _recall(context: ConsoleContext) -> Recall:
    if context.recall is None:
        raise Problem("not_found", sentence(Code.NO_ROUNDS_KEPT))
    return context.recall


def _reads(context: ConsoleContext, request: Request) -> Recall:
    context.signed(request)
    return _recall(context)


async def search(context: ConsoleContext, request: Request) -> Response:
    recall = _reads(context, request)
    wanted, before = _search(request), _before(request)
    limit = max(1, whole(request, "limit", 50, FOUND_MOST))
    found, cursor = await _off_the_loop(_look, recall, wanted, before, limit)
    return answer({"rounds": found, "before": cursor})


def _look(
    recall: Recall, wanted: Search, before: tuple[int, int] | None, limit: int
) -> tuple[list[Summary], str | None]:
    """So many that fit, and where to go on; a bounded number of shoes is looked through."""
    found: list[Summary] = []
    shoes = 0
    last: tuple[int, int] | None = before
    for rounds in recall.summaries():
        older = [each for each in rounds if before is None or (each.shoe, each.round) < before]
        for each in older:
            last = (each.shoe, each.round)
            if wanted.fits(each):
                found.append(each)
            if len(found) == limit:
                return found, f"{last[0]}-{last[1]}"
        shoes += bool(older)
        if shoes == SHOES_AT_ONCE and last is not None:
            return found, f"{last[0]}-{last[1]}"
    return found, None


async def recall_round(context: ConsoleContext, request: Request) -> Response:
    return answer(await _off_the_loop(_told, *_asked(context, request)))


def _asked(context: ConsoleContext, request: Request) -> tuple[Recall, int, int]:
    shoe, number = request.path_params["shoe"], request.path_params["n"]
    if max(shoe, number) > _MOST:
        raise Problem("not_found", sentence(Code.NO_SUCH_ROUND))
    return _reads(context, request), shoe, number


def _found(recall: Recall, shoe: int, number: int) -> Played:
    played = recall.find(shoe, number)
    if played is None:
        raise Problem("not_found", sentence(Code.NO_SUCH_ROUND))
    return played


def _told(recall: Recall, shoe: int, number: int) -> View:
    played = _found(recall, shoe, number)
    phases = recall.phases(played)
    return {"summary": summary(played), "phases": phases, "corrections": corrections(phases)}


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
    recall, wanted = _exports(context, request)
    return _file(_csv_lines(_all(recall, wanted)), "text/csv", "rounds.csv")


async def export_jsonl(context: ConsoleContext, request: Request) -> Response:
    recall, wanted = _exports(context, request)
    lines = (msgspec.json.encode(each) + b"\n" for each in _all(recall, wanted))
    return _file(lines, "application/x-ndjson", "rounds.jsonl")


def _exports(context: ConsoleContext, request: Request) -> tuple[Recall, Search]:
    account = context.signed(request).account
    if account.role != SURVEILLANCE and not context.may(account, Act.EXPORT_ROUNDS):
        role = approvals.of(Act.EXPORT_ROUNDS).role
        raise Problem("not_allowed", sentence(Code.TAKES_ROLE, role=role))
    return _recall(context), _search(request)


def _all(recall: Recall, wanted: Search) -> Iterator[Summary]:
    for rounds in recall.summaries():
        yield from (each for each in rounds if wanted.fits(each))


def _csv_lines(found: Iterator[Summary]) -> Iterator[bytes]:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for each in found:
        told = msgspec.to_builtins(each)
        told["player"], told["banker"] = (
            " ".join(card or "-" for card in told[hand]) for hand in ("player", "banker")
        )
        told["rulings"] = "; ".join(
            f"{r['id']} {r['clause'] or ''}".strip() for r in told["rulings"]
        )
        writer.writerow([told[column] for column in COLUMNS])
        yield out.getvalue().encode()
        out.seek(0)
        out.truncate()
    yield out.getvalue().encode()


def _file(lines: Iterator[bytes], kind: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingResponse(lines, media_type=kind, headers=headers)
