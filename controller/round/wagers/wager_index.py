"""What has to be known of all wagers to take one more, without looking at each of them again.

A studio's round has ten thousand wagers: which ids are taken, where a wager stands and how many lie
on an area must not take longer to find with every one. The index is worked out from `Round.wagers`,
kept next to that very round and never recorded. Only the functions here hand it on, to the round
they make of it; a round that came about in any other way has none, and it is worked out again. So
it cannot be of other wagers than those that lie there. A table is worked on by one thread.
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
    """Of the wagers of one round, in the order placed."""

    __slots__ = ("_areas", "_first_free", "_named", "_next", "_numbers", "_of_id", "players")

    def __init__(self, wagers: Iterable[PlacedWager]) -> None:
        self._of_id: dict[str, int] = {}
        """The number each was given when it came; places change when one is withdrawn."""
        self._numbers: list[int] = []
        """Those that still lie there, which is the order of the wagers."""
        self._next = 0
        self._areas: dict[Area, int] = {}
        self._first_free = 1
        self._named: dict[str, int] = {}
        """Names of the table's own giving that were found taken, and their numbers."""
        self.players = Spellings()
        """Everybody who has placed a wager, by the name as it was first given."""
        for wager in wagers:
            self.add(wager)

    def __contains__(self, wager_id: str) -> bool:
        return wager_id in self._of_id

    def place(self, wager_id: str) -> int | None:
        """Where a wager stands in the order; None: there is no such wager."""
        number = self._of_id.get(wager_id)
        return None if number is None else bisect_left(self._numbers, number)

    def wager_count(self, area: Area) -> int:
        """How many wagers that take part lie on an area."""
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
    """The round with more on one of its wagers; what lay there before is remembered."""
    was, changes = round_.wagers[place], round_.stakes_changed + 1
    lower = (*was.lower, (was.amount, was.since))
    wager = replace(was, amount=was.amount + more, since=changes, lower=lower)
    return _with_amount(round_, place, wager, changes)


def lower_amount(round_: Round, place: int, less: int, back: PartBack | None = None) -> Round:
    """The round with less on one of its wagers: so much has lain there since it first did. `back`:
    the part was not taken."""
    was = round_.wagers[place]
    amount = was.amount - less
    lower = tuple(each for each in was.lower if each[0] < amount)
    since = was.lower[len(lower)][1] if len(lower) < len(was.lower) else was.since
    wager = replace(was, amount=amount, since=since, lower=lower)
    if back is not None:
        wager = replace(wager, parts_back=(*was.parts_back, back))
    return _with_amount(round_, place, wager, round_.stakes_changed)


def _with_amount(round_: Round, place: int, wager: PlacedWager, changes: int) -> Round:
    """Another amount changes nothing the index holds."""
    after = _changed(round_, place, place + 1, (wager,), changes)
    _handed_on(round_, after)
    return after


def _changed(
    round_: Round, start: int, end: int, by: tuple[PlacedWager, ...], changes: int
) -> Round:
    before = round_.wagers
    # Added up and not unpacked: that would make a list of all first.
    after = replace(round_, wagers=before[:start] + by + before[end:], stakes_changed=changes)
    after.__dict__[_CHANGE] = WagersChanged(before, start, end, by)
    return after


def _handed_on(before: Round, after: Round) -> WagerIndex:
    """The index leaves the round it was of: the two differ from now on. Where the step is not
    taken after all, that round works out its own."""
    after.__dict__[_INDEX] = index = wager_index(before)
    del before.__dict__[_INDEX]
    return index


class WagersChanged(Struct, frozen=True, gc=False):
    """How a round's wagers differ from those it was made of: `by` in place of `start` to `end`."""

    before: tuple[PlacedWager, ...]
    start: int
    end: int
    by: tuple[PlacedWager, ...]


def last_change(round_: Round) -> WagersChanged | None:
    """The change that made the round's wagers what they are; None where the round came about in
    another way. Used by code that caches something of every wager and computes only what is new."""
    found: WagersChanged | None = round_.__dict__.get(_CHANGE)
    return found
