"""Cards that have left the shoe."""

import msgspec

from controller.game.hands import Side
from drivers.cards import Card
from drivers.events import Where


class Drawn(msgspec.Struct, frozen=True, gc=False):
    """A card that has left the shoe in this round, in drawn order."""

    n: int
    """Its place among all cards drawn from this shoe, from 1."""
    card: Card | None
    """None: the device could not read it and it was not entered yet."""
    hand: Side | None
    """The hand it is on; None is aside, on neither hand."""
    exposed: bool
    commitment: str | None = None
    """Published while the card is sealed."""
    salt: str | None = None
    """Published when it is exposed."""
    unnamed: bool = False
    """The device reported it as one too many before it reported its face."""
    discarded: bool = False
    """It is aside and was thrown away: it begins no round."""


class UnplacedCard(msgspec.Struct, frozen=True):
    """A card that came while the due place was unknown."""

    word: str
    """card, read_failed or excess."""
    card: Card | None
    hand: Where | None
    """What the device reports it was drawn for."""
    commitment: str | None
    salt: str | None
    gaps: int
    """How many times something had been lost when it came."""
    index: int | None = None
    """Which card of that hand, as the device reports."""


class UnheardCard(msgspec.Struct, frozen=True):
    """A card that people counted and the device has not reported. It may still come: a device
    server keeps what it could not send."""

    n: int
    hand: Side | None = None
    index: int | None = None
    """Its place; None where it is aside."""
    card: Card | None = None
    """The face that two people entered."""
    last: bool = False
    """No card that was drawn after it was reported: it may be the next that comes. Of others only a
    late number may come."""
    late: bool = False
    """The link was away when it was counted: it may come without a place or a number."""


class Moved(msgspec.Struct, frozen=True):
    """A card that reconstruction laid somewhere else: before and after."""

    n: int
    was: Side | None
    now: Side | None
