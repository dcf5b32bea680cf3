"""Irregularities of Sands Super and Tournament (MBS): a chapter 5 of seven rules, the same in both.

Both are silent about everything else: that goes to the top of the ladder of roles (reading 6).
"""

from controller.game.irregularities import (
    Fact,
    Irregularity,
    Precondition,
    Ruling,
    RulingStep,
    Then,
    Uncovered,
    one_step,
)
from controller.game.roles import Role

UNCOVERED = Uncovered(Role.GAMING_SHIFT_MANAGER, clause=None)


def _void(clause: str) -> tuple[Then, ...]:
    return (Then(RulingStep.VOID, clause=clause),)


_DEALT = (Precondition.NOT_VOID, Precondition.CARDS_DEALT)
_NOT_VOID = (Precondition.NOT_VOID,)
_CLOSED = (Precondition.NOT_VOID, Precondition.AFTER_THE_CALL)

_PUT_RIGHT = (Then(RulingStep.RECONSTRUCT, clause="5.2"),)
_WRONG_NUMBER = (
    Ruling("5.2", _PUT_RIGHT, when={Fact.ONLY_CARDS_TOO_MANY: True}),
    one_step("5.2", RulingStep.VOID_IF_SETTLED_TOO, when={Fact.RECONSTRUCTABLE: False}),
    Ruling("5.2", _PUT_RIGHT),
)

_STANDS = one_step("5.1.2", RulingStep.NO_EFFECT, when={Fact.ROUND_IN_PLAY: False})
_EARLIER = (
    _STANDS,
    Ruling("5.1.1", _void("5.1.1"), when={Fact.IN_USE: True}),
    one_step("5.1.2", RulingStep.NO_EFFECT),
)
"""The results of an earlier round stand; a round played with such cards is void."""

IRREGULARITIES = (
    Irregularity(
        "foreign_card",
        "foreign card",
        (
            _STANDS,
            Ruling("5.1.1", _void("5.1.1"), when={Fact.BELONGS: False}),
            one_step("5.1", RulingStep.ENTER_CARD),
        ),
        needs=(Precondition.NOT_DECIDED_YET,),
        earlier=_EARLIER,
    ),
    Irregularity(
        "order_altered",
        "card order altered in the shoe",
        (
            Ruling("5.4", _void("5.4"), when={Fact.RECONSTRUCTABLE: False}),
            one_step("5.4", RulingStep.GO_ON),
        ),
        needs=(Precondition.NOT_DECIDED_YET,),
    ),
    Irregularity(
        "not_enough_cards",
        "not enough cards to finish",
        (Ruling("5.5", _void("5.5")),),
        needs=(*_CLOSED, Precondition.CARD_DUE, Precondition.SHOE_RUNS_SHORT),
    ),
    Irregularity(
        "late_wager",
        "wager placed or raised after “No more bets”",
        (one_step("5.6", RulingStep.STRIKE),),
        needs=_CLOSED,
    ),
    Irregularity(
        "late_withdrawal",
        "wager withdrawn after “No more bets”",
        (one_step("5.7", RulingStep.STANDS),),
        needs=_CLOSED,
    ),
    Irregularity(
        "excess_card",
        "excess card drawn",
        (
            # Drawn between rounds or before the call, it is the first card of the next round.
            one_step("5.2", RulingStep.GO_ON, when={Fact.AFTER_THE_CALL: False}),
            Ruling("5.2", _PUT_RIGHT, when={Fact.HANDS_COMPLETE: True}),
            *_WRONG_NUMBER,
        ),
        needs=(Precondition.CARD_ASIDE, Precondition.ASIDE_NOT_RULED),
    ),
    Irregularity(
        "wrong_number",
        "wrong number of cards on a hand",
        _WRONG_NUMBER,
        needs=(*_DEALT, Precondition.NUMBER_WRONG, Precondition.NOT_DECIDED_YET),
    ),
    Irregularity(
        "simultaneous",
        "two or more cards drawn at once",
        (Ruling("5.3", _void("5.3"), when={Fact.ORDER_KNOWN: False, Fact.INITIAL_DEAL: True}),),
        needs=(Precondition.NOT_VOID, Precondition.TWO_CARDS_TOGETHER, Precondition.NOT_RULED_YET),
    ),
    Irregularity(
        "late_error",
        "error noticed after the next round commenced",
        (one_step("5.2", RulingStep.NO_EFFECT),),
        needs=(Precondition.EARLIER_ROUND,),
    ),
    # Cases without a row in either document go to the top of the ladder, but they must have
    # happened.
    Irregularity("wrong_count", "too many or too few cards in the decks", (), earlier=_EARLIER),
    Irregularity("unshuffled", "unshuffled cards in play", (), earlier=_EARLIER),
    Irregularity(
        "wrong_order",
        "cards dealt in the wrong order or to the wrong hand",
        (),
        needs=(*_DEALT, Precondition.LIES_ELSEWHERE),
    ),
    Irregularity(
        "exposed_in_error",
        "card dealt face up or exposed in error",
        (),
        needs=(*_DEALT, Precondition.CARDS_SHOWN, Precondition.NOT_RULED_YET),
    ),
    Irregularity("device_reset", "device must be reset", (), needs=_CLOSED),
    Irregularity("cards_taken", "player leaves with cards", (), needs=_DEALT),
    Irregularity("wrong_player", "cards passed to the wrong player", (), needs=_DEALT),
    Irregularity("not_passed", "cards not passed to a player", (), needs=_DEALT),
    Irregularity("handler_absent", "player absent", (), needs=_NOT_VOID),
    Irregularity(
        "chip_position", "position of chips when betting closes", (), needs=(Precondition.ROUND,)
    ),
    Irregularity("display_wrong", "display shows something else", (), needs=(Precondition.ROUND,)),
    Irregularity("void_aftermath", "after a void", (), needs=(Precondition.VOID,)),
    Irregularity(
        "earlier_limits", "limits broken in an earlier round", (), needs=(Precondition.NOT_RUNNING,)
    ),
    Irregularity("power_failure", "power failure", (), needs=_NOT_VOID),
    Irregularity(
        "under_minimum",
        "wager below the minimum",
        (),
        needs=(*_NOT_VOID, Precondition.UNDER_MINIMUM),
    ),
    Irregularity(
        "over_maximum",
        "wager above the maximum",
        (),
        needs=(*_NOT_VOID, Precondition.OVER_MAXIMUM),
    ),
    Irregularity(
        "differential",
        "table differential exceeded",
        (),
        needs=(*_NOT_VOID, Precondition.DIFFERENTIAL_EXCEEDED),
    ),
)
