"""Wagers outside the limits, and the differential (MBS 5.14-5.18; RWS 5.1, 5.2)."""

from judge.money import exceeded
from judge.situation import Does, Report, Ruling, Situation, When
from judge.words import goes_on, per_book, refused


def under_minimum(at: Situation, _report: Report) -> tuple[Ruling, ...]:
    if not any(at.limits.under(wager) for wager in at.wagers if not wager.given_back):
        return (refused("reading 18: no wager is under the minimum"),)
    if at.when is When.BETTING and at.mbs:
        return (refused("5.14 speaks of the time once the outcome is known"),)
    before = Ruling(Does.PUT_RIGHT, ("5.2",), role="dealer")
    rws = before if at.when is When.BETTING else goes_on("5.2.1")
    return (per_book(at, goes_on("5.14"), rws),)


def over_maximum(at: Situation, _report: Report) -> tuple[Ruling, ...]:
    """RWS: the only maximum is the differential (5.1)."""
    if at.rws:
        return differential(at, _report)
    if not any(at.limits.over(wager) for wager in at.wagers if not wager.given_back):
        return (refused("reading 18: no wager is over the maximum"),)
    if at.when is When.BETTING and at.mbs:
        return (refused("5.15 speaks of the time once the outcome is known"),)
    return (per_book(at, goes_on("5.15")),)


def differential(at: Situation, _report: Report) -> tuple[Ruling, ...]:
    if not exceeded(at.book, at.wagers, at.limits.differential):
        return (refused("reading 18: the differential is not exceeded"),)
    if at.when is When.BETTING:
        mbs = Ruling(Does.PUT_RIGHT, ("5.18", "5.18.3"), role="pit_manager")
        rws = Ruling(Does.PUT_RIGHT, ("5.1",), role="dealer")
    else:
        mbs = goes_on("5.18", why="reading 19: it cannot be, the call is refused")
        rws = goes_on("5.1.1", "5.1.2")
    return (per_book(at, mbs, rws),)
