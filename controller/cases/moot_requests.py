"""Requests that end without an answer, because their subject is gone."""

from controller.round import decks, round_end
from controller.round.wagers import wager_corrections
from controller.table.agenda import pending
from controller.table.holds import HoldReason
from controller.table.requests import (
    ClearJournalLoss,
    CloseOverDifferential,
    ConfirmCards,
    ConfirmCount,
    ConfirmDeckCount,
    CorrectCard,
    DealByHand,
    EnterFirstCard,
    GoOn,
    UseShoe,
    Wanted,
)
from controller.table.rules import Rules
from controller.table.state import Table, two_person_holds


def without_moot(table: Table, rules: Rules) -> Table:
    """The table without the requests whose subject is gone; each is recorded with a notice."""
    for request in table.requests:
        if _is_moot(table, request.subject, rules):
            table = pending.end_request(table, request)
    return table


def _is_moot(table: Table, wanted: Wanted, rules: Rules) -> bool:
    """Whether what was requested cannot be done any more, or would now be something else."""
    match wanted:
        case CloseOverDifferential() | ConfirmCards() | CorrectCard():
            return _is_of_the_round_no_more(table, wanted, rules)
        case ConfirmCount() | EnterFirstCard() | ConfirmDeckCount():
            return _is_counted_by_now(table, wanted)
        case GoOn(over):
            moot = over != two_person_holds(table)
        case ClearJournalLoss():
            moot = all(each.kind is not HoldReason.JOURNAL_LOSS for each in table.latches)
        case DealByHand():
            moot = table.devices.by_hand is not None
        case UseShoe():
            moot = table.devices.by_hand is None or table.devices.by_hand.only
        case _:
            moot = False
    return moot


def _is_of_the_round_no_more(
    table: Table, wanted: CloseOverDifferential | ConfirmCards | CorrectCard, rules: Rules
) -> bool:
    """Whether the wagers or the cards that the request is about have changed."""
    round_ = table.round
    if round_ is None or round_.void_by is not None:
        return True
    match wanted:
        case CloseOverDifferential(_, excess):
            now = wager_corrections.exceeded_differential(round_, rules)
            return not round_.betting or excess != tuple(each.excess for each in now)
        case ConfirmCards(cards):
            return round_.announced or round_.over or cards != round_end.numbered_cards(round_)
        case CorrectCard(n, _, before):
            laid = [(each.n, each.card) for each in round_.cards if each.exposed]
            return (n, before) not in laid


def _is_counted_by_now(
    table: Table, wanted: ConfirmCount | EnterFirstCard | ConfirmDeckCount
) -> bool:
    match wanted:
        case ConfirmCount():
            return table.count_check is None
        case EnterFirstCard():
            return table.shoe is None or table.shoe.burn_left is not None
        case ConfirmDeckCount(deck_set, number):
            ledger = decks.deck_ledger(table, deck_set)
            return ledger is None or ledger.shoe != number
