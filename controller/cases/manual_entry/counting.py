"""The count: people say how many cards lie there, and the table goes on or takes what is missing.

Nobody but the dealer can know this, so one person's word is enough where it agrees. Where it does
not, a second person counts too. A card more than the table knows has left the shoe unread: it takes
the place that was due, before everything that came after the loss. A card fewer is for the role the
book names.
"""

from typing import Final

from msgspec.structs import replace

from controller.cases import people
from controller.cases.engine import advance
from controller.cases.manual_entry import entry
from controller.game.hands import Side
from controller.round import dealing, decks, doubt, position
from controller.round.wagers.betting import nothing_is_asked_for
from controller.sentences.codes import Code
from controller.sentences.sentence import sentence
from controller.table.approvals import Act
from controller.table.cards import UnheardCard, UnplacedCard
from controller.table.case import Case
from controller.table.holds import LatchKind
from controller.table.refused import Refused
from controller.table.requests import ApprovalRequest, ConfirmCount
from controller.table.rules import Rules
from controller.table.state import (
    CardCount,
    CardsCounted,
    Table,
    change_part,
    found,
    is_busy,
    notice,
)
from controller.table.words.devices import CardDrawnWord, ExcessCardWord, ReadFailedWord
from controller.table.words.message import Message, Seal
from controller.table.words.people import CountWord
from drivers.cards import Card

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
    request = table.request
    if request is not None and (same := _counted_too(request, message, rules)) is not None:
        return confirmed(replace(table, request=None), same, request.by, rules)
    table = doubt.uncounted(table if table.count_check is not None else _unasked(table))
    difference = cards - doubt.lying(table)
    given_up = doubt.given_up(table)
    if given_up and difference >= given_up:
        table = notice(table, Code.GIVEN_UP_NOT_COUNTED, cards=given_up)
        difference -= given_up
    if not difference:
        return _laid(table, 0, message.name, rules)
    nothing_is_asked_for(table)
    _laid(table, max(0, difference), message.name, rules)  # refused now rather than afterwards
    return replace(table, request=ApprovalRequest(ConfirmCount(cards, difference), message.name))


def _counted_too(
    request: ApprovalRequest, message: Message[CountWord], rules: Rules
) -> ConfirmCount | None:
    """The count that waits for a second person, where this is that person and counts the same."""
    what = request.what
    if not isinstance(what, ConfirmCount) or what.cards != message.word.cards:
        return None
    try:
        people.second_person(request.by, Act.CONFIRM_COUNT, message, rules)
        people.at_the_table(Act.CONFIRM_COUNT, message)
    except Refused:
        return None
    return what


def _unasked(table: Table) -> Table:
    in_doubt = doubt.raised(table, sentence(Code.DEALER_COUNTS))
    if in_doubt.count_check is None:
        raise Refused(Code.NOTHING_TO_COUNT)
    return in_doubt


def confirmed(table: Table, counted: ConfirmCount, by: str, rules: Rules) -> Table:
    """A second person has counted too. Fewer cards than were told of: what was counted before and
    came after all is one card told of twice, and anything else is for the role the book names."""
    twice = _told_twice(table, -counted.difference) if counted.difference < 0 else ()
    table = _laid(table, max(0, counted.difference), by, rules, twice)
    if counted.difference + len(twice) < 0:
        return found(table, Case(FEWER, by, asker=by))
    return table


def _told_twice(table: Table, fewer: int) -> tuple[UnplacedCard, ...]:
    """Of what came in doubt, the first so many may be cards that were counted before."""
    doubt_, most = table.count_check, min(fewer, len(table.card_count.unheard))
    return () if doubt_ is None else doubt_.came[:most]


def _laid(
    table: Table, missing: int, by: str, rules: Rules, twice: tuple[UnplacedCard, ...] = ()
) -> Table:
    """The count is known: what is missing takes its place unread, and what came since its own. The
    places the device says tell where a card is missing; where it says none, before all of it."""
    held = table.count_check
    assert held is not None
    waiting = table.queue
    table = change_part(replace(table, queue=()), "card_count", stage=None)
    if missing:
        table = notice(table, Code.LEFT_UNREAD, cards=missing)
    for came in twice:
        table = _is_counted_card(
            table, table.card_count.unheard[0], came.card, Seal(came.commitment, came.salt)
        )
    places_tell = _all_places_told(held.came)
    left, unheard, not_read = missing, table.card_count.unheard, list[int]()
    for came in held.came[len(twice) :]:
        while left and (not places_tell or _is_missing_before(table, came, rules)):
            table, unheard = _lay_unread(table, unheard, rules)
            left -= 1
        table = advance(_lay(table, came, rules), rules)
        if came.word == "read_failed" and table.shoe is not None:
            not_read.append(table.shoe.drawn)
    told_of = len(unheard)
    for _ in range(left):
        table, unheard = _lay_unread(table, unheard, rules)
    if missing and held.gaps > 1 and not places_tell:
        # Lost more than once, with cards in between: which came when is for people to say.
        table = found(table, Case(ORDER, by, asker=by))
    late = held.late or any(latch.kind in _LINK_AWAY for latch in table.latches)
    last = tuple(replace(each, last=True, late=late) for each in unheard[told_of:])
    known = CardCount(CardsCounted(), (*unheard[:told_of], *last))
    queue = (*_of_these(waiting, not_read), *table.queue)
    return replace(table, card_count=known, queue=queue)


def _of_these(waiting: tuple[Case, ...], not_read: list[int]) -> tuple[Case, ...]:
    """What the shoe called foreign before the count are the cards it could not read."""
    numbers = iter(not_read)
    return tuple(
        replace(case, n=next(numbers, None)) if dealing.is_foreign(case) else case
        for case in waiting
    )


_LINK_AWAY: Final = (LatchKind.LINK_LOST, LatchKind.LINK_WAS_LOST)


def _all_places_told(came: tuple[UnplacedCard, ...]) -> bool:
    told = [doubt.place_told(each.hand, each.index) for each in came]
    return bool(told) and None not in told


def _is_missing_before(table: Table, came: UnplacedCard, rules: Rules) -> bool:
    """Whether the device drew this card for a later place than the next one. The first four have
    theirs by number, whatever lies aside until a card was entered."""
    told, round_ = doubt.place_told(came.hand, came.index), table.round
    assert told is not None
    side, index = told
    in_play = round_ is not None and not round_.over
    lies = len(table.carried) + (len(round_.cards) if round_ is not None and in_play else 0)
    if index <= 2:
        return lies < 2 * index - (2 if side is Side.PLAYER else 1)
    if lies < len(position.INITIAL):
        return True
    due = doubt.place_due(table, rules)
    if due is None and side is Side.BANKER and lies == len(position.INITIAL) and is_busy(table):
        # A card waits to be entered. Behind the Banker's third none is drawn any more: where the
        # Player may have drawn, that is the card.
        return _player_may_have_drawn(table, rules)
    return due is not None and due != told


def _player_may_have_drawn(table: Table, rules: Rules) -> bool:
    lying = position.hand(table.round, Side.PLAYER)[:2] if table.round is not None else []
    if any(drawn.card is None or not drawn.exposed for drawn in lying):
        return True
    return position.total(rules.book, lying) in rules.book.play.player_draws.totals


def _lay_unread(
    table: Table, unheard: tuple[UnheardCard, ...], rules: Rules
) -> tuple[Table, tuple[UnheardCard, ...]]:
    """A card that was counted and not read; where it lies on a hand, the device may yet tell it."""
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


def _lay(table: Table, came: UnplacedCard, rules: Rules) -> Table:
    seal = Seal(came.commitment, came.salt)
    if came.word == "excess":
        excess = ExcessCardWord(card=came.card)
        return dealing.excess(table, Message("shoe", excess, seal=seal), rules)
    if came.word == "read_failed":
        return dealing.card(table, Message("shoe", ReadFailedWord(), seal=seal), rules)
    card = CardDrawnWord(card=came.card, hand=came.hand, index=came.index)
    return dealing.card(table, Message("shoe", card, seal=seal), rules, counted=True)


# --- a card that was counted, and comes after all -----------------------------------------------


def told(
    table: Table, message: Message[CardDrawnWord] | Message[ReadFailedWord], rules: Rules
) -> Table:
    """A card, as a device tells it. It may be one that people have counted: its frame was under way
    or kept by a device server. That is one card, and it is compared with what people entered."""
    word = message.word
    if table.decks.rest is not None:
        return decks.passed(table, table.decks.rest, message)
    late = isinstance(word, CardDrawnWord) and word.late
    if not (table.card_count.unheard or late):
        return dealing.card(table, message, rules)
    if table.card_count.loss is not None and not late:  # what was counted was lost for good
        return dealing.card(change_part(table, "card_count", unheard=()), message, rules)
    place = None
    if isinstance(word, CardDrawnWord):
        place = doubt.place_told(word.hand, word.index)
    is_it = [e for e in table.card_count.unheard if (e.last or late) and (e.hand, e.index) == place]
    if is_it:
        return _is_counted_card(table, is_it[0], dealing.face(message), message.seal)
    if late or (place is None and _may_be_counted(table)):
        table = doubt.raised(table, sentence(Code.CARD_MAY_BE_COUNTED))
        return dealing.card(table, message, rules)
    return dealing.card(_of_this_round(table), message, rules)


def _may_be_counted(table: Table) -> bool:
    """Whether a card without a place may be one of this round that was counted while the link was
    away. What a device server kept comes at once, not in the next round."""
    lying = {drawn.n for drawn in table.round.cards} if table.round else set()
    return any(each.last and each.late and each.n in lying for each in table.card_count.unheard)


def _of_this_round(table: Table) -> Table:
    """Another card was told of: of those before it only a late number can still tell, and not for
    long."""
    lying = {drawn.n for drawn in table.round.cards} if table.round else set()
    left = tuple(replace(each, last=False) for each in table.card_count.unheard if each.n in lying)
    return change_part(table, "card_count", unheard=left)


def _is_counted_card(table: Table, counted: UnheardCard, card: Card | None, seal: Seal) -> Table:
    """The device tells of a card that was counted: not another card."""
    rest = tuple(each for each in table.card_count.unheard if each is not counted)
    table = notice(
        change_part(table, "card_count", unheard=rest), Code.COUNTED_CARD_CAME, n=counted.n
    )
    if card is None:
        return table
    lying = (*(table.round.cards if table.round else ()), *table.carried)
    drawn = next((each for each in lying if each.n == counted.n), None)
    if drawn is not None:
        return entry.named_late(table, drawn, card, seal)
    if counted.card is None:
        return table
    return entry.face_differs(table, counted.n, counted.card, card)
