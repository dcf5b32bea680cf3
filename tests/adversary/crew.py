"""The honest people and the shoe: what they would say next by what lies on the table.

They deal, wager and take what they are offered. They approve nothing, decide nothing and answer no
question, so that whatever comes of a question is the adversary's doing alone. At some tables they
find the decks wrong at the second card of the first round and make it void, two of them, while the
shoe goes on with it; at some the table is to close after the first round, and at some the cutting
card comes in the last, so that the shoe is over.
"""

from copy import copy

from adversary.setting import (
    ACCOMPLICE,
    DEALER,
    DRAWER,
    ROLES,
    ROUNDS,
    Line,
    Person,
    Setting,
)
from controller.engine.held import is_held
from controller.table.case import AwaitsApproval, AwaitsOption
from controller.table.phases import Phase
from controller.table.state import Round, Table

MANAGER = Person("ada", "assistant_casino_manager")
DEALT_IN = (Phase.DEALING, Phase.PLAYERS_THIRD, Phase.BANKERS_THIRD, Phase.REVEALING)

ENDING = {Phase.OUTCOME: "announce", Phase.SETTLING: "settle"}


VOIDS, CLOSES, CUTS, EVERY = 1, 3, 4, 5
"""Of so many tables of each role, those at which the first round is void, or the last, and those
at which the shoe is over with the last."""


class Crew:
    """Everybody but the adversary, through one episode."""

    def __init__(self, chosen: Setting) -> None:
        self._setting = chosen
        self.rounds = ROUNDS
        self._drawn = 0
        self._asked_for: tuple[int, int] = (0, 0)
        self._kind = chosen.seed // len(ROLES) % EVERY
        self._said = False
        """What makes this table's first round another than most."""

    def fork(self) -> "Crew":
        return copy(self)

    def next(self, table: Table) -> Line | None:
        """None: nothing is left to do for honest people."""
        if is_held(table):
            return self._made_void(table) or _option(table)
        if table.phase is Phase.READY:
            return _at_the_shoe(table) or self._between_rounds(table)
        if table.phase is Phase.BETTING:
            return self._wager(table)
        if table.phase in ENDING:
            return DEALER.says(ENDING[table.phase])
        if table.phase in DEALT_IN and table.round is not None:
            return self._at_some_tables(table, table.round) or self._deal(table.round)
        return None

    def _at_some_tables(self, table: Table, round_: Round) -> Line | None:
        if self._kind == CUTS and table.rounds == self.rounds and not self._said:
            self._said = True
            return {"from": "shoe", "event": "cut_card"}
        if table.rounds > 1 or table.phase is not Phase.DEALING:
            return None
        if self._kind == CLOSES and not table.close_after and not self._said:
            self._said = True
            return MANAGER.says("close_table")
        if self._kind == VOIDS and len(round_.cards) == 2 and not self._said:
            self._said = True
            return DEALER.says("report", what="wrong_count")
        return None

    def _made_void(self, table: Table) -> Line | None:
        case = table.case
        ours = self._kind == VOIDS and self._said and table.rounds == 1
        if not ours or case is None or case.id != "wrong_count" or table.latches:
            return None
        return MANAGER.says("approve") if isinstance(case.awaits, AwaitsApproval) else None

    def _between_rounds(self, table: Table) -> Line | None:
        if table.rounds >= self.rounds:
            return None
        if table.method == "C" and table.drawer is None:
            return MANAGER.says("method", method="C", drawer=DRAWER)
        return DEALER.says("open_betting")

    def _wager(self, table: Table) -> Line:
        """Every stake of the plan once a round, then the call."""
        number, placed = self._asked_for
        placed = placed if number == table.rounds else 0
        if placed < len(self._setting.stakes):
            self._asked_for = (table.rounds, placed + 1)
            stake = self._setting.stakes[placed]
            person = Person(stake.player, "player")
            given = {"position": stake.position, "wager": stake.wager, "amount": stake.amount}
            return person.says("place", **given, id=f"{stake.player}{placed}")
        return DEALER.says("close_betting")

    def _deal(self, round_: Round) -> Line | None:
        """The card that is due, or the hand that is turned: a third waits for all before it."""
        hidden = [d.hand for d in round_.cards if d.hand is not None and not d.exposed]
        lying = sum(d.hand is not None for d in round_.cards)
        if lying >= 4 and hidden:
            first = round_.first if round_.first in hidden else hidden[0]
            return DEALER.says("expose", hand=first.value)
        if self._drawn >= len(self._setting.cards):
            return None
        return {"from": "shoe", "event": "card", "card": self._setting.cards[self._drawn]}

    def heard(self, line: Line, accepted: bool) -> None:
        if line.get("event") == "card" and accepted:
            self._drawn += 1


def _at_the_shoe(table: Table) -> Line | None:
    """A shoe that plays by itself goes on with a void round until somebody ends it there."""
    round_, left = table.round, table.left_at_shoe
    if round_ is None or not round_.over or round_.void_by is None:
        return None
    if left is None:
        return {"from": "shoe", "event": "still_plays"}
    if not left.to_be_ended:
        return None
    return DEALER.says("shoe_ended") if left.by_hand else {"from": "shoe", "event": "round_ended"}


def _option(table: Table) -> Line | None:
    """The accomplice takes back whatever may be taken back; everybody else plays on."""
    awaits = table.case.awaits if table.case is not None else None
    if not isinstance(awaits, AwaitsOption) or table.doubt is not None:
        return None
    for player in awaits.offer.open_to:
        if player not in awaits.offer.answers:
            choice = "withdraw" if player == ACCOMPLICE else "play"
            return Person(player, "player").says("option", choice=choice)
    return None
