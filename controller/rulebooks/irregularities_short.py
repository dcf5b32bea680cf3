"""Irregularities of Sands Super and Tournament (MBS): a chapter 5 of seven rules, the same in both.

Both are silent about everything else: that goes to the top of the ladder of roles (reading 6).
"""

from controller.game.irregularities import Fact, Irregularity, Ruling, RulingStep, Then, Uncovered
from controller.game.roles import Role

UNCOVERED = Uncovered(Role.GAMING_SHIFT_MANAGER, clause=None)


def _void(clause: str) -> tuple[Then, ...]:
    return (Then(RulingStep.VOID, clause=clause),)


_WRONG_NUMBER = (
    Ruling(
        "5.2", (Then(RulingStep.NO_EFFECT, clause="5.2"),), when={Fact.NEXT_ROUND_COMMENCED: True}
    ),
    Ruling(
        "5.2",
        (Then(RulingStep.VOID_IF_SETTLED_TOO, clause="5.2"),),
        when={Fact.RECONSTRUCTABLE: False},
    ),
    Ruling("5.2", (Then(RulingStep.RECONSTRUCT, clause="5.2"),)),
)

IRREGULARITIES = (
    Irregularity(
        "foreign_card",
        "a foreign card",
        (
            Ruling("5.1.1", _void("5.1.1"), when={Fact.BELONGS: False}),
            Ruling("5.1", (Then(RulingStep.ENTER_CARD, clause="5.1"),)),
        ),
    ),
    Irregularity(
        "order_altered",
        "the order in the shoe was altered",
        (
            Ruling("5.4", _void("5.4"), when={Fact.RECONSTRUCTABLE: False}),
            Ruling("5.4", (Then(RulingStep.GO_ON, clause="5.4"),)),
        ),
    ),
    Irregularity(
        "not_enough_cards",
        "not enough cards to finish",
        (Ruling("5.5", _void("5.5")),),
    ),
    Irregularity(
        "late_wager",
        "placed or raised after “No more bets”",
        (Ruling("5.6", (Then(RulingStep.REFUSE, clause="5.6"),)),),
    ),
    Irregularity(
        "late_withdrawal",
        "taken back after “No more bets”",
        (Ruling("5.7", (Then(RulingStep.STANDS, clause="5.7"),)),),
    ),
    Irregularity("excess_card", "a card too many drawn", _WRONG_NUMBER),
    Irregularity("wrong_number", "the wrong number of cards on a hand", _WRONG_NUMBER),
    Irregularity(
        "simultaneous",
        "two or more cards drawn at once",
        (
            Ruling(
                "5.3",
                _void("5.3"),
                when={Fact.ORDER_KNOWN: False, Fact.INITIAL_DEAL: True},
            ),
        ),
    ),
    Irregularity(
        "late_error",
        "an error noticed after the next round commenced",
        (Ruling("5.2", (Then(RulingStep.NO_EFFECT, clause="5.2"),)),),
    ),
)
