"""What a label says: three tables found in the field, and the house's own."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from drivers.cards import DECK, Card, NotACard
from drivers.errors import BadSetting
from drivers.shoe_barcode_usb.codec import CHARACTERS

LABEL_LONGEST: Final = 32
LABELS_MOST: Final = 1024
"""Eight decks have 416 cards; a house may keep a second set in its table."""


@dataclass(frozen=True, slots=True)
class Labels:
    find: Callable[[str], Card | None]
    longest: int
    one_card_each: bool
    """A label is on one card of the shoe only: the same one twice is the same card."""


def suit_rank_deck(decks: int) -> Labels:
    """`S21`, `D103`, `HA8`: suit, rank, and which of the decks."""
    by_label = {
        f"{card.suit.value}{card.rank.value.replace('T', '10')}{deck}": card
        for card in DECK
        for deck in range(1, decks + 1)
    }
    return Labels(by_label.get, 4, one_card_each=True)


def four_digits() -> Labels:
    """`1010`, `3100`: suit 1 to 4 (S H C D), rank 01 to 13, and a zero."""
    by_label = {
        f"{'SHCD'.index(card.suit.value) + 1}{card.number % 13 + 1:02}0": card for card in DECK
    }
    return Labels(by_label.get, 4, one_card_each=False)


_FOUR: Final = re.compile(r"..([SHDC])([A2-9XJQK])")


def four_characters() -> Labels:
    """`01HX`: two that say nothing, suit, rank with X for ten."""

    def find(label: str) -> Card | None:
        match = _FOUR.fullmatch(label)
        return Card.coded(match[2].replace("X", "T") + match[1]) if match else None

    return Labels(find, 4, one_card_each=False)


def own(labels: Mapping[object, object], *, one_card_each: bool) -> Labels:
    """The house's table; raises `BadSetting`."""
    if not 0 < len(labels) <= LABELS_MOST:
        raise BadSetting(
            f"shoe_barcode_usb: labels has {len(labels)} labels, but it may have 1 to "
            f'{LABELS_MOST}: write each with its card, like labels = {{ "AB17" = "9H" }}'
        )
    by_label: dict[str, Card] = {}
    for label, card in labels.items():
        known = proper(label, "labels")
        if known in by_label:
            raise BadSetting(f"shoe_barcode_usb: labels has {known!r} twice; case does not count")
        by_label[known] = _card(label, card)
    return Labels(by_label.get, max(map(len, by_label)), one_card_each)


def proper(label: object, setting: str) -> str:
    """The label as it is compared; raises `BadSetting`."""
    text = label.upper() if isinstance(label, str) else ""
    if not 0 < len(text) <= LABEL_LONGEST or not CHARACTERS.issuperset(text):
        raise BadSetting(
            f"shoe_barcode_usb: {setting} has {label!r}, but a label is 1 to {LABEL_LONGEST} "
            "characters out of A-Z, 0-9, '-', '.' and '/'"
        )
    return text


def _card(label: object, card: object) -> Card:
    try:
        return Card.parse(card if isinstance(card, str) else "")
    except NotACard as error:
        raise BadSetting(f"shoe_barcode_usb: labels, {label!r}: {error}") from None
