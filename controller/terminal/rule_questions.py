"""Questions as JSON lines: one line in, one answer out, in order.

The format is public (people script it), so requests are typed and an unknown field is an error: a
misspelt `limits` must not settle a hand without them.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from controller.game.decided_wagers import decided
from controller.game.errors import GameError
from controller.game.hands import Outcome
from controller.game.money.limits import Range, TableLimits, before_closing, settle_within
from controller.game.money.rounding import Rounding
from controller.game.money.settlement import Bet, Settlement
from controller.game.odds import odds
from controller.game.rulebook import Rulebook
from controller.game.wagers import WagerResult
from controller.rulebooks import rulebook
from controller.views.roads import Hand, Mark, roads
from drivers.cards import Card, NotACard

Told = TypeVar("Told", bound=msgspec.Struct)


class _Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rulebook: str


class _Range(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    min: int | None = None
    max: int | None = None


class _Limits(_Range, frozen=True, forbid_unknown_fields=True):
    differential: int | None = None
    wagers: dict[str, _Range] = {}


class _Wager(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str | int
    wager: str
    amount: int
    player: str | int | None = None
    box: str | int | None = None
    seated: bool | None = None


class _Wagers(_Question, frozen=True, forbid_unknown_fields=True):
    wagers: list[_Wager] = []
    limits: _Limits | None = None


class _Settle(_Wagers, frozen=True, forbid_unknown_fields=True, kw_only=True):
    cards: list[str]
    under_minimum_before: list[str | int] = []


class _Decided(_Question, frozen=True, forbid_unknown_fields=True):
    cards: list[str | None]


class _Roads(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    outcomes: str


class LineError(msgspec.Struct, frozen=True):
    """A line that cannot be answered, by its number from 1."""

    error: str
    line: int


class WagerSettlement(msgspec.Struct, frozen=True):
    """The winnings and returned stake of a wager."""

    id: str | int
    result: WagerResult
    odds: str
    pays: int
    returned: int
    clause: str | UnsetType = UNSET


class HandSettlement(msgspec.Struct, frozen=True):
    """The winner of a hand, and the payment of every wager."""

    player: list[str]
    banker: list[str]
    player_total: int
    banker_total: int
    outcome: Outcome
    used: int
    """The number of cards that were dealt."""
    settlements: list[WagerSettlement]


class WagersToPutRight(msgspec.Struct, frozen=True):
    """Something to put right before "No more bets"."""

    clause: str | None
    says: str
    wagers: list[str | int]
    amount: int | None


class LimitFindings(msgspec.Struct, frozen=True):
    findings: list[WagersToPutRight]


class DecidedWagers(msgspec.Struct, frozen=True):
    """Which wagers are won or lost whatever follows."""

    decided: dict[str, WagerResult]
    outcome_established: bool


class DrawnRoads(msgspec.Struct, frozen=True):
    """The roads of a shoe: column, row and mark; the last three as marks in order."""

    bead_plate: list[tuple[int, int, str]]
    big_road: list[tuple[int, int, str, int]]
    big_eye_boy: str
    small_road: str
    cockroach_pig: str


class WagerOdds(msgspec.Struct, frozen=True):
    """The chances of a wager, as decimals and exactly."""

    win: float
    push: float
    house_edge: float
    win_exact: str
    push_exact: str
    edge_exact: str


class BookOdds(msgspec.Struct, frozen=True):
    """The chances of every wager of a rulebook."""

    rulebook: str
    decks: int
    wagers: dict[str, WagerOdds]


def answers(lines: Iterable[bytes], answer: Callable[[bytes], Told]) -> Iterator[Told | LineError]:
    """Yields an answer for every line; an invalid one gets `error` and its `line`, counted from
    1."""
    for number, line in enumerate(lines, start=1):
        try:
            if not line.strip():
                raise GameError("the line is empty")
            yield answer(line)
        # DecodeError is a ValueError; a line nested past the parser's depth is a RecursionError.
        except (GameError, NotACard, msgspec.DecodeError, UnicodeDecodeError) as error:
            yield LineError(str(error), number)
        except RecursionError:
            yield LineError("JSON is nested too deeply", number)


def settle_line(line: bytes, rounding: Rounding) -> HandSettlement:
    """`sabot rules settle`: the winner, and the payment of every wager."""
    asked = msgspec.json.decode(line, type=_Settle)
    book = rulebook(asked.rulebook)
    bets = _bets(asked.wagers)
    dealt = book.play.deal([Card.parse(card) for card in asked.cards])
    settled = settle_within(
        book,
        dealt,
        bets,
        _table_limits(book, asked.limits),
        rounding,
        under_minimum_before=frozenset(str(player) for player in asked.under_minimum_before),
    )
    return HandSettlement(
        player=[card.code for card in dealt.player],
        banker=[card.code for card in dealt.banker],
        player_total=dealt.player_total,
        banker_total=dealt.banker_total,
        outcome=dealt.outcome,
        used=dealt.used,
        settlements=[_settlement(bet, one) for bet, one in zip(bets, settled, strict=True)],
    )


def _settlement(bet: Bet, settled: Settlement) -> WagerSettlement:
    return WagerSettlement(
        id=bet.id,
        result=settled.result,
        odds=str(settled.odds),
        pays=settled.pays,
        returned=settled.returned,
        clause=UNSET if settled.clause is None else settled.clause,
    )


def wagers_line(line: bytes) -> LimitFindings:
    """`sabot rules wagers`: what to put right before "No more bets"."""
    asked = msgspec.json.decode(line, type=_Wagers)
    book = rulebook(asked.rulebook)
    findings = before_closing(book, _bets(asked.wagers), _table_limits(book, asked.limits))
    return LimitFindings(
        [
            WagersToPutRight(
                finding.rule.clause,
                finding.does,
                [bet.id for bet in finding.bets],
                finding.amount,
            )
            for finding in findings
        ]
    )


def decided_line(line: bytes) -> DecidedWagers:
    """`sabot rules decided`: which wagers are won or lost whatever follows."""
    asked = msgspec.json.decode(line, type=_Decided)
    cards = [None if card is None else Card.parse(card) for card in asked.cards]
    found = decided(rulebook(asked.rulebook), cards)
    return DecidedWagers(dict(found), bool(found))


def roads_line(line: bytes) -> DrawnRoads:
    """`sabot rules roads`: what a display draws from the outcomes of a shoe."""
    asked = msgspec.json.decode(line, type=_Roads)
    drawn = roads([Hand.parse(token) for token in asked.outcomes.split()])
    return DrawnRoads(
        bead_plate=[(*cell, hand.token) for cell, hand in drawn.bead_plate],
        big_road=[(*cell, hand.letter, ties) for cell, hand, ties in drawn.big_road],
        big_eye_boy=_marks(drawn.big_eye_boy),
        small_road=_marks(drawn.small_road),
        cockroach_pig=_marks(drawn.cockroach_pig),
    )


def _marks(marks: Sequence[Mark]) -> str:
    return "".join(mark.value for mark in marks)


def odds_answer(book_id: str, decks: int) -> BookOdds:
    """`sabot rules odds --json`."""
    return BookOdds(
        rulebook=book_id,
        decks=decks,
        wagers={
            wager: WagerOdds(
                win=float(chances.win),
                push=float(chances.push),
                house_edge=float(chances.edge),
                win_exact=str(chances.win),
                push_exact=str(chances.push),
                edge_exact=str(chances.edge),
            )
            for wager, chances in odds(rulebook(book_id), decks).items()
        },
    )


def _bets(wagers: Sequence[_Wager]) -> list[Bet]:
    twice = [str(name) for name, count in Counter(w.id for w in wagers).items() if count > 1]
    if twice:
        raise GameError(f"wager id {twice[0]!r} is used twice")
    return [
        Bet(
            w.id,
            w.wager,
            w.amount,
            None if w.player is None else str(w.player),
            None if w.box is None else str(w.box),
            seated=w.seated is not False,
        )
        for w in wagers
    ]


def _table_limits(book: Rulebook, limits: _Limits | None) -> TableLimits:
    """The table's limits. A wager's own minimum or maximum replaces the table's; the other one
    stays."""
    if limits is None:
        return TableLimits()
    own = {
        book.wager(wager).id: Range(
            limits.min if its.min is None else its.min, limits.max if its.max is None else its.max
        )
        for wager, its in limits.wagers.items()
    }
    return TableLimits(Range(limits.min, limits.max), limits.differential, own)
