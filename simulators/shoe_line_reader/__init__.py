"""A barcode or RFID reader that sends a line for each card, emulated: from the reader to the host
only. `simulators/kit/labelled_shoe.py` is the shoe and its labels, `interface.py` the line.
"""

from collections.abc import Mapping
from typing import Final

from simulators.kit.contract import Action, Emulator, Given, Refused
from simulators.kit.labelled_shoe import LabelledShoe
from simulators.kit.one_way import OneWay
from simulators.kit.pile import PILE_SETTINGS, Pile
from simulators.kit.settings import Choice, WrongSetting, settled
from simulators.kit.shoe_exit import Hands
from simulators.shoe_line_reader.interface import ENDS, Line

NAME: Final = "shoe_line_reader"
MAX_LABEL: Final = 64

SETTINGS: Final[Mapping[str, Choice]] = {
    "baud": Choice(9600, "of the line"),
    "table": Choice(
        "suit_rank",
        "the labels: S10, 10S, A10 (A for spades), 1100, ..SX, or the house's",
        ("suit_rank", "rank_suit", "suit_number", "four_digits", "four_characters", "own"),
    ),
    "deck_digit": Choice("last", "the digit of the deck on a label", ("last", "first", "none")),
    "own": Choice("", "the house's own labels, LABEL=CARD parted by blanks, for all 52 cards"),
    "prefix": Choice("", "before each label; control characters by name: <STX>"),
    "suffix": Choice("", "behind each label"),
    "end": Choice("crlf", "of each line", tuple(ENDS)),
    "check": Choice("none", "two check digits behind the label", ("none", "xor_hex")),
    "cut_label": Choice("", "the label of the cutting card; empty: it passes unseen"),
    "no_read": Choice("", "what is sent for a card that cannot be read; empty: nothing"),
    **PILE_SETTINGS,
}


def make(settings: Given, seed: int) -> Emulator:
    return LineReader(settings, seed)


class LineReader(OneWay):
    """Shoe and line together, with the back-door commands."""

    name = NAME

    def __init__(self, settings: Given, seed: int) -> None:
        chosen = settled(NAME, SETTINGS, settings)
        if not 1 <= chosen["decks"] <= 9 and chosen["deck_digit"] != "none":
            raise WrongSetting(f"{NAME}: decks = {chosen['decks']}, but a digit numbers 1 to 9")
        self.baud: int | None = chosen["baud"]
        self.machine = LabelledShoe(Pile.at_first(NAME, chosen, seed), chosen, seed)
        words = {**Hands(self.machine, chosen, seed).words(), **self._reader_words()}
        super().__init__(self.machine, self.machine.scanned, Line(chosen).bytes_of, words)

    def _reader_words(self) -> dict[str, Action]:
        return {
            "scan": Action("let any label pass the reader", self._scan, {"label": "plain text"}),
            "rescan": Action("hold the last card under the reader: once more", self.machine.rescan),
        }

    def _scan(self, label: object) -> None:
        text = str(label)
        if not 0 < len(text) <= MAX_LABEL or not text.isascii() or not text.isprintable():
            raise Refused(f"a label has 1 to {MAX_LABEL} plain characters")
        self.machine.scan(text)
