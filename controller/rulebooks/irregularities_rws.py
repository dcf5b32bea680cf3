"""Irregularities of Commission Baccarat (RWS): chapter 5."""

from dataclasses import replace

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

UNCOVERED = Uncovered(Role.TABLE_GAME_SHIFT_MANAGER, clause="5.17")


def _options(clause: str, plays_on: str) -> Then:
    return Then(RulingStep.OFFER_DEALING_ERROR, clause=clause, plays_on=plays_on, returns="5.12.3")


_OPTIONS = _options("5.12", plays_on="5.12.1")
_OPTIONS_PUT_RIGHT = _options("5.12", plays_on="5.12.2")
_OPTIONS_AT_ONCE = _options("5.10.1", plays_on="5.12.2")
_NEXT_ROUND = Then(RulingStep.SET_ASIDE, clause="5.7")
_RECONSTRUCT = Then(RulingStep.RECONSTRUCT, clause="5.12.2")
_AS_THEY_LIE = Then(RulingStep.AS_THEY_LIE, clause="5.12.1")
_PUT_RIGHT = {Fact.OUTCOME_ESTABLISHED: True, Fact.RECONSTRUCTABLE: True}

_DEALT = (Precondition.NOT_VOID, Precondition.CARDS_DEALT)
_NOT_VOID = (Precondition.NOT_VOID,)
_CLOSED = (Precondition.NOT_VOID, Precondition.AFTER_THE_CALL)

_STANDS = one_step("5.5", RulingStep.NO_EFFECT, when={Fact.ROUND_IN_PLAY: False})
"""A settled round is not void."""


def _void(clause: str) -> tuple[Ruling, ...]:
    return (one_step(clause, RulingStep.VOID),)


def _earlier(clause: str) -> tuple[Ruling, ...]:
    """The results of an earlier round stand; a round played with such cards is void."""
    return (
        _STANDS,
        one_step(clause, RulingStep.VOID, when={Fact.IN_USE: True}),
        one_step("5.5", RulingStep.NO_EFFECT),
    )


def _dealing_error(clause: str) -> tuple[Ruling, ...]:
    """5.12: continue as it is, or with the corrected hand, or take the bet back."""
    return (
        Ruling(clause, (_OPTIONS_PUT_RIGHT, _RECONSTRUCT), when={Fact.RECONSTRUCTABLE: True}),
        Ruling(clause, (_OPTIONS, _AS_THEY_LIE)),
    )


_NUMBER_WRONG = one_step("5.5.3", RulingStep.VOID_IF_SETTLED_TOO, when={Fact.NUMBER_WRONG: True})


def _misdealt(clause: str, step: RulingStep, *cannot: Ruling) -> tuple[Ruling, ...]:
    """5.8: no options if an outcome is established and the cards can be corrected; `cannot` is
    ruled before the options for cards that cannot."""
    put_right = Then(step, clause="5.8")
    return (
        Ruling(clause, (put_right,), when=_PUT_RIGHT),
        Ruling(clause, (_OPTIONS_PUT_RIGHT, put_right), when={Fact.RECONSTRUCTABLE: True}),
        *cannot,
        Ruling(clause, (_OPTIONS, _AS_THEY_LIE)),
    )


# The only maximum of this book is its differential.
_TOO_MUCH = (
    one_step("5.1", RulingStep.PUT_RIGHT, when={Fact.BETS_CLOSED: False}, role=Role.DEALER),
    one_step("5.1.1", RulingStep.STANDS),
)

IRREGULARITIES = (
    Irregularity(
        "foreign_card",
        "foreign card",
        (
            _STANDS,
            one_step("5.5.1", RulingStep.VOID, when={Fact.BELONGS: False}),
            one_step("5.5.1", RulingStep.ENTER_CARD),
        ),
        needs=(Precondition.NOT_DECIDED_YET,),
        earlier=_earlier("5.5.1"),
    ),
    Irregularity(
        "wrong_count",
        "too many or too few cards in the deck",
        (_STANDS, *_void("5.5.2")),
        needs=(Precondition.NOT_DECIDED_YET,),
        earlier=_earlier("5.5.2"),
    ),
    Irregularity(
        "unshuffled",
        "unshuffled cards in play",
        (
            _STANDS,
            one_step("5.5.5", RulingStep.VOID, when={Fact.UNSHUFFLED: True}),
            one_step("5.5.5", RulingStep.GO_ON),
        ),
        needs=(Precondition.NOT_DECIDED_YET,),
        earlier=_earlier("5.5.5"),
    ),
    Irregularity(
        "order_altered",
        "card order altered in the shoe",
        # A dealing error (reading 8) once bets are closed, whether or not a card is out.
        tuple(
            replace(each, when={Fact.AFTER_THE_CALL: True, **each.when})
            for each in _dealing_error("5.12")
        ),
    ),
    Irregularity(
        "not_enough_cards",
        "not enough cards to finish",
        _void("5.5.4"),
        needs=(*_CLOSED, Precondition.CARD_DUE, Precondition.SHOE_RUNS_SHORT),
    ),
    Irregularity(
        "late_wager",
        "bet placed or raised after “No more Bets”",
        (one_step("5.6", RulingStep.STRIKE),),
        needs=_CLOSED,
    ),
    Irregularity(
        "late_withdrawal",
        "bet withdrawn after “No more Bets”",
        (one_step("5.6", RulingStep.REFUSE),),
        needs=_CLOSED,
    ),
    Irregularity(
        "wrong_order",
        "cards dealt to the wrong hand",
        _misdealt("5.8.1", RulingStep.RECONSTRUCT, _NUMBER_WRONG),
        needs=(*_DEALT, Precondition.LIES_ELSEWHERE, Precondition.NOT_DECIDED_YET),
    ),
    Irregularity(
        "wrong_player",
        "cards given to the wrong player",
        _misdealt("5.8.2", RulingStep.TAKE_BACK),
        needs=(*_CLOSED, Precondition.PLAYERS_HANDLE, Precondition.CARDS_DEALT),
    ),
    Irregularity(
        "not_passed",
        "cards not passed to the squeezing player",
        _dealing_error("5.12"),
        needs=(*_DEALT, Precondition.PLAYERS_HANDLE),
    ),
    Irregularity(
        "exposed_in_error",
        "card dealt face up or exposed in error",
        (
            one_step(
                "5.9",
                RulingStep.GO_ON,
                when={Fact.DEALT_FACE_UP: True, Fact.OUTCOME_ESTABLISHED: True},
            ),
            Ruling("5.9", (_OPTIONS,), when={Fact.DEALT_FACE_UP: True}),
            one_step("5.7", RulingStep.GO_ON, when={Fact.OUTCOME_ESTABLISHED: True}),
            Ruling("5.7.1", (_OPTIONS,)),
        ),
        needs=(*_DEALT, Precondition.CARDS_SHOWN, Precondition.NOT_RULED_YET),
    ),
    Irregularity(
        "excess_card",
        "excess card drawn",
        (
            # Drawn between rounds, it is the first card of the next round.
            one_step("5.7", RulingStep.GO_ON, when={Fact.ROUND_IN_PLAY: False}),
            Ruling("5.7", (_NEXT_ROUND,), when={Fact.HANDS_COMPLETE: True}),
            Ruling(
                "5.7.1",
                (_OPTIONS_PUT_RIGHT, Then(RulingStep.RECONSTRUCT, clause="5.7")),
                when={Fact.OUTCOME_ESTABLISHED: False, Fact.RECONSTRUCTABLE: True},
            ),
            Ruling("5.7.1", (_OPTIONS, _NEXT_ROUND), when={Fact.OUTCOME_ESTABLISHED: False}),
            one_step("5.7", RulingStep.RECONSTRUCT, when={Fact.RECONSTRUCTABLE: True}),
            Ruling("5.7", (_NEXT_ROUND,)),
        ),
        needs=(Precondition.CARD_ASIDE, Precondition.ASIDE_NOT_RULED),
    ),
    Irregularity(
        "wrong_number",
        "wrong number of cards on a hand",
        (
            one_step("5.5.3", RulingStep.VOID_IF_SETTLED_TOO, when={Fact.RECONSTRUCTABLE: False}),
            Ruling("5.12", (_OPTIONS_PUT_RIGHT, _RECONSTRUCT)),
        ),
        needs=(*_DEALT, Precondition.NUMBER_WRONG, Precondition.NOT_DECIDED_YET),
        described_by="5.5.3",  # 5.12 is about errors that 5.5 does not describe
    ),
    Irregularity(
        "simultaneous",
        "two or more cards drawn at once",
        (
            Ruling(
                "5.10.1",
                (
                    _OPTIONS_AT_ONCE,
                    _RECONSTRUCT,
                    Then(RulingStep.MAY_REPLACE_CARDS, clause="5.10.2", role=Role.PIT_SUPERVISOR),
                ),
                when={Fact.ORDER_KNOWN: True},
            ),
            Ruling(
                "5.10",
                (
                    Then(RulingStep.SAY_ORDER, clause="5.10", role=Role.PIT_SUPERVISOR),
                    _OPTIONS_AT_ONCE,
                    _RECONSTRUCT,
                    Then(RulingStep.MAY_REPLACE_CARDS, clause="5.10.2", role=Role.PIT_SUPERVISOR),
                ),
            ),
        ),
        needs=(Precondition.NOT_VOID, Precondition.TWO_CARDS_TOGETHER, Precondition.NOT_RULED_YET),
    ),
    Irregularity("device_reset", "shoe must be reset", _dealing_error("5.12"), needs=_CLOSED),
    Irregularity(
        "handler_absent",
        "player walked away",
        # It applies to every person who has placed a bet, before the call as after it.
        (one_step("5.3", RulingStep.DEALER_EXPOSES),),
        needs=_NOT_VOID,
    ),
    Irregularity(
        "void_aftermath",
        "after a void",
        (one_step("5.15", RulingStep.NO_EFFECT),),
        needs=(Precondition.VOID,),
    ),
    Irregularity(
        "under_minimum",
        "bet below the minimum",
        (
            one_step("5.2", RulingStep.PUT_RIGHT, when={Fact.BETS_CLOSED: False}, role=Role.DEALER),
            one_step("5.2.1", RulingStep.STANDS),
        ),
        needs=(*_NOT_VOID, Precondition.UNDER_MINIMUM),
        described_by="5.2",
    ),
    Irregularity(
        "over_maximum",
        "bets over the limit",
        _TOO_MUCH,
        needs=(*_NOT_VOID, Precondition.OVER_MAXIMUM),
    ),
    Irregularity(
        "power_failure",
        "technical interruption",
        (
            # In a concluded round the outcome is established, so the rule does not apply any more.
            one_step("5.4.1", RulingStep.NO_EFFECT, when={Fact.ROUND_IN_PLAY: False}),
            one_step("5.4.1", RulingStep.PLAY_ON, when={Fact.OUTCOME_ESTABLISHED: True}),
            one_step("5.4.2", RulingStep.VOID),
        ),
        needs=_NOT_VOID,
        ruled_anew=True,
    ),
    Irregularity(
        "differential",
        "differential of a box exceeded",
        _TOO_MUCH,
        needs=(*_NOT_VOID, Precondition.DIFFERENTIAL_EXCEEDED),
        described_by="5.1",
    ),
    Irregularity(
        "late_error",
        "error noticed after the next round commenced",
        (one_step("5.11", RulingStep.NO_EFFECT),),
        needs=(Precondition.EARLIER_ROUND,),
    ),
    # The book is silent about these, but they must have happened; the round in play is not an
    # earlier one.
    Irregularity("cards_taken", "player leaves with cards", (), needs=_DEALT),
    Irregularity(
        "earlier_limits", "limits broken in an earlier round", (), needs=(Precondition.NOT_RUNNING,)
    ),
    Irregularity(
        "chip_position",
        "position of chips when betting closes",
        (one_step("5.13", RulingStep.STANDS),),
        needs=(Precondition.ROUND,),
    ),
    Irregularity(
        "display_wrong",
        "display shows something else",
        (one_step("5.14", RulingStep.STANDS),),
        needs=(Precondition.ROUND,),
    ),
)
