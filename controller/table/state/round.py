"""The round of play, and how far it has come."""

from typing import ClassVar, Final, TypeAlias

import msgspec
from msgspec.structs import replace

from controller.game.hands import Outcome, Side
from controller.game.money.rounding import Rounding
from controller.messages.sentence import Sentence
from controller.table.cards import Drawn, Moved
from controller.table.state.parts import DeviceControl, LimitsInForce


class PartBack(msgspec.Struct, frozen=True, gc=False):
    """A part of a wager that was rejected or not honoured, and went back at once."""

    amount: int
    clause: str | None
    """By which; None where the book is silent."""


class PlacedWager(msgspec.Struct, frozen=True, gc=False):
    """A stake that lies on the layout."""

    id: str
    player: str
    position: int
    wager: str
    amount: int
    seated: bool = True
    placed_by: str | None = None
    """The member of staff who placed it on the player's behalf."""
    returned_by: str | None = None
    """The clause by which it was given back, empty where the book is silent; None: it takes part
    in the settlement."""
    since: int = 0
    """The change of the round's wagers since which it has this amount."""
    lower: tuple[tuple[int, int], ...] = ()
    """Smaller amounts it had before it was raised, each with since when."""
    parts_back: tuple[PartBack, ...] = ()
    """Reductions of `amount` against the player's will."""


class LastWager(msgspec.Struct, frozen=True):
    """The wager of the round before, for a player who wants the same again."""

    player: str
    position: int
    wager: str
    amount: int
    seated: bool = True


class Paid(msgspec.Struct, frozen=True, gc=False):
    """The settlement of one wager."""

    id: str
    player: str
    result: str
    odds: str
    pays: int
    returned: int
    clause: str | None = None


class ChipMove(msgspec.Struct, frozen=True, gc=False):
    """Chips that change hands because a settled round was corrected, or made void."""

    id: str
    """The wager they were settled for."""
    player: str
    amount: int
    to_player: bool
    """From the house to the player; else back from the player to the house."""
    clause: str | None
    """By which the wager is settled now."""


# --- how far a round has come -------------------------------------------------------------------


class BettingStage(msgspec.Struct, frozen=True, gc=False, tag="betting"):
    """Wagers are taken."""

    is_over: ClassVar[bool] = False
    opened_at: float = 0.0
    """When wagers were last opened, for the countdown on the dealer's page."""


class DealingStage(msgspec.Struct, frozen=True, gc=False, tag="dealing"):
    """From "No more bets" until the outcome is announced."""

    is_over: ClassVar[bool] = False


class AnnouncedStage(msgspec.Struct, frozen=True, gc=False, tag="announced"):
    """The outcome is announced and nothing is paid yet."""

    is_over: ClassVar[bool] = False


class SettledStage(msgspec.Struct, frozen=True, gc=False, tag="settled"):
    """Every wager is settled: the round is over."""

    is_over: ClassVar[bool] = True
    paid: tuple[Paid, ...] = ()
    superseded: tuple[Paid, ...] = ()
    """What was settled first, where a correction has settled the round again."""
    warned: tuple[str, ...] = ()
    """Players whose wager under the minimum was accepted for the first time in this round."""
    chips: tuple[ChipMove, ...] = ()
    """What has to be moved since it was settled first, correction by correction."""


class VoidedStage(msgspec.Struct, frozen=True, gc=False, tag="voided"):
    """Every wager goes back: the round is over."""

    is_over: ClassVar[bool] = True
    clause: str
    """The clause it rests on; `void` where there is none."""
    paid: tuple[Paid, ...] = ()
    superseded: tuple[Paid, ...] = ()
    """What was settled first, where the round had been settled twice when it became void."""
    chips: tuple[ChipMove, ...] = ()
    """What has to be moved, where it had been settled when it became void."""


RoundStage: TypeAlias = BettingStage | DealingStage | AnnouncedStage | SettledStage | VoidedStage

_OVER: Final = (SettledStage, VoidedStage)
_ANNOUNCED: Final = (AnnouncedStage, SettledStage)


# --- what belongs to a round --------------------------------------------------------------------


class DeviceResult(msgspec.Struct, frozen=True):
    """The device's own result; None where the device does not report it."""

    winner: Outcome | None
    commitment: str | None = None
    """Of the sealed result, while a card on a hand is hidden."""
    player_pair: bool | None = None
    banker_pair: bool | None = None
    player_total: int | None = None
    banker_total: int | None = None
    passed: Sentence | None = None
    """The difference that two people have gone on over."""


class CardCorrection(msgspec.Struct, frozen=True):
    """A card that two people named in another way than the device."""

    n: int
    was: str | None
    """The card the device read, where all have seen it."""
    now: str
    by: str
    approved_by: str
    reason: str = ""


class DecidedMatter(msgspec.Struct, frozen=True):
    """A decision in a person's own words: the irregularity, and the cards it named."""

    id: str
    cards: tuple[int, ...] = ()


class RoundTerms(msgspec.Struct, frozen=True):
    """The terms a round commenced with: it is settled by them, and a correction too, whatever
    changed since."""

    limits: LimitsInForce | None = None
    rounding: Rounding | None = None
    no_bets: bool = False
    """Dealt without wagers, for the sake of a card drawn in excess."""


class HandHandling(msgspec.Struct, frozen=True):
    """Which player handles each hand."""

    handlers: dict[Side, str] = {}
    """The player who handles it; the dealer where there is none."""
    refusals: dict[Side, tuple[str, ...]] = {}
    squeeze_asked: dict[Side, str] = {}
    """Who has asked to squeeze a hand and waits for permission."""
    first: Side | None = None
    """Which hand is revealed first (Method A)."""


class DeviceReport(msgspec.Struct, frozen=True):
    """What the shoe reports of the round besides its cards."""

    result: DeviceResult | None = None
    """Compared once every face may be seen, and again whenever cards were corrected or re-laid."""
    places_differ: bool = False
    """The shoe counts its places otherwise, and people have counted the cards: the question is not
    repeated for every later card."""


class Interventions(msgspec.Struct, frozen=True):
    """What people have put right, entered or decided in a round."""

    corrected: bool = False
    corrections: tuple[CardCorrection, ...] = ()
    moved: tuple[Moved, ...] = ()
    """What the last reconstruction changed."""
    kept_as_laid: bool = False
    """Cards that could not be put right were left in place: drawn order no longer determines on
    which hand a card is."""
    entered_by: tuple[str, ...] = ()
    """Who named cards that were dealt by hand: they may not confirm the hands."""
    decided: tuple[DecidedMatter, ...] = ()
    """It is not undone when others report it again."""


class CardsOut(msgspec.Struct, frozen=True, gc=False):
    """Which cards of the shoe were out at the calls of a round, by the number of the last one."""

    before: int = 0
    """When it commenced."""
    at_call: int = 0
    """When "No more bets" was called."""
    given_up: int = 0
    """How many cards a reset of the device has taken out of play, until bets are closed again."""


class RoundLog(msgspec.Struct, frozen=True, gc=False):
    """When a round was played, and the numbers of its records."""

    began: float = 0.0
    ended: float = 0.0
    first_record: int = 0
    """Of the record that opened the betting."""
    summary: int = 0
    """Of the record of its latest summary."""


class Round(msgspec.Struct, frozen=True, dict=True):
    """One round. Values computed from it may be cached next to its fields (`__dict__`): these are
    neither recorded nor compared, and no copy has them."""

    number: int
    method: str
    face_down: bool
    dealer: str | None = None
    """Who opened the betting: they are the dealer of the round, even if another person speaks
    last."""
    ref: str | None = None
    """The name of the round in another system, for instance a studio's."""
    terms: RoundTerms = RoundTerms()
    control: DeviceControl | None = None
    """The player who drew the cards (Method C)."""
    handling: HandHandling = HandHandling()
    device: DeviceReport = DeviceReport()
    interventions: Interventions = Interventions()
    log: RoundLog = RoundLog()
    out: CardsOut = CardsOut()
    totals_called: tuple[int, ...] = ()
    """The totals of Player and Banker that were announced before a third card was drawn."""
    stage: RoundStage = BettingStage()
    cards: tuple[Drawn, ...] = ()
    wagers: tuple[PlacedWager, ...] = ()
    stakes_changed: int = 0
    """How many times a wager was placed or raised: the order in which amounts came about. A clock
    that is set back does not change it."""

    @property
    def betting(self) -> bool:
        """Whether wagers are taken."""
        return type(self.stage) is BettingStage

    @property
    def announced(self) -> bool:
        """Whether the outcome has been announced."""
        return isinstance(self.stage, _ANNOUNCED)

    @property
    def over(self) -> bool:
        """Whether it is settled or void."""
        return self.stage.is_over

    @property
    def void_by(self) -> str | None:
        """The clause by which it is void; None: it is not."""
        return self.stage.clause if isinstance(self.stage, VoidedStage) else None

    @property
    def paid(self) -> tuple[Paid, ...]:
        return self.stage.paid if isinstance(self.stage, _OVER) else ()

    @property
    def superseded(self) -> tuple[Paid, ...]:
        return self.stage.superseded if isinstance(self.stage, _OVER) else ()

    @property
    def chips(self) -> tuple[ChipMove, ...]:
        """What has to be moved since it was settled first."""
        return self.stage.chips if isinstance(self.stage, _OVER) else ()

    @property
    def drawer(self) -> str | None:
        """The player who drew the cards (Method C)."""
        return None if self.control is None else self.control.player


def with_announcement(round_: Round, *, stands: bool) -> Round:
    """The round with an outcome that is announced, or has yet to be announced again; one that is
    being wagered on, or is over, stays as it is."""
    if round_.betting or round_.over:
        return round_
    return replace(round_, stage=AnnouncedStage() if stands else DealingStage())
