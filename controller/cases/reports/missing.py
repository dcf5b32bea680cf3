"""A player walked off with cards: what is missing is computed from what is left."""

from msgspec.structs import replace

from controller.cases.engine import step_clause
from controller.cases.manual_entry.entry import set_card_face
from controller.game.irregularities import RulingStep
from controller.messages.codes import Code
from controller.round import shoe
from controller.table.case import KEPT, Case
from controller.table.commands.message import Message
from controller.table.commands.people import AnswerQuestionCommand
from controller.table.refused import Refused
from controller.table.rules import Rules
from controller.table.state import Table


def set_missing_cards(
    table: Table, case: Case, message: Message[AnswerQuestionCommand], rules: Rules
) -> Table:
    """Set the missing cards: those absent from full decks, less the kept ones, which then lie aside
    in drawn order for whichever hand the table of play asks."""
    round_, held = table.round, table.shoe
    assert round_ is not None
    assert held is not None
    if len(case.kept) != KEPT or any(drawn.card is None for drawn in case.kept):
        raise Refused(Code.KEEP_TWO_FIRST, step_clause(case, RulingStep.KEEP_TWO))
    gone = [drawn for drawn in round_.cards if drawn.card is None]
    if not gone:
        raise Refused(Code.NO_CARD_MISSING)
    left = message.payload.left
    if left is None:
        raise Refused(Code.FIELD_NEEDED, case.clause, word=message.type, field="left")
    absent = shoe.missing_cards(held, left, [*round_.cards, *case.kept])
    if len(absent) != len(gone):
        raise Refused(Code.COUNT_AGAIN, case.clause, absent=len(absent), taken=len(gone))
    if len(set(absent)) > 1 and len({drawn.hand for drawn in gone}) > 1:
        raise Refused(Code.HAND_OF_ABSENT_UNKNOWN, case.clause)
    for drawn, card in zip(gone, absent, strict=True):
        table = set_card_face(table, drawn.n, card)
    assert table.round is not None
    kept = [replace(drawn, hand=None) for drawn in case.kept]
    laid = [drawn for drawn in table.round.cards if drawn.hand is not None]
    aside = [*kept, *(drawn for drawn in table.round.cards if drawn.hand is None)]
    aside.sort(key=lambda drawn: drawn.n)
    return replace(table, round=replace(table.round, cards=(*laid, *aside)))
