"""How each mistake is made: the actions at the shoe, and the dealer's report."""

from collections.abc import Callable, Mapping
from typing import Final

from simulators.dealer.people import DEALER
from simulators.dealer.seat import Seat
from simulators.kit.cards import CUTTING_CARD


def _draw_blindly(seat: Seat) -> None:
    seat.draw(tend=False)


def _draw_two(seat: Seat) -> None:
    seat.tend_shoe()
    seat.came(*seat.shoe.do("draw_two", read="both"))
    last = seat.known.numbers[-2:]
    seat.say(DEALER.line("report", what="simultaneous", cards=last))


def _draw_unread(seat: Seat) -> None:
    seat.tend_shoe()
    card = str(seat.shoe.do("unreadable"))
    seat.known.unread.append(card)
    seat.came(card)


def _draw_foreign(seat: Seat) -> None:
    seat.tend_shoe()
    seat.shoe.do("foreign")
    seat.came("a card of another set")


def _draw_cutting_card(seat: Seat) -> None:
    seat.tend_shoe()
    seat.shoe.do("cutting_card")
    seat.say_cutting_card()


def _pull_cable(seat: Seat) -> None:
    """Draw a card while the cable is out. A shoe that numbers its events shows the loss with the
    next one, so the dealer goes on; with another one the table asks for the count at once."""
    seat.tend_shoe()
    seat.shoe.do("unplug")
    seat.hear("link_lost")
    card = str(seat.shoe.do("draw"))
    seat.shoe.do("plug")
    seat.hear("link_up")
    if card != CUTTING_CARD:
        seat.left(card)
    if not seat.counting():
        seat.draw()


def _lay_wrongly(seat: Seat) -> None:
    """Deal to the wrong hands; the dealer reports the layout at once or on request."""
    reported = {"lies": seat.known.laid_by_pairs()} if seat.by_chance() else {}
    seat.say(DEALER.line("report", what="wrong_order", **reported))


WRONGS: Final[Mapping[str, Callable[[Seat], None]]] = {
    "extra": _draw_blindly,
    "early": _draw_blindly,
    "two": _draw_two,
    "unreadable": _draw_unread,
    "foreign": _draw_foreign,
    "wrong_order": _lay_wrongly,
    "cut": _draw_cutting_card,
    "cable": _pull_cable,
}
