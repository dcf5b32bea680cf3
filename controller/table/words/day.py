"""What people say of the day, the devices and the cards in use; `people` has what they say of a
round."""

from typing import Annotated, Literal, TypeAlias

import msgspec

from controller.table.approvals import Act
from controller.table.phases import ANY_PHASE, OPEN_PHASES, Phase
from controller.table.words.vocabulary import (
    CardCode,
    Money,
    Name,
    Number,
    Text,
    Word,
    shown_as,
    word,
)

BETWEEN = frozenset({Phase.CHANGING_SHOE, Phase.READY})


@word(
    "open_table",
    "the table opens",
    act=Act.OPEN_TABLE,
    phases=frozenset({Phase.CLOSED}),
    leads_in=(Phase.CLOSED,),
    counts_first=True,
)
class OpenTableWord(Word, frozen=True):
    pass


@word(
    "close_table",
    "the table closes, after this round if there is one",
    act=Act.CLOSE_TABLE,
    phases=OPEN_PHASES,
)
class CloseTableWord(Word, frozen=True):
    pass


@word(
    "stay_open",
    "the table does not close after this round after all",
    act=Act.CLOSE_TABLE,
    phases=OPEN_PHASES,
)
class StayOpenWord(Word, frozen=True):
    pass


@word(
    "suspend",
    "the pit stops the table where it is",
    act=Act.PAUSE,
    phases=OPEN_PHASES,
    held=True,
)
class SuspendWord(Word, frozen=True):
    pass


@word(
    "limits",
    "the limits change from the next round on",
    act=Act.CHANGE_LIMITS,
    phases=BETWEEN | {Phase.CLOSED},
)
class ChangeLimitsWord(Word, frozen=True, kw_only=True):
    minimum: Annotated[Money, shown_as("money", "the minimum; 0: none")] | None = None
    maximum: Annotated[Money, shown_as("money", "the maximum; 0: none")] | None = None
    differential: Annotated[Money, shown_as("money", "the differential; 0: none")] | None = None
    wager: Annotated[Name, shown_as("choice", "of one kind of wager only")] | None = None
    per_area: Annotated[Number, shown_as("number", "wagers on an area; 0: the book's")] | None = (
        None
    )


@word(
    "swap_device",
    "another unit takes a device's place",
    act=Act.ASK_FOR_ANOTHER_UNIT,
    phases=OPEN_PHASES,
    held=True,
)
class SwapDeviceWord(Word, frozen=True, kw_only=True):
    device: Annotated[Literal["shoe", "shuffler"], shown_as("choice", "which device")]
    identity: Annotated[Text, shown_as("text", "what `sabot device list` reads of the unit")]
    asset: Annotated[Name, shown_as("text", "the number on its plate")]
    reason: Annotated[Text, shown_as("text", "why")]


@word(
    "deal_by_hand",
    "the shoe is out of use: cards are entered by hand",
    act=Act.DEAL,
    phases=OPEN_PHASES,
    held=True,
    counts_first=True,
)
class DealByHandWord(Word, frozen=True, kw_only=True):
    reason: Annotated[Text, shown_as("text", "why")]


@word(
    "use_shoe",
    "the shoe reads the cards again",
    act=Act.DEAL,
    phases=BETWEEN,
    held=True,
)
class UseShoeWord(Word, frozen=True, kw_only=True):
    reason: Annotated[Text, shown_as("text", "why")]


@word(
    "start_shuffle",
    "the shuffler is started",
    act=Act.START_SHUFFLE,
    phases=ANY_PHASE,
    held=True,
    restarted=True,
)
class StartShuffleWord(Word, frozen=True, kw_only=True):
    decks: Annotated[Number, shown_as("number", "decks; left out: as many as the table plays")] | (
        None
    ) = None


@word(
    "load_shoe",
    "a new shoe is loaded",
    act=Act.DEAL,
    phases=BETWEEN,
    leads_in=(Phase.CHANGING_SHOE,),
)
class LoadShoeWord(Word, frozen=True, kw_only=True):
    deck_set: Annotated[Name, shown_as("text", "the deck set's name")]
    verified_by: Annotated[Name, shown_as("text", "shuffler, or the person who vouches")]
    cut: Annotated[bool, shown_as("yes_no", "the cards have been cut", needed=True)] = False
    decks: Annotated[Number, shown_as("number", "decks")] | None = None


@word(
    "deck_set",
    "a deck set is received, inspected, retired or destroyed",
    act=Act.KEEP_DECKS,
    phases=BETWEEN | {Phase.CLOSED},
)
class DeckSetWord(Word, frozen=True, kw_only=True):
    deck_set: Annotated[Name, shown_as("text", "the deck set's name")]
    stage: Annotated[
        Literal["received", "inspected", "retired", "destroyed"],
        shown_as("choice", "what was done with it"),
    ]
    decks: Annotated[Number, shown_as("number", "decks")] | None = None
    reason: Annotated[str, msgspec.Meta(max_length=500), shown_as("text", "why")] = ""


@word(
    "pass_rest",
    "what is left in the shoe is passed through it to be counted",
    act=Act.DEAL,
    phases=BETWEEN | {Phase.CLOSED},
)
class PassRestWord(Word, frozen=True):
    pass


_Counts: TypeAlias = dict[CardCode, Number]


@word(
    "reconcile",
    "the cards of a shoe that is over are held against the full set",
    act=Act.DEAL,
    phases=BETWEEN | {Phase.CLOSED},
)
class ReconcileWord(Word, frozen=True, kw_only=True):
    deck_set: Annotated[Name, shown_as("text", "the deck set's name")] | None = None
    left: Annotated[_Counts, shown_as("counts", "what is left, counted by card")] | None = None
    cards: Annotated[Number, shown_as("number", "how many are left")] | None = None
    shuffler: Annotated[bool, shown_as("yes_no", "as the shuffler found it")] = False
    unseen: Annotated[_Counts, shown_as("counts", "what came out unseen, looked at")] = (
        msgspec.field(default_factory=dict)
    )
    reason: Annotated[str, msgspec.Meta(max_length=500), shown_as("text", "why")] = ""


@word("method", "the method is chosen", phases=BETWEEN | {Phase.BETTING})
class ChooseMethodWord(Word, frozen=True, kw_only=True):
    method: Annotated[Name, shown_as("choice", "the method")]
    drawer: (
        Annotated[
            str,
            msgspec.Meta(max_length=64),
            shown_as("text", "who has the device; empty: given up"),
        ]
        | msgspec.UnsetType
        | None
    ) = msgspec.UNSET
    leave: Annotated[bool, shown_as("yes_no", "may draw without a wager")] = False
