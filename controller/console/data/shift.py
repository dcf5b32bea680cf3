"""How a table's shift goes, from the summaries of its rounds: no key, and nothing is played again.

A shift is what was played without a long break. Blocks on disk: keep it off the web's loop.
"""

from collections.abc import Iterator
from typing import Final

import msgspec

from controller.console.data.round_list import RoundList, RoundRow

BREAK_S: Final = 2 * 3600.0
"""So long without a round, and a new shift begins."""
LASTS_S: Final = 12 * 3600.0
SHORT_S: Final = 300.0
"""Before so much was played nobody says how many rounds an hour are."""
MAX_DECISIONS: Final = 20


class ShiftDecision(msgspec.Struct, frozen=True):
    """Something that people decided in this shoe: a ruling, or a card put right."""

    at: float
    round: int
    id: str
    """The irregularity, or `correct`."""
    clause: str | None
    reported_by: str
    decided_by: str
    approved_by: str
    text: str
    """In the words of whoever decided or asked."""
    moot: bool = False
    """The round was void before it came to that."""
    n: int | None = None
    """Of a card put right: which, and its old and its new face."""
    was: str | None = None
    now: str | None = None
    from_floor: tuple[str, ...] = ()
    """Who of them spoke from the floor, and not at the table."""


class Shift(msgspec.Struct, frozen=True):
    """Money is in minor units."""

    since: float | None
    """When its first round began; None where none was played."""
    rounds: int
    an_hour: float | None
    voids: int
    corrections: int
    staked: int
    paid: int
    """Winnings and stakes that went back."""
    decisions: list[ShiftDecision]
    """Of the shoe in use, the newest first."""


def shift(rounds: RoundList, shoe: int, now: float) -> Shift:
    played = list(_played(rounds, now))
    over = [each for each in played if each.over]
    # What a void round gave back is no drop: the report counts the same.
    sums = [total for each in over if each.void is None for total in each.wagers.values()]
    return Shift(
        since=played[-1].began if played else None,
        rounds=len(over),
        an_hour=_an_hour(over),
        voids=sum(each.void is not None for each in over),
        corrections=sum(len(each.corrections) for each in played),
        staked=sum(each.staked for each in sums),
        paid=sum(each.won + each.returned for each in sums),
        decisions=[found for each in played if each.shoe == shoe for found in _decided(each)][
            :MAX_DECISIONS
        ],
    )


def _played(rounds: RoundList, now: float) -> Iterator[RoundRow]:
    """Those of the shift, the newest first."""
    after = now
    for each in rounds.rows():
        ended = each.ended if each.ended else each.began
        if after - ended > BREAK_S or now - each.began > LASTS_S:
            return
        yield each
        after = each.began


def _an_hour(over: list[RoundRow]) -> float | None:
    """By what was played and no more: a table that has just been opened is not slow."""
    if not over:
        return None
    lasted = (over[0].ended or over[0].began) - over[-1].began
    return round(len(over) * 3600 / lasted, 1) if lasted >= SHORT_S else None


def _decided(row: RoundRow) -> list[ShiftDecision]:
    at = row.ended or row.began
    cards = [
        ShiftDecision(
            at, row.round, "correct", None, each.by, each.by, each.approved_by, each.reason,
            n=each.n, was=each.was, now=each.now,
        )
        for each in row.corrections
    ]  # fmt: skip
    ruled = [
        ShiftDecision(
            at, row.round, each.id, each.clause, each.reported_by, each.decided_by,
            each.approved_by, each.text, each.moot, from_floor=each.from_floor,
        )
        for each in row.rulings
    ]  # fmt: skip
    return [*reversed(cards), *reversed(ruled)]
