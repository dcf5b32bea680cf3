"""An index of a round's wagers, to accept one more without a scan of all.

A studio's round has ten thousand wagers: the time to find which ids are taken, where a wager stands
and how many are on an area must not grow with each. The index is computed from `Round.wagers`, kept
next to that very round and never recorded. Only the functions here pass it on, to the round they
make of it; a round that came about in any other way has none, and it is computed again. So it
always matches its round's wagers. A table is worked on by one thread.
"""

from bisect import bisect_left
from collections.abc import Iterable
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from controller.table.commands.names import Spellings
from controller.table.state import PartBack, PlacedWager, Round

Area = tuple[int, str]
"""One wager's spot at one position."""

_INDEX: Final = "wager_index"
_CHANGE: Final = "wagers_changed"
"""The names under which a round stores these in addition to its fields."""


class WagerIndex:
    """An index of the wagers of one round, in the order placed."""

    __slots__ = ("_areas", "_first_free", "_named", "_next", "_numbers", "_of_id", "players")

    def __init__(self, wagers: Iterable[PlacedWager]) -> None:
        self._of_id: dict[str, int] = {}
        """The number each wager was given when it came; its place changes when one is withdrawn."""
        self._numbers: list[int] = []
        """The numbers of the wagers still there, in the order of the wagers."""
        self._next = 0
        self._areas: dict[Area, int] = {}
        self._first_free = 1
        self._named: dict[str, int] = {}
        """Names given by the table that were found taken, and their numbers."""
        self.players = Spellings()
        """All players who have placed a wager, by the name as it was first given."""
        for wager in wagers:
            self.add(wager)

    def __contains__(self, wager_id: str) -> bool:
        return wager_id in self._of_id

    def place(self, wager_id: str) -> int | None:
        """The place of a wager in the order; None where there is no such wager."""
        number = self._of_id.get(wager_id)
        return None if number is None else bisect_left(self._numbers, number)

    def wager_count(self, area: Area) -> int:
        """The number of wagers on an area that take part."""
        return self._areas.get(area, 0)

    def free_id(self) -> str:
        """The first of w1, w2, ... that is not taken."""
        while (name := f"w{self._first_free}") in self._of_id:
            self._named[name] = self._first_free
            self._first_free += 1
        return name

    def add(self, wager: PlacedWager) -> None:
        self._of_id[wager.id] = self._next
        self._numbers.append(self._next)
        self._next += 1
        self.players.add(wager.player)
        if wager.returned_by is None:
            area = wager_area(wager)
            self._areas[area] = self._areas.get(area, 0) + 1

    def remove(self, wager: PlacedWager) -> None:
        number = self._of_id.pop(wager.id)
        del self._numbers[bisect_left(self._numbers, number)]
        if wager.returned_by is None:
            self._areas[wager_area(wager)] -= 1
        self._first_free = min(self._first_free, self._named.get(wager.id, self._first_free))


def wager_area(wager: PlacedWager) -> Area:
    return wager.position, wager.wager


def wager_index(round_: Round) -> WagerIndex:
    cache = round_.__dict__
    if _INDEX not in cache:
        cache[_INDEX] = WagerIndex(round_.wagers)
    found: WagerIndex = cache[_INDEX]
    return found


def add_wager(round_: Round, wager: PlacedWager) -> Round:
    """The round with one wager more, the last."""
    end = len(round_.wagers)
    after = _changed(round_, end, end, (wager,), round_.stakes_changed + 1)
    _handed_on(round_, after).add(wager)
    return after


def drop_wager(round_: Round, place: int) -> Round:
    after = _changed(round_, place, place + 1, (), round_.stakes_changed)
    _handed_on(round_, after).remove(round_.wagers[place])
    return after


def raise_amount(round_: Round, place: int, more: int) -> Round:
    """The round with more on one of its wagers; the earlier amount is remembered."""
    was, changes = round_.wagers[place], round_.stakes_changed + 1
    lower = (*was.lower, (was.amount, was.since))
    wager = replace(was, amount=was.amount + more, since=changes, lower=lower)
    return _with_amount(round_, place, wager, changes)


def lower_amount(round_: Round, place: int, less: int, back: PartBack | None = None) -> Round:
    """The round with less on one of its wagers: the rest keeps its time. `back`: the part was not
    taken."""
    was = round_.wagers[place]
    amount = was.amount - less
    lower = tuple(each for each in was.lower if each[0] < amount)
    since = was.lower[len(lower)][1] if len(lower) < len(was.lower) else was.since
    wager = replace(was, amount=amount, since=since, lower=lower)
    if back is not None:
        wager = replace(wager, parts_back=(*was.parts_back, back))
    return _with_amount(round_, place, wager, round_.stakes_changed)


def _with_amount(round_: Round, place: int, wager: PlacedWager, changes: int) -> Round:
    """The round with another amount; the index does not change."""
    after = _changed(round_, place, place + 1, (wager,), changes)
    _handed_on(round_, after)
    return after


def _changed(
    round_: Round, start: int, end: int, by: tuple[PlacedWager, ...], changes: int
) -> Round:
    before = round_.wagers
    # Concatenated and not unpacked: unpacking would build a list first.
    after = replace(round_, wagers=before[:start] + by + before[end:], stakes_changed=changes)
    after.__dict__[_CHANGE] = WagersChanged(before, start, end, by)
    return after


def _handed_on(before: Round, after: Round) -> WagerIndex:
    """Pass the index from its round to the next: the two differ from now on. If the step is not
    taken after all, the old round computes its own."""
    after.__dict__[_INDEX] = index = wager_index(before)
    del before.__dict__[_INDEX]
    return index


class WagersChanged(Struct, frozen=True, gc=False):
    """The difference between a round's wagers and those it was made of: `by` in place of `start` to
    `end`."""

    before: tuple[PlacedWager, ...]
    start: int
    end: int
    by: tuple[PlacedWager, ...]


def last_change(round_: Round) -> WagersChanged | None:
    """The change that made the round's wagers what they are; None where the round came about in
    another way. Used by code that caches something of every wager and computes only what is new."""
    found: WagersChanged | None = round_.__dict__.get(_CHANGE)
    return found
