"""The shoe: loading, burning, and the ledger of every card that has come out of it.

Only cards whose face everybody may know are in the ledger: a complaint about a ninth nine of spades
that lies face down would give it away.
"""

from typing import Any

from msgspec.structs import replace

from controller.game.roles import Role
from controller.round.errors import Refused
from controller.round.rules import Message, Rules, wanted
from controller.round.state import Drawn, Request, Shoe, Table
from drivers.cards import DECK, Card, Rank

IN_A_ROW = 5
"""So many cards following each other in new-deck order are an unshuffled deck: by chance it happens
about once in seven million cards."""

SHUFFLER = "shuffler"
SWAP = "load_shoe"
"""What is asked for when cards are replaced that could still be played."""

_REMEMBERED = 12
"""Two rounds of cards: a run is found across the end of a round."""

_TENS = {Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING}


def load_shoe(table: Table, message: Message, rules: Rules) -> Table:
    """A new shoe: its deck set, the number of decks, who vouches for it, and that it was cut."""
    rules.need(message, Role.DEALER)
    if table.request is not None:
        raise Refused(f"a second person has yet to approve or refuse: {table.request.what}")
    decks = message.given.get("decks", rules.house.decks)
    rules.book.decks.check(decks)
    if not message.given.get("cut", False):
        raise Refused("the cards must be cut before they are played")
    if wanted(message, "verified_by") == SHUFFLER:
        _check_verified(table, decks)
    given = {
        "deck_set": wanted(message, "deck_set"),
        "decks": decks,
        "verified_by": wanted(message, "verified_by"),
    }
    if table.shoe is not None and not table.change_shoe:
        # Cards that could still be played are swapped: that takes a second person.
        return replace(table, request=Request(SWAP, message.name, given, "the cards are replaced"))
    return put_in(table, given, rules)


def _check_verified(table: Table, decks: int) -> None:
    """The shuffler vouches for the cards it verified, all of them and no others."""
    if not table.verified:
        raise Refused("the shuffler has not verified these cards: name the person who vouches")
    full = decks * len(DECK)
    if table.verified_cards not in (None, full):
        found = f"the shuffler verified {table.verified_cards} cards and {decks} decks have {full}"
        raise Refused(f"{found}: name the person who vouches")


def put_in(table: Table, given: dict[str, Any], rules: Rules) -> Table:
    """The new shoe is on the table, and nothing of the old one is left."""
    burn = {"first_card": None, "none": 0}.get(str(rules.house.burn), rules.house.burn)
    shoe = Shoe(
        table.shoes + 1,
        **given,
        burn_left=burn if isinstance(burn, int) else None,
    )
    return replace(
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


def burn(shoe: Shoe, card: str | None) -> Shoe:
    """One card burned; the first is turned up and, if the house burns so, says how many follow."""
    left = shoe.burn_left
    if left is None:
        if card is None:
            raise Refused("the first card could not be read: enter it as it lies")
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


def new_deck_order(shoe: Shoe, numbers: list[int]) -> bool:
    """Is one of these cards among so many that were drawn in new-deck order?

    Drawn order counts: hands are turned one after the other, cards are drawn to both in turn.
    """
    drawn = dict(shoe.recent)
    return any(_run(drawn, n) >= IN_A_ROW for n in numbers if n in drawn)


def _run(drawn: dict[int, int], n: int) -> int:
    """How many cards around the `n`th follow each other both in drawn and in new-deck order."""
    first = last = n
    while drawn.get(first - 1) == drawn[first] - 1:
        first -= 1
    while drawn.get(last + 1) == drawn[last] + 1:
        last += 1
    return last - first + 1


def empty(shoe: Shoe) -> bool:
    return shoe.drawn >= shoe.decks * len(DECK)


def too_many(shoe: Shoe) -> bool:
    """More cards have come out of it than its decks hold."""
    return shoe.drawn > shoe.decks * len(DECK)


def missing(shoe: Shoe, left: dict[str, int], lying: list[Drawn]) -> list[Card]:
    """What is absent when the cards left and the cards lying known are counted against full decks.

    Raises `Refused` where the count cannot be: more of a card than the decks hold.
    """
    absent: list[Card] = []
    known = [drawn.card for drawn in lying if drawn.card is not None]
    for card in DECK:
        count = shoe.decks - int(left.get(card.code, 0)) - known.count(card.code)
        if count < 0:
            raise Refused(f"there are {-count} too many of {card}: count again")
        absent.extend([card] * count)
    return absent
