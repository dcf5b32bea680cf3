"""The shoe: loading, burning, and the ledger of every card that has come out of it.

The ledger has only cards whose face is public: a complaint about a ninth nine of spades that lies
face down would give it away.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from controller.messages.codes import Code
from controller.round import decks as deck_sets
from controller.table import approvals
from controller.table.agenda import pending
from controller.table.approvals import Act
from controller.table.cards import Drawn
from controller.table.commands.day import LoadShoeCommand, StartShuffleCommand
from controller.table.commands.message import Message
from controller.table.commands.names import is_same_name
from controller.table.phases import RoundEvent
from controller.table.refused import Refused
from controller.table.requests import ApprovalRequest, NewShoe, ReplaceShoe, VouchForShoe
from controller.table.rules import Rules
from controller.table.state import (
    CardCount,
    GoneRound,
    ReplacedCards,
    Shoe,
    Table,
    VerifiedDecks,
    change_part,
    emit,
    notify,
)
from drivers.cards import DECK, Card, Rank

IN_A_ROW = 5
"""The number of consecutive cards in new-deck order that show an unshuffled deck: by chance it
happens about once in seven million cards."""

SHUFFLER = "shuffler"
_REMEMBERED = 12
"""Two rounds of cards: a run is found across the end of a round."""

_DECK = len(DECK)
_TENS = {Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING}


def start_shuffle(table: Table, message: Message[StartShuffleCommand], rules: Rules) -> Table:
    """Record that the pit starts a shuffle; the shuffler reports the result itself. It is a
    separate command so that the record has who wanted it."""
    rules.require_act(message, Act.START_SHUFFLE)
    decks = _decks(message.payload.decks, rules)
    return notify(table, Code.SHUFFLE_ASKED, by=message.actor, decks=decks)


def _decks(given: int | None, rules: Rules) -> int:
    """As many decks as the table plays with, or as the command names, where the book allows it."""
    allowed, decks = rules.book.decks, rules.house.decks if given is None else given
    if not allowed.fewest <= decks <= allowed.most:
        raise Refused(
            Code.DECKS_NOT_ALLOWED, allowed.clause, fewest=allowed.fewest, most=allowed.most
        )
    return decks


def load_shoe(table: Table, message: Message[LoadShoeCommand], rules: Rules) -> Table:
    """Load a new shoe: its deck set, the number of decks, who vouches for it, and that it was
    cut."""
    rules.require_act(message, Act.DEAL)
    table = _without_the_one_asked(table, message)
    pending.nothing_is_asked_for(table)
    command = message.payload
    decks = _decks(command.decks, rules)
    if not command.cut:
        raise Refused(Code.CUT_FIRST)
    new: NewShoe = ReplaceShoe(command.deck_set, decks, command.verified_by)
    if command.verified_by == SHUFFLER:
        _check_verified(table, command.deck_set, decks, rules)
    else:
        new = _vouched_for(decks, message)
    deck_sets.require_loadable(table, command.deck_set, decks, command.verified_by, rules)
    still_played = table.shoe is not None and not table.change_shoe
    if isinstance(new, VouchForShoe) or still_played:
        # Replacing cards that could still be played, or accepting new ones on a person's word,
        # takes a second person.
        return pending.ask(table, ApprovalRequest(new, message.actor))
    return install_shoe(table, new, rules)


def _without_the_one_asked(table: Table, message: Message[LoadShoeCommand]) -> Table:
    """Drop a pending vouching request: the loader may ask another person instead."""
    for request in table.requests:
        if isinstance(request.subject, VouchForShoe) and request.by == message.actor:
            return pending.end_request(table, request)
    return table


def _vouched_for(decks: int, message: Message[LoadShoeCommand]) -> VouchForShoe:
    """Require that the named person vouches in person, and is not the loader."""
    command = message.payload
    row = approvals.approval_row(Act.VOUCH_FOR_SHOE)
    if row.second and is_same_name(command.verified_by, message.actor):
        raise Refused(Code.TAKES_TWO, row.clause)
    return VouchForShoe(command.deck_set, decks, command.verified_by)


def _check_verified(table: Table, deck_set: str, decks: int, rules: Rules) -> None:
    """Require that the shuffler verified these cards, all of them and no others."""
    held = table.decks.shuffler
    if not isinstance(held, VerifiedDecks):
        raise Refused(Code.NOT_VERIFIED)
    old = table.decks.replaced
    same = old is not None and old.deck_set == deck_set and not old.verified_since
    if same:
        # The cards it verified before the ruling cannot be those that were in the shoe then.
        assert old is not None
        raise Refused(Code.SAME_CARDS_AGAIN, old.clause, set=deck_set)
    full = decks * len(DECK)
    if held.cards not in (None, full):
        raise Refused(Code.VERIFIED_OTHER_COUNT, verified=held.cards, decks=decks, cards=full)


def install_shoe(table: Table, new: NewShoe, rules: Rules) -> Table:
    """Put the new shoe on the table and drop all state of the old one."""
    burn = {"first_card": None, "none": 0}.get(str(rules.house.burn), rules.house.burn)
    shoe = Shoe(
        table.history.shoes + 1,
        new.deck_set,
        new.decks,
        new.verified_by,
        burn_left=burn if isinstance(burn, int) else None,
    )
    table = deck_sets.load_deck_set(table, new.deck_set, new.decks, new.verified_by)
    table = replace(
        table,
        shoe=shoe,
        round=None,
        history=replace(table.history, shoes=shoe.number, results=(), gone=_gone(table)),
        decks=replace(table.decks, replaced=None),
        devices=replace(table.devices, card_error=None),
        card_count=CardCount(table.count_check),
        carried=(),
        notices=(),
    )
    return emit(table, RoundEvent.SHOE_LOADED)


def _gone(table: Table) -> GoneRound | None:
    """The last round without its cards: it may be reported on until the next one commences."""
    round_, old = table.round, table.shoe
    if round_ is None or old is None:
        return table.history.gone
    unseen = [replace(each, card=None, salt=None) for each in round_.cards if not each.exposed]
    hidden = {each.n: each for each in unseen}
    cards = tuple(hidden.get(each.n, each) for each in round_.cards)
    result = table.history.results[-1] if round_.void_by is None and table.history.results else None
    left = replace(round_, cards=cards, device=replace(round_.device, result=None))
    return GoneRound(left, old.number, old.deck_set, result)


def burn_card(table: Table, card: Card | None) -> Table:
    """Burn one card of the shoe in preparation."""
    assert table.shoe is not None
    table = replace(table, shoe=burn(table.shoe, card))
    return emit(table, RoundEvent.CARD_BURNED)


def is_ready(table: Table) -> bool:
    """Whether a round can be dealt from it."""
    shoe = table.shoe
    return shoe is not None and shoe.burn_left == 0 and not table.change_shoe


def must_be_replaced(table: Table, clause: str | None) -> Table:
    """The shoe has to be changed before the next round, for other cards or the same ones verified
    again."""
    if table.shoe is not None:
        table = replace(table, shoe=replace(table.shoe, must_change=True))
    return emit(require_other_cards(table, clause), RoundEvent.SHOE_SPENT)


def require_other_cards(table: Table, clause: str | None) -> Table:
    """Require that the next shoe does not hold these cards unchanged."""
    if table.shoe is None:
        return table
    return change_part(table, "decks", replaced=ReplacedCards(table.shoe.deck_set, clause))


def note_verified_cards(table: Table, cards: int | None) -> Table:
    """Record that the shuffler has verified cards that have not been loaded yet."""
    old = table.decks.replaced
    new = None if old is None else replace(old, verified_since=True)
    return change_part(table, "decks", shuffler=VerifiedDecks(cards), replaced=new)


def burn(shoe: Shoe, card: Card | None) -> Shoe:
    """Burn one card; the first is turned up and, if the house burns so, sets how many follow."""
    left = shoe.burn_left
    if left is None:
        if card is None:
            raise Refused(Code.FIRST_CARD_UNREAD)
        left = 10 if card.rank in _TENS else (card.number % 13) + 1
        return replace(note(shoe, card, shoe.drawn + 1), burn_left=left)
    return replace(shoe, drawn=shoe.drawn + 1, burn_left=left - 1)


def note(shoe: Shoe, card: Card, n: int) -> Shoe:
    """The ledger with one more card that all have seen, drawn as the `n`th."""
    recent = (*shoe.recent[-_REMEMBERED:], (n, card.number))
    drawn = n if n > shoe.drawn else shoe.drawn
    return replace(shoe, seen=_counted(shoe.seen, card, 1), drawn=drawn, recent=recent)


def forget(shoe: Shoe, card: Card, n: int) -> Shoe:
    """The ledger without a card that was misread."""
    recent = tuple(each for each in shoe.recent if each[0] != n)
    return replace(shoe, seen=_counted(shoe.seen, card, -1), recent=recent)


def _counted(seen: bytes, card: Card, more: int) -> bytes:
    counts = bytearray(seen)
    counts[card.number] += more
    return bytes(counts)


def is_impossible(shoe: Shoe, card: Card) -> bool:
    """Whether more copies of it have been seen than the decks hold."""
    return shoe.seen[card.number] > shoe.decks


def new_deck_order(shoe: Shoe, n: int) -> bool:
    """Whether the `n`th card is one of many that were drawn in new-deck order.

    Drawn order counts: hands are turned one after the other, cards are drawn to both in turn.
    """
    recent = shoe.recent
    if len(recent) < IN_A_ROW:
        return False
    (before, was), (last, number) = recent[-2:]
    if last == n == shoe.drawn and before == n - 1 and was != number - 1:
        return False  # nearly always: the card before it is another, and none came after it
    drawn = dict(recent)
    return n in drawn and _run(drawn, n) >= IN_A_ROW


def _run(drawn: dict[int, int], n: int) -> int:
    """The number of cards around the `n`th that follow each other both in drawn and in new-deck
    order."""
    first = last = n
    while drawn.get(first - 1) == drawn[first] - 1:
        first -= 1
    while drawn.get(last + 1) == drawn[last] + 1:
        last += 1
    return last - first + 1


def empty_shoe(shoe: Shoe) -> bool:
    return shoe.drawn >= shoe.decks * _DECK


def remaining_cards(shoe: Shoe) -> int:
    """The number of cards left in the shoe, by the ledger."""
    return max(0, shoe.decks * _DECK - shoe.drawn)


def missing_cards(shoe: Shoe, left: Mapping[str, int], laid: list[Drawn]) -> list[Card]:
    """The cards that are absent when the cards left and the known cards are counted against full
    decks.

    Raises `Refused` where the count cannot be: more of a card than the decks hold.
    """
    absent: list[Card] = []
    known = [drawn.card for drawn in laid]
    for card in DECK:
        count = shoe.decks - int(left.get(card.code, 0)) - known.count(card)
        if count < 0:
            raise Refused(Code.COUNTED_TOO_MANY, cards=-count, card=card.code)
        absent.extend([card] * count)
    return absent
