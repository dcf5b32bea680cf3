"""The commands of people in a round as sentences: wagers, hands, answers, approvals, decisions."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from controller.messages.codes import Code
from controller.messages.sentence import Sentence, sentence
from controller.table.agenda import order
from controller.table.agenda.items import CaseApproval, RequestApproval
from controller.table.case import Decision
from controller.table.commands import people
from controller.table.commands.message import Message
from controller.table.commands.registry import Payload
from controller.table.rules import Rules
from controller.table.state import PlacedWager, Table


class PlayedStep(NamedTuple):
    """An accepted command, the table before and after it, and every face exposed by now."""

    message: Message[Any]
    before: Table
    after: Table
    faces: Mapping[int, str]
    rules: Rules


Tells: TypeAlias = Callable[[PlayedStep], Sentence | None]
"""Makes the sentence of a step; None where the command's name is enough."""


def _wager(table: Table, wager_id: str) -> PlacedWager | None:
    laid = table.round.wagers if table.round else ()
    return next((each for each in laid if each.id == wager_id), None)


def _placed(step: PlayedStep) -> Sentence | None:
    command: people.PlaceCommand = step.message.payload
    return sentence(
        Code.STEP_PLACED,
        player=command.player or step.message.actor,
        amount=command.amount,
        wager=command.wager,
    )


def _changed(step: PlayedStep) -> Sentence | None:
    """The sentence of a raised, decreased or withdrawn wager."""
    was, now = (
        _wager(step.before, step.message.payload.id),
        _wager(step.after, step.message.payload.id),
    )
    if was is None:
        return None
    if (
        now is None
        or now.returned_by is not None
        or isinstance(step.message.payload, people.WithdrawWagerCommand)
    ):
        return sentence(Code.STEP_TAKEN_BACK, player=was.player, amount=was.amount, wager=was.wager)
    raised = now.amount >= was.amount
    return sentence(
        Code.STEP_RAISED if raised else Code.STEP_DECREASED,
        player=was.player,
        wager=was.wager,
        was=was.amount,
        now=now.amount,
    )


def _closed(step: PlayedStep) -> Sentence | None:
    open_still = step.after.round is not None and step.after.round.betting
    return None if open_still else sentence(Code.STEP_BETTING_CLOSED)


def _takes_hand(step: PlayedStep) -> Sentence | None:
    command: people.AcceptCardsCommand = step.message.payload
    return sentence(
        Code.STEP_TAKES_HAND, player=command.player or step.message.actor, hand=command.hand
    )


def _leaves_hand(step: PlayedStep) -> Sentence | None:
    command: people.RefuseCardsCommand = step.message.payload
    return sentence(
        Code.STEP_LEAVES_HAND, player=command.player or step.message.actor, hand=command.hand
    )


def _first(step: PlayedStep) -> Sentence | None:
    return sentence(Code.STEP_REVEAL_FIRST, hand=step.message.payload.hand)


def _settled(step: PlayedStep) -> Sentence | None:
    paid = step.after.round.paid if step.after.round else ()
    if not paid:
        return sentence(Code.STEP_SETTLED_NOTHING)
    won = sum(each.pays for each in paid)
    back = sum(each.returned for each in paid)
    return sentence(Code.STEP_SETTLED, paid=won, returned=back)


def _reported(step: PlayedStep) -> Sentence | None:
    return sentence(Code.STEP_REPORTED, irregularity=step.message.payload.what)


def _answered(step: PlayedStep) -> Sentence | None:
    command: people.AnswerQuestionCommand = step.message.payload
    awaits = step.before.case.awaits if step.before.case else None
    fact = command.fact or getattr(awaits, "fact", None)
    if command.value is None or fact is None:
        return None
    return sentence(Code.STEP_ANSWERED_YES if command.value else Code.STEP_ANSWERED_NO, fact=fact)


def _chose(step: PlayedStep) -> Sentence | None:
    command: people.ChooseOptionCommand = step.message.payload
    plays = command.choice == "play"
    code = Code.STEP_CHOSE_PLAY if plays else Code.STEP_CHOSE_WITHDRAW
    return sentence(code, player=command.player or step.message.actor)


def _approved(step: PlayedStep) -> Sentence | None:
    match order.first(step.before, step.rules):
        case RequestApproval(request):
            return sentence(Code.STEP_APPROVED, request=request.kind)
        case CaseApproval(case):
            return sentence(Code.STEP_APPROVED_CASE, irregularity=case.id)
    return None


def _denied(step: PlayedStep) -> Sentence | None:
    match order.first(step.before, step.rules):
        case RequestApproval(request):
            return sentence(Code.STEP_DENIED, request=request.kind)
        case CaseApproval(case):
            return sentence(Code.STEP_DENIED_CASE, irregularity=case.id)
    return None


_DECIDED: Final = {
    Decision.GO_ON: Code.STEP_DECIDED_GO_ON,
    Decision.VOID: Code.STEP_DECIDED_VOID,
    Decision.RECONSTRUCT: Code.STEP_DECIDED_RECONSTRUCT,
    Decision.REMOVE: Code.STEP_DECIDED_REMOVE,
}


def _decided(step: PlayedStep) -> Sentence | None:
    command: people.DecideCommand = step.message.payload
    return sentence(_DECIDED[command.outcome])


def _correction(step: PlayedStep) -> Sentence | None:
    """The sentence of a correction. Only an exposed card is corrected, so both faces may be
    shown."""
    command: people.CorrectCommand = step.message.payload
    laid = step.before.round.cards if step.before.round else ()
    was = next((each.card for each in laid if each.n == command.n and each.exposed), None)
    return sentence(Code.STEP_CORRECTION, was=was, now=command.card)


def _entered(step: PlayedStep) -> Sentence | None:
    """The sentence of an entered card, without its face where the card is sealed."""
    command: people.EnterCardCommand = step.message.payload
    return None if command.card is None else sentence(Code.STEP_ENTERED, face=command.card)


def _counted(step: PlayedStep) -> Sentence | None:
    return sentence(Code.STEP_COUNTED, cards=step.message.payload.cards)


PEOPLE: Final[Mapping[type[Payload], Tells]] = {
    people.OpenBettingCommand: lambda _: sentence(Code.STEP_BETTING_OPENED),
    people.CloseBettingCommand: _closed,
    people.PlaceCommand: _placed,
    people.RaiseWagerCommand: _changed,
    people.DecreaseWagerCommand: _changed,
    people.WithdrawWagerCommand: _changed,
    people.AcceptCardsCommand: _takes_hand,
    people.RefuseCardsCommand: _leaves_hand,
    people.RevealFirstCommand: _first,
    people.SettleCommand: _settled,
    people.ReportCommand: _reported,
    people.AnswerQuestionCommand: _answered,
    people.ChooseOptionCommand: _chose,
    people.ApproveCommand: _approved,
    people.RefuseCommand: _denied,
    people.DecideCommand: _decided,
    people.CorrectCommand: _correction,
    people.EnterCardCommand: _entered,
    people.CountCommand: _counted,
}
