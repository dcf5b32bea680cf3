"""Cards may have left the shoe that nobody read: the table asks how many lie there.

What comes meanwhile waits: where it belongs is not known before the cards are counted. Nothing here
looks at a face.
"""

from enum import Enum
from typing import Final

from msgspec.structs import replace

from controller.game.hands import Side
from controller.round import position
from controller.sentences.codes import Code
from controller.sentences.sentence import Sentence, sentence
from controller.table.cards import UnplacedCard
from controller.table.requests import ConfirmCount
from controller.table.rules import Rules
from controller.table.state import CardCountCheck, Round, Table, change_part, is_busy, noted
from controller.table.words.devices import CardDrawnWord, ExcessCardWord, ReadFailedWord
from controller.table.words.message import Message
from drivers.events import Where

AnyCard = Message[CardDrawnWord] | Message[ReadFailedWord] | Message[ExcessCardWord]


class Counted(Enum):
    """Which cards are counted."""

    LEFT_THE_SHOE = "left_the_shoe"
    """All that have left a shoe in preparation, burned ones too."""
    LIE_OVER = "lie_over"
    """Those on the layout that belong to no finished round."""
    SINCE_THE_RESET = "since_the_reset"
    """On the layout, without those that were dealt before the device was reset."""
    OF_THE_ROUND = "of_the_round"
    """On both hands and aside."""


def raised(table: Table, why: Sentence, *, late: bool = False) -> Table:
    """The count is asked for; where no shoe is in use there is nothing to count. `late`: what is
    missing may still come."""
    round_ = table.round
    between = round_ is None or round_.over
    if table.shoe is None or (between and table.change_shoe):
        return table
    doubt = table.count_check
    if doubt is None:
        return _asked(noted(table, why), CardCountCheck(why, table.at, late=late))
    table = uncounted(table)  # what somebody counted was before this loss
    if late and not doubt.late:
        doubt = replace(doubt, late=True)
        table = _asked(table, doubt)
    if not heard_since(doubt):
        return table
    return _asked(noted(table, why), replace(doubt, gaps=doubt.gaps + 1))


def _asked(table: Table, check: CardCountCheck) -> Table:
    return change_part(table, "card_count", stage=check)


def uncounted(table: Table) -> Table:
    """The table without a count that waits for the second person."""
    waits = table.request is not None and isinstance(table.request.what, ConfirmCount)
    return replace(table, request=None) if waits else table


def heard_since(doubt: CardCountCheck) -> bool:
    """Whether a card came after the latest loss; if not, another loss is the same doubt."""
    return bool(doubt.came) and doubt.came[-1].gaps == doubt.gaps


def keep(table: Table, doubt: CardCountCheck, message: AnyCard) -> Table:
    """A card came while the count is in doubt. It may be one of those that somebody has counted,
    and whose frame was under way: what was counted before it is counted again."""
    table = uncounted(table)
    word = message.word
    came = UnplacedCard(
        message.verb,
        None if isinstance(word, ReadFailedWord) else word.card,
        word.hand if isinstance(word, CardDrawnWord) else None,
        message.seal.commitment,
        message.seal.salt,
        doubt.gaps,
        word.index if isinstance(word, CardDrawnWord) else None,
    )
    late = isinstance(word, CardDrawnWord) and word.late
    before = _behind(came, doubt.came) if late else len(doubt.came)
    all_came = (*doubt.came[:before], came, *doubt.came[before:])
    return _asked(table, replace(doubt, came=all_came))


def _behind(came: UnplacedCard, others: tuple[UnplacedCard, ...]) -> int:
    """Before which of the others a card that came late was drawn, by the places the device says."""
    order = _in_a_round(came)
    later = (n for n, other in enumerate(others) if order < _in_a_round(other))
    return next(later, len(others))


def _in_a_round(came: UnplacedCard) -> tuple[int, bool]:
    place = place_told(came.hand, came.index)
    return (0, False) if place is None else (place[1], place[0] is Side.BANKER)


# --- the place a device says a card was drawn for -----------------------------------------------

Place = tuple[Side, int]

_SIDES: Final = {Where.PLAYER: Side.PLAYER, Where.BANKER: Side.BANKER}
_THIRD: Final = 3


def place_told(hand: Where | None, index: int | None) -> Place | None:
    """The place a device says, where it says a whole one."""
    side = _SIDES.get(hand) if hand is not None else None
    return None if side is None or index not in (1, 2, 3) else (side, index)


def place_due(table: Table, rules: Rules) -> Place | None:
    """Where the next card is going to lie; None where nobody can say."""
    held, round_ = table.shoe, table.round
    if held is None or held.burn_left != 0 or is_busy(table):
        return None
    if round_ is not None and not round_.over and not round_.betting:
        side = position.goes_to(rules.book, table)
        return None if side is None else (side, len(position.hand(round_, side)) + 1)
    lies = len(table.carried) + (len(round_.cards) if round_ and not round_.over else 0)
    initial = position.INITIAL
    return (initial[lies], lies // 2 + 1) if lies < len(initial) else None


def misfit(message: AnyCard, round_: Round, side: Side) -> Sentence | None:
    """Whether the shoe drew the card for another place than the one that is due, and both: a card
    before it may be missing, or a whole turn of the shoe's counter. A number that no hand has says
    nothing."""
    word = message.word
    if type(word) is not CardDrawnWord or word.hand is None:
        return None
    place = len(position.hand(round_, side)) + 1
    says = word.index if word.index in (1, 2, _THIRD) else None
    # Asked of every card: `.value` is two calls of Python.
    if word.hand._value_ == side._value_ and says in (None, place):
        return None
    hidden = any(not drawn.exposed for drawn in position.on_hands(round_))
    if hidden and says == _THIRD:  # whether a third is drawn tells what lies face down
        return sentence(Code.PLACE_DIFFERS, due=side, place=place)
    if says is None:
        return sentence(Code.HAND_DIFFERS, hand=word.hand, due=side, place=place)
    return sentence(Code.PLACE_SAYS_OTHERWISE, hand=word.hand, index=says, due=side, place=place)


def lying(table: Table) -> int:
    """How many cards the dealer must find: of this round on both hands and aside, those that lie
    over from the last, those that came in doubt; while a shoe is prepared, all that left it."""
    doubt, held, round_ = table.count_check, table.shoe, table.round
    came = len(doubt.came) if doubt is not None else 0
    if held is not None and held.burn_left != 0:
        return held.drawn + came
    in_play = len(round_.cards) if round_ is not None and not round_.over else 0
    kept = len(table.case.kept) if table.case is not None else 0
    return in_play + len(table.carried) + kept + came


def counted(table: Table) -> Counted:
    held, round_ = table.shoe, table.round
    if held is not None and held.burn_left != 0:
        return Counted.LEFT_THE_SHOE
    if round_ is None or round_.over:
        return Counted.LIE_OVER
    if round_.out.given_up:
        return Counted.SINCE_THE_RESET
    return Counted.OF_THE_ROUND


def given_up(table: Table) -> int:
    """How many cards a reset of the device has taken out of play: until bets are closed again they
    may lie on the layout, and are of no hand."""
    round_ = table.round
    return 0 if round_ is None or round_.over else round_.out.given_up
