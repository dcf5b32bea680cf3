"""Clocks of bets and options, which stop while the table is held, and the time of the pending
question."""

from msgspec.structs import replace

from controller.table.agenda import order
from controller.table.case import AwaitsOption
from controller.table.state import BettingStage, Table, change_part


def shift_clocks(after: Table) -> Table:
    """The table after a step, with the held time added to the start of running clocks."""
    since = after.clocks.stopped_at
    if since is None:
        if not order.do_clocks_stand(after):
            return after
        return change_part(after, "clocks", stopped_at=after.at)
    if order.do_clocks_stand(after):
        return after
    after = change_part(after, "clocks", stopped_at=None)
    round_, case = after.round, after.case
    if round_ is not None and isinstance(round_.stage, BettingStage):
        opened_at = _later(round_.stage.opened_at, since, after.at)
        after = replace(after, round=replace(round_, stage=BettingStage(opened_at)))
    if case is not None and isinstance(case.awaits, AwaitsOption):
        offer = case.awaits.offer
        offer = replace(offer, at=_later(offer.at, since, after.at))
        after = replace(after, case=replace(case, awaits=AwaitsOption(offer)))
    return after


def _later(began: float, stood: float, now: float) -> float:
    """The start time moved by the time held since then."""
    return began + max(0.0, now - max(began, stood))


def note_question_time(before: Table, after: Table) -> Table:
    """The table after a step, with the time at which its present question was asked."""
    if (
        after.case is before.case
        and after.requests is before.requests
        and after.card_count is before.card_count
    ):
        return after  # true after nearly every step
    now = order.question_of(after)
    if now == order.question_of(before):
        return after
    asked_at = None if now == order.NOTHING_ASKED else after.at
    return change_part(after, "clocks", asked_at=asked_at)
