"""Cards as the machine handles them, and its findings after a pass."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from simulators.kit.cards import CUTTING_CARD, NEW_DECK


@dataclass(frozen=True, slots=True)
class Piece:
    """One card: its printed face, and whether the reader can read it and recognises its back."""

    code: str
    unreadable: bool = False
    foreign: bool = False

    @property
    def is_cutting_card(self) -> bool:
        return self.code == CUTTING_CARD

    def __str__(self) -> str:
        return self.code + "?" * self.unreadable + "!" * self.foreign


@dataclass(frozen=True, slots=True)
class Found:
    """The result of one pass. Cards are counted; their order is never listed."""

    run: int = 0
    decks: int = 0
    verdict: str = "NOT_VERIFIED"
    cards: int = 0
    missing: tuple[tuple[str, int], ...] = ()
    extra: tuple[tuple[str, int], ...] = ()
    unreadable: int = 0
    foreign: int = 0


def found(run: int, decks: int, pieces: Iterable[Piece], reads_faces: bool) -> Found:
    cards = [piece for piece in pieces if not piece.is_cutting_card]
    if not reads_faces:
        right = len(cards) == 52 * decks
        return Found(run, decks, "COUNT_ONLY" if right else "WRONG", len(cards))
    known = Counter(p.code for p in cards if not (p.unreadable or p.foreign))
    counts = {code: known[code] - decks for code in NEW_DECK}
    missing = tuple((code, -more) for code, more in counts.items() if more < 0)
    extra = tuple((code, more) for code, more in counts.items() if more > 0)
    unreadable = sum(piece.unreadable and not piece.foreign for piece in cards)
    foreign = sum(piece.foreign for piece in cards)
    right = not (missing or extra or unreadable or foreign)
    return Found(
        *(run, decks, "OK" if right else "WRONG", len(cards)),
        *(missing, extra, unreadable, foreign),
    )
