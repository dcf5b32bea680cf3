"""What a person may give with each word, typed: judged here before it reaches the table.

One struct a word. From them come the check of a request, the fields a page shows, and the schema
of the OpenAPI document.
"""

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from controller.round.words import WORDS


def _kind(kind: str, title: str) -> dict[str, Any]:
    return {"title": title, "extra": {"kind": kind}}


_Text: TypeAlias = Annotated[str, Meta(max_length=500)]
_Short: TypeAlias = Annotated[str, Meta(max_length=64)]
_Number: TypeAlias = Annotated[int, Meta(ge=0, le=10**9)]
_Amount: TypeAlias = Annotated[int, Meta(ge=1, le=10**12)]
_Money: TypeAlias = Annotated[int, Meta(ge=0, le=10**12)]
_Hand: TypeAlias = Literal["player", "banker"]
_Card: TypeAlias = Annotated[str, Meta(pattern="^([2-9]|10|[AJQKajqkT])[SHDCshdc]$")]
_Numbers: TypeAlias = Annotated[list[_Number], Meta(max_length=60)]
_Ids: TypeAlias = Annotated[list[_Short], Meta(max_length=200)]


class Fields(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """`None` is left out, as on the table's JSON lines."""


class Nothing(Fields, frozen=True):
    pass


class LoadShoe(Fields, frozen=True, kw_only=True):
    deck_set: Annotated[_Short, Meta(**_kind("text", "the deck set's name"))]
    verified_by: Annotated[_Short, Meta(**_kind("text", "shuffler, or the person who vouches"))]
    cut: Annotated[bool, Meta(**_kind("yes_no", "the cards have been cut"))]
    decks: Annotated[_Number, Meta(**_kind("number", "decks"))] | None = None


class SwapDevice(Fields, frozen=True, kw_only=True):
    device: Annotated[Literal["shoe", "shuffler"], Meta(**_kind("choice", "which device"))]
    identity: Annotated[_Text, Meta(**_kind("text", "what `sabot device list` reads of the unit"))]
    asset: Annotated[_Short, Meta(**_kind("text", "the number on its plate"))]
    reason: Annotated[_Text, Meta(**_kind("text", "why"))]


class Method(Fields, frozen=True, kw_only=True):
    method: Annotated[_Short, Meta(**_kind("choice", "the method"))]
    drawer: (
        Annotated[_Short, Meta(**_kind("text", "who has the device; empty: given up"))] | None
    ) = None
    leave: Annotated[bool, Meta(**_kind("yes_no", "may draw without a wager"))] | None = None


class Limits(Fields, frozen=True, kw_only=True):
    minimum: Annotated[_Money, Meta(**_kind("number", "the minimum; 0: none"))] | None = None
    maximum: Annotated[_Money, Meta(**_kind("number", "the maximum; 0: none"))] | None = None
    differential: Annotated[_Money, Meta(**_kind("number", "the differential; 0: none"))] | None = (
        None
    )


class Place(Fields, frozen=True, kw_only=True):
    player: Annotated[_Short, Meta(**_kind("text", "the player"))]
    position: Annotated[_Number, Meta(**_kind("number", "the position"))]
    wager: Annotated[_Short, Meta(**_kind("choice", "the wager"))]
    amount: Annotated[_Amount, Meta(**_kind("number", "the amount, in minor units"))]
    id: Annotated[_Short, Meta(**_kind("text", "a name for the wager"))] | None = None
    seated: Annotated[bool, Meta(**_kind("yes_no", "the player is seated"))] | None = None


class Raise(Fields, frozen=True, kw_only=True):
    id: Annotated[_Short, Meta(**_kind("text", "the wager"))]
    amount: Annotated[_Amount, Meta(**_kind("number", "the amount, in minor units"))]


class Withdraw(Fields, frozen=True, kw_only=True):
    id: Annotated[_Short, Meta(**_kind("text", "the wager"))]


class CloseBetting(Fields, frozen=True, kw_only=True):
    anyway: Annotated[bool, Meta(**_kind("yes_no", "although a wager is not right"))] | None = None


class TakeHand(Fields, frozen=True, kw_only=True):
    hand: Annotated[_Hand, Meta(**_kind("hand", "the hand"))]
    player: Annotated[_Short, Meta(**_kind("text", "the player"))]
    leave: Annotated[bool, Meta(**_kind("yes_no", "a pit manager allows it"))] | None = None


class RefuseHand(Fields, frozen=True, kw_only=True):
    hand: Annotated[_Hand, Meta(**_kind("hand", "the hand"))]
    player: Annotated[_Short, Meta(**_kind("text", "the player"))]


class RevealFirst(Fields, frozen=True, kw_only=True):
    hand: Annotated[_Hand, Meta(**_kind("hand", "the hand"))]


class Expose(Fields, frozen=True, kw_only=True):
    hand: Annotated[_Hand, Meta(**_kind("hand", "the hand"))]
    card: Annotated[_Number, Meta(**_kind("number", "one card of it, counted from 1"))] | None = (
        None
    )


class Report(Fields, frozen=True, kw_only=True):
    what: Annotated[_Short, Meta(**_kind("choice", "what happened"))]
    facts: (
        Annotated[dict[_Short, bool], Meta(max_length=30, **_kind("facts", "what is known"))] | None
    ) = None
    cards: Annotated[_Numbers, Meta(**_kind("cards", "the cards concerned"))] | None = None
    order: Annotated[_Numbers, Meta(**_kind("cards", "the order they came in"))] | None = None
    lies: (
        Annotated[dict[_Hand, _Numbers], Meta(**_kind("lies", "where cards lie in fact"))] | None
    ) = None
    round: Annotated[_Number, Meta(**_kind("number", "the round, if an earlier one"))] | None = None
    hand: Annotated[_Hand, Meta(**_kind("hand", "the hand"))] | None = None
    to: Annotated[_Short, Meta(**_kind("text", "the player"))] | None = None


class Answer(Fields, frozen=True, kw_only=True):
    value: Annotated[bool, Meta(**_kind("yes_no", "yes or no"))] | None = None
    fact: Annotated[_Short, Meta(**_kind("text", "the question that is answered"))] | None = None
    order: Annotated[_Numbers, Meta(**_kind("cards", "the order they came in"))] | None = None
    left: (
        Annotated[
            dict[_Card, _Number], Meta(max_length=52, **_kind("counts", "what is left, counted"))
        ]
        | None
    ) = None


class Option(Fields, frozen=True, kw_only=True):
    choice: Annotated[Literal["play", "withdraw"], Meta(**_kind("choice", "the player's choice"))]
    player: Annotated[_Short, Meta(**_kind("text", "the player"))]
    wagers: Annotated[_Ids, Meta(**_kind("wagers", "the wagers taken back"))] | None = None


class Decide(Fields, frozen=True, kw_only=True):
    text: Annotated[_Text, Meta(**_kind("text", "the decision in words"))]
    outcome: (
        Annotated[
            Literal["go_on", "void", "reconstruct", "remove"],
            Meta(**_kind("choice", "what is done")),
        ]
        | None
    ) = None
    remove: Annotated[_Ids, Meta(**_kind("wagers", "the wagers that come off"))] | None = None
    order: Annotated[_Numbers, Meta(**_kind("cards", "the order they came in"))] | None = None


class Correct(Fields, frozen=True, kw_only=True):
    n: Annotated[_Number, Meta(**_kind("number", "the card's number"))]
    card: Annotated[_Card, Meta(**_kind("card", "what it is in fact"))]
    reason: Annotated[_Text, Meta(**_kind("text", "why"))]


class EnterCard(Fields, frozen=True, kw_only=True):
    card: Annotated[_Card, Meta(**_kind("card", "what it is"))]
    n: Annotated[_Number, Meta(**_kind("number", "the card's number"))] | None = None
    reason: Annotated[_Text, Meta(**_kind("text", "why"))] | None = None


class Count(Fields, frozen=True, kw_only=True):
    cards: Annotated[_Number, Meta(**_kind("number", "how many cards lie there"))]


_GIVEN: Final[Mapping[str, type[Fields]]] = {
    "load_shoe": LoadShoe,
    "swap_device": SwapDevice,
    "method": Method,
    "limits": Limits,
    "place": Place,
    "raise": Raise,
    "withdraw": Withdraw,
    "close_betting": CloseBetting,
    "accept_cards": TakeHand,
    "refuse_cards": RefuseHand,
    "reveal_first": RevealFirst,
    "expose": Expose,
    "report": Report,
    "answer": Answer,
    "option": Option,
    "decide": Decide,
    "correct": Correct,
    "enter_card": EnterCard,
    "count": Count,
}

SAID: Final[Mapping[str, type[Fields]]] = {
    word: _GIVEN.get(word, Nothing) for word, how in WORDS.items() if "staff" in how.speakers
}
"""Every word staff can say, with what may be given with it."""


def checked(word: str, given: object) -> dict[str, Any]:
    """The fields as the table takes them; raises `msgspec.ValidationError` with the place."""
    fields: dict[str, Any] = msgspec.to_builtins(msgspec.convert(given, SAID[word]))
    return fields


class Asked(msgspec.Struct, frozen=True):
    """One field as a page shows it."""

    name: str
    kind: str
    needed: bool
    title: str
    choices: list[str] | None = None


def asked(word: str, choices: Mapping[str, list[str]]) -> list[Asked]:
    """The fields of a word; `choices` says what the house offers, by the field's name."""
    return [
        replace(each, choices=choices[each.name]) if each.name in choices else each
        for each in _fields(word)
    ]


@cache
def _fields(word: str) -> list[Asked]:
    found = msgspec.inspect.type_info(SAID[word])
    assert isinstance(found, msgspec.inspect.StructType)
    return [_asked(field) for field in found.fields]


def _asked(field: msgspec.inspect.Field) -> Asked:
    kind = field.type
    if isinstance(kind, msgspec.inspect.UnionType):
        kind = next(t for t in kind.types if not isinstance(t, msgspec.inspect.NoneType))
    title, literal = "", None
    extra: dict[str, Any] = {}
    while isinstance(kind, msgspec.inspect.Metadata):
        extra = {**(kind.extra or {}), **extra}
        title = title or str((kind.extra_json_schema or {}).get("title", ""))
        kind = kind.type
    if isinstance(kind, msgspec.inspect.LiteralType):
        literal = [str(value) for value in kind.values]
    return Asked(field.encode_name, extra["kind"], field.required, title, literal)
