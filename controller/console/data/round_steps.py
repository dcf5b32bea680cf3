"""The steps of a round as sentences: who placed what, where each card went.

A sentence is made from the record and the table before and after it. It names a card only if the
card is exposed by now; for a card that came face down, a later exposure counts. A card that was
never exposed is not named.
"""

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Final

import msgspec

from controller.console.data.step_sentences import PEOPLE, PlayedStep, Tells
from controller.journal.bodies import step_of
from controller.journal.records import Record
from controller.messages.codes import Code
from controller.messages.sentence import Sentence, sentence
from controller.protocol.orders import NOT_TAKEN, UNWRITTEN
from controller.table.cards import Drawn
from controller.table.commands import device_events
from controller.table.commands.message import Message, is_known_type, message_from_line, type_name
from controller.table.commands.people import AnnounceCommand, ExposeCommand, PlaceCommand
from controller.table.commands.registry import Payload
from controller.table.rules import Rules
from controller.table.state import Round, Table
from controller.views import details


class StepSentence(msgspec.Struct, frozen=True):
    """One step: the command or device event, and the table's reaction."""

    text: Sentence
    then: list[Sentence] = []


def step_sentences(
    began: Table, steps: Iterable[tuple[Record, Table]], rules: Rules
) -> list[StepSentence]:
    """The steps of a round in order; `began` is the table before the first of them."""
    played = list(steps)
    tables = [began, *(table for _, table in played)]
    faces = _faces(tables)
    return [
        _step(record, before, after, faces, rules)
        for (record, _), (before, after) in zip(played, pairwise(tables), strict=True)
    ]


def _faces(tables: Iterable[Table]) -> dict[int, str]:
    """The face of each card when it was first exposed; a correction is a step of its own."""
    found: dict[int, str] = {}
    for table in tables:
        for drawn in _cards(table):
            if drawn.exposed and drawn.card is not None:
                found.setdefault(drawn.n, drawn.card)
    return found


def _cards(table: Table) -> tuple[Drawn, ...]:
    return table.round.cards if table.round else ()


def _step(
    record: Record, before: Table, after: Table, faces: Mapping[int, str], rules: Rules
) -> StepSentence:
    recorded = step_of(record)
    line = recorded.line
    if not is_known_type(line.type):
        return StepSentence(sentence(Code.STEP_SAID, who=line.who or line.source, word=line.type))
    message = message_from_line(line)
    then = [] if message.via is None else [sentence(Code.STEP_FROM_THE_FLOOR)]
    if not recorded.accepted:
        return StepSentence(_not_taken(message), then)
    step = PlayedStep(message, before, after, faces, rules)
    return StepSentence(_step_sentence(step), [*then, *_consequences(before, after)])


def _not_taken(message: Message[Payload]) -> Sentence:
    payload = message.payload
    if isinstance(payload, PlaceCommand):
        who = payload.player or message.actor
        return sentence(
            Code.STEP_PLACE_REFUSED, player=who, amount=payload.amount, wager=payload.wager
        )
    return sentence(Code.STEP_NOT_TAKEN, who=message.actor, word=type_name(payload))


def _step_sentence(step: PlayedStep) -> Sentence:
    word = step.message.payload
    tells = _CARDS_AND_CALLS.get(type(word)) or PEOPLE.get(type(word))
    found = None if tells is None else tells(step)
    return found or sentence(Code.STEP_SAID, who=step.message.actor, word=type_name(word))


# --- cards --------------------------------------------------------------------------------------


def _card(step: PlayedStep) -> Sentence | None:
    """The card of this step; None while it waits for its place."""
    was = {drawn.n for drawn in _cards(step.before)}
    arrived = [drawn for drawn in _cards(step.after) if drawn.n not in was]
    if len(arrived) != 1:
        return None
    return _laid(arrived[0], step.faces.get(arrived[0].n))


def _laid(drawn: Drawn, face: str | None) -> Sentence:
    hand = drawn.hand
    if hand is None:
        if face is None:
            return sentence(Code.STEP_CARD_ASIDE)
        return sentence(Code.STEP_FACE_ASIDE, face=face)
    if drawn.exposed and drawn.card is not None:
        return sentence(Code.STEP_CARD_TO, face=drawn.card, hand=hand)
    if face is not None:
        return sentence(Code.STEP_CARD_TURNED_LATER, face=face, hand=hand)
    return sentence(Code.STEP_CARD_FACE_DOWN, hand=hand)


def _unread(step: PlayedStep) -> Sentence | None:
    was = {drawn.n for drawn in _cards(step.before)}
    hands = [drawn.hand for drawn in _cards(step.after) if drawn.n not in was]
    if len(hands) != 1 or hands[0] is None:
        return None
    return sentence(Code.STEP_CARD_UNREAD, hand=hands[0])


def _exposed(step: PlayedStep) -> Sentence | None:
    was = {drawn.n for drawn in _cards(step.before) if drawn.exposed}
    opened = [drawn for drawn in _cards(step.after) if drawn.exposed and drawn.n not in was]
    faces = [drawn.card for drawn in opened if drawn.card is not None]
    return (
        sentence(Code.STEP_EXPOSED, hand=step.message.payload.hand, faces=faces) if faces else None
    )


def _announced(step: PlayedStep) -> Sentence | None:
    totals = details.totals(step.after, step.rules.book)
    player, banker = totals.player, totals.banker
    if player is None or banker is None or step.after.round is None:
        return None
    if not step.after.round.announced:
        return sentence(Code.STEP_ANNOUNCED_TOTALS, player=player, banker=banker)
    if player > banker:
        return sentence(Code.STEP_ANNOUNCED_PLAYER, high=player, low=banker)
    if banker > player:
        return sentence(Code.STEP_ANNOUNCED_BANKER, high=banker, low=player)
    return sentence(Code.STEP_ANNOUNCED_TIE, points=player)


def _result(step: PlayedStep) -> Sentence | None:
    """The result; empty in a record whose result is sealed."""
    winner = step.message.payload.winner
    return None if winner is None else sentence(Code.STEP_SHOE_RESULT, hand=winner)


_NOTED: Final = {
    "signed_in": Code.STEP_SIGNED_IN,
    "signed_out": Code.STEP_SIGNED_OUT,
    "sign_in_failed": Code.STEP_SIGN_IN_FAILED,
    "account_locked": Code.STEP_ACCOUNT_LOCKED,
    "account_unlocked": Code.STEP_ACCOUNT_UNLOCKED,
    "screen_locked": Code.STEP_SCREEN_LOCKED,
    "screen_unlocked": Code.STEP_SCREEN_UNLOCKED,
    "session_ended": Code.STEP_SESSION_ENDED,
    "relieved": Code.STEP_RELIEVED,
    NOT_TAKEN: Code.STEP_FLOOR_ORDER_NOT_TAKEN,
}
"""Sentences for the events that the console records outside play."""


def _noted(step: PlayedStep) -> Sentence | None:
    noted = step.message.payload
    if noted.what == UNWRITTEN:
        return sentence(Code.STEP_FLOOR_ORDERS_UNWRITTEN, orders=noted.says)
    code = _NOTED.get(noted.what)
    return None if code is None else sentence(code, who=noted.who)


_CARDS_AND_CALLS: Final[Mapping[type[Payload], Tells]] = {
    device_events.CardDrawnEvent: _card,
    device_events.ExcessCardEvent: _card,
    device_events.ReadFailedEvent: _unread,
    device_events.DeviceResultEvent: _result,
    device_events.NotedEvent: _noted,
    ExposeCommand: _exposed,
    AnnounceCommand: _announced,
}


# --- the table's reaction -----------------------------------------------------------------------


def _consequences(before: Table, after: Table) -> Iterable[Sentence]:
    if after.case is not None and (before.case is None or before.case.since != after.case.since):
        yield sentence(Code.STEP_THEN_CASE, irregularity=after.case.id)
    kinds = {hold.kind for hold in before.latches}
    for hold in after.latches:
        if hold.kind not in kinds:
            yield sentence(Code.STEP_THEN_HELD, hold=hold.kind)
    now, then = after.round, before.round
    if now is not None:
        earlier = then if then is not None and then.number == now.number else None
        yield from _of_the_round(earlier, now)


def _of_the_round(then: Round | None, now: Round) -> Iterable[Sentence]:
    for made in now.interventions.corrections[len(then.interventions.corrections) if then else 0 :]:
        if made.was is not None:  # an entered card is a step of its own
            yield sentence(Code.STEP_THEN_CORRECTED, was=made.was, now=made.now)
    if now.void_by is not None and (then is None or then.void_by is None):
        yield sentence(Code.STEP_THEN_VOID)
