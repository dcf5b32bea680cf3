"""Every word that devices and the machine itself say, one struct each."""

from typing import Annotated

import msgspec

from controller.game.hands import Outcome as Winner
from controller.sentences.sentence import Sentence
from controller.table.licences import Licence
from controller.table.phases import AFTER_THE_CALL, OPEN_PHASES, Phase
from controller.table.words.vocabulary import (
    DEVICES,
    SHOE,
    SHUFFLER,
    SYSTEM,
    Money,
    Word,
    device_word,
    word,
)
from drivers.cards import Card
from drivers.error_meaning import ErrorMeaning, meaning_of
from drivers.events import Where

Points = Annotated[int, msgspec.Meta(ge=0, le=9)]

Version = Annotated[int, msgspec.Meta(ge=1, le=2**53)]

SAYS_MOST = 200
"""Characters of a device's own words that are shown."""


class Telling(Word, frozen=True, kw_only=True):
    """A word with which a device may say something to know: in its maker's own words, or, where
    the driver's event has a meaning of its own, as a sentence of ours."""

    says: str | None = None
    note: Sentence | None = None


# --- cards --------------------------------------------------------------------------------------


@device_word("card", "a card left the shoe", by=SHOE)
class CardDrawnWord(Word, frozen=True, kw_only=True):
    card: Card | None = None
    """None in a record whose card is sealed."""
    hand: Where | None = None
    """What the device says it was drawn for."""
    index: int | None = None
    """Which card of that hand, from 1."""
    late: bool = False
    """Its number lies in a gap that the device's numbers showed before."""


@device_word("read_failed", "a card left the shoe and could not be read", by=SHOE)
class ReadFailedWord(Word, frozen=True):
    pass


@device_word("excess", "the shoe calls a card one too many", by=SHOE)
class ExcessCardWord(Word, frozen=True, kw_only=True):
    card: Card | None = None


@device_word("excess_named", "the shoe says which card it called one too many", by=SHOE)
class ExcessNamedWord(Word, frozen=True, kw_only=True):
    card: Card | None = None
    """None in a record whose card is sealed."""


@device_word("excess_discarded", "a card too many was thrown away at the shoe", by=SHOE)
class ExcessDiscardedWord(Word, frozen=True):
    pass


_RESULTS = AFTER_THE_CALL | {Phase.READY, Phase.CHANGING_SHOE}
"""Also of a round that has just been settled: until the next call it can be put right."""


@device_word("result", "the shoe's own result", by=SHOE, phases=_RESULTS)
class DeviceResultWord(Word, frozen=True, kw_only=True):
    winner: Winner | None = None
    """None in a record whose result is sealed."""
    player_pair: bool | None = None
    banker_pair: bool | None = None
    player_total: Points | None = None
    banker_total: Points | None = None
    """None: the device does not tell."""


# --- the shoe -----------------------------------------------------------------------------------


@device_word("events_lost", "the shoe said something that was lost", by=SHOE)
class EventsLostWord(Telling, frozen=True, kw_only=True):
    by_number: bool = False
    """The number of what comes next shows it: it may have been counted already."""


@device_word("started", "the shoe was reset or switched on", by=SHOE)
class StartedWord(Word, frozen=True):
    pass


@device_word("gave_up", "the shoe has given the round up", by=SHOE)
class GaveUpWord(Word, frozen=True):
    pass


@device_word("still_plays", "the shoe still plays a round that is over", by=SHOE)
class StillPlaysWord(Word, frozen=True):
    pass


@device_word("round_ended", "the shoe has ended the round it still played", by=SHOE)
class RoundEndedWord(Word, frozen=True):
    pass


@device_word("error", "the shoe reports an error", by=SHOE)
class ErrorReportedWord(Word, frozen=True, kw_only=True):
    """What it means decides; the maker's own number and words are shown beside it."""

    code: int | None = None
    says: str | None = None
    means: ErrorMeaning | None = None
    """None: it tells no more than its number, and is recorded so."""
    must_clear: bool = False
    """The shoe gives no card before somebody has cleared it there."""

    @property
    def meaning(self) -> ErrorMeaning:
        """By its own word; one that tells no more than its number means what that always meant."""
        return meaning_of(self.code) if self.means is None else self.means


@device_word("error_cleared", "the shoe's error is over", by=SHOE)
class ErrorClearedWord(Word, frozen=True, kw_only=True):
    code: int | None = None
    """None: it does not say which; all are over."""


@device_word("locked", "the shoe is locked", by=SHOE)
class LockedWord(Telling, frozen=True):
    pass


@device_word("unlocked", "the shoe is unlocked", by=SHOE)
class UnlockedWord(Telling, frozen=True):
    pass


@device_word("lid_open", "a lid was opened", by=DEVICES)
class LidOpenWord(Word, frozen=True):
    pass


@device_word("lid_closed", "the lid was closed", by=DEVICES)
class LidClosedWord(Word, frozen=True):
    pass


@device_word("link_lost", "the device cannot be reached", by=DEVICES)
class LinkLostWord(Telling, frozen=True):
    pass


@device_word("link_up", "the device is back", by=DEVICES)
class LinkUpWord(Word, frozen=True, kw_only=True):
    count: bool = False
    """A card may have been missed: the cards are counted."""
    reads_cards: bool = True
    """What answers there is a device able to read cards."""
    plays_rounds: bool = False
    """It is a shoe that plays rounds by itself."""


@device_word("driver_failed", "the program that understands the device has failed", by=DEVICES)
class DriverFailedWord(Word, frozen=True, kw_only=True):
    driver: str
    kind: str
    """Of error, by its name. Never its text: that may spell a card."""


@device_word("by_hand", "the table has no shoe that reads cards, or has one again", by=SHOE)
class ByHandWord(Word, frozen=True, kw_only=True):
    on: bool = True


# --- the shuffler -------------------------------------------------------------------------------


@device_word("verified", "the shuffler has verified the decks", by=SHUFFLER)
class VerifiedWord(Telling, frozen=True, kw_only=True):
    cards: int | None = None


@device_word("fault", "the shuffler has a fault", by=SHUFFLER)
class FaultWord(Telling, frozen=True):
    pass


@device_word("not_verified", "what the shuffler holds is not verified", by=SHUFFLER)
class NotVerifiedWord(Telling, frozen=True, kw_only=True):
    missing: tuple[Card, ...] = ()
    extra: tuple[Card, ...] = ()
    cards: int | None = None
    """How many it holds, where it says and they are not right."""


@device_word("taken", "cards were taken out of the shuffler", by=SHUFFLER)
class OutputTakenWord(Telling, frozen=True):
    pass


@device_word(
    "notice", "a device, or the machine itself, says something to know", by=(*DEVICES, *SYSTEM)
)
class NoticeWord(Telling, frozen=True):
    pass


# --- the machine it runs on ---------------------------------------------------------------------


@device_word("journal_loss", "the journal lost its end", by=SYSTEM)
class JournalLossWord(Telling, frozen=True):
    pass


@device_word("restarted", "the process came back after a stop", by=SYSTEM, phases=OPEN_PHASES)
class RestartedWord(Word, frozen=True):
    pass


@device_word("noted", "an event outside play is written down", by=SYSTEM)
class NotedWord(Word, frozen=True, kw_only=True):
    what: str
    who: str | None = None
    says: str | None = None


@device_word("self_test", "what a self-test found", by=SYSTEM)
class SelfTestWord(Word, frozen=True, kw_only=True):
    bad: tuple[str, ...] = ()
    """The checks that failed, by name."""
    good: tuple[str, ...] | int | None = None


@device_word("clock_stepped", "the clock jumped", by=SYSTEM)
class ClockSteppedWord(Word, frozen=True, kw_only=True):
    seconds: Annotated[float, msgspec.Meta(ge=-(10**12), le=10**12)] = 0.0


@device_word("site_people", "the site's list of people is taken over", by=SYSTEM)
class SitePeopleWord(Word, frozen=True, kw_only=True):
    version: Version
    licences: Annotated[tuple[Licence, ...], msgspec.Meta(max_length=10_000)]


@device_word("site_limits", "the site's limits are taken over", by=SYSTEM)
class SiteLimitsWord(Word, frozen=True, kw_only=True):
    version: Version
    minimum: Money
    maximum: Money
    differential: Money | None = None


@word("time_is_up", "an offer has run its time", by=SYSTEM, phases=frozenset(), held=True)
class TimeIsUpWord(Word, frozen=True):
    pass
