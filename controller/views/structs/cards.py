"""Cards in views: the face of an exposed card, and null for every other.

A face in a view is a `Face`, which can be made only of an exposed card. The structs here accept
nothing else, so no view can contain the face of a sealed card.
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
    """A view would contain a face that is not the face of an exposed card."""


class Face(str):
    """The face of an exposed card, as its code."""

    __slots__ = ()

    def __new__(cls, drawn: Drawn) -> Self:
        if not drawn.exposed or drawn.card is None:
            raise NoExposedFace(f"card {drawn.n} lies face down or was not read")
        return super().__new__(cls, drawn.card)


ShownFace = Annotated[Face, Meta(extra={"typescript": "CardCode"})]


def face_of(drawn: Drawn) -> Face | None:
    """The card's face; None if the card is sealed or was not read."""
    return Face(drawn) if drawn.exposed and drawn.card is not None else None


class HandsView(msgspec.Struct, frozen=True):
    """Both hands; a face-down card is null."""

    player: tuple[ShownFace | None, ...]
    banker: tuple[ShownFace | None, ...]

    def __post_init__(self) -> None:
        _check((*self.player, *self.banker))


class CardView(msgspec.Struct, frozen=True):
    """A card of the round, and its place."""

    n: int
    hand: Side | None
    card: ShownFace | None
    """Null if the card is sealed or was not read."""
    exposed: bool

    def __post_init__(self) -> None:
        _check((self.card,))


class EnteredView(msgspec.Struct, frozen=True):
    """An entered card that a second person approves."""

    n: int
    card: ShownFace | None
    """Null unless the card is exposed."""

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
