"""A card that lies open was read as another: two people put it right, or the second says no.

No document speaks of it. Reading 16 has it by two people, with a reason; what follows from the
card's true face is the table of play and the settlement, and both are compared.
"""

from dataclasses import replace
from random import Random

from judge.erring.dealer import CUT, SIDES, Dealer
from judge.erring.found import Difference
from judge.erring.staff import DEALER, SUPERVISOR, Person, somebody, too_low
from judge.play import Card, Layout, lay
from judge.situation import When
from judge.wagers import RWS

REFUSES = 0.2
KIND = "correction"


def corrects(dealer: Dealer, random: Random) -> str | None:
    """What became of it; None where no card can be told to have been misread now."""
    found = _misread(dealer, random)
    if found is None:
        return None
    was, true = found
    cards = [true if card.n == true.n else card for card in dealer.cards]
    after, before = lay(cards), dealer.table.view["hands"]
    first = random.choice((DEALER, SUPERVISOR))
    _asked_for(dealer, first, true)
    second = somebody(random, "pit_supervisor", first.name)
    if dealer.when is When.OVER and not after.complete:
        dealer.must(second.says("approve"), f"{KIND} that leaves the hands of a settled round open")
        _number_is_wrong(dealer, random, first, before)
        return "leaves hands open"
    if random.random() < REFUSES:
        _refused(dealer, second, before)
        return "refused"
    dealer.must(second.says("approve"), f"{KIND}: the second person")
    dealer.cards = cards
    dealer.pile[dealer.pile.index(true.face)] = was.face
    dealer.check_hands(f"after a {KIND}")
    if dealer.when is When.OVER:
        dealer.settled_anew()
    return "made"


def _number_is_wrong(
    dealer: Dealer, random: Random, first: Person, before: dict[str, list[str | None]]
) -> None:
    """It is a wrong number of cards then, which nobody can put right any more: void by 5.2 or RWS
    5.5.3 if two people say so, else for the role of 6.1. Nothing has changed until then, and here
    it is let stand."""
    kind = f"{KIND} that leaves the hands of a settled round open"
    (ask,) = dealer.table.view["asks"]
    short = dealer.way.book in ("mbs-sands-super-baccarat", "mbs-baccarat-tournament-5")
    want = ("approve", "5.2") if short else ("approve", "5.5.3")
    if not short and dealer.way.book != RWS:
        want = ("decide", "6.1")
    if (ask["do"], ask["clause"]) != want:
        raise Difference(kind, want, (ask["do"], ask["clause"]))
    if want[0] == "approve":
        dealer.must_not(first.says("approve"), f"{kind}: void by one person")
        dealer.must(somebody(random, "pit_supervisor", first.name).says("refuse"), kind)
        (ask,) = dealer.table.view["asks"]
    decides = somebody(random, ask["role"], first.name)
    dealer.must(decides.says("decide", text="it stays as it was settled", outcome="go_on"), kind)
    if dealer.table.view["hands"] != before:
        raise Difference(kind, before, dealer.table.view["hands"])


def _misread(dealer: Dealer, random: Random) -> tuple[Card, Card] | None:
    """A card that lies open, and what it is in truth: one that is still in the shoe."""
    now: Layout = dealer.layout
    unsure = dealer.laid_anew or dealer.lies or now.aside or dealer.unread or dealer.void
    exposed = [card for side in SIDES for card in now.hand(side) if card.exposed]
    left = [face for face in dealer.pile if face != CUT]
    if unsure or not exposed or not left or any(card.kept_out for card in dealer.cards):
        return None
    was, face = random.choice(exposed), random.choice(left)
    true = replace(was, face=face)
    after = lay([true if card.n == was.n else card for card in dealer.cards])
    return None if face == was.face or after.aside else (was, true)


def _asked_for(dealer: Dealer, first: Person, true: Card) -> None:
    line = first.says("correct", n=true.n, card=true.face, reason="the label is smudged")
    hidden = [card for side in SIDES for card in dealer.layout.hand(side) if not card.exposed]
    if hidden:
        unseen = first.says("correct", n=hidden[0].n, card=true.face, reason="a guess")
        dealer.must_not(unseen, f"{KIND} of a card that nobody has seen")
    dealer.must(line, f"{KIND} is asked for")
    dealer.must_not(first.says("approve"), f"{KIND} by one person alone")
    low = too_low("pit_supervisor", first.name)
    assert low is not None
    dealer.must_not(low.says("approve"), f"{KIND} approved by a {low.role}")


def _refused(dealer: Dealer, second: Person, before: dict[str, list[str | None]]) -> None:
    dealer.must(second.says("refuse"), f"{KIND}: the second person refuses")
    if dealer.table.view["hands"] != before:
        raise Difference(f"{KIND} that was refused", before, dealer.table.view["hands"])
