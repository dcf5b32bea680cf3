"""The shoe: loading, burning, and the ledger of every card that has come out of it.

Only cards whose face everybody may know are in the ledger: a complaint about a ninth nine of spades
that lies face down would give it away.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from controller.round.betting import nothing_is_asked_for
from controller.sentences.codes import Code
from controller.table.approvals import Act
from controller.table.cards import Drawn
from controller.table.phases import Happening
from controller.table.refused import Refused
from controller.table.requests import ApprovalRequest, ReplaceShoe
from controller.table.rules import Rules
from controller.table.state import Shoe, Table, happens
from controller.table.words.message import Message
from controller.table.words.people import LoadShoeWord
from drivers.cards import DECK, Card, Rank

IN_A_ROW = 5
"""So many cards following each other in new-deck order are an unshuffled deck: by chance it happens
about once in seven million cards."""

SHUFFLER = "shuffler"
_REMEMBERED = 12
"""Two rounds of cards: a run is found across the end of a round."""

_DECK = len(DECK)
_TENS = {Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING}


def load_shoe(table: Table, message: Message[LoadShoeWord], rules: Rules) -> Table:
    """A new shoe: its deck set, the number of decks, who vouches for it, and that it was cut."""
    rules.may(message, Act.DEAL)
    nothing_is_asked_for(table)
    word, allowed = message.word, rules.book.decks
    decks = rules.house.decks if word.decks is None else word.decks
    if not allowed.fewest <= decks <= allowed.most:
        raise Refused(
            Code.DECKS_NOT_ALLOWED, allowed.clause, fewest=allowed.fewest, most=allowed.most
        )
    if not word.cut:
        raise Refused(Code.CUT_FIRST)
    if word.verified_by == SHUFFLER:
        _check_verified(table, decks)
    new = ReplaceShoe(word.deck_set, decks, word.verified_by)
    if table.shoe is not None and not table.change_shoe:
        # Cards that could still be played are swapped: that takes a second person.
        return replace(table, request=ApprovalRequest(new, message.name))
    return put_in(table, new, rules)


def _check_verified(table: Table, decks: int) -> None:
    """The shuffler vouches for the cards it verified, all of them and no others."""
    if not table.verified:
        raise Refused(Code.NOT_VERIFIED)
    full = decks * len(DECK)
    if table.verified_cards not in (None, full):
        raise Refused(
            Code.VERIFIED_OTHER_COUNT, verified=table.verified_cards, decks=decks, cards=full
        )


def put_in(table: Table, new: ReplaceShoe, rules: Rules) -> Table:
    """The new shoe is on the table, and nothing of the old one is left."""
    burn = {"first_card": None, "none": 0}.get(str(rules.house.burn), rules.house.burn)
    shoe = Shoe(
        table.shoes + 1,
        new.deck_set,
        new.decks,
        new.verified_by,
        burn_left=burn if isinstance(burn, int) else None,
    )
    table = replace(
        table,
        shoe=shoe,
        shoes=shoe.number,
        change_shoe=False,
        verified=False,
        verified_cards=None,
        pack_out=False,
        results=(),
        round=None,
        carried=(),
        notices=(),
    )
    return happens(table, Happening.SHOE_LOADED)


def burned(table: Table, card: str | None) -> Table:
    """One card of the shoe in preparation is burned."""
    assert table.shoe is not None
    table = replace(table, shoe=burn(table.shoe, card))
    return happens(table, Happening.CARD_BURNED)


def is_ready(table: Table) -> bool:
    """Whether a round can be dealt from it."""
    held = table.shoe
    return held is not None and held.burn_left == 0 and not table.change_shoe


def spent(table: Table) -> Table:
    """The shoe has to be changed before the next round."""
    return happens(replace(table, change_shoe=True), Happening.SHOE_SPENT)


def burn(shoe: Shoe, card: str | None) -> Shoe:
    """One card burned; the first is turned up and, if the house burns so, says how many follow."""
    left = shoe.burn_left
    if left is None:
        if card is None:
            raise Refused(Code.FIRST_CARD_UNREAD)
        shown = Card.parse(card)
        left = 10 if shown.rank in _TENS else (shown.number % 13) + 1
        return replace(note(shoe, shown, shoe.drawn + 1), drawn=shoe.drawn + 1, burn_left=left)
    return replace(shoe, drawn=shoe.drawn + 1, burn_left=left - 1)


def note(shoe: Shoe, card: Card, n: int) -> Shoe:
    """The ledger with one more card that everybody has seen, drawn as the `n`th."""
    recent = (*shoe.recent[-_REMEMBERED:], (n, card.number))
    return replace(shoe, seen=_counted(shoe.seen, card, 1), recent=recent)


def forget(shoe: Shoe, card: Card, n: int) -> Shoe:
    """The ledger with a card taken out again that was misread."""
    recent = tuple(each for each in shoe.recent if each[0] != n)
    return replace(shoe, seen=_counted(shoe.seen, card, -1), recent=recent)


def _counted(seen: bytes, card: Card, more: int) -> bytes:
    counts = bytearray(seen)
    counts[card.number] += more
    return bytes(counts)


def impossible(shoe: Shoe, card: Card) -> bool:
    """More copies of it have been seen than the decks hold."""
    return shoe.seen[card.number] > shoe.decks


def new_deck_order(shoe: Shoe, n: int) -> bool:
    """Is the `n`th card among so many that were drawn in new-deck order?

    Drawn order counts: hands are turned one after the other, cards are drawn to both in turn.
    """
    drawn = dict(shoe.recent)
    return n in drawn and _run(drawn, n) >= IN_A_ROW


def _run(drawn: dict[int, int], n: int) -> int:
    """How many cards around the `n`th follow each other both in drawn and in new-deck order."""
    first = last = n
    while drawn.get(first - 1) == drawn[first] - 1:
        first -= 1
    while drawn.get(last + 1) == drawn[last] + 1:
        last += 1
    return last - first + 1


def empty(shoe: Shoe) -> bool:
    return shoe.drawn >= shoe.decks * _DECK


def too_many(shoe: Shoe) -> bool:
    """More cards have come out of it than its decks hold."""
    return shoe.drawn > shoe.decks * _DECK


def missing(shoe: Shoe, left: Mapping[str, int], lying: list[Drawn]) -> list[Card]:
    """What is absent when the cards left and the cards lying known are counted against full decks.

    Raises `Refused` where the count cannot be: more of a card than the decks hold.
    """
    absent: list[Card] = []
    known = [drawn.card for drawn in lying if drawn.card is not None]
    for card in DECK:
        count = shoe.decks - int(left.get(card.code, 0)) - known.count(card.code)
        if count < 0:
            raise Refused(Code.COUNTED_TOO_MANY, cards=-count, card=card.code)
        absent.extend([card] * count)
    return absent
