"""What people said in a round, as sentences: wagers, hands, answers, approvals, decisions."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from controller.sentences.codes import Code
from controller.sentences.sentence import Sentence, sentence
from controller.table.agenda import order
from controller.table.agenda.items import CaseApproval, RequestApproval
from controller.table.case import Decision
from controller.table.rules import Rules
from controller.table.state import PlacedWager, Table
from controller.table.words import people
from controller.table.words.message import Message
from controller.table.words.vocabulary import Word


class PlayedStep(NamedTuple):
    """A word that was taken, the table before and after it, and every face exposed by now."""

    said: Message[Any]
    before: Table
    after: Table
    faces: Mapping[int, str]
    rules: Rules


Tells: TypeAlias = Callable[[PlayedStep], Sentence | None]
"""None: the word's name says enough."""


def _wager(table: Table, wager_id: str) -> PlacedWager | None:
    lying = table.round.wagers if table.round else ()
    return next((each for each in lying if each.id == wager_id), None)


def _placed(step: PlayedStep) -> Sentence | None:
    word: people.PlaceWord = step.said.word
    return sentence(
        Code.STEP_PLACED, player=word.player or step.said.name, amount=word.amount, wager=word.wager
    )


def _changed(step: PlayedStep) -> Sentence | None:
    """Raised, decreased, taken back."""
    was, now = _wager(step.before, step.said.word.id), _wager(step.after, step.said.word.id)
    if was is None:
        return None
    if (
        now is None
        or now.returned_by is not None
        or isinstance(step.said.word, people.WithdrawWagerWord)
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
    word: people.AcceptCardsWord = step.said.word
    return sentence(Code.STEP_TAKES_HAND, player=word.player or step.said.name, hand=word.hand)


def _leaves_hand(step: PlayedStep) -> Sentence | None:
    word: people.RefuseCardsWord = step.said.word
    return sentence(Code.STEP_LEAVES_HAND, player=word.player or step.said.name, hand=word.hand)


def _first(step: PlayedStep) -> Sentence | None:
    return sentence(Code.STEP_REVEAL_FIRST, hand=step.said.word.hand)


def _settled(step: PlayedStep) -> Sentence | None:
    paid = step.after.round.paid if step.after.round else ()
    if not paid:
        return sentence(Code.STEP_SETTLED_NOTHING)
    won = sum(each.pays for each in paid)
    back = sum(each.returned for each in paid)
    return sentence(Code.STEP_SETTLED, paid=won, returned=back)


def _reported(step: PlayedStep) -> Sentence | None:
    return sentence(Code.STEP_REPORTED, irregularity=step.said.word.what)


def _answered(step: PlayedStep) -> Sentence | None:
    word: people.AnswerQuestionWord = step.said.word
    awaits = step.before.case.awaits if step.before.case else None
    fact = word.fact or getattr(awaits, "fact", None)
    if word.value is None or fact is None:
        return None
    return sentence(Code.STEP_ANSWERED_YES if word.value else Code.STEP_ANSWERED_NO, fact=fact)


def _chose(step: PlayedStep) -> Sentence | None:
    word: people.ChooseOptionWord = step.said.word
    plays = word.choice == "play"
    code = Code.STEP_CHOSE_PLAY if plays else Code.STEP_CHOSE_WITHDRAW
    return sentence(code, player=word.player or step.said.name)


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
    word: people.DecideWord = step.said.word
    return sentence(_DECIDED[word.outcome])


def _correction(step: PlayedStep) -> Sentence | None:
    """Only a card that lies open is corrected, so both faces may be step.said."""
    word: people.CorrectWord = step.said.word
    lying = step.before.round.cards if step.before.round else ()
    was = next((each.card for each in lying if each.n == word.n and each.exposed), None)
    return sentence(Code.STEP_CORRECTION, was=was, now=word.card)


def _entered(step: PlayedStep) -> Sentence | None:
    """Without its face in a record whose card is sealed."""
    word: people.EnterCardWord = step.said.word
    return None if word.card is None else sentence(Code.STEP_ENTERED, face=word.card)


def _counted(step: PlayedStep) -> Sentence | None:
    return sentence(Code.STEP_COUNTED, cards=step.said.word.cards)


PEOPLE: Final[Mapping[type[Word], Tells]] = {
    people.OpenBettingWord: lambda _: sentence(Code.STEP_BETTING_OPENED),
    people.CloseBettingWord: _closed,
    people.PlaceWord: _placed,
    people.RaiseWagerWord: _changed,
    people.DecreaseWagerWord: _changed,
    people.WithdrawWagerWord: _changed,
    people.AcceptCardsWord: _takes_hand,
    people.RefuseCardsWord: _leaves_hand,
    people.RevealFirstWord: _first,
    people.SettleWord: _settled,
    people.ReportWord: _reported,
    people.AnswerQuestionWord: _answered,
    people.ChooseOptionWord: _chose,
    people.ApproveWord: _approved,
    people.RefuseWord: _denied,
    people.DecideWord: _decided,
    people.CorrectWord: _correction,
    people.EnterCardWord: _entered,
    people.CountWord: _counted,
}
