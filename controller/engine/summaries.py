"""The summary of a round in one record, written when the round is over.

Reports, statistics and the rounds page count summaries and need no key, because a summary contains
only exposed cards. A round that is corrected or made void later gets another summary, which names
the one it supersedes.
"""

from typing import Final

import msgspec
from msgspec.structs import replace

from controller.game.hands import Side
from controller.journal.bodies import HasBody
from controller.table.case import Ruled
from controller.table.state import (
    CardCorrection,
    GoneRound,
    Round,
    Table,
    change_part,
    latest_round,
)


class WagerTotals(msgspec.Struct, frozen=True):
    """The totals of one kind of wager, in minor units."""

    wagers: int = 0
    staked: int = 0
    won: int = 0
    """Winnings paid."""
    returned: int = 0
    """Stakes returned."""

    @property
    def kept(self) -> int:
        """The amount the house kept; may be negative."""
        return self.staked - self.won - self.returned


class RejectedPart(msgspec.Struct, frozen=True):
    """A part of a wager that was rejected or not honoured; the totals cover the rest."""

    id: str
    player: str
    wager: str
    amount: int
    clause: str | None


class RoundSummary(msgspec.Struct, frozen=True):
    """The body of a `summary` record."""

    shoe: int
    round: int
    ref: str | None
    began: float
    ended: float
    method: str
    dealer: str | None
    """The dealer who opened the betting."""
    deck_set: str
    result: str | None
    """The result in road notation; None for a void round."""
    void: str | None
    """The clause by which the round is void; `void` without a clause."""
    player: list[str | None]
    """The cards of each hand; None for a card that was never exposed."""
    banker: list[str | None]
    aside: list[str | None]
    """Cards that were on neither hand."""
    rulings: list[Ruled]
    corrected: bool
    corrections: list[CardCorrection]
    wagers: dict[str, WagerTotals]
    """By kind of wager."""
    first: int
    """The number of the record that opened the betting."""
    last: int
    """The number of the record that ended the round, or corrected it."""
    supersedes: int | None = None
    """The number of the summary that this one replaces."""
    rejected: list[RejectedPart] = []

    @property
    def drop(self) -> int:
        """Stakes of the round, if it was settled."""
        return 0 if self.void is not None else sum(each.staked for each in self.wagers.values())

    @property
    def hold(self) -> int:
        """The amount the house kept of it; may be negative."""
        return 0 if self.void is not None else sum(each.kept for each in self.wagers.values())

    @property
    def misread(self) -> int:
        """The number of misread cards; the device itself reports a card that it did not read."""
        return sum(each.was not in (None, each.now) for each in self.corrections)


_SUMMARY: Final = msgspec.json.Decoder(RoundSummary)


def summary_of(record: HasBody) -> RoundSummary:
    """Decode a summary record."""
    return _SUMMARY.decode(record.body)


def is_due(before: Table, after: Table) -> bool:
    """Whether the step ended a round, or changed a finished one."""
    then, now = before.round, after.round
    if now is None:  # a new shoe: the summary includes findings about the last round
        was, gone = before.history.gone, after.history.gone
        if was is None or gone is None:
            return False
        return _told(was.round, before) != _told(gone.round, after)
    if not now.over:
        return False
    if then is None or then.number != now.number or not then.over:
        return True
    return _told(then, before) != _told(now, after)


def _told(round_: Round, table: Table) -> tuple[object, ...]:
    return (
        round_.cards,
        round_.paid,
        round_.void_by,
        round_.interventions.corrections,
        table.rulings,
    )


def number_records(before: Table, after: Table, seq: int) -> tuple[Table, bool]:
    """The table with the numbers of its records, and whether a summary is due. `seq` is the number
    of the step's record; the summary gets the next."""
    round_ = after.round or latest_round(after)
    if round_ is None or (round_ is latest_round(before) and before.rulings is after.rulings):
        return after, False
    if after.history.rounds != before.history.rounds:
        round_ = change_part(round_, "log", first_record=seq)
    elif not round_.over:
        return after, False
    due = round_.over and is_due(before, after)
    if due:
        round_ = change_part(round_, "log", summary=seq + 1, ended=round_.log.ended or after.at)
    return (after if round_ is latest_round(after) else _with(after, round_)), due


def _with(table: Table, round_: Round) -> Table:
    if table.round is not None:
        return replace(table, round=round_)
    assert table.history.gone is not None
    return change_part(table, "history", gone=replace(table.history.gone, round=round_))


def summary(before: Table, after: Table, seq: int) -> RoundSummary:
    """The summary of the round that step `seq` ended or changed."""
    round_, dealt_from = latest_round(after), _dealt_from(after)
    assert round_ is not None
    then = latest_round(before)
    earlier = then.log.summary if then is not None and then.number == round_.number else 0
    shown: dict[Side | None, list[str | None]] = {Side.PLAYER: [], Side.BANKER: [], None: []}
    for drawn in round_.cards:
        shown[drawn.hand].append(drawn.card if drawn.exposed else None)
    return RoundSummary(
        shoe=dealt_from.shoe,
        round=round_.number,
        ref=round_.ref,
        began=round_.log.began,
        ended=round_.log.ended,
        method=round_.method,
        dealer=round_.dealer,
        deck_set=dealt_from.deck_set,
        result=dealt_from.result,
        void=round_.void_by,
        player=shown[Side.PLAYER],
        banker=shown[Side.BANKER],
        aside=shown[None],
        rulings=list(after.rulings),
        corrected=round_.interventions.corrected,
        corrections=list(round_.interventions.corrections),
        wagers=totals(round_),
        first=round_.log.first_record,
        last=seq,
        supersedes=earlier or None,
        rejected=[
            RejectedPart(wager.id, wager.player, wager.wager, part.amount, part.clause)
            for wager in round_.wagers
            for part in wager.parts_back
        ],
    )


class _DealtFrom(msgspec.Struct, frozen=True):
    shoe: int
    deck_set: str
    result: str | None


def _dealt_from(table: Table) -> _DealtFrom | GoneRound:
    """The shoe that a round came from, for its number and roads."""
    if table.round is None and table.history.gone is not None:
        return table.history.gone
    settled = table.round is not None and table.round.void_by is None and table.history.results
    deck_set = table.shoe.deck_set if table.shoe else ""
    return _DealtFrom(table.history.shoes, deck_set, table.history.results[-1] if settled else None)


def totals(round_: Round) -> dict[str, WagerTotals]:
    """Stakes and payments by kind of wager."""
    kinds = {wager.id: wager.wager for wager in round_.wagers}
    counted: dict[str, list[int]] = {}
    for wager in round_.wagers:
        sums = counted.setdefault(wager.wager, [0, 0, 0, 0])
        sums[0] += 1
        sums[1] += wager.amount
    for paid in round_.paid:
        sums = counted[kinds[paid.id]]
        sums[2] += paid.pays
        sums[3] += paid.returned
    return {kind: WagerTotals(*sums) for kind, sums in counted.items()}
