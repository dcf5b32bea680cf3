"""Irregularities of Baccarat (MBS) and Dragon Tiger: chapters 5 and 6, numbered alike in both."""

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

SHIFT_MANAGER = Role.GAMING_SHIFT_MANAGER
UNCOVERED = Uncovered(SHIFT_MANAGER, clause="6.1")

_SAY_ORDER = Then(RulingStep.SAY_ORDER, clause="5.8.2.2", role=Role.PIT_MANAGER)
_UNKNOWN = {Fact.ORDER_KNOWN: False}
_DEALT = (Precondition.NOT_VOID, Precondition.CARDS_DEALT)
_NOT_VOID = (Precondition.NOT_VOID,)
_CLOSED = (Precondition.NOT_VOID, Precondition.AFTER_THE_CALL)
_HANDLED = (*_CLOSED, Precondition.PLAYERS_HANDLE)

_STANDS = one_step("5.1.2", RulingStep.NO_EFFECT, when={Fact.ROUND_IN_PLAY: False})
"""A settled round is not void."""


def _void(clause: str, *more: Then) -> tuple[Then, ...]:
    return (
        Then(RulingStep.VOID, clause=clause),
        *more,
        Then(RulingStep.MAY_REPLACE_CARDS, clause="5.13"),
    )


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
        "wrong_count",
        "too many or too few cards in the decks",
        (_STANDS, Ruling("5.1.1", _void("5.1.1"))),
        needs=(Precondition.NOT_DECIDED_YET,),
        earlier=_EARLIER,
    ),
    Irregularity(
        "unshuffled",
        "unshuffled cards in play",
        (
            _STANDS,
            Ruling("5.1.1", _void("5.1.1"), when={Fact.UNSHUFFLED: True}),
            one_step("5.1", RulingStep.GO_ON),
        ),
        needs=(Precondition.NOT_DECIDED_YET,),
        earlier=_EARLIER,
    ),
    Irregularity(
        "order_altered",
        "card order altered in the device",
        (
            Ruling("5.2", _void("5.2"), when={Fact.RECONSTRUCTABLE: False}),
            one_step("5.2", RulingStep.GO_ON),
        ),
        needs=(Precondition.NOT_DECIDED_YET,),
    ),
    Irregularity(
        "not_enough_cards",
        "not enough cards to finish",
        (Ruling("5.3", _void("5.3")),),
        needs=(*_CLOSED, Precondition.CARD_DUE, Precondition.SHOE_RUNS_SHORT),
    ),
    Irregularity(
        "late_wager",
        "wager placed or raised after “No more bets”",
        (one_step("5.4", RulingStep.STRIKE),),
        needs=_CLOSED,
    ),
    Irregularity(
        "late_withdrawal",
        "wager withdrawn after “No more bets”",
        (one_step("5.5", RulingStep.STANDS),),
        needs=_CLOSED,
    ),
    Irregularity(
        "face_up_in_device",
        "card face up in the device",
        (one_step("5.6", RulingStep.GO_ON, when={Fact.FIRST_CARD_DEALT: True}),),
    ),
    Irregularity(
        "wrong_order",
        "cards dealt in the wrong order or to the wrong hand",
        (one_step("5.7", RulingStep.RECONSTRUCT),),
        needs=(*_DEALT, Precondition.LIES_ELSEWHERE),
    ),
    Irregularity(
        "wrong_player",
        "cards passed to the wrong player",
        (one_step("5.7", RulingStep.TAKE_BACK),),
        needs=(*_HANDLED, Precondition.CARDS_DEALT, Precondition.NOT_WITH_ITS_PLAYER),
    ),
    Irregularity(
        "not_passed",
        "cards not passed to the squeezing player",
        (one_step("5.7.1", RulingStep.GO_ON),),
        needs=(*_DEALT, Precondition.PLAYERS_HANDLE),
    ),
    Irregularity(
        "exposed_in_error",
        "card dealt face up or exposed in error",
        (one_step("5.7.1", RulingStep.GO_ON),),
        needs=(*_DEALT, Precondition.CARDS_SHOWN, Precondition.NOT_RULED_YET),
    ),
    Irregularity(
        "excess_card",
        "excess card drawn",
        (
            # Drawn between rounds or before the call, it is the first card of the next round.
            one_step("5.7", RulingStep.GO_ON, when={Fact.AFTER_THE_CALL: False}),
            one_step("5.7", RulingStep.RECONSTRUCT, when={Fact.HANDS_COMPLETE: True}),
            one_step("5.7", RulingStep.RECONSTRUCT, when={Fact.RECONSTRUCTABLE: True}),
        ),
        needs=(Precondition.CARD_ASIDE, Precondition.ASIDE_NOT_RULED),
    ),
    Irregularity(
        "wrong_number",
        "wrong number of cards on a hand",
        (one_step("5.7", RulingStep.RECONSTRUCT, when={Fact.RECONSTRUCTABLE: True}),),
        needs=(*_DEALT, Precondition.NUMBER_WRONG),
    ),
    Irregularity(
        "simultaneous",
        "two or more cards drawn at once",
        (
            Ruling(
                "5.8",
                (
                    Then(RulingStep.OFFER_EACH, clause="5.8.1"),
                    Then(RulingStep.RECONSTRUCT, clause="5.8"),
                ),
                when={Fact.ORDER_KNOWN: True},
            ),
            Ruling("5.8.2.1", _void("5.8.2.1"), when={**_UNKNOWN, Fact.INITIAL_DEAL: True}),
            Ruling(
                "5.8.2.2",
                (
                    _SAY_ORDER,
                    Then(RulingStep.OFFER_REMAINING, clause="5.8.2.2"),
                    Then(RulingStep.RECONSTRUCT, clause="5.8.2.2"),
                ),
            ),
        ),
        needs=(Precondition.NOT_VOID, Precondition.TWO_CARDS_TOGETHER, Precondition.NOT_RULED_YET),
        described_by="5.8",
    ),
    Irregularity(
        "device_reset",
        "device must be reset after “No more bets”",
        (
            Ruling(
                "5.9",
                (Then(RulingStep.OFFER_EACH, clause="5.9"), Then(RulingStep.REBET, clause="5.9")),
                when={Fact.CARD_EXPOSED: False},
            ),
        ),
        needs=_CLOSED,
    ),
    Irregularity(
        "handler_absent",
        "player handling the cards is absent",
        (one_step("5.10", RulingStep.DEALER_EXPOSES),),
        needs=_HANDLED,
    ),
    Irregularity(
        "cards_taken",
        "player leaves with cards",
        (
            Ruling(
                "5.11",
                (
                    Then(RulingStep.DEALER_EXPOSES, clause="5.11"),
                    Then(RulingStep.ENTER_UNREAD, clause="5.11"),
                ),
                when={Fact.VALUE_KNOWN: True},
            ),
            Ruling(
                "5.11",
                (
                    Then(RulingStep.KEEP_TWO, clause="5.11.1"),
                    Then(RulingStep.SORT, clause="5.11.2"),
                    Then(RulingStep.MISSING_CARDS, clause="5.11.2.1", role=SHIFT_MANAGER),
                    Then(RulingStep.TAKE_EQUAL_CARDS, clause="5.11.3"),
                    Then(RulingStep.MUST_REPLACE_CARDS, clause="5.11.5"),
                ),
            ),
        ),
        needs=_DEALT,
    ),
    Irregularity(
        "exposed_while_moving",
        "card exposed while the device moves",
        (one_step("5.12.1", RulingStep.PLAY_ON, when={Fact.PLAYER_DRAWS: True}),),
    ),
    Irregularity(
        "order_altered_moving",
        "card order altered while the device moves",
        (
            Ruling(
                "5.12.2",
                (
                    Then(RulingStep.VOID, clause="5.12.2"),
                    Then(RulingStep.MUST_REPLACE_CARDS, clause="5.12.2"),
                ),
                when={Fact.PLAYER_DRAWS: True, Fact.RECONSTRUCTABLE: False},
            ),
            one_step("5.12", RulingStep.GO_ON, when={Fact.PLAYER_DRAWS: True}),
            # 5.12 is for Method C; under the others an altered order is 5.2.
            Ruling("5.2", _void("5.2"), when={Fact.RECONSTRUCTABLE: False}),
            one_step("5.2", RulingStep.GO_ON),
        ),
        needs=(Precondition.NOT_DECIDED_YET,),
    ),
    Irregularity(
        "void_aftermath",
        "after a void",
        (one_step("5.13", RulingStep.MAY_REPLACE_CARDS),),
        needs=(Precondition.VOID,),
    ),
    Irregularity(
        "under_minimum",
        "wager below the minimum",
        (one_step("5.14", RulingStep.STANDS),),
        needs=(*_CLOSED, Precondition.UNDER_MINIMUM),
    ),
    Irregularity(
        "over_maximum",
        "wager above the maximum",
        (one_step("5.15", RulingStep.STANDS),),
        needs=(*_CLOSED, Precondition.OVER_MAXIMUM),
    ),
    Irregularity(
        "earlier_limits",
        "limits broken in an earlier round",
        (one_step("5.16", RulingStep.NO_EFFECT),),
        needs=(Precondition.NOT_RUNNING,),
    ),
    # The book is silent about it: the gaming shift manager decides, if there is such a round.
    Irregularity(
        "chip_position", "position of chips when betting closes", (), needs=(Precondition.ROUND,)
    ),
    Irregularity(
        "power_failure",
        "power failure",
        (
            # In a concluded round the outcome is established, so the rule does not apply any more.
            one_step("5.17.2", RulingStep.NO_EFFECT, when={Fact.ROUND_IN_PLAY: False}),
            one_step("5.17.2", RulingStep.PLAY_ON, when={Fact.OUTCOME_ESTABLISHED: True}),
            one_step("5.17.1", RulingStep.OFFER_ALL),
        ),
        needs=_NOT_VOID,
        ruled_anew=True,
    ),
    Irregularity(
        "differential",
        "table differential exceeded",
        (
            Ruling(
                "5.18",
                (Then(RulingStep.PUT_RIGHT, clause="5.18.3", role=Role.PIT_MANAGER),),
                when={Fact.BETS_CLOSED: False},
            ),
        ),
        needs=(*_NOT_VOID, Precondition.DIFFERENTIAL_EXCEEDED),
    ),
    # 5.1.2 and 5.16 keep what was settled; the role of 6.1 decides the rest.
    Irregularity(
        "late_error",
        "error noticed after the next round commenced",
        (),
        needs=(Precondition.EARLIER_ROUND,),
    ),
    Irregularity(
        "display_wrong",
        "display shows something else",
        (one_step("6.3", RulingStep.STANDS),),
        needs=(Precondition.ROUND,),
    ),
)
