"""The hands at the unit: an emulator's control interface, or a person who gets instructions."""

from collections.abc import Callable
from typing import Final, Protocol

from drivers.cards import Card
from drivers.contract import DataSheet
from drivers.hil.deck import words
from drivers.testing.bench.emulated import Emulated

EMULATOR_LIMIT_S: Final = 110.0
"""A limit for failures only."""


class Hands(Protocol):
    wait_s: float
    """How long any request may take."""
    quiet_s: float
    """How long the unit is left alone, to check that it reports nothing."""

    def draw(self, card: Card, number: int, of: int) -> None:
        """Draw this card of the test deck from the shoe."""

    def hear(self, news: str) -> None:
        """Give news to the person at the unit at once."""

    def pull(self) -> None:
        """Disconnect the port."""

    def put_back(self) -> None: ...

    def load_pack(self) -> None:
        """Put one deck into the shuffler."""

    def take_pack(self) -> None:
        """Take the shuffled deck out."""


class AtTheEmulator:
    """The control interface of an emulator that runs as its own program."""

    wait_s = EMULATOR_LIMIT_S
    quiet_s = 0.0

    def __init__(self, emulator: Emulated) -> None:
        self.emulator = emulator

    def draw(self, card: Card, number: int, of: int) -> None:  # noqa: ARG002
        self.emulator.do("draw", card=card.code)

    def hear(self, news: str) -> None:
        """Ignore the news: there is no person."""

    def pull(self) -> None:
        self.emulator.do("unplug")

    def put_back(self) -> None:
        self.emulator.do("plug")

    def load_pack(self) -> None:
        self.emulator.do("load", decks=1)

    def take_pack(self) -> None:
        self.emulator.do("take")

    def strike(self) -> None:
        """Damage what the device reports next: a bit of a byte, or a whole report of a packet
        device."""
        if "flip" in self.emulator.words():
            self.emulator.do("flip", after=3, bit=7)
        else:
            self.emulator.do("drop_report", count=1)


DRAW: Final = "Draw the {rank} of {suit} ({card}), card {number} of {of} of the test deck."
PULL: Final = "Pull the cable: the adapter out of this machine, or the device server's own."
PUT_BACK: Final = "Put the cable back where it was."
SEE_TO_THE_CABLE: Final = "See to the cable: the pass goes on when it is back."
LOAD_PACK: Final = "Put one whole deck into the shuffler and keep clear: it will start to move."
TAKE_PACK: Final = "Take the deck out."
"""The instructions to a person."""


class APerson:
    """A person at a bench: instructions on the terminal; the unit's reports show what was done."""

    def __init__(
        self, say: Callable[[str], None], sheet: DataSheet, wait_s: float, quiet_s: float
    ) -> None:
        self._say = say
        self._packs = sheet.kind == "shuffler"
        self.wait_s, self.quiet_s = wait_s, quiet_s

    def draw(self, card: Card, number: int, of: int) -> None:
        rank, suit = words(card)
        self._say(DRAW.format(rank=rank, suit=suit, card=card.code, number=number, of=of))

    def hear(self, news: str) -> None:
        self._say(news)

    def pull(self) -> None:
        self._say(PULL)

    def put_back(self) -> None:
        self._say(PUT_BACK)

    def load_pack(self) -> None:
        self._say(LOAD_PACK)

    def take_pack(self) -> None:
        self._say(TAKE_PACK)
