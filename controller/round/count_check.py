"""The card count check: cards may have left the shoe unread, so the table asks for a count.

Cards that come meanwhile wait: their places are not known before the count. This module uses no
faces.
"""

from enum import Enum
from typing import Final

from msgspec.structs import replace

from controller.game.hands import Side
from controller.messages.codes import Code
from controller.messages.sentence import Sentence, sentence
from controller.round import position
from controller.table.agenda import pending
from controller.table.agenda.order import is_busy
from controller.table.cards import UnplacedCard
from controller.table.commands.device_events import CardDrawnEvent, ExcessCardEvent, ReadFailedEvent
from controller.table.commands.message import Message
from controller.table.requests import ConfirmCount
from controller.table.rules import Rules
from controller.table.state import CardCountCheck, Round, Table, add_notice, change_part
from drivers.events import Where

AnyCard = Message[CardDrawnEvent] | Message[ReadFailedEvent] | Message[ExcessCardEvent]


class CountedCards(Enum):
    """The cards that a count covers."""

    LEFT_THE_SHOE = "left_the_shoe"
    """All that have left a shoe in preparation, burned ones too."""
    LIE_OVER = "lie_over"
    """Those on the layout that belong to no finished round."""
    SINCE_THE_RESET = "since_the_reset"
    """On the layout, without those that were dealt before the device was reset."""
    OF_THE_ROUND = "of_the_round"
    """On both hands and aside."""


def start_count_check(table: Table, why: Sentence, *, late: bool = False) -> Table:
    """Ask for the count; where no shoe is in use there is nothing to count. `late`: what is missing
    may still come."""
    round_ = table.round
    between = round_ is None or round_.over
    if table.shoe is None or (between and table.change_shoe):
        return table
    check = table.count_check
    if check is None:
        return _asked(add_notice(table, why), CardCountCheck(why, table.at, late=late))
    table = drop_pending_count(table)  # an earlier count does not cover this loss
    if late and not check.late:
        check = replace(check, late=True)
        table = _asked(table, check)
    if not has_card_since(check):
        return table
    return _asked(add_notice(table, why), replace(check, gaps=check.gaps + 1))


def _asked(table: Table, check: CardCountCheck) -> Table:
    return change_part(table, "card_count", stage=check)


def drop_pending_count(table: Table) -> Table:
    """The table without a count that waits for the second person."""
    for request in table.requests:
        if isinstance(request.subject, ConfirmCount):
            return pending.end_request(table, request)
    return table


def has_card_since(check: CardCountCheck) -> bool:
    """Whether a card came after the latest loss; if not, another loss belongs to the same count."""
    return bool(check.unplaced) and check.unplaced[-1].gaps == check.gaps


def keep_card(table: Table, check: CardCountCheck, message: AnyCard) -> Table:
    """Keep a card that came while the count is in doubt. It may be one that was counted already
    while its frame was delayed: an earlier count is repeated."""
    table = drop_pending_count(table)
    event = message.payload
    arrived = UnplacedCard(
        message.type,
        None if isinstance(event, ReadFailedEvent) else event.card,
        event.hand if isinstance(event, CardDrawnEvent) else None,
        message.seal.commitment,
        message.seal.salt,
        check.gaps,
        event.index if isinstance(event, CardDrawnEvent) else None,
    )
    late = isinstance(event, CardDrawnEvent) and event.late
    before = _behind(arrived, check.unplaced) if late else len(check.unplaced)
    all_came = (*check.unplaced[:before], arrived, *check.unplaced[before:])
    return _asked(table, replace(check, unplaced=all_came))


def _behind(arrived: UnplacedCard, others: tuple[UnplacedCard, ...]) -> int:
    """The index of the card before which a late card was drawn, by the places the device
    reports."""
    order = _in_a_round(arrived)
    later = (n for n, other in enumerate(others) if order < _in_a_round(other))
    return next(later, len(others))


def _in_a_round(arrived: UnplacedCard) -> tuple[int, bool]:
    place = reported_place(arrived.hand, arrived.index)
    return (0, False) if place is None else (place[1], place[0] is Side.BANKER)


# --- the place a device reports for a card ------------------------------------------------------

Place = tuple[Side, int]

_SIDES: Final = {Where.PLAYER: Side.PLAYER, Where.BANKER: Side.BANKER}
_THIRD: Final = 3


def reported_place(hand: Where | None, index: int | None) -> Place | None:
    """The place a device reports, where it reports a whole one."""
    side = _SIDES.get(hand) if hand is not None else None
    return None if side is None or index not in (1, 2, 3) else (side, index)


def next_place(table: Table, rules: Rules) -> Place | None:
    """The place of the next card; None where it is not known."""
    shoe, round_ = table.shoe, table.round
    if shoe is None or shoe.burn_left != 0 or is_busy(table):
        return None
    if round_ is not None and not round_.over and not round_.betting:
        side = position.target_hand(rules.book, table)
        return None if side is None else (side, len(position.hand(round_, side)) + 1)
    positions = len(table.carried) + (len(round_.cards) if round_ and not round_.over else 0)
    initial = position.INITIAL
    return (initial[positions], positions // 2 + 1) if positions < len(initial) else None


def misfit(message: AnyCard, round_: Round, side: Side) -> Sentence | None:
    """The difference, where the shoe drew the card for another place than the due one: a card
    before it may be missing, or a whole turn of the shoe's counter. A number that no hand has shows
    nothing."""
    event = message.payload
    if type(event) is not CardDrawnEvent or event.hand is None:
        return None
    place = len(position.hand(round_, side)) + 1
    text = event.index if event.index in (1, 2, _THIRD) else None
    # Runs for every card: `.value` costs two Python calls.
    if event.hand._value_ == side._value_ and text in (None, place):
        return None
    hidden = any(not drawn.exposed for drawn in position.hand_cards(round_))
    if hidden and text == _THIRD:  # whether a third is drawn gives away face-down cards
        return sentence(Code.PLACE_DIFFERS, due=side, place=place)
    if text is None:
        return sentence(Code.HAND_DIFFERS, hand=event.hand, due=side, place=place)
    return sentence(Code.PLACE_SAYS_OTHERWISE, hand=event.hand, index=text, due=side, place=place)


def expected_card_count(table: Table) -> int:
    """How many cards the dealer must find: of this round on both hands and aside, those that lie
    over from the last, those that came in doubt; while a shoe is prepared, all that left it."""
    check, shoe, round_ = table.count_check, table.shoe, table.round
    arrived = len(check.unplaced) if check is not None else 0
    if shoe is not None and shoe.burn_left != 0:
        return shoe.drawn + arrived
    in_play = len(round_.cards) if round_ is not None and not round_.over else 0
    kept = len(table.case.kept) if table.case is not None else 0
    return in_play + len(table.carried) + kept + arrived


def counted_cards(table: Table) -> CountedCards:
    shoe, round_ = table.shoe, table.round
    if shoe is not None and shoe.burn_left != 0:
        return CountedCards.LEFT_THE_SHOE
    if round_ is None or round_.over:
        return CountedCards.LIE_OVER
    if round_.out.given_up:
        return CountedCards.SINCE_THE_RESET
    return CountedCards.OF_THE_ROUND


def given_up(table: Table) -> int:
    """How many cards a reset of the device has taken out of play: until bets are closed again they
    may lie on the layout, and are of no hand."""
    round_ = table.round
    return 0 if round_ is None or round_.over else round_.out.given_up
