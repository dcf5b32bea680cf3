"""Cards identified by a label that a reader sees: tables found in the field, the house's own, and
the events of a label. Texts never quote a label: it names a card."""

import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final, NoReturn

from drivers.cards import DECK, Card, NotACard
from drivers.contract import Settings
from drivers.error_meaning import ErrorMeaning
from drivers.errors import BadSetting
from drivers.events import BadFrame, CardRead, CutCard, ErrorRaised, Event, Notice, ReadFailed

LABEL_LONGEST: Final = 32
MAX_LABELS: Final = 1024
"""Eight decks have 416 cards; a house may have a second set in its table."""
FOREIGN_KEPT: Final = 64

BELONGS_TO_NO_SHOE: Final = 6
"""A reader has no errors of its own: this is the number of other shoes for a code that is not
ours."""
OUT_BEFORE: Final = "a label that has left this shoe before: one card, or two that are marked alike"
FOREIGN_BEFORE: Final = "a label that is not in the table, once more: perhaps another card"
IN_NO_TABLE: Final = "a label that is in no table: a damaged one, or a card that does not belong"


@dataclass(frozen=True, slots=True)
class Labels:
    find: Callable[[str], Card | None]
    longest: int
    one_card_each: bool
    """A label is on one card of the shoe only: the same one twice is the same card."""


# --- tables -------------------------------------------------------------------------------------


def _number(card: Card) -> int:
    return card.number % 13 + 1


SPELLINGS: Final[Mapping[str, Callable[[Card], str]]] = {
    "suit_rank": lambda card: f"{card.suit.value}{card.rank.value.replace('T', '10')}",
    "rank_suit": lambda card: f"{card.rank.value.replace('T', '10')}{card.suit.value}",
    "suit_number": lambda card: f"{card.suit.value.replace('S', 'A')}{_number(card):02}",
    "four_digits": lambda card: f"{'SHCD'.index(card.suit.value) + 1}{_number(card):02}0",
}
"""`S10`, `10S`, `A10` and `1100` for the ten of spades."""

_FOUR: Final = re.compile(r"..([SHDC])([A2-9XJQK])")


def spelled(name: str) -> Labels:
    """Return one of `SPELLINGS`, or `four_characters`: `01HX`, two without meaning, suit, rank."""
    if name == "four_characters":
        return Labels(_four_characters, 4, one_card_each=False)
    by_label = {SPELLINGS[name](card): card for card in DECK}
    return Labels(by_label.get, max(map(len, by_label)), one_card_each=False)


def _four_characters(label: str) -> Card | None:
    match = _FOUR.fullmatch(label)
    return Card(match[2].replace("X", "T") + match[1]) if match else None


def with_deck(labels: Labels, decks: int, *, first: bool = False) -> Labels:
    """Return the labels with one digit more, before or behind: the deck. `S21`, `D103`, `HA8`."""
    digits = frozenset(str(deck) for deck in range(1, decks + 1))
    find = partial(_of_a_deck, labels.find, digits, first)
    return Labels(find, labels.longest + 1, one_card_each=True)


def _of_a_deck(
    find: Callable[[str], Card | None], digits: frozenset[str], first: bool, label: str
) -> Card | None:
    digit, rest = (label[:1], label[1:]) if first else (label[-1:], label[:-1])
    return find(rest) if digit in digits else None


class TableSettings:
    """A driver's settings about labels; every method raises `BadSetting`."""

    def __init__(self, driver: str, characters: frozenset[str], settings: Settings) -> None:
        """Create them; `characters`: those of which a label may consist, capital letters only."""
        self._driver = driver
        self._characters = characters
        self._settings = settings

    def own(self) -> Labels | None:
        """Return the house's table, if `table` selects it."""
        table, given = self._settings["table"], self._settings["labels"]
        assert isinstance(given, dict)
        if table == "own":
            return self._own(given, one_card_each=self._settings["own_label_on"] == "one_card")
        if given:
            self.refuse(f"labels are given, but table is {table!r}, not 'own'")
        return None

    def proper(self, label: object, setting: str) -> str:
        """Return the label in the form that is compared."""
        text = label.upper() if isinstance(label, str) else ""
        if not 0 < len(text) <= LABEL_LONGEST or not self._characters.issuperset(text):
            others = "".join(sorted(each for each in self._characters if not each.isalnum()))
            self.refuse(
                f"{setting} has {label!r}, but a label is 1 to {LABEL_LONGEST} characters out of "
                f"A-Z, 0-9 and {others}"
            )
        return text

    def no_cards(self, key: str, table: Labels) -> str:
        """Return a label that is no card's; empty if the setting is."""
        if self._settings[key] == "":
            return ""
        label = self.proper(self._settings[key], key)
        if table.find(label) is not None:
            self.refuse(f"{key} = {label!r} is the label of a card")
        return label

    def _own(self, labels: Mapping[object, object], *, one_card_each: bool) -> Labels:
        if not 0 < len(labels) <= MAX_LABELS:
            self.refuse(
                f"labels has {len(labels)} labels, but it may have 1 to {MAX_LABELS}: write each "
                'with its card, like labels = { "AB17" = "9H" }'
            )
        by_label: dict[str, Card] = {}
        for label, card in labels.items():
            known = self.proper(label, "labels")
            if known in by_label:
                self.refuse(f"labels has {known!r} twice; case does not count")
            try:
                by_label[known] = Card.parse(card if isinstance(card, str) else "")
            except NotACard as error:
                self.refuse(f"labels, {label!r}: {error}")
        return Labels(by_label.get, max(map(len, by_label)), one_card_each)

    def refuse(self, text: str) -> NoReturn:
        raise BadSetting(f"{self._driver}: {text}") from None


# --- the events of a label
# ---------------------------------------------------------------------------


class LabelledShoe:
    """The labels that have left the shoe. `proven`: the reader read exactly the label that arrived,
    so one that is in no table is a card that does not belong; otherwise it may be a damaged one."""

    def __init__(self, settings: TableSettings, labels: Labels, *, proven: bool) -> None:
        self._labels = labels
        self._proven = proven
        self._cut = settings.no_cards("cut_label", labels)
        self._no_read = settings.no_cards("no_read_label", labels)
        if self._cut and self._cut == self._no_read:
            settings.refuse("cut_label and no_read_label are the same")
        self._last = ""
        self._out: set[str] = set()
        self._foreign: deque[str] = deque(maxlen=FOREIGN_KEPT)

    def new_shoe(self) -> None:
        self._last = ""
        self._out.clear()
        self._foreign.clear()

    def too_long(self, label: str) -> bool:
        """Return whether it is longer than any label: an end was lost, and perhaps two cards are in
        it."""
        return label not in (self._cut, self._no_read) and len(label) > self._labels.longest

    def label_events(self, label: str, raw: bytes) -> Iterator[Event]:
        again, self._last = label == self._last, label
        card, once = self._labels.find(label), self._labels.one_card_each
        if label == self._cut:
            yield Notice("the cutting card was read twice") if again else CutCard()
        elif label == self._no_read:
            yield ReadFailed(raw)
        elif card is None:
            yield from self._not_ours(label, raw)
        elif once and label in self._out:
            twice = Notice("a card was read twice: it counts once")
            yield twice if again else BadFrame(OUT_BEFORE, raw, may_be_card=True)
        else:
            if once:
                self._out.add(label)
            yield CardRead(card, frame=raw)

    def _not_ours(self, label: str, raw: bytes) -> Iterator[Event]:
        if not self._proven:
            yield BadFrame(IN_NO_TABLE, raw, may_be_card=True)
            return
        if self._labels.one_card_each and label in self._foreign:
            yield BadFrame(FOREIGN_BEFORE, raw, may_be_card=True)
            return
        self._foreign.append(label)
        yield ErrorRaised(
            BELONGS_TO_NO_SHOE,
            "a card whose label is in no table",
            means=ErrorMeaning.DOES_NOT_BELONG,
        )
        yield ReadFailed(raw)
