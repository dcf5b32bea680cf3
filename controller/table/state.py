"""What the table knows, as values that never change: a step makes a new one.

Every struct here is frozen and can be written as JSON, so a checkpoint is the state itself and a
guard can look at what a step would lead to before anything is on disk. A value that never changes
cannot come to contain itself: the collector of cycles is kept from looking at those that every step
makes (`gc=False`).
"""

from typing import Final

import msgspec
from msgspec.structs import replace

from controller.game.hands import Outcome, Side
from controller.game.money.limits import WagerRange
from controller.game.money.rounding import Rounding
from controller.sentences.codes import Code
from controller.sentences.sentence import GapValue, Sentence, sentence
from controller.table.cards import Drawn, Moved, UnheardCard, UnplacedCard
from controller.table.case import Case, Ruled
from controller.table.decks import DeckSet, PackFound, PassedRest
from controller.table.holds import Latch, LatchKind, takes_two
from controller.table.licences import SiteList
from controller.table.phases import Happening, Phase
from controller.table.requests import ApprovalRequest

NOTICES_MOST: Final = 40
"""What a screen can show; a device that chatters pushes out the oldest, not the memory."""


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
    """Since which change of the round's wagers it has lain there with this amount."""
    lower: tuple[tuple[int, int], ...] = ()
    """Smaller amounts it had before it was raised, each with since when."""
    parts_back: tuple[PartBack, ...] = ()
    """What `amount` has been lowered by against the player's will."""


class LastWager(msgspec.Struct, frozen=True):
    """What lay there in the round before, for whoever wants the same again."""

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


class CutCardCame(msgspec.Struct, frozen=True):
    """Where the cutting card came: until play has gone on from there it has yet to be removed."""

    drawn: int
    phase: Phase


class Shoe(msgspec.Struct, frozen=True, gc=False):
    """The cards in use and the ledger of those that have come out."""

    number: int
    deck_set: str
    decks: int
    verified_by: str
    """The shuffler, or the person who gave their word."""
    burn_left: int | None = None
    """None: the first card has yet to say how many are burned. 0: ready."""
    cut_card_out: bool = False
    cut_card_came: CutCardCame | None = None
    rounds_after_cut: int = 0
    seen: bytes = bytes(52)
    """How many of each card (`Card.number`) have been exposed or burned."""
    drawn: int = 0
    recent: tuple[tuple[int, int], ...] = ()
    """The latest cards everybody has seen: the place each was drawn in, and `Card.number`."""


class ReplacedCards(msgspec.Struct, frozen=True):
    """Cards that a ruling took out of play: the next ones are others, or verified anew."""

    deck_set: str
    clause: str | None = None
    verified_since: bool = False
    """The shuffler has verified cards after the ruling; what it held before are other ones."""


class LimitsInForce(msgspec.Struct, frozen=True):
    """What the pit has set in place of the house's limits; None is no limit."""

    minimum: int | None
    maximum: int | None
    differential: int | None
    per_area: int | None = None
    """So many wagers one area takes; None: as many as the book allows."""
    wagers: dict[str, WagerRange] = {}
    """Kinds of wagers with limits of their own."""


class DeviceResult(msgspec.Struct, frozen=True):
    """The device's own result; None is what it does not tell."""

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
    """What the device read, where everybody has seen it."""
    now: str
    by: str
    approved_by: str
    reason: str = ""


class DecidedMatter(msgspec.Struct, frozen=True):
    """What somebody has decided in their own words: the irregularity, and the cards it named."""

    id: str
    cards: tuple[int, ...] = ()


class Round(msgspec.Struct, frozen=True, dict=True):
    """One round. What is worked out from it may be kept beside its fields (`__dict__`): that is
    neither recorded nor compared, and no copy has it."""

    number: int
    method: str
    face_down: bool
    betting: bool = True
    handlers: dict[Side, str] = {}
    """Who handles each hand; the dealer where nobody else does."""
    refusals: dict[Side, tuple[str, ...]] = {}
    squeeze_asked: dict[Side, str] = {}
    """Who has asked to squeeze a hand and waits for permission."""
    first: Side | None = None
    """Which hand is revealed first (Method A)."""
    drawer: str | None = None
    """The player who drew the cards (Method C)."""
    cut_card_first: bool = False
    device_says: DeviceResult | None = None
    """Compared once every face may be seen, and again whenever cards were corrected or re-laid."""
    places_differ: bool = False
    """The shoe counts its places otherwise, and people have counted the cards: it is not asked of
    every card that follows."""
    announced: bool = False
    over: bool = False
    void_by: str | None = None
    paid: tuple[Paid, ...] = ()
    warned: tuple[str, ...] = ()
    """Players whose wager under the minimum was let pass for the first time in this round."""
    corrected: bool = False
    moved: tuple[Moved, ...] = ()
    """What the last reconstruction changed."""
    limits: LimitsInForce | None = None
    """Those it commenced with: it is settled by them, and a correction too, whatever came since."""
    rounding: Rounding | None = None
    """Likewise."""
    kept_as_laid: bool = False
    """Cards that could not be put right were left where they lie: drawn order says no more on
    which hand a card is."""
    no_bets: bool = False
    """Dealt without wagers, for the sake of a card drawn in excess."""
    superseded: tuple[Paid, ...] = ()
    """What was settled first, where a correction has settled the round anew."""
    opened_at: float = 0.0
    """When wagers were last opened, for the countdown on the dealer's page."""
    began: float = 0.0
    ended: float = 0.0
    dealer: str | None = None
    """Who opened the betting: the round is dealt by them, whoever speaks last."""
    ref: str | None = None
    """What the round is called elsewhere, for instance by a studio's own system."""
    corrections: tuple[CardCorrection, ...] = ()
    entered_by: tuple[str, ...] = ()
    """Who named cards that were dealt by hand: none of them confirms the hands."""
    decided: tuple[DecidedMatter, ...] = ()
    """Not undone by others who report it again."""
    first_record: int = 0
    """The number of the record that opened the betting."""
    summary: int = 0
    """The number of the record of its latest summary."""
    cards: tuple[Drawn, ...] = ()
    wagers: tuple[PlacedWager, ...] = ()
    stakes_changed: int = 0
    """How many times a wager was placed or raised: the order in which amounts came to stand there.
    A clock that is put back does not change it."""


class GoneRound(msgspec.Struct, frozen=True):
    """The last round where another shoe has been loaded since: it may still be reported on, and no
    card of it can be looked at or moved. What nobody had seen of it nobody will."""

    round: Round
    shoe: int
    deck_set: str
    result: str | None
    """As the roads write it; None for a void round."""
    voided: bool = False
    """It was made void since its shoe was taken away."""


class Doubt(msgspec.Struct, frozen=True):
    """Cards may have left the shoe that nobody read: the count is asked before anything else."""

    why: Sentence
    since: float = 0.0
    came: tuple[UnplacedCard, ...] = ()
    """What has left the shoe since, in order; it is laid when the count is known."""
    gaps: int = 1
    """How many times something was lost, with a card read in between."""
    late: bool = False
    """What is counted may be what comes: the link was away, and the device has no numbers."""


class ShoeRound(msgspec.Struct, frozen=True):
    """A round that is over at the table while the shoe, which plays rounds by itself, goes on with
    it: it is ended at the shoe before the next one opens, or a supervisor puts that aside."""

    round: int
    since: float = 0.0
    by_hand: bool = False
    """Cards of it were never seen. Whether the shoe has come to an end by itself would tell of
    them, so that is not asked: the dealer may say that it is done."""
    ended_by: str | None = None
    """The shoe, or the dealer."""
    aside_by: str | None = None
    reason: str = ""
    """Why it was put aside."""

    @property
    def to_be_ended(self) -> bool:
        return self.ended_by is None and self.aside_by is None


class ByHand(msgspec.Struct, frozen=True):
    """Manual mode: no device reads the cards, people enter them."""

    since: float = 0.0
    only: bool = False
    """The table has no shoe that reads cards: it is set up so."""
    by: str = ""
    approver: str = ""
    reason: str = ""


class Table(msgspec.Struct, frozen=True, gc=False):
    """Everything that is carried from one step to the next."""

    opened: bool = False
    restarted_at: float | None = None
    """When the process came back in mid-round; None once a person has said what that was."""
    method: str = ""
    method_allowed: str | None = None
    """The method that whoever the book names has given leave for, this gaming day."""
    limits: LimitsInForce | None = None
    """As the pit changed them; None: the house's."""
    rounds: int = 0
    shoes: int = 0
    case: Case | None = None
    queue: tuple[Case, ...] = ()
    rulings: tuple[Ruled, ...] = ()
    """What was ruled since the round commenced."""
    latches: tuple[Latch, ...] = ()
    """What devices, the machine it runs on and the pit hold the table by."""
    requests: tuple[ApprovalRequest, ...] = ()
    """What waits for a second person, in the order in which it is answered: see `agenda`."""
    carried: tuple[Drawn, ...] = ()
    """Cards drawn in excess that the next round begins with."""
    drawer: str | None = None
    """The player who controls the device (Method C)."""
    draws_without_wager: bool = False
    """Whether that player has leave to draw without a wager."""
    results: tuple[str, ...] = ()
    """The roads' tokens of this shoe."""
    under_minimum_before: tuple[str, ...] = ()
    change_shoe: bool = False
    verified: bool = False
    """The shuffler has verified cards that have not been loaded yet."""
    close_after: bool = False
    notices: tuple[Sentence, ...] = ()
    doubt: Doubt | None = None
    verified_cards: int | None = None
    """How many cards the shuffler verified, where it says."""
    pack_out: bool = False
    """They were taken out of it: what befalls the shuffler now concerns other cards."""
    enrolled: dict[str, str] = {}
    """Units that took the place of the configured ones: device, and what can be read of it."""
    shoe_is_blind: bool = False
    """The shoe that answers reads no faces: people name every card."""
    unheard: tuple[UnheardCard, ...] = ()
    """Cards that were counted and that the device has not told of."""
    counted: bool = False
    """The cards were counted, and no card has come since: a loss that shows now may be the one that
    was counted."""
    loss: Sentence | None = None
    """Such a loss: the place of the next card tells."""
    card_error: Sentence | None = None
    """The shoe's error about a card that is still to come."""
    replaced: ReplacedCards | None = None
    """None once a shoe has been loaded."""
    last_wagers: tuple[LastWager, ...] = ()
    """What staff placed in the round before the one that is played."""
    clock_stood_at: float | None = None
    """Since when the clocks of bets and options stand, because the table does."""
    gone: GoneRound | None = None
    """None while the last round's cards are there, and once the next round has commenced."""
    asked_at: float | None = None
    """Since when what is asked of people waits for them."""
    shoe_plays: bool | None = None
    """Whether the shoe is in a round of its own, by what it has told; None: it plays none, or has
    not been heard."""
    left_at_shoe: ShoeRound | None = None
    """What the last round has left to be done at the shoe; None once the next has begun."""
    deck_sets: dict[str, DeckSet] = {}
    """Every set of decks that this table knows of, by name."""
    rest: PassedRest | None = None
    """What was left in a shoe that is over, while it is passed through it to be counted."""
    pack_found: PackFound | None = None
    """What the shuffler found wrong with the cards it holds."""
    by_hand: ByHand | None = None
    """None: the shoe reads the cards."""
    site_list: SiteList | None = None
    """Who may open betting, by the site's own list; None: it has given none."""
    site_limits: int = 0
    """The version of the site's limits that was taken over last."""
    happened: tuple[Happening, ...] = ()
    """What the step under way has done to the table, in order; empty between steps."""
    phase: Phase = Phase.CLOSED
    at: float = 0.0
    shoe: Shoe | None = None
    round: Round | None = None

    @property
    def request(self) -> ApprovalRequest | None:
        """The request that is answered first."""
        return self.requests[0] if self.requests else None


def last_round(table: Table) -> Round | None:
    """The round in play, else the last one until the next has commenced, whether or not its shoe is
    still there."""
    if table.round is not None or table.gone is None:
        return table.round
    return table.gone.round


CHANGES_OFTEN: Final[dict[type, str]] = {Table: "phase", Round: "cards", Shoe: "seen"}
"""From this field on, to the last, a struct has those that steps change often: whoever looks for
what a step changed asks of all the others at once."""


def notice(table: Table, code: Code, **gaps: GapValue) -> Table:
    """The table with one more notice; said twice in a row it is still one."""
    return noted(table, sentence(code, **gaps))


def noted(table: Table, says: Sentence) -> Table:
    if table.notices[-1:] == (says,):
        return table
    return replace(table, notices=(*table.notices, says)[-NOTICES_MOST:])


def happens(table: Table, what: Happening) -> Table:
    """The table, with what the machine will be told of the step."""
    return replace(table, happened=(*table.happened, what))


def found(table: Table, case: Case) -> Table:
    """An irregularity has come up; it is opened when the step that found it is done."""
    return replace(table, queue=(*table.queue, replace(case, since=table.at)))


def two_go_on_over(table: Table) -> tuple[tuple[str, float], ...]:
    """What holds the table that one person asks to go on over and another approves: each by its
    kind and since when."""
    return tuple(
        (each.kind.value, each.since)
        for each in table.latches
        if takes_two(each.kind) and each.kind is not LatchKind.JOURNAL_LOSS
    )


def latched(table: Table, latch: Latch) -> Table:
    """Held by one thing more; what holds it already, of the same device, holds it since then."""
    known = [(each.kind, each.by, each.number) for each in table.latches]
    if (latch.kind, latch.by, latch.number) in known:
        return table
    return replace(table, latches=(*table.latches, replace(latch, round=in_play(table))))


def driver_failed(table: Table, device: str) -> bool:
    """Whether the driver of this device has failed and nobody has had it taken up anew."""
    return any(each.kind is LatchKind.DRIVER_FAILED and each.by == device for each in table.latches)


def in_play(table: Table) -> int | None:
    """The number of the round that is played; None between rounds."""
    round_ = table.round
    return None if round_ is None or round_.over else round_.number


def unlatched(table: Table, kind: LatchKind, number: int | None = None) -> Table:
    """Held by this no longer."""
    left = tuple(each for each in table.latches if (each.kind, each.number) != (kind, number))
    return table if len(left) == len(table.latches) else replace(table, latches=left)
