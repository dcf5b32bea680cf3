"""Every event of devices and of the machine itself, one struct each."""

from typing import Annotated

import msgspec

from controller.game.hands import Outcome as Winner
from controller.messages.sentence import Sentence
from controller.table.commands.registry import (
    DEVICES,
    SHOE,
    SHUFFLER,
    SYSTEM,
    DeviceEvent,
    Money,
    command,
    device_event,
)
from controller.table.licences import Licence
from controller.table.phases import AFTER_THE_CALL, OPEN_PHASES, Phase
from drivers.cards import Card
from drivers.error_meaning import ErrorMeaning, meaning_of
from drivers.events import Where

Points = Annotated[int, msgspec.Meta(ge=0, le=9)]

Version = Annotated[int, msgspec.Meta(ge=1, le=2**53)]

MAX_SAYS = 200
"""Characters of a device's own text that are shown."""


class Telling(DeviceEvent, frozen=True, kw_only=True):
    """An event with which a device may report information: as its maker's text or, where the
    driver's event has a meaning of its own, as a sentence of ours."""

    says: str | None = None
    note: Sentence | None = None


# --- cards --------------------------------------------------------------------------------------


@device_event("card", "a card left the shoe", by=SHOE)
class CardDrawnEvent(DeviceEvent, frozen=True, kw_only=True):
    card: Card | None = None
    """None in a record whose card is sealed."""
    hand: Where | None = None
    """What the device reports it was drawn for."""
    index: int | None = None
    """Which card of that hand, from 1."""
    late: bool = False
    """Its number is in a gap that the device's numbers showed before."""


@device_event("read_failed", "a card left the shoe and could not be read", by=SHOE)
class ReadFailedEvent(DeviceEvent, frozen=True):
    pass


@device_event("excess", "the shoe calls a card one too many", by=SHOE)
class ExcessCardEvent(DeviceEvent, frozen=True, kw_only=True):
    card: Card | None = None


@device_event("excess_named", "the shoe says which card it called one too many", by=SHOE)
class ExcessNamedEvent(DeviceEvent, frozen=True, kw_only=True):
    card: Card | None = None
    """None in a record whose card is sealed."""


@device_event("excess_discarded", "a card too many was thrown away at the shoe", by=SHOE)
class ExcessDiscardedEvent(DeviceEvent, frozen=True):
    pass


_RESULTS = AFTER_THE_CALL | {Phase.READY, Phase.CHANGING_SHOE}
"""Also of a round that has just been settled: until the next call it can be put right."""


@device_event("result", "the shoe's own result", by=SHOE, phases=_RESULTS)
class DeviceResultEvent(DeviceEvent, frozen=True, kw_only=True):
    winner: Winner | None = None
    """None in a record whose result is sealed."""
    player_pair: bool | None = None
    banker_pair: bool | None = None
    player_total: Points | None = None
    banker_total: Points | None = None
    """None: the device does not report it."""


# --- the shoe -----------------------------------------------------------------------------------


@device_event("events_lost", "the shoe said something that was lost", by=SHOE)
class EventsLostEvent(Telling, frozen=True, kw_only=True):
    by_number: bool = False
    """The number of the next message shows it: it may have been counted already."""


@device_event("started", "the shoe was reset or switched on", by=SHOE)
class StartedEvent(DeviceEvent, frozen=True):
    pass


@device_event("gave_up", "the shoe has given the round up", by=SHOE)
class GaveUpEvent(DeviceEvent, frozen=True):
    pass


@device_event("still_plays", "the shoe still plays a round that is over", by=SHOE)
class StillPlaysEvent(DeviceEvent, frozen=True):
    pass


@device_event("round_ended", "the shoe has ended the round it still played", by=SHOE)
class RoundEndedEvent(DeviceEvent, frozen=True):
    pass


@device_event("error", "the shoe reports an error", by=SHOE)
class ErrorReportedEvent(DeviceEvent, frozen=True, kw_only=True):
    """Its meaning decides; the maker's own number and text are shown in addition."""

    code: int | None = None
    says: str | None = None
    means: ErrorMeaning | None = None
    """None: it reports only its number, and is recorded so."""
    must_clear: bool = False
    """The shoe gives no card before a person has cleared it there."""

    @property
    def meaning(self) -> ErrorMeaning:
        """The reported meaning; for an event with only a number, the fixed meaning of that
        number."""
        return meaning_of(self.code) if self.means is None else self.means


@device_event("error_cleared", "the shoe's error is over", by=SHOE)
class ErrorClearedEvent(DeviceEvent, frozen=True, kw_only=True):
    code: int | None = None
    """None: it does not report which; all are over."""


@device_event("locked", "the shoe is locked", by=SHOE)
class LockedEvent(Telling, frozen=True):
    pass


@device_event("unlocked", "the shoe is unlocked", by=SHOE)
class UnlockedEvent(Telling, frozen=True):
    pass


@device_event("lid_open", "a lid was opened", by=DEVICES)
class LidOpenEvent(DeviceEvent, frozen=True):
    pass


@device_event("lid_closed", "the lid was closed", by=DEVICES)
class LidClosedEvent(DeviceEvent, frozen=True):
    pass


@device_event("link_lost", "the device cannot be reached", by=DEVICES)
class LinkLostEvent(Telling, frozen=True):
    pass


@device_event("link_up", "the device is back", by=DEVICES)
class LinkUpEvent(DeviceEvent, frozen=True, kw_only=True):
    count: bool = False
    """A card may have been missed: the cards are counted."""
    reads_cards: bool = True
    """The device that answers can read cards."""
    plays_rounds: bool = False
    """It is a shoe that plays rounds by itself."""


@device_event("driver_failed", "the program that understands the device has failed", by=DEVICES)
class DriverFailedEvent(DeviceEvent, frozen=True, kw_only=True):
    driver: str
    kind: str
    """Of error, by its name. Never its text: that may spell a card."""


@device_event("by_hand", "the table has no shoe that reads cards, or has one again", by=SHOE)
class ByHandEvent(DeviceEvent, frozen=True, kw_only=True):
    on: bool = True


# --- the shuffler -------------------------------------------------------------------------------


@device_event("verified", "the shuffler has verified the decks", by=SHUFFLER)
class VerifiedEvent(Telling, frozen=True, kw_only=True):
    cards: int | None = None


@device_event("fault", "the shuffler has a fault", by=SHUFFLER)
class FaultEvent(Telling, frozen=True):
    pass


@device_event("not_verified", "what the shuffler holds is not verified", by=SHUFFLER)
class NotVerifiedEvent(Telling, frozen=True, kw_only=True):
    missing: tuple[Card, ...] = ()
    extra: tuple[Card, ...] = ()
    cards: int | None = None
    """How many it holds, where it reports it and they are not right."""


@device_event("taken", "cards were taken out of the shuffler", by=SHUFFLER)
class OutputTakenEvent(Telling, frozen=True):
    pass


@device_event(
    "notice", "a device, or the machine itself, says something to know", by=(*DEVICES, *SYSTEM)
)
class NoticeEvent(Telling, frozen=True):
    pass


# --- the machine it runs on ---------------------------------------------------------------------


@device_event("journal_loss", "the journal lost its end", by=SYSTEM)
class JournalLossEvent(Telling, frozen=True):
    pass


@device_event("restarted", "the process came back after a stop", by=SYSTEM, phases=OPEN_PHASES)
class RestartedEvent(DeviceEvent, frozen=True):
    pass


@device_event("noted", "an event outside play is written down", by=SYSTEM)
class NotedEvent(DeviceEvent, frozen=True, kw_only=True):
    what: str
    who: str | None = None
    says: str | None = None


@device_event("self_test", "what a self-test found", by=SYSTEM)
class SelfTestEvent(DeviceEvent, frozen=True, kw_only=True):
    bad: tuple[str, ...] = ()
    """The checks that failed, by name."""
    good: tuple[str, ...] | int | None = None


@device_event("clock_stepped", "the clock jumped", by=SYSTEM)
class ClockSteppedEvent(DeviceEvent, frozen=True, kw_only=True):
    seconds: Annotated[float, msgspec.Meta(ge=-(10**12), le=10**12)] = 0.0


@device_event("site_people", "the site's list of people is taken over", by=SYSTEM)
class SitePeopleEvent(DeviceEvent, frozen=True, kw_only=True):
    version: Version
    licences: Annotated[tuple[Licence, ...], msgspec.Meta(max_length=10_000)]


@device_event("site_limits", "the site's limits are taken over", by=SYSTEM)
class SiteLimitsEvent(DeviceEvent, frozen=True, kw_only=True):
    version: Version
    minimum: Money
    maximum: Money
    differential: Money | None = None


@command("time_is_up", "an offer has run its time", by=SYSTEM, phases=frozenset(), held=True)
class TimeIsUpEvent(DeviceEvent, frozen=True):
    pass
