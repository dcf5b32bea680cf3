"""The rules a step is checked by: the book, the house's configuration, the ladder of roles."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, Final, Literal

import msgspec

from controller.game.money.limits import Range, TableLimits, WagerRange
from controller.game.money.rounding import Rounding
from controller.game.roles import Ladder, Role
from controller.game.rulebook import Excess, Method, Rulebook
from controller.messages.catalogue import Currency
from controller.messages.codes import Code
from controller.messages.key_description import describe
from controller.table import approvals
from controller.table.approvals import Act
from controller.table.commands.message import Message
from controller.table.commands.names import is_same_name
from controller.table.refused import Refused


class HouseRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the house may choose within the book."""

    rulebook: Annotated[
        str, describe("the rules it plays by: one of `sabot rules list`", example="mbs-baccarat-8")
    ]
    decks: Annotated[int, describe("as many as the rulebook allows", unit="decks")] = 8
    method: Annotated[
        str,
        describe(
            "the dealing method a day begins with, of those the rulebook offers; empty is the "
            "plainest"
        ),
    ] = ""
    deal_face: Annotated[
        Literal["up", "down"],
        describe("how cards lie where the method leaves it open; A and C are always down"),
    ] = "up"
    hlga: Annotated[
        bool,
        describe("in the high limit area: Method C, and the option on a first cutting card"),
    ] = False
    track_wagers: Annotated[
        bool, describe("false: the table plays just as well and settles nothing")
    ] = True
    burn: Annotated[
        Literal["first_card", "none"] | int,
        describe("cards burned from a new shoe, or a number of cards", unit="cards"),
    ] = "first_card"
    rounds_after_cut: Annotated[
        int, describe("rounds after the one in which the cutting card came", unit="rounds")
    ] = 0
    excess: Annotated[Excess, describe("what becomes of a card too many")] = Excess.NEXT_ROUND
    option_timeout_s: Annotated[
        float | None,
        describe(
            "when silence plays on; left out: a pit supervisor closes", unit="s", example=30.0
        ),
    ] = None
    betting_s: Annotated[
        float | None,
        describe(
            "countdown shown while wagers are open; the dealer closes them, not the clock",
            unit="s",
            example=20.0,
        ),
    ] = None
    open_after_paying: Annotated[
        bool,
        describe("the dealer's page pays and opens the next betting at one tap"),
    ] = False
    confirm_by_hand: Annotated[
        bool,
        describe(
            "in manual mode a second person confirms the cards before an outcome is announced"
        ),
    ] = True
    lock_while_betting: Annotated[
        bool,
        describe("the shoe gives no card while wagers are open; for a shoe that takes commands"),
    ] = False
    minimum: Annotated[
        int | None,
        describe("smallest wager, displayed", unit="minor units", example=10000, written=True),
    ] = None
    maximum: Annotated[
        int | None,
        describe("largest wager, displayed", unit="minor units", example=10000000, written=True),
    ] = None
    differential: Annotated[
        int | None,
        describe("of the table (MBS) or of a box (RWS)", unit="minor units", example=20000000),
    ] = None
    wagers_per_area: Annotated[
        int | None,
        describe("fewer than the rulebook allows, if the pit manager says so", example=2),
    ] = None
    layout: Annotated[
        str,
        describe("which of the rulebook's layouts, by name; empty is the one with most positions"),
    ] = ""
    positions: Annotated[
        int | None,
        describe("so many as the layout is made with; left out: the most it may have", example=7),
    ] = None
    limits: Annotated[
        dict[str, WagerRange],
        describe("kinds of wagers with limits of their own: [table.limits.tie], minimum, maximum"),
    ] = msgspec.field(default_factory=dict)
    deck_control: Annotated[
        bool,
        describe(
            "only deck sets that were received, inspected and counted after each shoe are loaded"
        ),
    ] = False
    numbered: Annotated[
        Literal["counter_clockwise", "clockwise"],
        describe("which way round the table the position numbers run, seen from above"),
    ] = "counter_clockwise"
    highest_role: Annotated[
        Literal["shift_manager", "assistant_casino_manager"],
        describe("which of the two stands above the other: the documents do not say"),
    ] = "shift_manager"


_ROLES: Final[Mapping[str | None, Role]] = {role.value: role for role in Role}


@dataclass(frozen=True)
class Rules:
    book: Rulebook
    house: HouseRules
    rounding: Rounding = Rounding.EXACT
    ladder: Ladder = field(default_factory=Ladder)
    currency: Currency = field(default_factory=Currency)
    chip_unit: int = 1
    """The smallest chip, in minor units: every wager is a multiple of it."""

    @cached_property
    def limits(self) -> TableLimits:
        house = self.house
        table = Range(house.minimum, house.maximum)
        own = {wager: each.within(table) for wager, each in house.limits.items()}
        return TableLimits(table, house.differential, own)

    @property
    def pays_exactly(self) -> bool:
        return self.rounding is Rounding.EXACT

    @cached_property
    def positions(self) -> int:
        """How many the table's layout has; 0 where neither document nor house sets it."""
        if self.house.positions is not None:
            return self.house.positions
        of_layout = [each for each in self.book.layouts if each.name == self.house.layout]
        return max(
            ((each.positions or (0, 0))[1] for each in of_layout), default=self.book.most_positions
        )

    @cached_property
    def excess(self) -> Excess:
        """The handling of a card too many: the house's choice where the book allows it."""
        chosen = self.house.excess
        if chosen in self.book.excess.allowed:
            return chosen
        return Excess.NEXT_ROUND

    def method(self, method_id: str) -> Method:
        for method in self.book.methods:
            if method.id == method_id:
                return method
        raise Refused(
            Code.NO_SUCH_METHOD,
            self.book.method_of_round,
            method=method_id,
            methods=[method.id for method in self.book.methods],
        )

    def default_method(self) -> str:
        plain = [method.id for method in self.book.methods if method.face_down is None]
        return self.house.method or plain[0]

    def offered_methods(self) -> tuple[Method, ...]:
        """The methods that can be chosen here: some are for a high-limit area alone."""
        return tuple(each for each in self.book.methods if self.house.hlga or not each.hlga_only)

    def role(self, message: Message[Any]) -> Role:
        if message.source == "player":
            return Role.PLAYER
        role = _ROLES.get(message.role)
        if role is None:
            raise Refused(Code.NO_SUCH_ROLE, role=message.role)
        return role

    def is_same_person(self, one: str | None, other: str | None) -> bool:
        """Whether these are two people: see `is_same_name`."""
        if one is None or other is None:
            return one == other
        return is_same_name(one, other)

    def require_role(self, message: Message[Any], role: Role, clause: str | None = None) -> None:
        """Refuse unless the speaker stands high enough on the ladder."""
        if not self.ladder.may_act(self.role(message), role):
            raise Refused(Code.TAKES_ROLE, clause, role=role)

    def require_act(self, message: Message[Any], act: Act) -> None:
        """Refuse unless the speaker may do this, by the table of approvals."""
        row = approvals.approval_row(act)
        known = (message.source, message.role, row.role)
        if known in self._stand_high_enough:
            return
        if not self.ladder.may_act(self.role(message), row.role):
            raise Refused(Code.TAKES_ROLE, row.clause, role=row.role)
        self._stand_high_enough.add(known)

    @cached_property
    def _stand_high_enough(self) -> set[tuple[str, str | None, Role]]:
        """Roles found high enough for an act. Cached: the same few people act all day."""
        return set()
