"""A pytest plugin: break each row of a rulebook, run its clause's tests.

A row that can be broken without one of its tests failing is not proved by them. All breakages run
in one session, since starting pytest for each would take minutes.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from controller.game.conditions import BothOfColour, CardsDealt, HandWins, HighTotalIs, Pair, Tied
from controller.game.hands import Side
from controller.game.rulebook import (
    AreaLimit,
    Decks,
    Excess,
    ExcessUses,
    LimitRule,
    OutOfLimits,
    Rulebook,
)
from controller.game.table_of_play import BankerDraws, Draws, Natural, Worth
from controller.game.wagers import Pays
from controller.rulebooks import RULEBOOKS
from controller.rulebooks.register import ClauseRow, rows
from drivers.cards import Colour, Rank, Suit
from support.clauses.clause_marks import clauses_of

GONE = object()
# What settlement itself looks at; the others only say that nothing is adjusted.
SETTLED_BY = {
    OutOfLimits.UP_TO_THE_MAXIMUM,
    OutOfLimits.ONCE_THEN_RETURNED,
    OutOfLimits.PRO_RATA,
    OutOfLimits.NOT_PRO_RATA,
}
# Rows about what happens at a table are proved by stories, and broken there.
PROVED_BY_STORIES = ("irregularities.", "open_call", "close_call", "cutting_card", "uncovered")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--broken-rows-to", metavar="FILE", required=True)


def pytest_runtestloop(session: pytest.Session) -> bool:
    by_clause: dict[tuple[str, str], list[pytest.Item]] = {}
    for item in session.items:
        for clause in clauses_of(item):
            by_clause.setdefault(clause, []).append(item)
    broken, survived = 0, []
    for book in list(RULEBOOKS.values()):
        for row in rows(book):
            if row.path.startswith(PROVED_BY_STORIES):
                continue
            for how, wrong in breakages(book, row):
                broken += 1
                if not _noticed(book.id, wrong, by_clause.get((book.id, row.clause), [])):
                    survived.append(f"{book.id} {row.clause} {row.path}: {how}")
    report = {"broken": broken, "survived": survived}
    Path(session.config.getoption("--broken-rows-to")).write_text(json.dumps(report))
    return True


def _noticed(book_id: str, wrong: Rulebook, tests: list[pytest.Item]) -> bool:
    right = RULEBOOKS[book_id]
    RULEBOOKS[book_id] = wrong
    try:
        return any(_fails(item) for item in tests)
    finally:
        RULEBOOKS[book_id] = right


def _fails(item: pytest.Item) -> bool:
    item._initrequest()  # type: ignore[attr-defined]  # so that an item can run again
    # That it failed is all that is asked: drawing up why takes most of the time.
    item.repr_failure = lambda *_, **__: ""  # type: ignore[method-assign]
    return any(report.failed for report in runtestprotocol(item, log=False, nextitem=None))


def breakages(book: Rulebook, row: ClauseRow) -> Iterator[tuple[str, Rulebook]]:
    """The book with this row made wrong, in each of several ways."""
    if row.path.endswith((".area", ".offered")):
        yield "the wager is gone", _put(book, row.path.split(".")[:-1], GONE)
        return
    for how, wrong in _wrong(row.value):
        yield how, _put(book, row.path.split("."), wrong)


def _wrong_uses(uses: ExcessUses) -> Iterator[tuple[str, object]]:
    """Each choice given or taken away."""
    for each in Excess:
        left = tuple(other for other in uses.allowed if other is not each)
        if each in uses.allowed:
            yield f"no {each.value}", replace(uses, allowed=left)
        else:
            yield f"{each.value} too", replace(uses, allowed=(*left, each))


def _wrong(row: object) -> Iterator[tuple[str, object]]:
    match row:
        case Decks(fewest, most):
            yield "one deck fewer allowed", replace(row, fewest=fewest - 1)
            yield "one deck more allowed", replace(row, most=most + 1)
        case Pays(odds):
            yield "pays one more", replace(row, odds=odds + 1)
        case ExcessUses():
            yield from _wrong_uses(row)
        case AreaLimit(most):
            yield "one wager more", replace(row, most=most + 1)
            yield "one wager fewer", replace(row, most=most - 1)
        case Worth() | Natural() | Draws() | BankerDraws():
            yield from _wrong_play(row)
        case HandWins() | Tied() | HighTotalIs() | CardsDealt() | Pair() | BothOfColour():
            yield from _wrong_condition(row)
        case LimitRule(OutOfLimits() as does):
            yield "gone", GONE
            if does in SETTLED_BY:
                yield "does something else", replace(row, does=OutOfLimits.AS_IT_LIES)
        case _:
            yield "gone", GONE


def _wrong_play(row: Any) -> Iterator[tuple[str, object]]:
    match row:
        case Worth(points):
            for rank, value in points.items():
                yield f"{rank} worth one more", replace(row, points={**points, rank: value + 1})
        case Natural(totals) | Draws(totals):
            for total in range(8 if isinstance(row, Draws) else 10):
                yield f"{total} the other way round", replace(row, totals=totals ^ {total})
        case BankerDraws(against):
            for total, values in against.items():
                for value in range(10):
                    other = {**against, total: values ^ {value}}
                    yield f"{total} against {value}", replace(row, against=other)


def _wrong_condition(row: Any) -> Iterator[tuple[str, object]]:
    match row:
        case HandWins(side, _, total, cards, over):
            other = Side.BANKER if side is Side.PLAYER else Side.PLAYER
            yield "the other side", replace(row, side=other)
            if total is not None:
                yield "any total", replace(row, total=None)
            if cards is not None:
                yield "any number of cards", replace(row, cards=None)
            if over is not None:
                yield "over any total", replace(row, over=None)
        case Tied(_, None):
            yield "ties on 0 only", replace(row, total=0)
        case Tied(_, int(total)) | HighTotalIs(total):
            yield "another total", replace(row, total=(total + 1) % 10)
        case CardsDealt(count):
            yield "another count", replace(row, count=count + 1)
        case Pair(_, _, rank, suit):
            yield "another rank", replace(row, rank=Rank.FIVE if rank else Rank.ACE)
            yield "another suit", replace(row, suit=Suit.HEARTS if suit else Suit.SPADES)
        case BothOfColour(_, colour):
            wrong = Colour.BLACK if colour is Colour.RED else Colour.RED
            yield "the other colour", replace(row, colour=wrong)


def _put(value: Any, path: list[str], new: object) -> Any:
    """`value` with what lies at the path replaced, or taken away."""
    head, *rest = path
    if isinstance(value, tuple):
        parts = []
        for place, part in enumerate(value):
            if str(getattr(part, "id", place)) != head:
                parts.append(part)
            elif rest:
                parts.append(_put(part, rest, new))
            elif new is not GONE:
                parts.append(new)
        return tuple(parts)
    if rest:
        return replace(value, **{head: _put(getattr(value, head), rest, new)})
    return replace(value, **{head: None if new is GONE else new})
