"""A shoe for a table without devices: the robot draws from it and sends each card as a line."""

from collections import deque
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from simulators.dealer.links import Line, Stuck, Table
from simulators.kit.cards import CUTTING_CARD, NEW_DECK
from simulators.kit.contract import Refused
from simulators.kit.pile import Pile


class PaperShoe:
    """A `Shoe` and the `Table` that receives its cards; it combines the shoe's reports with the
    table's answers."""

    def __init__(self, table: Table, seed: int, decks: int = 8, cut_from_end: int = 16) -> None:
        self._table = table
        self._random = Random(seed)
        self._decks, self._cut = decks, cut_from_end
        self._pile = self._new_pile()
        self._said: deque[Line] = deque()
        self._heard = True

    def say(self, line: Line) -> list[Line]:
        return self._table.say(line)

    def wait(self) -> Line:
        if not self._said:
            raise Stuck("a shoe of paper says nothing by itself")
        return self._said.popleft()

    def look(self) -> dict[str, Any]:
        return {"cards_left": self._pile.left}

    def do(self, word: str, **_given: object) -> Any:
        hands: Mapping[str, Callable[[], object]] = {
            "draw": self._draw,
            "draw_two": lambda: [self._draw_card(), self._draw_card()],
            "unreadable": self._draw_unread,
            "foreign": self._draw_foreign,
            "cutting_card": self._draw_cutting_card,
            "load": self._load,
            "unplug": self._unplug,
            "plug": self._plug,
        }
        if word not in hands:
            raise Refused(f"a shoe of paper cannot {word}")
        return hands[word]()

    def _draw(self) -> str:
        card = self._pile.take()
        if card == CUTTING_CARD:
            self._tell("cut_card")
        else:
            self._tell("card", card=card)
        return card

    def _draw_card(self) -> str:
        card = self._draw()
        return self._draw() if card == CUTTING_CARD else card

    def _draw_unread(self) -> str:
        card = self._pile.take()
        if card == CUTTING_CARD:
            self._tell("cut_card")
            card = self._pile.take()
        self._tell("read_failed")
        return card

    def _draw_foreign(self) -> None:
        """Report a foreign card as a reading shoe does: an error about the card's code, and a card
        unread."""
        self._tell("error", code=6)
        self._tell("read_failed")

    def _draw_cutting_card(self) -> None:
        self._pile.take_cutting_card()
        self._tell("cut_card")

    def _load(self) -> None:
        self._pile = self._new_pile()

    def _unplug(self) -> None:
        self._tell("link_lost")
        self._heard = False

    def _plug(self) -> None:
        self._heard = True
        self._tell("link_up", **{"with": {"count": True}})

    def _tell(self, event: str, **fields: object) -> None:
        if not self._heard:
            return
        answer = self._table.say({"from": "shoe", "event": event, **fields})[-1]
        self._said.append({"unasked": True, "what": event, **answer})

    def _new_pile(self) -> Pile:
        cards = list(NEW_DECK) * self._decks
        self._random.shuffle(cards)
        cards.insert(len(cards) - self._cut, CUTTING_CARD)
        return Pile(cards)
