"""What a step is judged by: the book, the house's configuration, the ladder of roles."""

from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Annotated, Any, Literal

import msgspec

from controller.config.explained import says
from controller.game.limits import Range, TableLimits
from controller.game.money import Rounding
from controller.game.roles import Ladder, Role
from controller.game.rulebook import Method, Rulebook
from controller.round.errors import Refused


class Excess(Enum):
    """What the house does with a card drawn in excess that no hand needs."""

    NEXT_ROUND = "next_round"
    """It begins the next round."""
    NO_BET_HAND = "no_bet_hand"
    """It begins the next round, which is dealt without wagers."""
    BURN = "burn"
    VOID = "void"
    """The round it was drawn in is void."""


class House(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the house may choose within the book."""

    rulebook: Annotated[
        str, says("the rules it plays by: one of `sabot rules list`", example="mbs-baccarat-8")
    ]
    decks: Annotated[int, says("as many as the rulebook allows", unit="decks")] = 8
    method: Annotated[
        str,
        says(
            "the dealing method a day begins with, of those the rulebook offers; empty is the "
            "plainest"
        ),
    ] = ""
    deal_face: Annotated[
        Literal["up", "down"],
        says("how cards lie where the method leaves it open; A and C are always down"),
    ] = "up"
    hlga: Annotated[
        bool,
        says("in the high limit area: Method C, and the option on a first cutting card"),
    ] = False
    track_wagers: Annotated[
        bool, says("false: the table plays just as well and settles nothing")
    ] = True
    burn: Annotated[
        Literal["first_card", "none"] | int,
        says("cards burned from a new shoe, or a number of cards", unit="cards"),
    ] = "first_card"
    rounds_after_cut: Annotated[
        int, says("rounds after the one in which the cutting card came", unit="rounds")
    ] = 0
    excess: Annotated[Excess, says("what becomes of a card too many")] = Excess.NEXT_ROUND
    option_timeout_s: Annotated[
        float | None,
        says("when silence plays on; left out: a pit supervisor closes", unit="s", example=30.0),
    ] = None
    betting_s: Annotated[
        float | None,
        says(
            "countdown shown while wagers are open; the dealer closes them, not the clock",
            unit="s",
            example=20.0,
        ),
    ] = None
    minimum: Annotated[
        int | None, says("smallest wager; left out: none", unit="minor units", example=10000)
    ] = None
    maximum: Annotated[
        int | None, says("largest wager; left out: none", unit="minor units", example=10000000)
    ] = None
    differential: Annotated[
        int | None,
        says("of the table (MBS) or of a box (RWS)", unit="minor units", example=20000000),
    ] = None
    wagers_per_area: Annotated[
        int | None,
        says("fewer than the rulebook allows, if the pit manager says so", example=2),
    ] = None
    numbered: Annotated[
        Literal["counter_clockwise", "clockwise"],
        says("which way round the table the position numbers run, seen from above"),
    ] = "counter_clockwise"


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One line in: what a device, a member of staff or a player says."""

    source: str = msgspec.field(name="from")
    at: float = 0.0
    event: str | None = None
    card: str | None = None
    hand: str | None = None
    index: int | None = None
    code: int | None = None
    winner: str | None = None
    who: str | None = None
    role: str | None = None
    do: str | None = None
    given: dict[str, Any] = msgspec.field(name="with", default_factory=dict)
    key: str | None = None
    """Made anew for each tap of a button, so that a request that is repeated acts once."""
    frame: bytes = b""
    """The device's own bytes, kept beside what they were read as; sealed where the card is."""

    @property
    def word(self) -> str:
        """The trigger: what is done, or what happened."""
        return self.do or self.event or ""

    @property
    def name(self) -> str:
        return self.who or self.source


@dataclass(frozen=True)
class Rules:
    book: Rulebook
    house: House
    rounding: Rounding = Rounding.EXACT
    ladder: Ladder = field(default_factory=Ladder)

    @cached_property
    def limits(self) -> TableLimits:
        house = self.house
        return TableLimits(Range(house.minimum, house.maximum), house.differential)

    def method(self, method_id: str) -> Method:
        for method in self.book.methods:
            if method.id == method_id:
                return method
        offered = ", ".join(method.id for method in self.book.methods)
        clause = self.book.method_of_round
        raise Refused(f"this book has no Method {method_id}; it has {offered}", clause)

    def default_method(self) -> str:
        plain = [method.id for method in self.book.methods if method.face_down is None]
        return self.house.method or plain[0]

    def role(self, message: Message) -> Role:
        if message.source == "player":
            return Role.PLAYER
        try:
            return Role(message.role)
        except ValueError:
            raise Refused(f"{message.role!r} is not a role") from None

    def need(self, message: Message, role: Role, clause: str | None = None) -> None:
        """Refuse unless whoever speaks stands high enough on the ladder."""
        if not self.ladder.may_act(self.role(message), role):
            name = role.value.replace("_", " ")
            article = "an" if name[0] in "aeiou" else "a"
            raise Refused(f"this takes {article} {name} or above", clause)


def wanted(message: Message, key: str, kind: type | tuple[type, ...] = str) -> Any:
    """A field of `with` that must be there and of the right kind."""
    value = message.given.get(key)
    if value is None:
        raise Refused(f"{message.word} needs {key!r}")
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise Refused(f"{key!r} of {message.word} is of the wrong kind: {value!r}")
    if isinstance(value, str) and not value.strip():
        raise Refused(f"{message.word} needs {key!r}, and it is empty")
    return value
