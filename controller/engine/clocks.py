"""The clocks of bets and options stand while the table does, and go on where they stood; and since
when a question waits for somebody."""

from typing import Final

from msgspec.structs import replace

from controller.table.case import AwaitsOption
from controller.table.state import BettingStage, Table, change_part


def shift_clocks(after: Table) -> Table:
    """The table after a step, with the time it was held taken out of what runs."""
    since = after.clocks.stopped_at
    if since is None:
        if not _stands(after):
            return after
        return change_part(after, "clocks", stopped_at=after.at)
    if _stands(after):
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
    """When it would have begun, had it not stood since then."""
    return began + max(0.0, now - max(began, stood))


def _stands(table: Table) -> bool:
    """Whether nobody may bet, or choose: while options are open the case itself stops no clock."""
    if table.latches or table.count_check is not None:
        return True
    return table.case is not None and not isinstance(table.case.awaits, AwaitsOption)


def note_question_time(before: Table, after: Table) -> Table:
    """The table after a step, with the time at which what it asks now was asked."""
    if (
        after.case is before.case
        and after.request is before.request
        and after.card_count is before.card_count
    ):
        return after  # as after nearly every step
    now = _question(after)
    if now == _question(before):
        return after
    return change_part(after, "clocks", asked_at=None if now == _NOTHING else after.at)


_NOTHING: Final = (None, None, None)


def _question(table: Table) -> tuple[object, ...]:
    """What waits for a person's word: a case's own question, what one asked another for, a count.
    The rest of a case may change while the same is asked."""
    case, in_doubt = table.case, table.count_check
    return (
        None if case is None else case.awaits,
        table.request,
        None if in_doubt is None else in_doubt.why,
    )
