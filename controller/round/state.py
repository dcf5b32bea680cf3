"""What the table knows, as values that never change: a step makes a new one.

Every struct here is frozen and can be written as JSON, so a checkpoint is the state itself and a
guard can look at what a step would lead to before anything is on disk.
"""

from typing import Any, Final

import msgspec
from msgspec.structs import replace

from controller.game.hands import Side

NOTICES_MOST: Final = 40
"""What a screen can show; a device that chatters pushes out the oldest, not the memory."""


class Drawn(msgspec.Struct, frozen=True):
    """A card that has left the shoe in this round, in drawn order."""

    n: int
    """Its place among all cards drawn from this shoe, from 1."""
    card: str | None
    """None: the device could not read it and nobody has entered it yet."""
    hand: Side | None
    """Where it lies; None is aside, on neither hand."""
    exposed: bool
    commitment: str | None = None
    """Published while the card is sealed."""
    salt: str | None = None
    """Published when it is exposed."""
    unnamed: bool = False
    """The device called it one too many before it said which card it is."""


class Wager(msgspec.Struct, frozen=True):
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


class Paid(msgspec.Struct, frozen=True):
    """The settlement of one wager."""

    id: str
    player: str
    result: str
    odds: str
    pays: int
    returned: int
    clause: str | None = None


class Shoe(msgspec.Struct, frozen=True):
    """The cards in use and the ledger of those that have come out."""

    number: int
    deck_set: str
    decks: int
    verified_by: str
    """The shuffler, or the person who gave their word."""
    seen: bytes = bytes(52)
    """How many of each card (`Card.number`) have been exposed or burned."""
    drawn: int = 0
    burn_left: int | None = None
    """None: the first card has yet to say how many are burned. 0: ready."""
    recent: tuple[tuple[int, int], ...] = ()
    """The latest cards everybody has seen: the place each was drawn in, and `Card.number`."""
    cut_card_out: bool = False
    rounds_after_cut: int = 0


class Limits(msgspec.Struct, frozen=True):
    """What the pit has set in place of the house's limits; None is no limit."""

    minimum: int | None
    maximum: int | None
    differential: int | None


class Moved(msgspec.Struct, frozen=True):
    """A card that reconstruction laid somewhere else: before and after."""

    n: int
    was: Side | None
    now: Side | None


class Round(msgspec.Struct, frozen=True):
    number: int
    method: str
    face_down: bool
    betting: bool = True
    cards: tuple[Drawn, ...] = ()
    wagers: tuple[Wager, ...] = ()
    handlers: dict[Side, str] = {}
    """Who handles each hand; the dealer where nobody else does."""
    refusals: dict[Side, tuple[str, ...]] = {}
    first: Side | None = None
    """Which hand is revealed first (Method A)."""
    drawer: str | None = None
    """The player who drew the cards (Method C)."""
    cut_card_first: bool = False
    device_says: str | None = None
    """The device's own result, kept until every face may be seen."""
    announced: bool = False
    over: bool = False
    void_by: str | None = None
    paid: tuple[Paid, ...] = ()
    warned: tuple[str, ...] = ()
    """Players whose wager under the minimum was let pass for the first time in this round."""
    corrected: bool = False
    moved: tuple[Moved, ...] = ()
    """What the last reconstruction changed."""
    limits: Limits | None = None
    """Those it commenced with: a correction settles by them, whatever came since."""
    no_bets: bool = False
    """Dealt without wagers, for the sake of a card drawn in excess."""
    superseded: tuple[Paid, ...] = ()
    """What was settled first, where a correction has settled the round anew."""
    opened_at: float = 0.0
    """When wagers were last opened, for the countdown on the dealer's page."""


class Offer(msgspec.Struct, frozen=True):
    """Options put to every player with a wager."""

    kind: str
    clause: str
    open_to: tuple[str, ...]
    at: float
    returns: str
    """The clause by which a wager that is withdrawn goes back."""
    plays_on: str
    """The clause by which a wager stays."""
    answers: dict[str, str] = {}
    drawn: int = 0
    """How many cards had left the shoe when it was made."""
    in_doubt: tuple[int, ...] = ()
    """Cards whose order is in question: until they are laid they decide no wager."""


class Case(msgspec.Struct, frozen=True):
    """An irregularity that is being dealt with."""

    id: str
    reported_by: str
    facts: dict[str, bool] = {}
    ruling: int | None = None
    """Which ruling of the book applies; None until the facts it turns on are known."""
    step: int = 0
    clause: str | None = None
    asked: str | None = None
    """The fact that a person is asked for."""
    offer: Offer | None = None
    waits_for: str | None = None
    """approve, decide, order, missing, enter, put_right: what a person has to do next."""
    role: str | None = None
    """Who has to do it, at least."""
    asker: str | None = None
    """The person whose word it is; somebody else has to approve."""
    decided_by: str = ""
    """Who said the last word on it."""
    given: dict[str, Any] = {}
    text: str = ""


class Ruled(msgspec.Struct, frozen=True):
    """An irregularity that has been dealt with."""

    id: str
    clause: str | None
    reported_by: str
    decided_by: str
    text: str = ""


class Request(msgspec.Struct, frozen=True):
    """Something that takes two people: what was asked, by whom, and why."""

    what: str
    by: str
    given: dict[str, Any]
    reason: str


class Came(msgspec.Struct, frozen=True):
    """A card that came while nobody knew which place was due."""

    word: str
    """card, read_failed or excess."""
    card: str | None
    hand: str | None
    """What the device says it was drawn for."""
    commitment: str | None
    salt: str | None
    gaps: int
    """How many times something had been lost when it came."""


class Doubt(msgspec.Struct, frozen=True):
    """Cards may have left the shoe that nobody read: the count is asked before anything else."""

    why: str
    came: tuple[Came, ...] = ()
    """What has left the shoe since, in order; it is laid when the count is known."""
    gaps: int = 1
    """How many times something was lost, with a card read in between."""


class Table(msgspec.Struct, frozen=True):
    """Everything that is carried from one step to the next."""

    opened: bool = False
    suspended: bool = False
    method: str = ""
    limits: Limits | None = None
    """As the pit changed them; None: the house's."""
    shoe: Shoe | None = None
    round: Round | None = None
    rounds: int = 0
    shoes: int = 0
    case: Case | None = None
    queue: tuple[Case, ...] = ()
    rulings: tuple[Ruled, ...] = ()
    """What was ruled since the round commenced."""
    latches: tuple[str, ...] = ()
    """Why devices hold the table: lid_open, link_lost, device_disagrees ..."""
    request: Request | None = None
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
    notices: tuple[str, ...] = ()
    at: float = 0.0
    doubt: Doubt | None = None
    verified_cards: int | None = None
    """How many cards the shuffler verified, where it says."""
    pack_out: bool = False
    """They were taken out of it: what befalls the shuffler now concerns other cards."""
    enrolled: dict[str, str] = {}
    """Units that took the place of the configured ones: device, and what can be read of it."""


def noted(table: Table, says: str) -> Table:
    """The table with one more notice; said twice in a row it is still one."""
    if table.notices[-1:] == (says,):
        return table
    return replace(table, notices=(*table.notices, says)[-NOTICES_MOST:])
