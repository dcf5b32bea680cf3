"""A plain shoe with a reader at its mouth and a label on each card, as a machine. The reader reads
only labels; `scanned` lists the texts that its keyboard or its line sends.

The reader reports an unreadable card only if it is set to. The labels come from tables found in the
field, or from the house. Where a label has a deck digit, each copy of a card has its own label, and
a card that is pushed back and drawn again has the same label.
"""

from collections.abc import Mapping
from random import Random
from typing import Any, Final

from simulators.kit.cards import CUTTING_CARD, NEW_DECK, NotACard, card, number_of
from simulators.kit.contract import Refused
from simulators.kit.pile import Pile
from simulators.kit.settings import WrongSetting
from simulators.kit.shoe_exit import Mouth

FOREIGN_LABEL: Final = "ZZ99"
"""A label in none of the tables."""
SUIT_DIGIT: Final = {"S": 1, "H": 2, "C": 3, "D": 4}
MAX_LABELS: Final = 1024


def own_labels(text: str) -> dict[str, str]:
    """Parse a house's labels, such as `AB17=9H CD03=10S`, by card; raises `WrongSetting`."""
    table: dict[str, str] = {}
    for pair in text.replace(",", " ").split():
        label, equals, name = pair.partition("=")
        try:
            code = card(name)
        except NotACard as error:
            raise WrongSetting(f"own: {pair!r}: {error}") from None
        if not label or not equals or len(table) >= MAX_LABELS:
            raise WrongSetting(f"own: {pair!r}: write LABEL=CARD, at most {MAX_LABELS} of them")
        table[code] = label.upper()
    return table


class Labels:
    """The labels of the cards."""

    def __init__(self, settings: Mapping[str, Any], seed: int) -> None:
        self._table: str = settings["table"]
        self._own = own_labels(settings["own"])
        if self._table == "own" and set(self._own) != set(NEW_DECK):
            raise WrongSetting("own: the house's table needs a label for each of the 52 cards")
        self._decks: int = settings["decks"]
        usual = "last" if self._table == "suit_rank_deck" else "none"
        self._digit: str = settings.get("deck_digit", usual)
        self._random = Random(seed)
        self._left: dict[str, list[str]] = {}

    def take(self, code: str) -> str:
        """Take the label of one copy, which is then unavailable until it is put back."""
        if code not in self._left or not self._left[code]:
            self._left[code] = self._copies(code)
        return self._left[code].pop()

    def put_back(self, code: str, label: str) -> None:
        self._left.setdefault(code, []).append(label)

    def _copies(self, code: str) -> list[str]:
        if self._table == "own":
            return [self._own[code]]
        label = self._spelled(code)
        if self._digit == "none":
            return [label]
        decks = range(1, self._decks + 1)
        copies = [f"{label}{n}" if self._digit == "last" else f"{n}{label}" for n in decks]
        self._random.shuffle(copies)
        return copies

    def _spelled(self, code: str) -> str:
        rank, suit = code[0], code[1]
        ten = "10" if rank == "T" else rank
        match self._table:
            case "suit_rank_deck" | "suit_rank":
                return suit + ten
            case "rank_suit":
                return ten + suit
            case "suit_number":
                return f"{'A' if suit == 'S' else suit}{number_of(code):02d}"
            case "four_digits":
                return f"{SUIT_DIGIT[suit]}{number_of(code):02d}0"
        noise = f"{self._random.randrange(100):02d}"
        return f"{noise}{suit}{'X' if rank == 'T' else rank}"


class LabelledShoe:
    """The machine; it has no timed actions."""

    def __init__(self, pile: Pile, settings: Mapping[str, Any], seed: int) -> None:
        self.mouth = Mouth(pile)
        self.scanned: list[str] = []
        self._settings, self._seed = settings, seed
        self._labels = Labels(settings, seed)
        self._last_label = ""

    def load(self, pile: Pile) -> None:
        self._seed += 1
        self._labels = Labels(self._settings, self._seed)
        self.mouth.reload(pile)

    def draw(self, card: str | None = None, extra: bool = False) -> str:
        taken = self.mouth.take(card, extra)
        self._pass(taken)
        return taken

    def draw_two(self, read: str) -> list[str]:
        self.mouth.must_hold_two()
        two = [self._take_card(), self._take_card()]
        for place, taken in enumerate(two):
            self._pass(taken, hidden=read == "none" or (read == "first" and place == 1))
        return two

    def draw_unread(self, card: str | None = None) -> str:
        taken = self._take_card() if card is None else self.mouth.take(card)
        self._pass(taken, hidden=True)
        return taken

    def draw_foreign(self) -> None:
        self.mouth.must_be_free()
        self.scan(FOREIGN_LABEL)

    def draw_cutting_card(self) -> None:
        self.mouth.must_be_free()
        self.mouth.pile.take_cutting_card()
        self._pass(CUTTING_CARD)

    def draw_half(self) -> None:
        self.mouth.take_half()

    def push_back(self, where: str) -> None:
        """Push a card back. From the exit, it passes the reader once more; from midway, it does
        not."""
        if where == "midway":
            self.mouth.clear_jam()
            return
        code = self.mouth.last
        self.mouth.put_back_last()
        if code is not None:
            self._labels.put_back(code, self._last_label)
            self.scan(self._last_label)

    def scan(self, label: str) -> None:
        """Pass a label before the reader, whatever object it is on."""
        self.scanned.append(label)
        self._last_label = label

    def rescan(self) -> None:
        """Read the last label again, as when a card stays under the reader too long."""
        if not self._last_label:
            raise Refused("nothing has been scanned yet")
        self.scan(self._last_label)

    def shown(self) -> dict[str, Any]:
        return {**self.mouth.shown(), "last_label": self._last_label or None}

    def _take_card(self) -> str:
        taken = self.mouth.take()
        return self.mouth.take() if taken == CUTTING_CARD else taken

    def _pass(self, taken: str, hidden: bool = False) -> None:
        if taken == CUTTING_CARD:
            label = str(self._settings["cut_label"])
        else:
            label = self._labels.take(taken)
            if hidden:
                self._last_label = label
                label = str(self._settings["no_read"])
        if label:
            self.scan(label)
