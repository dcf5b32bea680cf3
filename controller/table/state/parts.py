"""The parts of a table's state besides the round: one small struct for each subject."""

from enum import Enum
from typing import Final, TypeAlias

import msgspec

from controller.game.money.limits import WagerRange
from controller.messages.sentence import Sentence
from controller.table.cards import UnheardCard, UnplacedCard
from controller.table.decks import DeckSet, PackFound, PassedRest
from controller.table.licences import SiteList
from controller.table.phases import Phase


class CutCardPlace(msgspec.Struct, frozen=True):
    """Where the cutting card came: it has to be removed until play has gone on from there."""

    drawn: int
    phase: Phase


class CutCard(msgspec.Struct, frozen=True):
    """The cutting card is out."""

    came: CutCardPlace
    rounds_after: int = 0
    """How many rounds have ended since; between rounds, the last one counts too."""


class Shoe(msgspec.Struct, frozen=True, gc=False):
    """The cards in use and the ledger of those that have come out."""

    number: int
    deck_set: str
    decks: int
    verified_by: str
    """The shuffler, or the person who vouched."""
    must_change: bool = False
    """No further round is dealt from it."""
    burn_left: int | None = None
    """None: the first card has yet to set how many are burned. 0: ready."""
    cut_card: CutCard | None = None
    """None: it is still among the cards."""
    seen: bytes = bytes(52)
    """How many of each card (`Card.number`) have been exposed or burned."""
    drawn: int = 0
    recent: tuple[tuple[int, int], ...] = ()
    """The latest cards everybody has seen: the place each was drawn in, and `Card.number`."""


# --- the gaming day and what is played ----------------------------------------------------------


class DayStage(Enum):
    """Whether the table is open."""

    CLOSED = "closed"
    OPEN = "open"
    CLOSING = "closing"
    """Open until the round in play is over."""


class GamingDay(msgspec.Struct, frozen=True, gc=False):
    """One gaming day, from opening to closing: what was authorised and tolerated on it."""

    stage: DayStage = DayStage.CLOSED
    allowed_method: str | None = None
    """The method that the role named by the book has authorised for this day."""
    under_minimum_before: tuple[str, ...] = ()
    """Players whose wager under the minimum was accepted once."""

    @property
    def is_open(self) -> bool:
        return self.stage is not DayStage.CLOSED

    @property
    def is_closing(self) -> bool:
        return self.stage is DayStage.CLOSING


class LimitsInForce(msgspec.Struct, frozen=True):
    """What the pit has set in place of the house's limits; None is no limit."""

    minimum: int | None
    maximum: int | None
    differential: int | None
    per_area: int | None = None
    """The number of wagers one area takes; None: as many as the book allows."""
    wagers: dict[str, WagerRange] = {}
    """Kinds of wagers with limits of their own."""


class DeviceControl(msgspec.Struct, frozen=True, gc=False):
    """A player draws the cards (Method C)."""

    player: str
    without_wager: bool = False
    """Whether that player has permission to draw without a wager."""


class PlaySettings(msgspec.Struct, frozen=True, gc=False):
    """How the next round is dealt, and by which limits."""

    method: str = ""
    limits: LimitsInForce | None = None
    """As the pit changed them; None: the house's."""
    control: DeviceControl | None = None
    """None: the dealer has the device."""

    @property
    def drawer(self) -> str | None:
        """The player who controls the device."""
        return None if self.control is None else self.control.player


class SiteSettings(msgspec.Struct, frozen=True):
    """The settings that the table has applied from the site."""

    people: SiteList | None = None
    """Who may open betting; None: the site has given no list."""
    limits_version: int = 0
    """The version of the site's limits that was applied last."""


# --- the count of cards -------------------------------------------------------------------------


class CardCountCheck(msgspec.Struct, frozen=True, tag="check"):
    """Cards may have left the shoe unread: the count is asked before anything else."""

    why: Sentence
    since: float = 0.0
    unplaced: tuple[UnplacedCard, ...] = ()
    """Cards that have left the shoe since, in order; they are laid after the count."""
    gaps: int = 1
    """How many times something was lost, with a card read in between."""
    late: bool = False
    """What is counted may be what comes: the link was down, and the device has no numbers."""


class CardsCounted(msgspec.Struct, frozen=True, tag="counted"):
    """The cards were counted and no card has come since: a loss that shows now may be the one that
    was counted."""

    loss: Sentence | None = None
    """Such a loss: the place of the next card shows it."""


class LossAfterCount(msgspec.Struct, frozen=True, tag="loss"):
    """The same, and the shoe has sent something else since the loss showed."""

    loss: Sentence


CountStage: TypeAlias = CardCountCheck | CardsCounted | LossAfterCount | None


_COUNTED: Final = (CardsCounted, LossAfterCount)


class CardCount(msgspec.Struct, frozen=True, gc=False):
    """How certain the number of cards that have left the shoe is."""

    stage: CountStage = None
    """None: every card is accounted for."""
    unheard: tuple[UnheardCard, ...] = ()
    """Cards that were counted and that the device has not reported."""

    @property
    def is_counted(self) -> bool:
        return type(self.stage) is CardsCounted

    @property
    def loss(self) -> Sentence | None:
        stage = self.stage
        return stage.loss if isinstance(stage, _COUNTED) else None


# --- devices and decks --------------------------------------------------------------------------


class EndedAtShoe(msgspec.Struct, frozen=True, tag="ended"):
    """The shoe, or the dealer, has ended the shoe's own round."""

    by: str


class PutAside(msgspec.Struct, frozen=True, tag="aside"):
    """The next round opens although the shoe's own has not been ended."""

    by: str
    reason: str = ""


class ShoeRound(msgspec.Struct, frozen=True):
    """A round that is over at the table while the shoe, which plays rounds by itself, goes on with
    it: it is ended at the shoe before the next one opens, or a supervisor waives that."""

    round: int
    since: float = 0.0
    by_hand: bool = False
    """Cards of it were never seen. The shoe's own report that it has ended would give them away, so
    it is not asked: the dealer may confirm that it is done."""
    end: EndedAtShoe | PutAside | None = None
    """None: it is still to be ended."""

    @property
    def to_be_ended(self) -> bool:
        return self.end is None

    @property
    def ended_by(self) -> str | None:
        return self.end.by if isinstance(self.end, EndedAtShoe) else None

    @property
    def aside_by(self) -> str | None:
        return self.end.by if isinstance(self.end, PutAside) else None

    @property
    def reason(self) -> str:
        """The reason why it was waived."""
        return self.end.reason if isinstance(self.end, PutAside) else ""


class BlindShoe(msgspec.Struct, frozen=True, tag="blind"):
    """The shoe that answers reads no faces: people name every card."""


class ByHand(msgspec.Struct, frozen=True, tag="by_hand"):
    """Manual mode: no device reads the cards, people enter them."""

    since: float = 0.0
    only: bool = False
    """The table has no shoe that reads cards: it is set up so."""
    by: str = ""
    approver: str = ""
    reason: str = ""


class KnownDevices(msgspec.Struct, frozen=True, gc=False):
    """The devices on record for the table: its shoe, and units that were exchanged."""

    enrolled: dict[str, str] = {}
    """Units that took the place of the configured ones: device, and what can be read of it."""
    unread: ByHand | BlindShoe | None = None
    """Why no device reads the cards; None: the shoe does."""
    shoe_plays: bool | None = None
    """Whether the shoe is in a round of its own; None: it plays none, or was not online yet."""
    left_at_shoe: ShoeRound | None = None
    """What the last round has left to be done at the shoe; None once the next has begun."""
    card_error: Sentence | None = None
    """The shoe's error about a card that is still to come."""
    drawn_at_ruling: int = 0
    """How many cards had left the shoe when the latest case was ruled."""

    @property
    def by_hand(self) -> ByHand | None:
        """Manual mode; None: a shoe is in use."""
        return self.unread if isinstance(self.unread, ByHand) else None


class VerifiedDecks(msgspec.Struct, frozen=True, tag="verified"):
    """The shuffler has verified cards that have not been loaded yet."""

    cards: int | None = None
    """How many, where it is reported."""
    taken_out: bool = False
    """They were taken out: a fault of the shuffler concerns other cards from now on."""


class ReplacedCards(msgspec.Struct, frozen=True):
    """Cards that a ruling took out of play: the next ones are others, or verified again."""

    deck_set: str
    clause: str | None = None
    verified_since: bool = False
    """The shuffler has verified cards after the ruling; what it held before are other ones."""


class DeckKeeping(msgspec.Struct, frozen=True, gc=False):
    """The decks outside play."""

    sets: dict[str, DeckSet] = {}
    """Every set of decks of this table, by name."""
    shuffler: VerifiedDecks | PackFound | None = None
    """The shuffler's finding on the cards it was given last: all there, or what is wrong."""
    replaced: ReplacedCards | None = None
    """None once a shoe has been loaded."""
    rest: PassedRest | None = None
    """What was left in a shoe that is over, while it is passed through it to be counted."""


class TableClocks(msgspec.Struct, frozen=True, gc=False):
    """What the table waits for, and since when; None: it does not wait."""

    restarted_at: float | None = None
    """When the process came back in mid-round; None once a person has explained the restart."""
    asked_at: float | None = None
    """Since when people have a question to answer."""
    stopped_at: float | None = None
    """Since when the clocks of bets and options are stopped, because the table is held."""
