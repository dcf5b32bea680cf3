"""What every wager of a settled round must have got, by the documents."""

from collections.abc import Iterable, Sequence

from adversary.judge import oracle
from adversary.setting import RWS
from controller.table.state import Paid, PlacedWager, Round
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


def wrong(book: str, round_: Round, played: Dealt) -> str | None:
    """The first wager that was not paid, or not so."""
    ids = sorted(wager.id for wager in round_.wagers)
    if sorted(paid.id for paid in round_.paid) != ids:
        return f"{sorted(paid.id for paid in round_.paid)} were paid where {ids} lay"
    paid_by_id = {paid.id: paid for paid in round_.paid}
    for wager in round_.wagers:
        paid = paid_by_id[wager.id]
        if not _right(book, round_, wager, paid, played):
            return f"{wager} got {paid} for {played.player} against {played.banker}"
    return None


def _right(book: str, round_: Round, wager: PlacedWager, paid: Paid, played: Dealt) -> bool:
    if wager.returned_by is not None:
        return (paid.pays, paid.returned) == (0, wager.amount)
    due = oracle.money(book, wager.wager, wager.amount, played)
    if _outside_limits(book, round_, wager):  # less than it is, or given back: what is in limits
        # To the minor unit: 0.95 of one is paid as one.
        return 0 <= paid.pays < due.pays + 1 and 0 <= paid.returned <= wager.amount
    return (
        paid.result == due.result
        and paid.returned == due.returned
        and abs(paid.pays - due.pays) < 1
    )


def _outside_limits(book: str, round_: Round, wager: PlacedWager) -> bool:
    limits = round_.limits
    if limits is None:
        return False
    own = limits.wagers.get(wager.wager)  # of this kind alone, where somebody set them
    least = (own and own.minimum) or limits.minimum or 0
    most = (own and own.maximum) or limits.maximum or wager.amount
    if not least <= wager.amount <= most:
        return True
    if book != RWS or limits.differential is None:
        return False
    box = [each for each in round_.wagers if each.position == wager.position]
    return differential(box) > limits.differential
