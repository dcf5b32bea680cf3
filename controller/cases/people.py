"""Who has to be who: the case that waits, the role it waits for, and the second person."""

from functools import lru_cache
from typing import Any, Final
from unicodedata import is_normalized

from msgspec.structs import replace

from controller.game.roles import Role
from controller.round.shoe import SHUFFLER
from controller.sentences.codes import Code
from controller.table import approvals
from controller.table.approvals import Act
from controller.table.case import (
    AwaitsApproval,
    AwaitsCard,
    AwaitsOption,
    Case,
    awaited,
)
from controller.table.refused import Refused
from controller.table.rules import Rules
from controller.table.state import Table
from controller.table.words.day import ChooseMethodWord, LoadShoeWord
from controller.table.words.message import Message
from controller.table.words.names import same_name
from controller.table.words.people import (
    AcceptCardsWord,
    ChooseOptionWord,
    PlaceWord,
    RefuseCardsWord,
    ReportWord,
)
from controller.table.words.vocabulary import (
    ANYBODY,
    NAME_MOST,
    NOT_A_PERSON,
    NOT_A_PLAYER,
    Word,
)


def says_who(message: Message[Any], rules: Rules) -> None:
    """Refuse staff who do not say who they are: the second person is known by another name, and a
    name that is left out, or only looks like another, is nobody's. Refuse anybody who is called
    what the table calls its devices, everybody or the dealer: their word would count as theirs."""
    if message.source not in ANYBODY:
        return
    who = message.who or ""
    if message.source == "staff":
        if not 0 < len(who) <= NAME_MOST or not _plain(who):
            raise Refused(Code.SAY_WHO_SPEAKS, most=NAME_MOST)
        _is_a_name(who, NOT_A_PERSON)
    else:
        _is_a_name(who, NOT_A_PLAYER)
        _speaks_for_themselves(message)
    if type(message.word) in _NAMES_SOMEBODY:
        _names_a_person(message.word)


_NAMES_SOMEBODY: Final = frozenset(
    {PlaceWord, AcceptCardsWord, ChooseMethodWord, ReportWord, LoadShoeWord}
)


def _names_a_person(word: Word) -> None:
    match word:
        case PlaceWord() | AcceptCardsWord():
            _is_a_name(word.player, NOT_A_PLAYER)
        case ChooseMethodWord():
            _is_a_name(word.drawer or None, NOT_A_PLAYER)
        case ReportWord():
            _is_a_name(word.to, NOT_A_PLAYER)
        case LoadShoeWord():
            _is_a_name(word.verified_by, NOT_A_PERSON - {SHUFFLER})


def _speaks_for_themselves(message: Message[Any]) -> None:
    """Refuse a player whose word names another: it would be taken as their own."""
    match message.word:
        case (
            PlaceWord(player=str(named))
            | AcceptCardsWord(player=str(named))
            | RefuseCardsWord(player=str(named))
            | ChooseOptionWord(player=str(named))
        ) if not same_name(named, message.who or ""):
            raise Refused(Code.PLAYS_FOR_THEMSELVES, player=named)


def _is_a_name(name: str | None, taken: frozenset[str]) -> None:
    if name is not None and _looks_taken(name, taken):
        raise Refused(Code.NOT_A_PERSONS_NAME, name=name)


@lru_cache(maxsize=500)
def _looks_taken(name: str, taken: frozenset[str]) -> bool:
    """The same few names speak all night: each is looked at once."""
    return any(same_name(name.strip(), each) for each in taken)


@lru_cache(maxsize=200)
def _plain(name: str) -> bool:
    """Nothing in it or around it that cannot be seen, and but one way to write it. The few who work
    at a table say many words each."""
    return name.isprintable() and name == name.strip() and is_normalized("NFC", name)


def open_case(table: Table) -> Case:
    if table.case is None:
        raise Refused(Code.NOTHING_ASKED)
    return table.case


def something_else(case: Case) -> Refused:
    assert case.awaits is not None
    return Refused(Code.WAITS_FOR_SOMETHING_ELSE, case.clause, awaited=awaited(case.awaits))


def role_for(case: Case, rules: Rules) -> Role | None:
    """The least role of whoever ends what the case waits for; None: players do."""
    match case.awaits:
        case None | AwaitsOption():
            return None
        case AwaitsApproval():
            return approvals.of(_approval(case)).role
        case AwaitsCard():
            return approvals.of(Act.DEAL).role
        case awaits:
            return awaits.role


def approval_of(case: Case) -> Act:
    """By which row somebody may speak to it now. A device opened it: whoever speaks first asks,
    and somebody else approves."""
    return Act.ASK_FOR_A_VOID if case.asker is None else _approval(case)


def _approval(case: Case) -> Act:
    assert isinstance(case.awaits, AwaitsApproval)
    return _ACTS[case.awaits.of]


_ACTS: Final = {
    "void": Act.VOID,
    "entered_card": Act.ENTER_CARD,
    "moved_card": Act.MOVE_EXPOSED_CARD,
    "doubt": Act.DOUBT_EXPOSED_CARDS,
    "strike": Act.STRIKE_WAGER,
    "decision": Act.CONFIRM_DECISION,
}


def second_person(first: str, act: Act, message: Message[Any], rules: Rules) -> None:
    """Refuse unless somebody else, who may approve this, speaks."""
    row = approvals.of(act)
    rules.need(message, row.role, row.clause)
    if row.second and rules.same_person(message.name, first):
        raise Refused(Code.TAKES_TWO, row.clause)


def at_the_table(act: Act, message: Message[Any]) -> None:
    """Refuse what somebody approves who cannot have looked."""
    if message.via is not None and approvals.of(act).there:
        raise Refused(Code.TAKES_SOMEBODY_AT_THE_TABLE)


def heard(case: Case, message: Message[Any]) -> Case:
    """The case with whence this person spoke last: who was not there is seen not to have been."""
    others = tuple(who for who in case.from_floor if who != message.name)
    return replace(case, from_floor=others if message.via is None else (*others, message.name))


def count_first(table: Table) -> None:
    """Refuse while cards may be missing."""
    if table.count_check is not None:
        raise Refused(Code.COUNT_FIRST)
