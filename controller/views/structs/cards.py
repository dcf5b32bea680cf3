"""Cards as views have them: the face of one that lies open, and null for every other.

A face in a view is a `Face`, which is made of a card that lies open and of nothing else. The
structs here take no other, so no view can hold the face of a sealed card.
"""

from collections.abc import Iterable
from typing import Annotated, Self

import msgspec
from msgspec import Meta

from controller.game.hands import Side
from controller.round import position
from controller.table.cards import Drawn
from controller.table.state import Round


class NoExposedFace(Exception):
    """A view was to hold a face that is not the face of a card that lies open."""


class Face(str):
    """The face of a card that lies open, as its code."""

    __slots__ = ()

    def __new__(cls, drawn: Drawn) -> Self:
        if not drawn.exposed or drawn.card is None:
            raise NoExposedFace(f"card {drawn.n} lies face down or was not read")
        return super().__new__(cls, drawn.card)


ShownFace = Annotated[Face, Meta(extra={"typescript": "CardCode"})]


def face_of(drawn: Drawn) -> Face | None:
    """None: sealed, or not read."""
    return Face(drawn) if drawn.exposed and drawn.card is not None else None


class HandsView(msgspec.Struct, frozen=True):
    """Both hands; a card that lies face down is null."""

    player: tuple[ShownFace | None, ...]
    banker: tuple[ShownFace | None, ...]

    def __post_init__(self) -> None:
        _check((*self.player, *self.banker))


class CardView(msgspec.Struct, frozen=True):
    """A card of the round, and where it lies."""

    n: int
    hand: Side | None
    card: ShownFace | None
    """Null: sealed, or not read."""
    exposed: bool

    def __post_init__(self) -> None:
        _check((self.card,))


class EnteredView(msgspec.Struct, frozen=True):
    """A card that somebody entered and a second person approves."""

    n: int
    card: ShownFace | None
    """Null unless the card lies open."""

    def __post_init__(self) -> None:
        _check((self.card,))


def _check(faces: Iterable[object]) -> None:
    if any(face is not None and type(face) is not Face for face in faces):
        raise NoExposedFace("a face in a view is made of a card that lies open")


def hands_view(round_: Round | None) -> HandsView:
    if round_ is None:
        return HandsView((), ())
    player, banker = (
        tuple(face_of(drawn) for drawn in position.hand(round_, side))
        for side in (Side.PLAYER, Side.BANKER)
    )
    return HandsView(player, banker)


def card_view(drawn: Drawn) -> CardView:
    return CardView(drawn.n, drawn.hand, face_of(drawn), drawn.exposed)
