"""Public requests: the roads and counts of the shoe, how errors are resolved, and the names that
public pages show."""

import asyncio
import json
from functools import cache
from itertools import takewhile
from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from controller.console.context import ConsoleContext, answer
from controller.console.data.round_history import DIVERGED
from controller.console.data.round_list import RoundList
from controller.console.problems import Problem
from controller.game.hands import Outcome
from controller.game.irregularities import Irregularity
from controller.game.rulebook import Rulebook
from controller.messages import catalogue as catalogues
from controller.rulebooks import register, rulebook
from controller.table.phases import Phase
from controller.views.roads import Hand
from controller.views.scoreboard import AskRoads, Bead, Ring, ShoeCounts, is_natural, scoreboard
from controller.views.structs.audience_views import PublicView


class ShoeRoads(msgspec.Struct, frozen=True):
    """The shoe as a display draws it, including the round that is being paid."""

    seq: int
    shoe: int
    results: list[str]
    bead_plate: list[Bead]
    big_road: list[Ring]
    big_eye_boy: list[Bead]
    small_road: list[Bead]
    cockroach_pig: list[Bead]
    counts: ShoeCounts
    ask: AskRoads


async def roads(context: ConsoleContext, request: Request) -> Response:  # noqa: ARG001
    posted = context.latest()
    view = posted.views.public
    called = called_out(view)
    drawn = scoreboard((*view.results, *called))
    # The round that is being paid is taken from its view, so that it is not counted twice.
    last = view.round - len(called)
    naturals = await asyncio.to_thread(
        _naturals, context.rounds, context.rules.book, view.shoe, last
    )
    if naturals is not None and called:
        naturals += "natural" in (*view.tags.player, *view.tags.banker)
    given = msgspec.structs.asdict(drawn)
    given["counts"] = msgspec.structs.replace(drawn.counts, naturals=naturals)
    return answer(ShoeRoads(seq=posted.seq, shoe=view.shoe, **given))


def called_out(view: PublicView) -> tuple[str, ...]:
    """The mark of a round whose outcome is announced and not settled; none before, and none after,
    when it is among the results."""
    player, banker = view.totals.player, view.totals.banker
    announced = view.phase is Phase.SETTLING and not view.over and view.void is None
    if not announced or player is None or banker is None:
        return ()
    winner = Outcome.TIE
    if player != banker:
        winner = Outcome.PLAYER if player > banker else Outcome.BANKER
    tags = view.tags
    hand = Hand(winner, player_pair="pair" in tags.player, banker_pair="pair" in tags.banker)
    return (hand.token,)


def _naturals(rounds: RoundList | None, book: Rulebook, shoe: int, last: int) -> int | None:
    if rounds is None:
        return None
    try:
        dealt = takewhile(lambda row: row.shoe >= shoe, rounds.rows())
        return sum(
            is_natural(book.play, (row.player, row.banker))
            for row in dealt
            if row.shoe == shoe and row.round <= last and row.result is not None
        )
    except DIVERGED:
        return None


# --- how errors are resolved ------------------------------------------------------------------


class ResolvingClause(msgspec.Struct, frozen=True):
    """A clause paraphrased, by language; English is always present."""

    clause: str
    says: dict[str, str]


class ResolvedError(msgspec.Struct, frozen=True):
    """An irregularity, and the clauses that resolve it."""

    id: str
    name: str
    clauses: list[ResolvingClause]


class ResolvedErrors(msgspec.Struct, frozen=True):
    """The error handling of the table's rulebook."""

    rulebook: str
    title: str
    version: str | None
    errors: list[ResolvedError]
    uncovered_by: str
    """The role that decides a case that the rulebook does not cover."""
    uncovered: ResolvingClause | None
    """The clause that names this role, or null."""


async def errors(context: ConsoleContext, request: Request) -> Response:  # noqa: ARG001
    return answer(resolved(context.rules.book.id))


@cache
def resolved(book_id: str) -> ResolvedErrors:
    book = rulebook(book_id)
    texts = {clause.id: clause.text for clause in register.clauses(book.id)}

    def said(number: str) -> ResolvingClause:
        english = texts[number]
        return ResolvingClause(number, {"en": english, **register.in_other_languages(english)})

    none_covers = book.uncovered.clause
    return ResolvedErrors(
        rulebook=book.id,
        title=book.title,
        version=book.version,
        errors=[
            ResolvedError(each.id, each.name, [said(number) for number in _clauses(each)])
            for each in book.irregularities
        ],
        uncovered_by=book.uncovered.role.value,
        uncovered=None if none_covers is None else said(none_covers),
    )


def _clauses(row: Irregularity) -> list[str]:
    """The clauses of its rulings and of their effects, in the order of the document."""
    found = {
        number
        for ruling in row.rulings
        for number in (ruling.clause, *(then.clause for then in ruling.then))
        if number
    }
    return sorted(found, key=lambda number: [int(part) for part in number.split(".")])


# --- words --------------------------------------------------------------------------------------


async def words(context: ConsoleContext, request: Request) -> Response:  # noqa: ARG001
    """The catalogue without the table's own messages, which are not public."""
    language = request.path_params["language"]
    if language not in catalogues.languages():
        raise Problem("not_found", f"there is no language {language!r}")
    return Response(
        _words(language), media_type="application/json", headers={"Cache-Control": "no-cache"}
    )


_NAMED: Final = ("hand", "wager", "irregularity", "role")
"""Kinds of names that public pages show."""


@cache
def _words(language: str) -> bytes:
    file = json.loads((catalogues.FOLDER / f"{language}.json").read_text("utf-8"))
    names = {kind: file["names"].get(kind, {}) for kind in _NAMED}
    return msgspec.json.encode(
        {"name": file["name"], "sentences": {}, "names": names, "pages": file.get("pages", {})}
    )
