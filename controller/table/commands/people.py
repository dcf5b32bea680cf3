"""Commands about a round and about what goes wrong in it; `day` has the others."""

from typing import Annotated, Final, Literal, TypeAlias

import msgspec

from controller.game.hands import Side
from controller.game.irregularities import Fact
from controller.table.approvals import Act
from controller.table.case import Decision
from controller.table.commands.day import BETWEEN
from controller.table.commands.registry import (
    ANYBODY,
    Amount,
    CardCode,
    Command,
    Name,
    Number,
    Numbers,
    Reference,
    Text,
    WagerId,
    WagerIds,
    command,
    form_field,
)
from controller.table.phases import AFTER_THE_CALL, ANY_PHASE, OPEN_PHASES, Phase
from drivers.cards import Card

_STAKES = AFTER_THE_CALL | {Phase.BETTING}
"""Phases in which a command may be about a wager: after the call it is late, and the book states
what that means."""


# --- a round ------------------------------------------------------------------------------------


@command(
    "open_betting",
    "“Place your bets, please”",
    act=Act.DEAL,
    phases=frozenset({Phase.READY}),
    leads_in=(Phase.READY,),
)
class OpenBettingCommand(Command, frozen=True, kw_only=True):
    ref: Annotated[Reference, form_field("text", "what the round is called elsewhere")] | None = (
        None
    )


@command(
    "close_betting",
    "“No more bets”",
    act=Act.DEAL,
    phases=frozenset({Phase.BETTING}),
    leads_in=(Phase.BETTING,),
)
class CloseBettingCommand(Command, frozen=True, kw_only=True):
    anyway: Annotated[bool, form_field("yes_no", "although a wager is not right")] = False


@command(
    "place",
    "a wager is placed",
    by=ANYBODY,
    phases=_STAKES,
    held=True,
    leads_in=(Phase.BETTING,),
)
class PlaceCommand(Command, frozen=True, kw_only=True):
    player: Annotated[Name, form_field("text", "the player", needed=True)] | None = None
    position: Annotated[Number, form_field("number", "the position")]
    wager: Annotated[Name, form_field("choice", "the wager")]
    amount: Annotated[Amount, form_field("money", "the amount")]
    id: Annotated[WagerId, form_field("text", "a name for the wager")] | None = None
    seated: Annotated[bool, form_field("yes_no", "the player is seated")] = True


@command("raise", "a wager is raised", by=ANYBODY, phases=_STAKES, held=True)
class RaiseWagerCommand(Command, frozen=True, kw_only=True):
    id: Annotated[WagerId, form_field("wager", "the wager")]
    amount: Annotated[Amount, form_field("money", "by how much")]


@command("decrease", "a wager is decreased", by=ANYBODY, phases=_STAKES, held=True)
class DecreaseWagerCommand(Command, frozen=True, kw_only=True):
    id: Annotated[WagerId, form_field("wager", "the wager")]
    amount: Annotated[Amount, form_field("money", "by how much")]


@command("withdraw", "a wager is taken back", by=ANYBODY, phases=_STAKES, held=True)
class WithdrawWagerCommand(Command, frozen=True, kw_only=True):
    id: Annotated[WagerId, form_field("wager", "the wager")]


OF_WAGERS: Final = (PlaceCommand, RaiseWagerCommand, DecreaseWagerCommand, WithdrawWagerCommand)


@command(
    "accept_cards",
    "a player takes a hand",
    by=ANYBODY,
    phases=_STAKES,
    leads_in=(Phase.REVEALING,),
)
class AcceptCardsCommand(Command, frozen=True, kw_only=True):
    hand: Annotated[Side, form_field("hand", "the hand")]
    player: Annotated[Name, form_field("text", "the player", needed=True)] | None = None
    leave: Annotated[bool, form_field("yes_no", "a pit manager allows it")] = False


@command("refuse_cards", "a player does not want the hand", by=ANYBODY, phases=_STAKES)
class RefuseCardsCommand(Command, frozen=True, kw_only=True):
    hand: Annotated[Side, form_field("hand", "the hand")]
    player: Annotated[Name, form_field("text", "the player", needed=True)] | None = None


@command(
    "reveal_first",
    "which hand is revealed first",
    act=Act.DEAL,
    phases=frozenset({Phase.REVEALING}),
)
class RevealFirstCommand(Command, frozen=True, kw_only=True):
    hand: Annotated[Side, form_field("hand", "the hand")]


@command(
    "deal_card",
    "a card was drawn by hand",
    act=Act.DEAL,
    phases=OPEN_PHASES,
    held=True,
)
class DealCardCommand(Command, frozen=True, kw_only=True):
    card: Annotated[Card, form_field("card", "what it is, where it lies open")] | None = None
    """None where it is face down; and in a record whose card is sealed."""


@command(
    "expose",
    "a hand, or one card of it, lies open",
    act=Act.DEAL,
    phases=AFTER_THE_CALL,
    held=True,
    leads_in=(Phase.REVEALING, Phase.PLAYERS_THIRD, Phase.BANKERS_THIRD),
)
class ExposeCommand(Command, frozen=True, kw_only=True):
    hand: Annotated[Side, form_field("hand", "the hand")]
    card: Annotated[Number, form_field("number", "one card of it, counted from 1")] | None = None


@command(
    "announce",
    "totals or the outcome are announced",
    act=Act.DEAL,
    phases=AFTER_THE_CALL,
    leads_in=(Phase.OUTCOME,),
)
class AnnounceCommand(Command, frozen=True):
    pass


@command(
    "settle",
    "losing wagers are collected, winning ones paid",
    act=Act.DEAL,
    phases=frozenset({Phase.SETTLING}),
    leads_in=(Phase.SETTLING,),
)
class SettleCommand(Command, frozen=True):
    pass


# --- when something is wrong --------------------------------------------------------------------


class Facts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Facts the reporter can give at once; each report has its own."""

    belongs: bool | None = None
    unshuffled: bool | None = None
    reconstructable: bool | None = None
    order_known: bool | None = None
    value_known: bool | None = None
    dealt_face_up: bool | None = None

    def known(self) -> dict[str, bool]:
        found = {name: getattr(self, name) for name in self.__struct_fields__}
        return {name: value for name, value in found.items() if value is not None}


class PartOff(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """So much of a wager comes off."""

    id: WagerId
    amount: Amount


Removals: TypeAlias = Annotated[tuple[WagerId | PartOff, ...], msgspec.Meta(max_length=200)]
"""Wagers that come off, whole or in part."""


class Lies(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where cards lie in fact, by their numbers."""

    player: Numbers = ()
    banker: Numbers = ()

    def by_hand(self) -> dict[Side, tuple[int, ...]]:
        sides = {Side.PLAYER: self.player, Side.BANKER: self.banker}
        return {side: numbers for side, numbers in sides.items() if numbers}


@command(
    "report",
    "something went wrong",
    act=Act.DEAL,
    phases=OPEN_PHASES,
    held=True,
)
class ReportCommand(Command, frozen=True, kw_only=True):
    """Which of the fields a report has is in `reports.FORMS`; the others are refused by name."""

    what: Annotated[Name, form_field("choice", "what happened")]
    facts: Annotated[Facts, form_field("facts", "what is known")] | None = None
    cards: Annotated[Numbers, form_field("cards", "the cards concerned")] = ()
    order: Annotated[Numbers, form_field("cards", "the order they came in")] = ()
    lies: Annotated[Lies, form_field("lies", "where cards lie in fact")] | None = None
    round: Annotated[Number, form_field("number", "the round, if an earlier one")] | None = None
    hand: Annotated[Side, form_field("hand", "the hand")] | None = None
    to: Annotated[Name, form_field("text", "the player whose it is")] | None = None
    wagers: Annotated[Removals, form_field("wagers", "the wagers concerned")] = ()
    text: Annotated[Text, form_field("text", "what happened, in words")] | None = None


@command("answer", "the answer to a question", phases=frozenset(), held=True, restarted=True)
class AnswerQuestionCommand(Command, frozen=True, kw_only=True):
    value: Annotated[bool, form_field("yes_no", "yes or no")] | None = None
    fact: Annotated[Fact, form_field("text", "the question that is answered")] | None = None
    order: Annotated[Numbers, form_field("cards", "the order they came in")] | None = None
    lies: Annotated[Lies, form_field("lies", "where cards lie in fact")] | None = None
    left: (
        Annotated[dict[CardCode, Number], form_field("counts", "what is left, counted")] | None
    ) = None


@command("option", "a player's choice", by=ANYBODY, phases=frozenset(), held=True)
class ChooseOptionCommand(Command, frozen=True, kw_only=True):
    choice: Annotated[Literal["play", "withdraw"], form_field("choice", "the player's choice")]
    player: Annotated[Name, form_field("text", "the player", needed=True)] | None = None
    wagers: Annotated[WagerIds, form_field("wagers", "the wagers taken back")] | None = None


@command("close_offer", "the offer is closed; silence plays on", phases=frozenset(), held=True)
class CloseOfferCommand(Command, frozen=True):
    pass


@command(
    "approve",
    "the second person says yes",
    phases=ANY_PHASE,
    held=True,
    restarted=True,
    counts_first=True,
    in_person=True,
)
class ApproveCommand(Command, frozen=True):
    pass


@command(
    "refuse",
    "the second person says no",
    phases=ANY_PHASE,
    held=True,
    restarted=True,
    counts_first=True,
    in_person=True,
)
class RefuseCommand(Command, frozen=True):
    pass


@command(
    "decide",
    "the role the book names decides",
    phases=frozenset(),
    held=True,
    in_person=True,
)
class DecideCommand(Command, frozen=True, kw_only=True):
    text: Annotated[Text, form_field("text", "the decision in words")]
    outcome: Annotated[Decision, form_field("choice", "what is done")] = Decision.GO_ON
    remove: Annotated[Removals, form_field("wagers", "the wagers that come off")] = ()
    order: Annotated[Numbers, form_field("cards", "the order they came in")] = ()


@command("correct", "a misread card is put right", act=Act.DEAL, phases=OPEN_PHASES, held=True)
class CorrectCommand(Command, frozen=True, kw_only=True):
    n: Annotated[Number, form_field("number", "the card's number")]
    card: Annotated[Card, form_field("card", "what it is in fact")]
    reason: Annotated[Text, form_field("text", "why")]


@command(
    "enter_card",
    "an unreadable card is entered",
    phases=frozenset({Phase.CHANGING_SHOE}),
    held=True,
    restarted=True,
    counts_first=True,
)
class EnterCardCommand(Command, frozen=True, kw_only=True):
    card: Annotated[Card, form_field("card", "what it is")] | None
    """None in a record whose card is sealed."""
    n: Annotated[Number, form_field("number", "the card's number")] | None = None
    reason: Annotated[str, msgspec.Meta(max_length=500), form_field("text", "why")] = ""


@command(
    "count",
    "so many cards lie on the layout",
    act=Act.DEAL,
    phases=OPEN_PHASES,
    held=True,
    restarted=True,
    counts_first=True,
)
class CountCommand(Command, frozen=True, kw_only=True):
    cards: Annotated[Number, form_field("number", "how many cards lie there")]


@command("resume", "what held the table is cleared", act=Act.RESUME, phases=frozenset(), held=True)
class ResumeCommand(Command, frozen=True, kw_only=True):
    reason: Annotated[str, msgspec.Meta(max_length=500), form_field("text", "why", needed=True)] = (
        ""
    )
    """The pages require it; a missing reason is recorded as missing."""


@command(
    "shoe_ended",
    "the void round was ended at the shoe by hand",
    act=Act.DEAL,
    phases=BETWEEN,
    held=True,
)
class ShoeEndedCommand(Command, frozen=True):
    pass


@command(
    "put_aside",
    "the next round may open although the shoe still plays the last one",
    act=Act.PUT_ASIDE,
    phases=BETWEEN,
    held=True,
)
class PutAsideCommand(Command, frozen=True, kw_only=True):
    reason: Annotated[Text, form_field("text", "why")]


# Not every shoe reports the cutting card: where it does not, the dealer does.
@command(
    "cut_card",
    "the cutting card came",
    by=("shoe", "staff"),
    act=Act.DEAL,
    phases=OPEN_PHASES,
    held=True,
    restarted=True,
)
class CutCardCommand(Command, frozen=True):
    pass
