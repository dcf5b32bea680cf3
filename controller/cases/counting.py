"""The count: people say how many cards lie there, and the table goes on or takes what is missing.

Nobody but the dealer can know this, so one person's word is enough where it agrees. Where it does
not, a second person counts too. A card more than the table knows has left the shoe unread: it takes
the place that was due, before everything that came after the loss. A card fewer is for the role the
book names.
"""

from typing import Final

from msgspec.structs import replace

from controller.cases.engine import advance
from controller.round import dealing, doubt
from controller.round.betting import nothing_is_asked_for
from controller.sentences.codes import Code
from controller.sentences.sentence import sentence
from controller.table.approvals import Act
from controller.table.cards import UnplacedCard
from controller.table.case import Case
from controller.table.refused import Refused
from controller.table.requests import ApprovalRequest, ConfirmCount
from controller.table.rules import Rules
from controller.table.state import Table, found, notice
from controller.table.words.devices import CardDrawnWord, ExcessCardWord, ReadFailedWord
from controller.table.words.message import Message, Seal
from controller.table.words.people import CountWord

MOST: Final = 600
"""More than the largest shoe holds."""

FEWER: Final = "count_differs"
ORDER: Final = "count_order"
"""What no book has a row for: the role it names decides."""

_UNREAD: Final = UnplacedCard("read_failed", None, None, None, None, 0)


def count(table: Table, message: Message[CountWord], rules: Rules) -> Table:
    """So many cards lie there. Said unasked it is the dealer's report of a card that was drawn and
    not read: a cable that came out behind a device server says nothing, and neither does a reader
    that saw nothing."""
    rules.may(message, Act.DEAL)
    cards = message.word.cards
    if cards > MOST:
        raise Refused(Code.TOO_MANY_CARDS_TO_LIE_THERE, cards=cards)
    table = doubt.uncounted(table if table.doubt is not None else _unasked(table))
    difference = cards - doubt.lying(table)
    if not difference:
        return _laid(table, 0, message.name, rules)
    nothing_is_asked_for(table)
    _laid(table, max(0, difference), message.name, rules)  # refused now rather than afterwards
    return replace(table, request=ApprovalRequest(ConfirmCount(cards, difference), message.name))


def _unasked(table: Table) -> Table:
    in_doubt = doubt.raised(table, sentence(Code.DEALER_COUNTS))
    if in_doubt.doubt is None:
        raise Refused(Code.NOTHING_TO_COUNT)
    return in_doubt


def confirmed(table: Table, counted: ConfirmCount, by: str, rules: Rules) -> Table:
    """A second person has counted too."""
    table = _laid(table, max(0, counted.difference), by, rules)
    if counted.difference < 0:
        return found(table, Case(FEWER, by, asker=by))
    return table


def _laid(table: Table, missing: int, by: str, rules: Rules) -> Table:
    """The count is known: what is missing takes its place unread, then what came since."""
    held = table.doubt
    assert held is not None
    waiting, table = table.queue, replace(table, doubt=None, queue=())
    if missing:
        table = notice(table, Code.LEFT_UNREAD, cards=missing)
    for came in (*[_UNREAD] * missing, *held.came):
        table = advance(_lay(table, came, rules), rules)
    if missing and held.gaps > 1:
        # Lost more than once, with cards in between: which came when is for people to say.
        table = found(table, Case(ORDER, by, asker=by))
    return replace(table, queue=(*waiting, *table.queue))


def _lay(table: Table, came: UnplacedCard, rules: Rules) -> Table:
    seal = Seal(came.commitment, came.salt)
    if came.word == "excess":
        excess = ExcessCardWord(card=came.card)
        return dealing.excess(table, Message("shoe", excess, seal=seal), rules)
    if came.word == "read_failed":
        return dealing.card(table, Message("shoe", ReadFailedWord(), seal=seal), rules)
    card = CardDrawnWord(card=came.card, hand=came.hand)
    return dealing.card(table, Message("shoe", card, seal=seal), rules)
