"""Players by name: two spellings of a name are one player, and who wagers decides nothing.

A wager, a hand and a choice are a player's own, so a name is taken as it was first given in the
round, or is still known from before (reading 31). A person with a wager in a round does not decide
in it (reading 32).
"""

from functools import lru_cache
from typing import Any, Final

from msgspec import UNSET
from msgspec.structs import replace

from controller.cases import facts
from controller.messages.codes import Code
from controller.round.wagers.betting import live_wagers
from controller.round.wagers.wager_index import wager_index
from controller.table.agenda import order
from controller.table.agenda.items import (
    CountDue,
    HoldToEnd,
    NextAct,
    RequestApproval,
    RestartQuestion,
)
from controller.table.case import AwaitsCounts, AwaitsOrder
from controller.table.commands.message import Message
from controller.table.commands.names import Spellings
from controller.table.commands.people import (
    AnswerQuestionCommand,
    ApproveCommand,
    CloseOfferCommand,
    CountCommand,
    DecideCommand,
    RefuseCommand,
)
from controller.table.commands.pseudonyms import PLAYER_FIELDS
from controller.table.commands.registry import EVERYBODY
from controller.table.refused import Refused
from controller.table.requests import CorrectCard, GoOn
from controller.table.rules import Rules
from controller.table.state import Round, Table, latest_round


def with_known_name(table: Table, message: Message[Any]) -> Message[Any]:
    """The message with the player's name replaced by the spelling that was given first."""
    if message.source == "player" and message.who:
        known = _known(table, message.who)
        message = message if known == message.who else replace(message, who=known)
    field = PLAYER_FIELDS.get(type(message.payload))
    name = None if field is None else getattr(message.payload, field)
    if field is None or not name or name is UNSET or name == EVERYBODY:
        return message
    known = _known(table, name)
    if known == name:
        return message
    return replace(message, payload=replace(message.payload, **{field: known}))


def _known(table: Table, name: str) -> str:
    """The name as it was first given, in this round before any other."""
    round_ = table.round
    if round_ is not None:
        found = wager_index(round_).players.find(name)
        if found is not None:
            return found
        handling = round_.handling
        handlers = (*handling.handlers.values(), *handling.squeeze_asked.values())
        found = _spellings(handlers).find(name)
        if found is not None:
            return found
    drawer = () if table.play.drawer is None else (table.play.drawer,)
    before = tuple(each.player for each in table.history.last_wagers)
    for names in (drawer, before, table.day.under_minimum_before):
        if names and (found := _spellings(names).find(name)) is not None:
            return found
    return name


@lru_cache(maxsize=16)
def _spellings(names: tuple[str, ...]) -> Spellings:
    """The spellings of a list of names. Cached: the same few lists are searched for many wagers."""
    return Spellings(names)


# --- who wagers decides nothing -----------------------------------------------------------------

_ABOUT_A_SETTLED_ROUND: Final = (CorrectCard, GoOn)
"""Requests that change a round, or go on over one, that is over."""


def refuse_interested(table: Table, message: Message[Any], rules: Rules) -> None:
    """Refuse an approver or decider who has a live wager in the round that it is about."""
    if message.source == "staff" and _decides(table, message):
        round_ = _round_decided(table, rules)
        if round_ is not None and _has_wager(round_, message.actor, rules):
            raise Refused(Code.HAS_A_WAGER, round=round_.number)


def _decides(table: Table, message: Message[Any]) -> bool:
    match message.payload:
        case ApproveCommand() | RefuseCommand() | DecideCommand() | CloseOfferCommand():
            return True
        case CountCommand():  # the same count by another person is an approval
            return bool(table.requests)
        case AnswerQuestionCommand():
            awaits = None if table.case is None else table.case.awaits
            return isinstance(awaits, AwaitsOrder | AwaitsCounts)
    return False


def _round_decided(table: Table, rules: Rules) -> Round | None:
    """The round that the first item of the agenda is about; None where it is about no round's cards
    or wagers."""
    is_played = table.round is not None and not table.round.over
    match order.first(table, rules):
        case RequestApproval(request):
            about = is_played or isinstance(request.subject, _ABOUT_A_SETTLED_ROUND)
        case CountDue() | RestartQuestion() | HoldToEnd() | NextAct():
            about = is_played
        case item:
            about = not facts.is_of_earlier_round(table, item.case)
    return latest_round(table) if about else None


def _has_wager(round_: Round, name: str, rules: Rules) -> bool:
    known = wager_index(round_).players.find(name)
    if known is None:
        return False
    return any(rules.is_same_person(wager.player, name) for wager in live_wagers(round_))
