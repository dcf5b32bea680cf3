"""The state of a table's shift, from the summaries of its rounds, without key and replay.

A shift is a sequence of rounds without a long break. Blocks on disk: call it outside the event
loop.
"""

from collections.abc import Iterator
from typing import Final

import msgspec

from controller.console.data.round_list import RoundList, RoundRow

BREAK_S: Final = 2 * 3600.0
"""A break of this length begins a new shift."""
LASTS_S: Final = 12 * 3600.0
SHORT_S: Final = 300.0
"""Shortest time of play for which rounds an hour are computed."""
MAX_DECISIONS: Final = 20


class ShiftDecision(msgspec.Struct, frozen=True):
    """A decision of people in this shoe: a ruling, or a corrected card."""

    at: float
    round: int
    id: str
    """The irregularity, or `correct`."""
    clause: str | None
    reported_by: str
    decided_by: str
    approved_by: str
    text: str
    """The text of the person who decided or requested it."""
    moot: bool = False
    """The round became void before the decision was applied."""
    n: int | None = None
    """The number of a corrected card; its old and new face follow."""
    was: str | None = None
    now: str | None = None
    from_floor: tuple[str, ...] = ()
    """The people who acted from the floor and not at the table."""


class Shift(msgspec.Struct, frozen=True):
    """The figures of a shift. Money is in minor units."""

    since: float | None
    """The start of the first round; None without rounds."""
    rounds: int
    an_hour: float | None
    voids: int
    corrections: int
    staked: int
    paid: int
    """Winnings and returned stakes."""
    decisions: list[ShiftDecision]
    """The decisions in the shoe in use, the newest first."""


def shift(rounds: RoundList, shoe: int, now: float) -> Shift:
    played = list(_played(rounds, now))
    over = [each for each in played if each.over]
    # Wagers returned by a void round are not drop, as in the report.
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
    """The rounds of the shift, the newest first."""
    after = now
    for each in rounds.rows():
        ended = each.ended if each.ended else each.began
        if after - ended > BREAK_S or now - each.began > LASTS_S:
            return
        yield each
        after = each.began


def _an_hour(over: list[RoundRow]) -> float | None:
    """Rounds an hour over the time played: a table that has just opened must not appear slow."""
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
