"""What a step is judged by: the book, the house's configuration, the ladder of roles."""

from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any, Literal

import msgspec

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

    rulebook: str
    decks: int = 8
    method: str = ""
    """Empty: the book's plainest, B where it has one."""
    deal_face: Literal["up", "down"] = "up"
    hlga: bool = False
    track_wagers: bool = True
    burn: Literal["first_card", "none"] | int = "first_card"
    rounds_after_cut: int = 0
    excess: Excess = Excess.NEXT_ROUND
    option_timeout_s: float | None = None
    betting_s: float | None = None
    """How long wagers are open, shown as a countdown; the dealer closes them, never the clock."""
    minimum: int | None = None
    maximum: int | None = None
    differential: int | None = None
    wagers_per_area: int | None = None
    numbered: Literal["counter_clockwise", "clockwise"] = "counter_clockwise"
    """Which way round the table the position numbers run, seen from above."""


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
