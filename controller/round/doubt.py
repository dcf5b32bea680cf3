"""Cards may have left the shoe that nobody read: the table asks how many lie there.

What comes meanwhile waits: where it belongs is not known before the cards are counted. Nothing here
looks at a face.
"""

from enum import Enum

from msgspec.structs import replace

from controller.sentences.sentence import Sentence
from controller.table.cards import UnplacedCard
from controller.table.requests import ConfirmCount
from controller.table.state import Doubt, Table, noted
from controller.table.words.devices import CardDrawnWord, ExcessCardWord, ReadFailedWord
from controller.table.words.message import Message

AnyCard = Message[CardDrawnWord] | Message[ReadFailedWord] | Message[ExcessCardWord]


class Counted(Enum):
    """Which cards are counted."""

    LEFT_THE_SHOE = "left_the_shoe"
    """All that have left a shoe in preparation, burned ones too."""
    LIE_OVER = "lie_over"
    """Those on the layout that belong to no finished round."""
    OF_THE_ROUND = "of_the_round"
    """On both hands and aside."""


def raised(table: Table, why: Sentence) -> Table:
    """Doubt about the count; where no shoe is in use there is nothing to count."""
    round_ = table.round
    between = round_ is None or round_.over
    if table.shoe is None or (between and table.change_shoe):
        return table
    doubt = table.doubt
    if doubt is None:
        return replace(noted(table, why), doubt=Doubt(why, table.at))
    table = uncounted(table)  # what somebody counted was before this loss
    if not heard_since(doubt):
        return table
    return replace(noted(table, why), doubt=replace(doubt, gaps=doubt.gaps + 1))


def uncounted(table: Table) -> Table:
    """The table without a count that waits for the second person."""
    waits = table.request is not None and isinstance(table.request.what, ConfirmCount)
    return replace(table, request=None) if waits else table


def heard_since(doubt: Doubt) -> bool:
    """Whether a card came after the latest loss; if not, another loss is the same doubt."""
    return bool(doubt.came) and doubt.came[-1].gaps == doubt.gaps


def keep(table: Table, doubt: Doubt, message: AnyCard) -> Table:
    """A card came while the count is in doubt."""
    word = message.word
    came = UnplacedCard(
        message.verb,
        None if isinstance(word, ReadFailedWord) else word.card,
        word.hand if isinstance(word, CardDrawnWord) else None,
        message.seal.commitment,
        message.seal.salt,
        doubt.gaps,
    )
    return replace(table, doubt=replace(doubt, came=(*doubt.came, came)))


def lying(table: Table) -> int:
    """How many cards the dealer must find: of this round on both hands and aside, those that lie
    over from the last, those that came in doubt; while a shoe is prepared, all that left it."""
    doubt, held, round_ = table.doubt, table.shoe, table.round
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
    return Counted.OF_THE_ROUND
