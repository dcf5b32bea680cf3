"""What people say of a round and of what goes wrong in it; `day` has what they say of the rest."""

from typing import Annotated, Final, Literal, TypeAlias

import msgspec

from controller.game.hands import Side
from controller.game.irregularities import Fact
from controller.table.approvals import Act
from controller.table.case import Decision
from controller.table.phases import AFTER_THE_CALL, ANY_PHASE, OPEN_PHASES, Phase
from controller.table.words.day import BETWEEN
from controller.table.words.vocabulary import (
    ANYBODY,
    Amount,
    CardCode,
    Name,
    Number,
    Numbers,
    Reference,
    Text,
    WagerId,
    WagerIds,
    Word,
    shown_as,
    word,
)
from drivers.cards import Card

_STAKES = AFTER_THE_CALL | {Phase.BETTING}
"""Where a wager may be spoken of: after the call it is late, and the book says what that means."""


# --- a round ------------------------------------------------------------------------------------


@word(
    "open_betting",
    "“Place your bets, please”",
    act=Act.DEAL,
    phases=frozenset({Phase.READY}),
    leads_in=(Phase.READY,),
)
class OpenBettingWord(Word, frozen=True, kw_only=True):
    ref: Annotated[Reference, shown_as("text", "what the round is called elsewhere")] | None = None


@word(
    "close_betting",
    "“No more bets”",
    act=Act.DEAL,
    phases=frozenset({Phase.BETTING}),
    leads_in=(Phase.BETTING,),
)
class CloseBettingWord(Word, frozen=True, kw_only=True):
    anyway: Annotated[bool, shown_as("yes_no", "although a wager is not right")] = False


@word(
    "place",
    "a wager is placed",
    by=ANYBODY,
    phases=_STAKES,
    held=True,
    leads_in=(Phase.BETTING,),
)
class PlaceWord(Word, frozen=True, kw_only=True):
    player: Annotated[Name, shown_as("text", "the player", needed=True)] | None = None
    position: Annotated[Number, shown_as("number", "the position")]
    wager: Annotated[Name, shown_as("choice", "the wager")]
    amount: Annotated[Amount, shown_as("money", "the amount")]
    id: Annotated[WagerId, shown_as("text", "a name for the wager")] | None = None
    seated: Annotated[bool, shown_as("yes_no", "the player is seated")] = True


@word("raise", "a wager is raised", by=ANYBODY, phases=_STAKES, held=True)
class RaiseWagerWord(Word, frozen=True, kw_only=True):
    id: Annotated[WagerId, shown_as("wager", "the wager")]
    amount: Annotated[Amount, shown_as("money", "by how much")]


@word("decrease", "a wager is decreased", by=ANYBODY, phases=_STAKES, held=True)
class DecreaseWagerWord(Word, frozen=True, kw_only=True):
    id: Annotated[WagerId, shown_as("wager", "the wager")]
    amount: Annotated[Amount, shown_as("money", "by how much")]


@word("withdraw", "a wager is taken back", by=ANYBODY, phases=_STAKES, held=True)
class WithdrawWagerWord(Word, frozen=True, kw_only=True):
    id: Annotated[WagerId, shown_as("wager", "the wager")]


OF_WAGERS: Final = (PlaceWord, RaiseWagerWord, DecreaseWagerWord, WithdrawWagerWord)


@word(
    "accept_cards",
    "a player takes a hand",
    by=ANYBODY,
    phases=_STAKES,
    leads_in=(Phase.REVEALING,),
)
class AcceptCardsWord(Word, frozen=True, kw_only=True):
    hand: Annotated[Side, shown_as("hand", "the hand")]
    player: Annotated[Name, shown_as("text", "the player", needed=True)] | None = None
    leave: Annotated[bool, shown_as("yes_no", "a pit manager allows it")] = False


@word("refuse_cards", "a player does not want the hand", by=ANYBODY, phases=_STAKES)
class RefuseCardsWord(Word, frozen=True, kw_only=True):
    hand: Annotated[Side, shown_as("hand", "the hand")]
    player: Annotated[Name, shown_as("text", "the player", needed=True)] | None = None


@word(
    "reveal_first",
    "which hand is revealed first",
    act=Act.DEAL,
    phases=frozenset({Phase.REVEALING}),
)
class RevealFirstWord(Word, frozen=True, kw_only=True):
    hand: Annotated[Side, shown_as("hand", "the hand")]


@word(
    "deal_card",
    "a card was drawn by hand",
    act=Act.DEAL,
    phases=OPEN_PHASES,
    held=True,
)
class DealCardWord(Word, frozen=True, kw_only=True):
    card: Annotated[Card, shown_as("card", "what it is, where it lies open")] | None = None
    """None where it lies face down; and in a record whose card is sealed."""


@word(
    "expose",
    "a hand, or one card of it, lies open",
    act=Act.DEAL,
    phases=AFTER_THE_CALL,
    held=True,
    leads_in=(Phase.REVEALING, Phase.PLAYERS_THIRD, Phase.BANKERS_THIRD),
)
class ExposeWord(Word, frozen=True, kw_only=True):
    hand: Annotated[Side, shown_as("hand", "the hand")]
    card: Annotated[Number, shown_as("number", "one card of it, counted from 1")] | None = None


@word(
    "announce",
    "totals or the outcome are announced",
    act=Act.DEAL,
    phases=AFTER_THE_CALL,
    leads_in=(Phase.OUTCOME,),
)
class AnnounceWord(Word, frozen=True):
    pass


@word(
    "settle",
    "losing wagers are collected, winning ones paid",
    act=Act.DEAL,
    phases=frozenset({Phase.SETTLING}),
    leads_in=(Phase.SETTLING,),
)
class SettleWord(Word, frozen=True):
    pass


# --- when something is wrong --------------------------------------------------------------------


class Facts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What the reporter knows already; each report has its own."""

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


@word(
    "report",
    "something went wrong",
    act=Act.DEAL,
    phases=OPEN_PHASES,
    held=True,
)
class ReportWord(Word, frozen=True, kw_only=True):
    """Which of the fields a report has is in `reports.FORMS`; the others are refused by name."""

    what: Annotated[Name, shown_as("choice", "what happened")]
    facts: Annotated[Facts, shown_as("facts", "what is known")] | None = None
    cards: Annotated[Numbers, shown_as("cards", "the cards concerned")] = ()
    order: Annotated[Numbers, shown_as("cards", "the order they came in")] = ()
    lies: Annotated[Lies, shown_as("lies", "where cards lie in fact")] | None = None
    round: Annotated[Number, shown_as("number", "the round, if an earlier one")] | None = None
    hand: Annotated[Side, shown_as("hand", "the hand")] | None = None
    to: Annotated[Name, shown_as("text", "the player whose it is")] | None = None
    wagers: Annotated[Removals, shown_as("wagers", "the wagers concerned")] = ()
    text: Annotated[Text, shown_as("text", "what happened, in words")] | None = None


@word("answer", "the answer to a question", phases=frozenset(), held=True, restarted=True)
class AnswerQuestionWord(Word, frozen=True, kw_only=True):
    value: Annotated[bool, shown_as("yes_no", "yes or no")] | None = None
    fact: Annotated[Fact, shown_as("text", "the question that is answered")] | None = None
    order: Annotated[Numbers, shown_as("cards", "the order they came in")] | None = None
    lies: Annotated[Lies, shown_as("lies", "where cards lie in fact")] | None = None
    left: Annotated[dict[CardCode, Number], shown_as("counts", "what is left, counted")] | None = (
        None
    )


@word("option", "a player's choice", by=ANYBODY, phases=frozenset(), held=True)
class ChooseOptionWord(Word, frozen=True, kw_only=True):
    choice: Annotated[Literal["play", "withdraw"], shown_as("choice", "the player's choice")]
    player: Annotated[Name, shown_as("text", "the player", needed=True)] | None = None
    wagers: Annotated[WagerIds, shown_as("wagers", "the wagers taken back")] | None = None


@word("close_offer", "the offer is closed; silence plays on", phases=frozenset(), held=True)
class CloseOfferWord(Word, frozen=True):
    pass


@word(
    "approve",
    "the second person says yes",
    phases=ANY_PHASE,
    held=True,
    restarted=True,
    counts_first=True,
    in_person=True,
)
class ApproveWord(Word, frozen=True):
    pass


@word(
    "refuse",
    "the second person says no",
    phases=ANY_PHASE,
    held=True,
    restarted=True,
    counts_first=True,
    in_person=True,
)
class RefuseWord(Word, frozen=True):
    pass


@word(
    "decide",
    "the role the book names decides",
    phases=frozenset(),
    held=True,
    in_person=True,
)
class DecideWord(Word, frozen=True, kw_only=True):
    text: Annotated[Text, shown_as("text", "the decision in words")]
    outcome: Annotated[Decision, shown_as("choice", "what is done")] = Decision.GO_ON
    remove: Annotated[Removals, shown_as("wagers", "the wagers that come off")] = ()
    order: Annotated[Numbers, shown_as("cards", "the order they came in")] = ()


@word("correct", "a misread card is put right", act=Act.DEAL, phases=OPEN_PHASES, held=True)
class CorrectWord(Word, frozen=True, kw_only=True):
    n: Annotated[Number, shown_as("number", "the card's number")]
    card: Annotated[Card, shown_as("card", "what it is in fact")]
    reason: Annotated[Text, shown_as("text", "why")]


@word(
    "enter_card",
    "an unreadable card is entered",
    phases=frozenset({Phase.CHANGING_SHOE}),
    held=True,
    restarted=True,
    counts_first=True,
)
class EnterCardWord(Word, frozen=True, kw_only=True):
    card: Annotated[Card, shown_as("card", "what it is")] | None
    """None in a record whose card is sealed."""
    n: Annotated[Number, shown_as("number", "the card's number")] | None = None
    reason: Annotated[str, msgspec.Meta(max_length=500), shown_as("text", "why")] = ""


@word(
    "count",
    "so many cards lie on the layout",
    act=Act.DEAL,
    phases=OPEN_PHASES,
    held=True,
    restarted=True,
    counts_first=True,
)
class CountWord(Word, frozen=True, kw_only=True):
    cards: Annotated[Number, shown_as("number", "how many cards lie there")]


@word("resume", "what held the table is cleared", act=Act.RESUME, phases=frozenset(), held=True)
class ResumeWord(Word, frozen=True, kw_only=True):
    reason: Annotated[str, msgspec.Meta(max_length=500), shown_as("text", "why", needed=True)] = ""
    """The pages demand it; that somebody gave none is recorded."""


@word(
    "shoe_ended",
    "the void round was ended at the shoe by hand",
    act=Act.DEAL,
    phases=BETWEEN,
    held=True,
)
class ShoeEndedWord(Word, frozen=True):
    pass


@word(
    "put_aside",
    "the next round may open although the shoe still plays the last one",
    act=Act.PUT_ASIDE,
    phases=BETWEEN,
    held=True,
)
class PutAsideWord(Word, frozen=True, kw_only=True):
    reason: Annotated[Text, shown_as("text", "why")]


# Not every shoe tells of the cutting card: where it does not, the dealer who sees it does.
@word(
    "cut_card",
    "the cutting card came",
    by=("shoe", "staff"),
    act=Act.DEAL,
    phases=OPEN_PHASES,
    held=True,
    restarted=True,
)
class CutCardWord(Word, frozen=True):
    pass
