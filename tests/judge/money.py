"""What every wager gets: odds, wagers given back, limits (MBS 5.14-5.15), RWS pro rata (5.1.1)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import floor

from judge.wagers import DT, MBS, RWS, odds


@dataclass(frozen=True)
class Wager:
    id: str
    player: str
    position: int
    kind: str
    amount: int
    seated: bool = True
    given_back: bool = False


@dataclass(frozen=True)
class Limits:
    minimum: int | None = None
    maximum: int | None = None
    differential: int | None = None
    of_kind: Mapping[str, tuple[int | None, int | None]] = field(default_factory=dict)
    """Least and most of wagers that have limits of their own; None: the table's."""

    def least(self, kind: str) -> int | None:
        return self.of_kind.get(kind, (None, None))[0] or self.minimum

    def most(self, kind: str) -> int | None:
        return self.of_kind.get(kind, (None, None))[1] or self.maximum

    def under(self, wager: Wager) -> bool:
        least = self.least(wager.kind)
        return least is not None and wager.amount < least

    def over(self, wager: Wager) -> bool:
        most = self.most(wager.kind)
        return most is not None and wager.amount > most


@dataclass(frozen=True)
class Paid:
    pays: int
    returned: int


def settled(
    book: str,
    wagers: Sequence[Wager],
    player: Sequence[str],
    banker: Sequence[str],
    limits: Limits,
    under_before: Collection[str] = (),
) -> dict[str, Paid]:
    """By wager. `under_before`: whose wager under the minimum was let pass before (5.14)."""
    live = [wager for wager in wagers if not wager.given_back]
    counts = _pro_rata(live, limits) if book == RWS else {}
    found = {}
    for wager in wagers:
        back = wager.given_back
        back |= book in (MBS, DT) and limits.under(wager) and wager.player in under_before
        count = Fraction(counts.get(wager.id, wager.amount))
        most = limits.most(wager.kind)
        if book in (MBS, DT) and most is not None:
            count = min(count, Fraction(most))
        found[wager.id] = (
            Paid(0, wager.amount)
            if back
            else _paid(wager, count, odds(book, wager.kind, player, banker))
        )
    return found


def _paid(wager: Wager, count: Fraction, pays: Fraction | None) -> Paid:
    """What does not count goes back whatever comes."""
    if pays is None:
        return Paid(0, wager.amount)
    if pays == 0:
        return Paid(0, wager.amount - _rounded(count))
    return Paid(_rounded(count * pays), wager.amount)


def _rounded(exact: Fraction) -> int:
    """The robot's tables round half up."""
    return floor(exact + Fraction(1, 2))


def exceeded(book: str, wagers: Sequence[Wager], limit: int | None) -> bool:
    """MBS, DT: of the whole table (1.1.9). RWS: of a box (5.1)."""
    if limit is None:
        return False
    return any(abs(more) > limit for more in differences(book, wagers).values())


def differences(book: str, wagers: Sequence[Wager]) -> dict[int, int]:
    """Banker's total less Player's, by box; a table as a whole is box 0."""
    found: dict[int, int] = {}
    for wager in wagers:
        if wager.given_back or wager.kind not in ("player", "banker"):
            continue
        box = wager.position if book == RWS else 0
        sign = 1 if wager.kind == "banker" else -1
        found[box] = found.get(box, 0) + sign * wager.amount
    return found


def _pro_rata(live: Sequence[Wager], limits: Limits) -> dict[str, Fraction]:
    """Reading 7: every bet on the heavier side counts for the same fraction."""
    found: dict[str, Fraction] = {}
    if limits.differential is None:
        return found
    for box, more in differences(RWS, live).items():
        there = [wager for wager in live if wager.position == box]
        if abs(more) <= limits.differential or any(map(limits.under, there)):
            continue
        heavy = "banker" if more > 0 else "player"
        on_it = [wager for wager in there if wager.kind == heavy]
        total = sum(wager.amount for wager in on_it)
        share = Fraction(total - abs(more) + limits.differential, total)
        least = min(limits.least(heavy) or 0, *(wager.amount for wager in on_it))
        for wager in on_it:
            found[wager.id] = max(wager.amount * share, Fraction(least))
    return found


def handler(wagers: Sequence[Wager], hand: str, refused: Collection[str] = ()) -> str | None:
    """Method A, reading 25: the player with the highest whole amount on a hand; among equals the
    one whose amount stood there first."""
    whole: dict[str, int] = {}
    since: dict[str, int] = {}
    for place, wager in enumerate(wagers):
        if wager.kind == hand and not wager.given_back:
            whole[wager.player] = whole.get(wager.player, 0) + wager.amount
            since[wager.player] = place
    may = [player for player in whole if player not in refused]
    return min(may, key=lambda each: (-whole[each], since[each]), default=None)


def highest(wagers: Sequence[Wager]) -> str | None:
    """RWS 3.9, reading 26: the seated player with the highest bet on the table, the larger of the
    amounts on the two main wagers; None where it is shared."""
    found: dict[tuple[str, str], int] = {}
    for wager in wagers:
        if wager.kind in ("player", "banker") and wager.seated and not wager.given_back:
            key = (wager.player, wager.kind)
            found[key] = found.get(key, 0) + wager.amount
    most = max(found.values(), default=0)
    at_the_top = {player for (player, _), amount in found.items() if amount == most}
    return at_the_top.pop() if len(at_the_top) == 1 else None


def heaviest(book: str, wagers: Sequence[Wager], limit: int) -> tuple[Wager, int] | None:
    """Where the differential is exceeded: which wager comes off first, and by how much it is too
    much. RWS 5.1: standing players' before seated ones'."""
    for box, more in differences(book, wagers).items():
        if abs(more) > limit:
            heavy = "banker" if more > 0 else "player"
            on_it = [w for w in wagers if w.kind == heavy and not w.given_back]
            there = [w for w in on_it if book != RWS or w.position == box]
            return max(there, key=lambda w: (not w.seated, w.amount)), abs(more) - limit
    return None


def lessened(wagers: Sequence[Wager], less: Mapping[str, int]) -> list[Wager]:
    """With so much of each given back; what is left of nothing takes no part."""
    return [
        replace(w, given_back=True)
        if less.get(w.id) == w.amount
        else replace(w, amount=w.amount - less.get(w.id, 0))
        for w in wagers
    ]
