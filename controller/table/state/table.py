"""The table's state as a whole, and small changes that many steps make."""

from typing import Any, Final, TypeVar

import msgspec
from msgspec.structs import replace

from controller.messages.codes import Code
from controller.messages.sentence import ParamValue, Sentence, sentence
from controller.table.cards import Drawn
from controller.table.case import Case, Ruled
from controller.table.holds import Hold, HoldReason, needs_two_people
from controller.table.phases import Phase, RoundEvent
from controller.table.requests import ApprovalRequest
from controller.table.state.parts import (
    CardCount,
    CardCountCheck,
    DeckKeeping,
    GamingDay,
    KnownDevices,
    PlaySettings,
    Shoe,
    SiteSettings,
    TableClocks,
)
from controller.table.state.round import LastWager, Round

MAX_NOTICES: Final = 40
"""The most notices a screen can show; a device that chatters pushes out the oldest and does not
fill the memory."""


class GoneRound(msgspec.Struct, frozen=True):
    """The last round where another shoe has been loaded since: it may still be reported on, and no
    card of it can be looked at or moved. Its unseen cards stay unseen."""

    round: Round
    shoe: int
    deck_set: str
    result: str | None
    """As the roads write it; None for a void round."""
    voided: bool = False
    """It was made void since its shoe was taken away."""


class PlayHistory(msgspec.Struct, frozen=True, gc=False):
    """What has been played."""

    rounds: int = 0
    """The number of the latest round."""
    shoes: int = 0
    """The number of the latest shoe."""
    results: tuple[str, ...] = ()
    """The roads' tokens of this shoe."""
    last_wagers: tuple[LastWager, ...] = ()
    """What staff placed in the round before the one that is played."""
    gone: GoneRound | None = None
    """None while the last round's cards are there, and once the next round has commenced."""


class Table(msgspec.Struct, frozen=True, gc=False):
    """The state that is passed from one step to the next."""

    day: GamingDay = GamingDay()
    play: PlaySettings = PlaySettings()
    site: SiteSettings = SiteSettings()
    history: PlayHistory = PlayHistory()
    decks: DeckKeeping = DeckKeeping()
    devices: KnownDevices = KnownDevices()
    clocks: TableClocks = TableClocks()
    card_count: CardCount = CardCount()
    case: Case | None = None
    queue: tuple[Case, ...] = ()
    rulings: tuple[Ruled, ...] = ()
    """What was ruled since the round commenced."""
    latches: tuple[Hold, ...] = ()
    """The holds by devices, by the machine it runs on and by the pit."""
    requests: tuple[ApprovalRequest, ...] = ()
    """Requests that wait for a second person, in the order in which they are answered: see
    `agenda`."""
    carried: tuple[Drawn, ...] = ()
    """Cards drawn in excess that the next round begins with."""
    notices: tuple[Sentence, ...] = ()
    happened: tuple[RoundEvent, ...] = ()
    """The events of the step under way, in order; empty between steps."""
    phase: Phase = Phase.CLOSED
    at: float = 0.0
    shoe: Shoe | None = None
    round: Round | None = None

    @property
    def request(self) -> ApprovalRequest | None:
        """The request that is answered first."""
        return self.requests[0] if self.requests else None

    @property
    def count_check(self) -> CardCountCheck | None:
        """The count that is asked for; None: none is."""
        stage = self.card_count.stage
        return stage if type(stage) is CardCountCheck else None

    @property
    def change_shoe(self) -> bool:
        """Whether another shoe has to be loaded before the next round, though one is there."""
        return self.shoe is not None and self.shoe.must_change


CHANGES_OFTEN: Final[dict[type, str]] = {Table: "phase", Round: "stage", Shoe: "seen"}
"""The field from which on, to the last, the fields of a struct change often. Code that looks for
what a step changed compares all the others at once."""


_Whole = TypeVar("_Whole", Table, Round)


def change_part(whole: _Whole, part: str, **changes: Any) -> _Whole:
    """The table or the round with some fields of one of its parts changed."""
    return replace(whole, **{part: replace(getattr(whole, part), **changes)})


def latest_round(table: Table) -> Round | None:
    """The round in play, else the last one until the next has commenced, whether or not its shoe is
    still there."""
    if table.round is not None or table.history.gone is None:
        return table.round
    return table.history.gone.round


def notify(table: Table, code: Code, **params: ParamValue) -> Table:
    """The table with one more notice; the same notice twice in a row is kept once."""
    return add_notice(table, sentence(code, **params))


def add_notice(table: Table, sentence_: Sentence) -> Table:
    if table.notices[-1:] == (sentence_,):
        return table
    return replace(table, notices=(*table.notices, sentence_)[-MAX_NOTICES:])


def emit(table: Table, what: RoundEvent) -> Table:
    """The table, with the events of the step for the machine."""
    return replace(table, happened=(*table.happened, what))


def queue_case(table: Table, case: Case) -> Table:
    """Queue an irregularity; it is opened when the step that found it is done."""
    return replace(table, queue=(*table.queue, replace(case, since=table.at)))


def two_person_holds(table: Table) -> tuple[tuple[str, float], ...]:
    """The holds that one person asks to go on over and another approves: each by its kind and since
    when."""
    return tuple(
        (each.kind.value, each.since)
        for each in table.latches
        if needs_two_people(each.kind) and each.kind is not HoldReason.JOURNAL_LOSS
    )


def add_hold(table: Table, hold: Hold) -> Table:
    """Add a hold; one that the same device has already keeps its start time."""
    known = [(each.kind, each.by, each.number) for each in table.latches]
    if (hold.kind, hold.by, hold.number) in known:
        return table
    return replace(
        table, latches=(*table.latches, replace(hold, round=current_round_number(table)))
    )


def has_failed_driver(table: Table, device: str) -> bool:
    """Whether the driver of this device has failed and was not restarted yet."""
    return any(
        each.kind is HoldReason.DRIVER_FAILED and each.by == device for each in table.latches
    )


def current_round_number(table: Table) -> int | None:
    """The number of the round that is played; None between rounds."""
    round_ = table.round
    return None if round_ is None or round_.over else round_.number


def remove_hold(table: Table, kind: HoldReason, number: int | None = None) -> Table:
    """Remove one hold of the table."""
    left = tuple(each for each in table.latches if (each.kind, each.number) != (kind, number))
    return table if len(left) == len(table.latches) else replace(table, latches=left)
