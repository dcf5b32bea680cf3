"""What every wager of a settled round must have got, by the documents."""

from collections.abc import Collection, Iterable, Sequence

from controller.table.state import Paid, PlacedWager, Round
from judge import money as judge
from support.clauses.from_the_documents import Dealt


def differential(wagers: Iterable[PlacedWager]) -> int:
    """Between all that lies on Player and all that lies on Banker (MBS 1.1.9, RWS 1.5)."""
    on = {"player": 0, "banker": 0}
    for wager in wagers:
        if wager.wager in on and wager.returned_by is None:
            on[wager.wager] += wager.amount
    return abs(on["player"] - on["banker"])


def on_hand(wagers: Iterable[PlacedWager], side: str) -> dict[str, int]:
    """What each player has on a hand, in one stake or several."""
    found: dict[str, int] = {}
    for wager in wagers:
        if wager.wager == side and wager.returned_by is None:
            found[wager.player] = found.get(wager.player, 0) + wager.amount
    return found


def boxes(wagers: Sequence[PlacedWager]) -> list[list[PlacedWager]]:
    places = sorted({wager.position for wager in wagers})
    return [[wager for wager in wagers if wager.position == place] for place in places]


def wrong(
    book: str, round_: Round, played: Dealt, under_before: Collection[str] = ()
) -> str | None:
    """The first wager that was not paid, or not so."""
    ids = sorted(wager.id for wager in round_.wagers)
    if sorted(paid.id for paid in round_.paid) != ids:
        return f"{sorted(paid.id for paid in round_.paid)} were paid where {ids} lay"
    lay = [_as_the_judge_has_it(wager) for wager in round_.wagers]
    hands = played.player, played.banker
    due = judge.settled(book, lay, *hands, _limits(round_), under_before)
    for wager, paid in zip(lay, _in_order(round_), strict=True):
        if due[wager.id] != judge.Paid(paid.pays, paid.returned):
            return f"{wager} got {paid}, not {due[wager.id]}, for {hands[0]} against {hands[1]}"
    return None


def _in_order(round_: Round) -> list[Paid]:
    by_id = {paid.id: paid for paid in round_.paid}
    return [by_id[wager.id] for wager in round_.wagers]


def _as_the_judge_has_it(wager: PlacedWager) -> judge.Wager:
    back = wager.returned_by is not None
    return judge.Wager(
        wager.id, wager.player, wager.position, wager.wager, wager.amount, wager.seated, back
    )


def _limits(round_: Round) -> judge.Limits:
    given = round_.terms.limits
    if given is None:
        return judge.Limits()
    own = {kind: (each.minimum, each.maximum) for kind, each in given.wagers.items()}
    return judge.Limits(given.minimum, given.maximum, given.differential, own)
