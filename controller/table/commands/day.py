"""Commands about the day, the devices and the cards in use; `people` has those about a round."""

from typing import Annotated, Literal, TypeAlias

import msgspec

from controller.table.approvals import Act
from controller.table.commands.registry import (
    CardCode,
    Command,
    Money,
    Name,
    Number,
    Text,
    command,
    form_field,
)
from controller.table.phases import ANY_PHASE, OPEN_PHASES, Phase

BETWEEN = frozenset({Phase.CHANGING_SHOE, Phase.READY})


@command(
    "open_table",
    "the table opens",
    act=Act.OPEN_TABLE,
    phases=frozenset({Phase.CLOSED}),
    leads_in=(Phase.CLOSED,),
    counts_first=True,
)
class OpenTableCommand(Command, frozen=True):
    pass


@command(
    "close_table",
    "the table closes, after this round if there is one",
    act=Act.CLOSE_TABLE,
    phases=OPEN_PHASES,
)
class CloseTableCommand(Command, frozen=True):
    pass


@command(
    "stay_open",
    "the table does not close after this round after all",
    act=Act.CLOSE_TABLE,
    phases=OPEN_PHASES,
)
class StayOpenCommand(Command, frozen=True):
    pass


@command(
    "suspend",
    "the pit stops the table where it is",
    act=Act.PAUSE,
    phases=OPEN_PHASES,
    held=True,
)
class SuspendCommand(Command, frozen=True):
    pass


@command(
    "limits",
    "the limits change from the next round on",
    act=Act.CHANGE_LIMITS,
    phases=BETWEEN | {Phase.CLOSED},
)
class ChangeLimitsCommand(Command, frozen=True, kw_only=True):
    minimum: Annotated[Money, form_field("money", "the minimum; 0: none")] | None = None
    maximum: Annotated[Money, form_field("money", "the maximum; 0: none")] | None = None
    differential: Annotated[Money, form_field("money", "the differential; 0: none")] | None = None
    wager: Annotated[Name, form_field("choice", "of one kind of wager only")] | None = None
    per_area: Annotated[Number, form_field("number", "wagers on an area; 0: the book's")] | None = (
        None
    )


@command(
    "swap_device",
    "another unit takes a device's place",
    act=Act.ASK_FOR_ANOTHER_UNIT,
    phases=OPEN_PHASES,
    held=True,
)
class SwapDeviceCommand(Command, frozen=True, kw_only=True):
    device: Annotated[Literal["shoe", "shuffler"], form_field("choice", "which device")]
    identity: Annotated[Text, form_field("text", "what `sabot device list` reads of the unit")]
    asset: Annotated[Name, form_field("text", "the number on its plate")]
    reason: Annotated[Text, form_field("text", "why")]


@command(
    "deal_by_hand",
    "the shoe is out of use: cards are entered by hand",
    act=Act.DEAL,
    phases=OPEN_PHASES,
    held=True,
    counts_first=True,
)
class DealByHandCommand(Command, frozen=True, kw_only=True):
    reason: Annotated[Text, form_field("text", "why")]


@command(
    "use_shoe",
    "the shoe reads the cards again",
    act=Act.DEAL,
    phases=BETWEEN,
    held=True,
)
class UseShoeCommand(Command, frozen=True, kw_only=True):
    reason: Annotated[Text, form_field("text", "why")]


@command(
    "start_shuffle",
    "the shuffler is started",
    act=Act.START_SHUFFLE,
    phases=ANY_PHASE,
    held=True,
    restarted=True,
)
class StartShuffleCommand(Command, frozen=True, kw_only=True):
    decks: Annotated[
        Number, form_field("number", "decks; left out: as many as the table plays")
    ] | (None) = None


@command(
    "load_shoe",
    "a new shoe is loaded",
    act=Act.DEAL,
    phases=BETWEEN,
    leads_in=(Phase.CHANGING_SHOE,),
)
class LoadShoeCommand(Command, frozen=True, kw_only=True):
    deck_set: Annotated[Name, form_field("text", "the deck set's name")]
    verified_by: Annotated[Name, form_field("text", "shuffler, or the person who vouches")]
    cut: Annotated[bool, form_field("yes_no", "the cards have been cut", needed=True)] = False
    decks: Annotated[Number, form_field("number", "decks")] | None = None


@command(
    "deck_set",
    "a deck set is received, inspected, retired or destroyed",
    act=Act.KEEP_DECKS,
    phases=BETWEEN | {Phase.CLOSED},
)
class DeckSetCommand(Command, frozen=True, kw_only=True):
    deck_set: Annotated[Name, form_field("text", "the deck set's name")]
    stage: Annotated[
        Literal["received", "inspected", "retired", "destroyed"],
        form_field("choice", "what was done with it"),
    ]
    decks: Annotated[Number, form_field("number", "decks")] | None = None
    reason: Annotated[str, msgspec.Meta(max_length=500), form_field("text", "why")] = ""


@command(
    "pass_rest",
    "what is left in the shoe is passed through it to be counted",
    act=Act.DEAL,
    phases=BETWEEN | {Phase.CLOSED},
)
class PassRestCommand(Command, frozen=True):
    pass


_Counts: TypeAlias = dict[CardCode, Number]


@command(
    "reconcile",
    "the cards of a shoe that is over are held against the full set",
    act=Act.DEAL,
    phases=BETWEEN | {Phase.CLOSED},
)
class ReconcileCommand(Command, frozen=True, kw_only=True):
    deck_set: Annotated[Name, form_field("text", "the deck set's name")] | None = None
    left: Annotated[_Counts, form_field("counts", "what is left, counted by card")] | None = None
    cards: Annotated[Number, form_field("number", "how many are left")] | None = None
    shuffler: Annotated[bool, form_field("yes_no", "as the shuffler found it")] = False
    unseen: Annotated[_Counts, form_field("counts", "what came out unseen, looked at")] = (
        msgspec.field(default_factory=dict)
    )
    reason: Annotated[str, msgspec.Meta(max_length=500), form_field("text", "why")] = ""


@command("method", "the method is chosen", phases=BETWEEN | {Phase.BETTING})
class ChooseMethodCommand(Command, frozen=True, kw_only=True):
    method: Annotated[Name, form_field("choice", "the method")]
    drawer: (
        Annotated[
            str,
            msgspec.Meta(max_length=64),
            form_field("text", "who has the device; empty: given up"),
        ]
        | msgspec.UnsetType
        | None
    ) = msgspec.UNSET
    leave: Annotated[bool, form_field("yes_no", "may draw without a wager")] = False
