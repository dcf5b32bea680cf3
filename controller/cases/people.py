"""Identity of persons: their names, the second person, and who stands at the table."""

from functools import lru_cache
from typing import Any, Final
from unicodedata import is_normalized

from msgspec.structs import replace

from controller.messages.codes import Code
from controller.round.shoe import SHUFFLER
from controller.table import approvals
from controller.table.approvals import Act
from controller.table.case import Case
from controller.table.commands.day import ChooseMethodCommand, LoadShoeCommand
from controller.table.commands.message import Message
from controller.table.commands.names import is_same_name
from controller.table.commands.people import (
    AcceptCardsCommand,
    ChooseOptionCommand,
    PlaceCommand,
    RefuseCardsCommand,
    ReportCommand,
)
from controller.table.commands.registry import (
    ANYBODY,
    MAX_NAME,
    NOT_A_PERSON,
    NOT_A_PLAYER,
    Payload,
)
from controller.table.refused import Refused
from controller.table.rules import Rules


def require_name(message: Message[Any], rules: Rules) -> None:
    """Refuse staff without a usable name: the second person is recognised by another name, and a
    missing name or one that only looks different identifies no person. Refuse the names the table
    gives its devices, all players or the dealer: such a command would count as theirs."""
    if message.source not in ANYBODY:
        return
    who = message.who or ""
    if message.source == "staff":
        if not 0 < len(who) <= MAX_NAME or not _plain(who):
            raise Refused(Code.SAY_WHO_SPEAKS, most=MAX_NAME)
        _is_a_name(who, NOT_A_PERSON)
    else:
        _is_a_name(who, NOT_A_PLAYER)
        _speaks_for_themselves(message)
    if type(message.payload) in _NAMES_SOMEBODY:
        _names_a_person(message.payload)


_NAMES_SOMEBODY: Final = frozenset(
    {PlaceCommand, AcceptCardsCommand, ChooseMethodCommand, ReportCommand, LoadShoeCommand}
)


def _names_a_person(payload: Payload) -> None:
    match payload:
        case PlaceCommand() | AcceptCardsCommand():
            _is_a_name(payload.player, NOT_A_PLAYER)
        case ChooseMethodCommand():
            _is_a_name(payload.drawer or None, NOT_A_PLAYER)
        case ReportCommand():
            _is_a_name(payload.to, NOT_A_PLAYER)
        case LoadShoeCommand():
            _is_a_name(payload.verified_by, NOT_A_PERSON - {SHUFFLER})


def _speaks_for_themselves(message: Message[Any]) -> None:
    """Refuse a player whose command names another: it would count as their own."""
    match message.payload:
        case (
            PlaceCommand(player=str(named))
            | AcceptCardsCommand(player=str(named))
            | RefuseCardsCommand(player=str(named))
            | ChooseOptionCommand(player=str(named))
        ) if not is_same_name(named, message.who or ""):
            raise Refused(Code.PLAYS_FOR_THEMSELVES, player=named)


def _is_a_name(name: str | None, taken: frozenset[str]) -> None:
    if name is not None and _looks_taken(name, taken):
        raise Refused(Code.NOT_A_PERSONS_NAME, name=name)


@lru_cache(maxsize=500)
def _looks_taken(name: str, taken: frozenset[str]) -> bool:
    """Whether a name looks like a taken one. Cached: the same few names send many commands."""
    return any(is_same_name(name.strip(), each) for each in taken)


@lru_cache(maxsize=200)
def _plain(name: str) -> bool:
    """Whether the name has only visible characters and one spelling. Cached: the same few names
    send many commands each."""
    return name.isprintable() and name == name.strip() and is_normalized("NFC", name)


def second_person(first: str, act: Act, message: Message[Any], rules: Rules) -> None:
    """Refuse unless the speaker is another person, who may approve this."""
    row = approvals.approval_row(act)
    rules.require_role(message, row.role, row.clause)
    if row.second and rules.is_same_person(message.actor, first):
        raise Refused(Code.TAKES_TWO, row.clause)


def require_presence(act: Act, message: Message[Any]) -> None:
    """Refuse an approval from a person who cannot have looked."""
    if message.via is not None and approvals.approval_row(act).there:
        raise Refused(Code.TAKES_SOMEBODY_AT_THE_TABLE)


def note_speaker(case: Case, message: Message[Any]) -> Case:
    """The case with the place from which this person sent the last command: it shows who was not at
    the table."""
    others = tuple(who for who in case.from_floor if who != message.actor)
    return replace(case, from_floor=others if message.via is None else (*others, message.actor))
