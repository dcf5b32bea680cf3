"""What must not be known yet is sealed before anything is made of it, even if it is refused."""

from typing import Any, Final, Protocol

from msgspec import Struct
from msgspec.structs import replace

from controller.cases.manual_entry import by_hand
from controller.game.hands import Outcome
from controller.journal.bodies import Given
from controller.round import position
from controller.sentences.codes import Code
from controller.table.case import AwaitsCounts, AwaitsKept
from controller.table.rules import Rules
from controller.table.state import Table
from controller.table.words.devices import (
    CardDrawnWord,
    DeviceResultWord,
    ExcessCardWord,
    ExcessNamedWord,
    ReadFailedWord,
)
from controller.table.words.message import Malformed, Message, Seal
from controller.table.words.people import DealCardWord, EnterCardWord
from controller.table.words.vocabulary import SPECS, Word
from drivers.cards import Card

_WINNERS: Final = (Outcome.PLAYER, Outcome.BANKER, Outcome.TIE)
_PAIRS: Final = (None, False, True)
_TOLD: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0"
"""The winner and both pair bits, as one character."""
_NO_TOTAL: Final = "-"

_TELLS_A_CARD: Final = (CardDrawnWord, ReadFailedWord, ExcessCardWord, ExcessNamedWord)
"""What a device says of a card that has left the shoe."""
_MAY_HIDE: Final = frozenset(
    {Malformed, DeviceResultWord, EnterCardWord, DealCardWord, *_TELLS_A_CARD}
)
"""Every word that may tell what nobody has seen."""


class Sealing(Protocol):
    """What a face-down card is written with: see `controller.journal.seal`."""

    def seal(self, card_code: str | None, frame: bytes) -> Any: ...


class Covered(Struct, frozen=True, gc=False):
    """A message that may be carried out, and what is recorded in its place."""

    message: Message[Word]
    shown: Message[Word]
    """As anybody may read it: a sealed card shows its commitment only."""
    blob: bytes | None = None


def covered(table: Table, message: Message[Word], rules: Rules, sealer: Sealing) -> Covered:
    """The message with what it tells sealed, where nobody has seen it yet."""
    word = message.word
    if type(word) not in _MAY_HIDE:
        return in_the_open(message)
    if type(word) in _TELLS_A_CARD or isinstance(word, DealCardWord):
        return _covered_card(table, message, rules, sealer)
    if isinstance(word, EnterCardWord) and _cards_are_kept(table):
        return _covered_card(table, message, rules, sealer)  # any other is entered as it lies open
    if isinstance(word, DeviceResultWord) and word.winner is not None and _a_card_is_hidden(table):
        return _sealed(message, result_code(word), sealer)
    if isinstance(word, Malformed) and _may_hide(table, word):
        return _sealed(message, _told(word), sealer)
    return in_the_open(message)


def result_code(word: DeviceResultWord) -> str:
    """A device's result as it is sealed: three characters whatever it is."""
    assert word.winner is not None
    place = _WINNERS.index(word.winner) * 9 + _PAIRS.index(word.player_pair) * 3
    totals = (word.player_total, word.banker_total)
    shown = "".join(_NO_TOTAL if each is None else str(each) for each in totals)
    return _TOLD[place + _PAIRS.index(word.banker_pair)] + shown


def result_of(code: str | None) -> DeviceResultWord:
    """What was sealed as a result."""
    assert code is not None
    place = _TOLD.index(code[0])
    player, banker = (None if each == _NO_TOTAL else int(each) for each in code[1:])
    return DeviceResultWord(
        winner=_WINNERS[place // 9],
        player_pair=_PAIRS[place // 3 % 3],
        banker_pair=_PAIRS[place % 3],
        player_total=player,
        banker_total=banker,
    )


def in_the_open(message: Message[Word]) -> Covered:
    """A message that tells nothing that everybody may not know."""
    return Covered(message, message)


def _covered_card(table: Table, message: Message[Word], rules: Rules, sealer: Sealing) -> Covered:
    card = getattr(message.word, "card", None)
    # Of a shoe that is over: what passes through it once more is dealt to nobody.
    if table.decks.rest is not None or _lies_open(table, message, rules):
        return in_the_open(message)
    return _sealed(message, card, sealer)


def _cards_are_kept(table: Table) -> bool:
    return table.case is not None and isinstance(table.case.awaits, AwaitsCounts | AwaitsKept)


def _may_hide(table: Table, word: Malformed) -> bool:
    """What is refused tells its card, or the winner, as surely as what is taken."""
    struct = SPECS[word.name].struct
    if struct is DeviceResultWord:
        return _a_card_is_hidden(table)
    if struct in _TELLS_A_CARD or struct is DealCardWord:
        return True
    return struct is EnterCardWord and _cards_are_kept(table)


def _told(word: Malformed) -> str | None:
    """The card or the winner that a malformed word tells, as it is sealed."""
    said = word.fields.get(_field(word))
    try:
        if _field(word) == "winner":
            return result_code(DeviceResultWord(winner=Outcome(said)))
        return Card.parse(said) if isinstance(said, str) else None
    except ValueError:
        return None


def _field(word: Malformed) -> str:
    return "winner" if SPECS[word.name].struct is DeviceResultWord else "card"


def _a_card_is_hidden(table: Table) -> bool:
    """The device's own result gives sealed hands away as surely as their cards would."""
    return table.round is not None and any(not drawn.exposed for drawn in table.round.cards)


def _sealed(message: Message[Word], code: str | None, sealer: Sealing) -> Covered:
    sealed = sealer.seal(code, message.frame)
    seal = Seal(sealed.commitment, sealed.salt.hex())
    kept = replace(message, seal=seal, frame=b"")
    return Covered(kept, replace(masked(kept), seal=Seal(sealed.commitment)), sealed.blob)


def _lies_open(table: Table, message: Message[Word], rules: Rules) -> bool:
    """Whether everybody sees the card as it is read; one that lies aside nobody has turned."""
    held, round_, kind = table.shoe, table.round, type(message.word)
    if held is None or not table.day.is_open or table.count_check is not None:
        return False
    if kind is DealCardWord:
        return by_hand.lies_open(table, rules)
    if kind is EnterCardWord:
        return False
    if held.burn_left is None:
        return True
    if kind in _LIES_ASIDE or round_ is None or round_.face_down:
        return False
    return position.goes_to(rules.book, table) is not None


_LIES_ASIDE: Final = (ExcessCardWord, ExcessNamedWord)


def masked(message: Message[Word]) -> Message[Word]:
    """The message without what is sealed."""
    word = message.word
    if isinstance(word, Malformed):
        return replace(message, word=replace(word, fields=_emptied(word)))
    if isinstance(word, DeviceResultWord):
        return replace(message, word=DeviceResultWord(winner=None))
    return with_card(message, None)


def _emptied(word: Malformed) -> Given:
    """The names of its fields and no value: any of them may spell the card. Read again it has to be
    refused for the same field, so one that did not fit is left as what fits as little."""
    bad = word.why.gaps.get("field") if word.why.code == _NOT_AS_IT_MUST_BE else None
    return {name: {} if name == bad else None for name in word.fields}


_NOT_AS_IT_MUST_BE: Final = Code.FIELD_NOT_AS_IT_MUST_BE.value


def with_card(message: Message[Word], card: Card | None) -> Message[Word]:
    word = message.word
    if isinstance(word, _HAVE_A_CARD):
        return replace(message, word=replace(word, card=card))
    return message


_HAVE_A_CARD: Final = (
    CardDrawnWord,
    ExcessCardWord,
    ExcessNamedWord,
    EnterCardWord,
    DealCardWord,
)


def unsealed(message: Message[Word], code: str | None) -> Message[Word]:
    """A recorded message with what was sealed put back, for replay."""
    word = message.word
    if isinstance(word, Malformed):
        return message  # it is refused for a field's name or kind, and no value is needed for that
    if isinstance(word, DeviceResultWord):
        return replace(message, word=result_of(code))
    return with_card(message, None if code is None else Card(code))
