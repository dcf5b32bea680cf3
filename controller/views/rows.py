"""Wagers and settlements as rows of plain data, of which a step makes only those that are new.

A view is made after every step and a studio's round has ten thousand wagers, so the rows of the
last step are kept. A row is used again for the very wager it was made of and for no other; a list
that was handed out is never changed.
"""

from collections.abc import Iterable

import msgspec

from controller.round.wagers.wager_index import WagersChanged, last_change
from controller.table.state import LastWager, Paid, PlacedWager, Round
from controller.views.sentence_views import View

Rows = list[View]


class _Kept:
    """The rows of the last step. Each pair is taken and put at once, so any thread may ask."""

    __slots__ = ("last", "paid", "wagers")

    def __init__(self) -> None:
        self.wagers: tuple[tuple[PlacedWager, ...], Rows] = ((), [])
        self.paid: tuple[tuple[Paid, ...], Rows] = ((), [])
        self.last: tuple[tuple[LastWager, ...], Rows] = ((), [])


_KEPT = _Kept()


def wager_rows(round_: Round) -> Rows:
    """Every wager of the round, in the order placed."""
    wagers, (known, rows) = round_.wagers, _KEPT.wagers
    if wagers is known:
        return rows
    change = last_change(round_)
    if change is not None and change.before is known:
        rows = _changed(rows, change)
    elif len(wagers) == len(known):  # some were given back, or it is another round
        rows = [
            row if wager is before else msgspec.to_builtins(wager)
            for wager, before, row in zip(wagers, known, rows, strict=True)
        ]
    else:
        rows = _made(wagers)
    _KEPT.wagers = wagers, rows
    return rows


def _changed(rows: Rows, change: WagersChanged) -> Rows:
    made = _made(change.by)
    if change.start == len(rows):  # placed, as nearly always: one copy and no more
        return rows + made
    return rows[: change.start] + made + rows[change.end :]


def paid_rows(paid: tuple[Paid, ...]) -> Rows:
    """What each wager gets."""
    known, rows = _KEPT.paid
    if paid is not known:
        rows = _made(paid)
        _KEPT.paid = paid, rows
    return rows


def last_rows(last: tuple[LastWager, ...]) -> Rows:
    """What lay there in the round before."""
    known, rows = _KEPT.last
    if last is not known:
        rows = _made(last)
        _KEPT.last = last, rows
    return rows


def _made(structs: Iterable[msgspec.Struct]) -> Rows:
    return [msgspec.to_builtins(each) for each in structs]
