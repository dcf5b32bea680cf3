"""A case that waited for another: whether it still has a subject when its turn comes.

Rulings since then may have put right what it is about, given back the wagers it names, or taken its
cards out of the round. Then it ends by itself, with a note.
"""

from typing import Final

from msgspec.structs import replace

from controller.cases import facts
from controller.cases.reports.preconditions import unmet
from controller.game.irregularities import Irregularity, Precondition
from controller.messages.codes import Code
from controller.messages.sentence import Sentence, sentence
from controller.table.case import Case, TakenOff
from controller.table.rules import Rules
from controller.table.state import Round, Table, latest_round

OF_THE_DEAL: Final = frozenset({Precondition.AFTER_THE_CALL, Precondition.CARDS_DEALT})
TRUE_SINCE: Final = frozenset({Precondition.CARDS_SHOWN, Precondition.PLAYERS_HANDLE})
"""Preconditions that are not checked again: the report itself, or play since, has changed them."""


def why_moot(table: Table, case: Case, row: Irregularity | None, rules: Rules) -> Sentence | None:
    """Why a case is moot; None where it is opened."""
    if _out_of_play(table, case, row):
        return sentence(Code.CARDS_OUT_OF_PLAY)
    if case.about.wagers and not without_what_went_back(table, case).about.wagers:
        return sentence(Code.WAGERS_WENT_BACK_MEANWHILE)
    by_person = case.asker is not None and case.ruling is None
    if row is None or not (by_person and case.waited) or facts.is_of_earlier_round(table, case):
        return None
    still = tuple(each for each in row.needs if each not in TRUE_SINCE)
    return unmet(table, case, still, rules)


def _out_of_play(table: Table, case: Case, row: Irregularity | None) -> bool:
    """Whether rulings while the case waited took cards that it names out of the round, or wagers
    are open again and it is about what was dealt."""
    about = case.about
    dealt = row is not None and not OF_THE_DEAL.isdisjoint(row.needs) and case.asker is not None
    renewed = table.round is not None and table.round.betting and not table.round.cards
    if dealt and renewed:
        return not facts.is_of_earlier_round(table, case)
    positions = [n for numbers in (about.lies or {}).values() for n in numbers]
    named = {*about.cards, *about.order, *positions}
    last = latest_round(table)
    laid = {drawn.n for drawn in last.cards} if last else set()
    return not named <= laid


def without_what_went_back(table: Table, case: Case) -> Case:
    """The case with those of its wagers that are still on the layout, at their present amounts."""
    round_ = table.round
    if not case.about.wagers or round_ is None:
        return case
    left = tuple(each for each in case.about.wagers if _lies_there(round_, each))
    return replace(case, about=replace(case.about, wagers=left))


def _lies_there(round_: Round, named: TakenOff) -> bool:
    return any(
        wager.id == named.id and wager.returned_by is None and wager.amount >= (named.amount or 0)
        for wager in round_.wagers
    )
