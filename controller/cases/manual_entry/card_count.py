"""The card count: people count the cards on the layout, and the table goes on or adds what is
missing.

Only the dealer can know this, so one person's count is enough where it agrees. Where it differs, a
second person counts too. One card more than the table has recorded has left the shoe unread: it
takes the place that was due, before all cards that came after the loss. One card fewer goes to the
role the book names.
"""

from typing import Final

from msgspec.structs import replace

from controller.cases import people
from controller.cases.engine import advance
from controller.cases.manual_entry import entry
from controller.game.hands import Side
from controller.messages.codes import Code
from controller.messages.sentence import sentence
from controller.round import count_check, dealing, decks, position
from controller.table.agenda import pending
from controller.table.agenda.order import is_busy
from controller.table.approvals import Act
from controller.table.cards import UnheardCard, UnplacedCard
from controller.table.case import Case
from controller.table.commands.device_events import CardDrawnEvent, ExcessCardEvent, ReadFailedEvent
from controller.table.commands.message import Message, Seal
from controller.table.commands.people import CountCommand
from controller.table.holds import HoldReason
from controller.table.refused import Refused
from controller.table.requests import ApprovalRequest, ConfirmCount
from controller.table.rules import Rules
from controller.table.state import CardCount, CardsCounted, Table, change_part, notify, queue_case
from drivers.cards import Card

MAX_COUNT: Final = 600
"""More than the largest shoe holds."""

FEWER: Final = "count_differs"
ORDER: Final = "count_order"
"""The book has no row for it: the role it names decides."""

_UNREAD: Final = UnplacedCard("read_failed", None, None, None, None, 0)


def count(table: Table, message: Message[CountCommand], rules: Rules) -> Table:
    """Apply a count of the cards. Without a request it is the dealer's report of a card that was
    drawn and not read: a cable unplugged behind a device server is not reported, and neither is a
    card the reader missed."""
    rules.require_act(message, Act.DEAL)
    cards = message.payload.cards
    if cards > MAX_COUNT:
        raise Refused(Code.TOO_MANY_CARDS_TO_LIE_THERE, cards=cards)
    request = table.request
    if request is not None and (same := _counted_too(request, message, rules)) is not None:
        return confirm_count(pending.without_request(table, request), same, request.by, rules)
    table = count_check.drop_pending_count(
        table if table.count_check is not None else _unasked(table)
    )
    difference = cards - count_check.expected_card_count(table)
    given_up = count_check.given_up(table)
    if given_up and difference >= given_up:
        table = notify(table, Code.GIVEN_UP_NOT_COUNTED, cards=given_up)
        difference -= given_up
    if not difference:
        return _lay_counted(table, 0, message.actor, rules)
    _lay_counted(
        table, max(0, difference), message.actor, rules
    )  # refused now rather than afterwards
    return pending.ask(table, ApprovalRequest(ConfirmCount(cards, difference), message.actor))


def _counted_too(
    request: ApprovalRequest, message: Message[CountCommand], rules: Rules
) -> ConfirmCount | None:
    """The pending count, where this person is the second one and counts the same."""
    what = request.subject
    if not isinstance(what, ConfirmCount) or what.cards != message.payload.cards:
        return None
    try:
        people.second_person(request.by, Act.CONFIRM_COUNT, message, rules)
        people.require_presence(Act.CONFIRM_COUNT, message)
    except Refused:
        return None
    return what


def _unasked(table: Table) -> Table:
    in_doubt = count_check.start_count_check(table, sentence(Code.DEALER_COUNTS))
    if in_doubt.count_check is None:
        raise Refused(Code.NOTHING_TO_COUNT)
    return in_doubt


def confirm_count(table: Table, counted: ConfirmCount, by: str, rules: Rules) -> Table:
    """Apply the second person's count. With fewer cards than were reported, a card that was counted
    and then arrived late is one card reported twice; anything else goes to the role the book
    names."""
    twice = _possibly_counted(table, -counted.difference) if counted.difference < 0 else ()
    table = _lay_counted(table, max(0, counted.difference), by, rules, twice)
    if counted.difference + len(twice) < 0:
        return queue_case(table, Case(FEWER, by, asker=by))
    return table


def _possibly_counted(table: Table, fewer: int) -> tuple[UnplacedCard, ...]:
    """The first doubtful cards, as many as may be cards that were counted before."""
    doubt_, most = table.count_check, min(fewer, len(table.card_count.unheard))
    return () if doubt_ is None else doubt_.unplaced[:most]


def _lay_counted(
    table: Table, missing: int, by: str, rules: Rules, twice: tuple[UnplacedCard, ...] = ()
) -> Table:
    """Lay the counted cards: missing ones take their places unread, later ones take their own. The
    places the device reports show where a card is missing; without them it is before all the
    others."""
    held = table.count_check
    assert held is not None
    waiting = table.queue
    table = change_part(replace(table, queue=()), "card_count", stage=None)
    if missing:
        table = notify(table, Code.LEFT_UNREAD, cards=missing)
    for arrived in twice:
        table = _is_counted_card(
            table, table.card_count.unheard[0], arrived.card, Seal(arrived.commitment, arrived.salt)
        )
    places_tell = _has_all_places(held.unplaced)
    left, unheard, not_read = missing, table.card_count.unheard, list[int]()
    for arrived in held.unplaced[len(twice) :]:
        while left and (not places_tell or _is_missing_before(table, arrived, rules)):
            table, unheard = _lay_unread(table, unheard, rules)
            left -= 1
        table = advance(_lay(table, arrived, rules), rules)
        if arrived.word == "read_failed" and table.shoe is not None:
            not_read.append(table.shoe.drawn)
    told_of = len(unheard)
    for _ in range(left):
        table, unheard = _lay_unread(table, unheard, rules)
    if missing and held.gaps > 1 and not places_tell:
        # Lost more than once, with cards in between: people decide which came when.
        table = queue_case(table, Case(ORDER, by, asker=by))
    late = held.late or any(hold.kind in _LINK_AWAY for hold in table.latches)
    last = tuple(replace(each, last=True, late=late) for each in unheard[told_of:])
    # Laying them may have shown another loss: then the count is asked for again.
    stage = table.count_check or CardsCounted()
    known = CardCount(stage, (*unheard[:told_of], *last))
    queue = (*_of_these(waiting, not_read), *table.queue)
    return replace(table, card_count=known, queue=queue)


def _of_these(waiting: tuple[Case, ...], not_read: list[int]) -> tuple[Case, ...]:
    """The cards the shoe called foreign before the count are those it could not read."""
    numbers = iter(not_read)
    return tuple(
        replace(case, n=next(numbers, None)) if dealing.is_foreign(case) else case
        for case in waiting
    )


_LINK_AWAY: Final = (HoldReason.LINK_LOST, HoldReason.LINK_WAS_LOST)


def _has_all_places(arrived: tuple[UnplacedCard, ...]) -> bool:
    reported = [count_check.reported_place(each.hand, each.index) for each in arrived]
    return bool(reported) and None not in reported


def _is_missing_before(table: Table, arrived: UnplacedCard, rules: Rules) -> bool:
    """Whether the device drew this card for a later place than the next one. The first four cards
    have their places by number, even if cards lie aside until one was entered."""
    reported, round_ = count_check.reported_place(arrived.hand, arrived.index), table.round
    assert reported is not None
    side, index = reported
    in_play = round_ is not None and not round_.over
    positions = len(table.carried) + (len(round_.cards) if round_ is not None and in_play else 0)
    if index <= 2:
        return positions < 2 * index - (2 if side is Side.PLAYER else 1)
    if positions < len(position.INITIAL):
        return True
    due = count_check.next_place(table, rules)
    if (
        due is None
        and side is Side.BANKER
        and positions == len(position.INITIAL)
        and is_busy(table)
    ):
        # A card waits to be entered. After the Banker's third no card is drawn: where the Player
        # may have drawn, that is the card.
        return _player_may_have_drawn(table, rules)
    return due is not None and due != reported


def _player_may_have_drawn(table: Table, rules: Rules) -> bool:
    laid = position.hand(table.round, Side.PLAYER)[:2] if table.round is not None else []
    if any(drawn.card is None or not drawn.exposed for drawn in laid):
        return True
    return position.total(rules.book, laid) in rules.book.play.player_draws.totals


def _lay_unread(
    table: Table, unheard: tuple[UnheardCard, ...], rules: Rules
) -> tuple[Table, tuple[UnheardCard, ...]]:
    """Lay a card that was counted and not read; on a hand, the device may still report its face."""
    before = len(table.round.cards) if table.round else 0
    table = advance(_lay(table, _UNREAD, rules), rules)
    cards = table.round.cards if table.round else ()
    if len(cards) <= before:
        return table, unheard
    drawn = cards[-1]
    index = None
    if drawn.hand is not None:
        index = sum(each.hand is drawn.hand for each in cards)
    return table, (*unheard, UnheardCard(drawn.n, drawn.hand, index))


def _lay(table: Table, arrived: UnplacedCard, rules: Rules) -> Table:
    seal = Seal(arrived.commitment, arrived.salt)
    if arrived.word == "excess":
        excess = ExcessCardEvent(card=arrived.card)
        return dealing.handle_excess_card(table, Message("shoe", excess, seal=seal), rules)
    if arrived.word == "read_failed":
        return dealing.handle_card(table, Message("shoe", ReadFailedEvent(), seal=seal), rules)
    card = CardDrawnEvent(card=arrived.card, hand=arrived.hand, index=arrived.index)
    return dealing.handle_card(table, Message("shoe", card, seal=seal), rules, counted=True)


# --- a card that was counted and arrives late ---------------------------------------------------


def handle_card(
    table: Table, message: Message[CardDrawnEvent] | Message[ReadFailedEvent], rules: Rules
) -> Table:
    """Handle a card from a device. It may be one that people have counted, whose frame was delayed
    or kept by a device server. That is one card, and it is compared with what people entered."""
    event = message.payload
    if table.decks.rest is not None:
        return decks.handle_passed_card(table, table.decks.rest, message)
    late = isinstance(event, CardDrawnEvent) and event.late
    if not (table.card_count.unheard or late):
        return dealing.handle_card(table, message, rules)
    if table.card_count.loss is not None and not late:  # what was counted was lost for good
        return dealing.handle_card(change_part(table, "card_count", unheard=()), message, rules)
    place = None
    if isinstance(event, CardDrawnEvent):
        place = count_check.reported_place(event.hand, event.index)
    is_it = [e for e in table.card_count.unheard if (e.last or late) and (e.hand, e.index) == place]
    if is_it:
        return _is_counted_card(table, is_it[0], dealing.lay_faced(message), message.seal)
    if late or (place is None and _may_be_counted(table)):
        table = count_check.start_count_check(table, sentence(Code.CARD_MAY_BE_COUNTED))
        return dealing.handle_card(table, message, rules)
    return dealing.handle_card(_of_this_round(table), message, rules)


def _may_be_counted(table: Table) -> bool:
    """Whether a card without a place may be one of this round that was counted while the link was
    down. A device server delivers kept cards at once, not in the next round."""
    laid = {drawn.n for drawn in table.round.cards} if table.round else set()
    return any(each.last and each.late and each.n in laid for each in table.card_count.unheard)


def _of_this_round(table: Table) -> Table:
    """Drop counted cards of other rounds after another card was reported. Of those left only one
    with a late number can still come."""
    laid = {drawn.n for drawn in table.round.cards} if table.round else set()
    left = tuple(replace(each, last=False) for each in table.card_count.unheard if each.n in laid)
    return change_part(table, "card_count", unheard=left)


def _is_counted_card(table: Table, counted: UnheardCard, card: Card | None, seal: Seal) -> Table:
    """Treat the reported card as the one that was counted, not as another card."""
    rest = tuple(each for each in table.card_count.unheard if each is not counted)
    table = notify(
        change_part(table, "card_count", unheard=rest), Code.COUNTED_CARD_CAME, n=counted.n
    )
    if card is None:
        return table
    laid = (*(table.round.cards if table.round else ()), *table.carried)
    drawn = next((each for each in laid if each.n == counted.n), None)
    if drawn is not None:
        return entry.name_late_card(table, drawn, card, seal)
    if counted.card is None:
        return table
    return entry.has_other_face(table, counted.n, counted.card, card)
