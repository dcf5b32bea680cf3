"""Every mistake as a report that is true at this moment, or None where it cannot happen now.

`HAPPENS` are mistakes; `DOES_NOT_HAPPEN` reports of what the table can know did not happen.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from random import Random

from judge import money
from judge.erring.bench import has_field
from judge.erring.dealer import SIDES, Dealer
from judge.play import BANKER, PLAYER, Card, Layout
from judge.situation import Report, When

MOST_CARDS = 6
"""No round takes more."""

Making = Callable[[Dealer, Random], Report | None]


def _any_time(what: str) -> Making:
    return lambda _dealer, _random: Report(what)


def _in_play(what: str) -> Making:
    return lambda dealer, _random: Report(what) if dealer.when is When.IN_PLAY else None


def _after_the_call(what: str) -> Making:
    """While it is played, or told afterwards."""
    return lambda dealer, _random: None if dealer.when is When.BETTING else Report(what)


def _foreign_card(dealer: Dealer, random: Random) -> Report | None:
    cards = (random.choice(dealer.cards).n,) if dealer.cards else ()
    return Report("foreign_card", cards=cards, belongs=random.random() < 0.2)


def _unshuffled(_dealer: Dealer, random: Random) -> Report | None:
    return Report("unshuffled", unshuffled=random.random() < 0.8)


def _may_be_put_back(what: str) -> Making:
    def make(dealer: Dealer, random: Random) -> Report | None:
        if dealer.when is When.BETTING:
            return None
        return Report(what, reconstructable=random.random() < 0.5)

    return make


def _not_enough_cards(dealer: Dealer, _random: Random) -> Report | None:
    """Only where the shoe is empty: see the rounds themselves."""
    short = dealer.when is When.IN_PLAY and not dealer.pile and dealer.layout.due in SIDES
    return Report("not_enough_cards") if short else None


def _late_wager(dealer: Dealer, random: Random) -> Report | None:
    live = [wager.id for wager in dealer.wagers if not wager.given_back]
    can = has_field("report", "wagers", "late_wager")
    named = (random.choice(live),) if live and can and random.random() < 0.5 else ()
    return Report("late_wager", wagers=named) if dealer.when is When.IN_PLAY else None


# --- where cards lie ----------------------------------------------------------------------------


def _laid_wrong(dealer: Dealer, random: Random, right_number: bool) -> Layout | None:
    """Cards of this round on other hands than they belong to."""
    now = dealer.layout
    if dealer.laid_anew or now.aside or len(now.player) + len(now.banker) < 2 or not now.banker:
        return None
    if right_number:
        here, there = random.randrange(len(now.player)), random.randrange(len(now.banker))
        player, banker = list(now.player), list(now.banker)
        player[here], banker[there] = banker[there], player[here]
        return _in_order(player, banker)
    side = random.choice([side for side in SIDES if now.hand(side)])
    *rest, moved = now.hand(side)
    other = (*now.hand(BANKER if side == PLAYER else PLAYER), moved)
    return _in_order(rest, other) if side == PLAYER else _in_order(other, rest)


def _in_order(player: Iterable[Card], banker: Iterable[Card]) -> Layout:
    """Cards lie on a hand in the order they were laid there, which is the drawn one."""
    hands = [tuple(sorted(hand, key=lambda card: card.n)) for hand in (player, banker)]
    return Layout(*hands)


def _wrong_order(dealer: Dealer, random: Random) -> Report | None:
    lies = None if dealer.when is When.BETTING else _laid_wrong(dealer, random, True)
    can = random.random() < 0.5
    return None if lies is None else Report("wrong_order", lies=lies, reconstructable=can)


def _wrong_number(dealer: Dealer, random: Random) -> Report | None:
    lies = None if dealer.when is When.BETTING else _laid_wrong(dealer, random, False)
    can = random.random() < 0.5
    return None if lies is None else Report("wrong_number", lies=lies, reconstructable=can)


def _simultaneous(dealer: Dealer, random: Random) -> Report | None:
    now = dealer.layout
    count = len(dealer.cards)
    if dealer.when is not When.IN_PLAY or count < 2 or now.aside or dealer.laid_anew:
        return None
    many = 3 if count > 2 and random.random() < 0.2 else 2
    first = random.randint(0, count - many)
    named = random.random() < 0.7
    if not named:
        many, first = 2, count - 2
    meant = dealer.cards[first : first + many]
    if len({card.out_since for card in meant}) > 1:
        return None
    together = tuple(card.n for card in meant)
    order = tuple(random.sample(together, many))
    known = random.random() < 0.5
    # What the shoe says of the last two it says once: its lamp may say so again.
    last = dealer.table.view["rulings"][-1:]
    said = any((each["id"], each["reported_by"]) == ("simultaneous", "shoe") for each in last)
    by_shoe = not named and not said and random.random() < 0.5
    return Report("simultaneous", together if named else (), order, known, by_shoe=by_shoe)


def _exposed_in_error(dealer: Dealer, random: Random) -> Report | None:
    now = dealer.layout
    hidden = [card for side in SIDES for card in now.hand(side) if not card.exposed]
    if dealer.when is not When.IN_PLAY or not hidden:
        return None
    shown = tuple(card.n for card in random.sample(hidden, random.randint(1, len(hidden))))
    return Report("exposed_in_error", cards=shown, dealt_face_up=random.random() < 0.5)


# --- hands that players hold --------------------------------------------------------------------

TOLD_AFTERWARDS = ("wrong_player", "handler_absent")


def _squeezed(dealer: Dealer) -> str | None:
    """A hand that a player holds, face down."""
    for side in dealer.handlers:
        if any(not card.exposed for card in dealer.layout.hand(side)):
            return side
    return None


def _not_passed_yet(dealer: Dealer) -> str | None:
    """A hand that lies there for the player whose it is."""
    if dealer.when is not When.IN_PLAY:
        return None
    for side in SIDES:
        hand = dealer.layout.hand(side)
        lies = len(hand) == 2 and not any(card.exposed for card in hand)
        if lies and side not in dealer.handlers and money.handler(dealer.wagers, side):
            return side
    return None


def _of_a_handler(what: str) -> Making:
    def make(dealer: Dealer, random: Random) -> Report | None:
        hand = _squeezed(dealer) if dealer.when is When.IN_PLAY else None
        if what == "wrong_player" and dealer.way.method == "A" and random.random() < 0.5:
            hand = _not_passed_yet(dealer) or hand
        if dealer.when is When.OVER and what in TOLD_AFTERWARDS:
            hand = next(iter(dealer.handlers), None)
        can = random.random() < 0.5
        return None if hand is None else Report(what, hand=hand, reconstructable=can)

    return make


def taken_unread(dealer: Dealer, random: Random) -> Report | None:
    """A player holds the hand with the card that the device could not read, and walks off."""
    side = next((s for s in dealer.handlers if dealer.unread in dealer.layout.numbers(s)), None)
    known = random.random() < 0.4
    if side is None:
        return None
    return Report("cards_taken", hand=side, read=False, value_known=known)


def _not_passed(dealer: Dealer, random: Random) -> Report | None:
    """Method A, a hand that nobody has taken."""
    now = dealer.layout
    free = [side for side in SIDES if side not in dealer.handlers and len(now.hand(side)) == 2]
    whose = [side for side in free if money.handler(dealer.wagers, side) is not None]
    hidden = [side for side in whose if not any(card.exposed for card in now.hand(side))]
    if dealer.way.method != "A" or dealer.when is not When.IN_PLAY or not hidden:
        return None
    return Report("not_passed", hand=random.choice(hidden))


# --- limits -------------------------------------------------------------------------------------


def _outside(what: str) -> Making:
    def make(dealer: Dealer, _random: Random) -> Report | None:
        limits, live = dealer.way.limits, [w for w in dealer.wagers if not w.given_back]
        found = {
            "under_minimum": any(map(limits.under, live)),
            "over_maximum": any(map(limits.over, live)) and dealer.situation().mbs,
            "differential": dealer.exceeded(),
        }
        return Report(what) if found[what] and dealer.when is not When.OVER else None

    return make


HAPPENS: dict[str, Making] = {
    "foreign_card": _foreign_card,
    "wrong_count": _any_time("wrong_count"),
    "unshuffled": _unshuffled,
    "order_altered": _may_be_put_back("order_altered"),
    "order_altered_moving": _may_be_put_back("order_altered_moving"),
    "not_enough_cards": _not_enough_cards,
    "late_wager": _late_wager,
    "late_withdrawal": _in_play("late_withdrawal"),
    "face_up_in_device": _any_time("face_up_in_device"),
    "wrong_order": _wrong_order,
    "wrong_number": _wrong_number,
    "simultaneous": _simultaneous,
    "exposed_in_error": _exposed_in_error,
    "exposed_while_moving": _after_the_call("exposed_while_moving"),
    "wrong_player": _of_a_handler("wrong_player"),
    "handler_absent": _of_a_handler("handler_absent"),
    "cards_taken": _of_a_handler("cards_taken"),
    "not_passed": _not_passed,
    "device_reset": _may_be_put_back("device_reset"),
    "power_failure": _after_the_call("power_failure"),
    "under_minimum": _outside("under_minimum"),
    "over_maximum": _outside("over_maximum"),
    "differential": _outside("differential"),
    "void_aftermath": lambda dealer, _: Report("void_aftermath") if dealer.void else None,
    "chip_position": _any_time("chip_position"),
    "display_wrong": _any_time("display_wrong"),
    "earlier_limits": _any_time("earlier_limits"),
    "uncovered": _any_time("uncovered"),
}


# --- what did not happen ------------------------------------------------------------------------


def _lies_right(what: str) -> Making:
    def make(dealer: Dealer, _random: Random) -> Report | None:
        now = dealer.layout
        if dealer.when is not When.IN_PLAY or not now.banker or now.aside or dealer.laid_anew:
            return None
        return Report(what, lies=now, happened=False)

    return make


def _not_together(dealer: Dealer, _random: Random) -> Report | None:
    if dealer.when is not When.IN_PLAY or len(dealer.cards) < 3 or dealer.laid_anew:
        return None
    apart = (dealer.cards[0].n, dealer.cards[2].n)
    return Report("simultaneous", cards=apart, order=apart, order_known=True, happened=False)


def _lay_there_before(dealer: Dealer, random: Random) -> Report | None:
    """A card of an earlier round, or from before the call, and the one drawn after it."""
    pairs = zip(dealer.cards, dealer.cards[1:], strict=False)
    apart = [(one.n, two.n) for one, two in pairs if one.out_since != two.out_since]
    if dealer.when is not When.IN_PLAY or not apart or dealer.laid_anew:
        return None
    return Report("simultaneous", cards=random.choice(apart), happened=False)


def _already_open(dealer: Dealer, _random: Random) -> Report | None:
    shown = [card.n for side in SIDES for card in dealer.layout.hand(side) if card.exposed]
    if dealer.when is not When.IN_PLAY or not shown or dealer.way.face_down:
        return None
    return Report("exposed_in_error", cards=(shown[0],), happened=False)


def _none_too_many(dealer: Dealer, _random: Random) -> Report | None:
    if dealer.when is not When.IN_PLAY or dealer.layout.aside:
        return None
    return Report("excess_card", happened=False)


def _within(what: str) -> Making:
    def make(dealer: Dealer, _random: Random) -> Report | None:
        live = [wager for wager in dealer.wagers if not wager.given_back]
        limits = dealer.way.limits
        wrong = dealer.exceeded() if what == "differential" else False
        wrong |= what == "under_minimum" and any(map(limits.under, live))
        wrong |= what == "over_maximum" and (any(map(limits.over, live)) or dealer.exceeded())
        ok = not wrong and dealer.when is not When.OVER
        return Report(what, happened=False) if ok else None

    return make


def _before_the_call(what: str) -> Making:
    def make(dealer: Dealer, _random: Random) -> Report | None:
        return Report(what, happened=False) if dealer.when is When.BETTING else None

    return make


def _no_void(dealer: Dealer, _random: Random) -> Report | None:
    return None if dealer.void else Report("void_aftermath", happened=False)


def _never_played(dealer: Dealer, random: Random) -> Report | None:
    what = random.choice(("wrong_count", "foreign_card", "power_failure", "uncovered"))
    return Report(what, round=dealer.round + random.randint(1, 90), happened=False)


def _enough_cards(dealer: Dealer, _random: Random) -> Report | None:
    """None is needed, or the shoe has more than any round takes."""
    enough = dealer.layout.complete or len(dealer.pile) >= MOST_CARDS
    wrong = dealer.when is When.IN_PLAY and enough
    return Report("not_enough_cards", happened=False) if wrong else None


DOES_NOT_HAPPEN: dict[str, Making] = {
    "wrong_order": _lies_right("wrong_order"),
    "wrong_number": _lies_right("wrong_number"),
    "simultaneous": _not_together,
    "simultaneous with a card from before": _lay_there_before,
    "exposed_in_error": _already_open,
    "excess_card": _none_too_many,
    "differential": _within("differential"),
    "under_minimum": _within("under_minimum"),
    "over_maximum": _within("over_maximum"),
    "late_wager": _before_the_call("late_wager"),
    "late_withdrawal": _before_the_call("late_withdrawal"),
    "void_aftermath": _no_void,
    "a round never played": _never_played,
    "not_enough_cards": _enough_cards,
}

OF_A_VOID_ROUND = (
    "void_aftermath", "display_wrong", "uncovered", "chip_position", "earlier_limits",
    "foreign_card", "wrong_count", "unshuffled",
)  # fmt: skip
"""What may still be said of a round that is void."""

EARLIER = (
    "wrong_order", "wrong_number", "simultaneous", "foreign_card", "wrong_count", "power_failure",
    "excess_card", "exposed_in_error", "late_error", "uncovered", "order_altered", "device_reset",
    "unshuffled",
)  # fmt: skip
"""What may be said of an earlier round; nothing else about it is checked (reading 17)."""


def of_an_earlier_round(dealer: Dealer, random: Random) -> Report | None:
    if dealer.round < 2 or dealer.when is When.OVER:
        return None
    number, in_use = random.randint(1, dealer.round - 1), random.random() < 0.4
    return Report(random.choice(EARLIER), round=number, in_use=in_use)


def shown_since(cards: list[Card], numbers: tuple[int, ...]) -> list[Card]:
    return [replace(card, exposed=True) if card.n in numbers else card for card in cards]
