"""The honest people and the shoe: what they would say next by what lies on the table.

They deal, wager and take what they are offered. They approve nothing, decide nothing and answer no
question, so that whatever comes of a question is the adversary's doing alone; only a correction
that is not true is refused before the round is settled, because paying waits for it. At some tables
they find the decks wrong at the second card of the first round and make it void, two of them, while
the shoe goes on with it; at some the table is to close after the first round, and at some the
cutting card comes in the last, so that the shoe is over. At some tables where a player draws, the
shoe is over because the order was altered as it moved (5.12.2): its cutting card is not out then,
and it goes on with the round.

At some tables no shoe reads the cards. There the dealer draws and names them, and the manager looks
at the hands before the outcome counts: if a card lies there that is called by another's name, the
two of them correct it.
"""

from copy import copy

from adversary.setting import (
    ACCOMPLICE,
    DEALER,
    DRAWER,
    LAYOUTS,
    ROLES,
    ROUNDS,
    Line,
    Person,
    Setting,
)
from controller.table.agenda.order import has_holds
from controller.table.cards import Drawn
from controller.table.case import AwaitsApproval, AwaitsCard, AwaitsOption
from controller.table.phases import Phase
from controller.table.requests import ConfirmCards, CorrectCard, DealByHand
from controller.table.state import Round, Table

MANAGER = Person("ada", "assistant_casino_manager")
DEALT_IN = (Phase.DEALING, Phase.PLAYERS_THIRD, Phase.BANKERS_THIRD, Phase.REVEALING)

MOVED = "order_altered_moving"
ENDING = {Phase.OUTCOME: "announce", Phase.SETTLING: "settle"}


VOIDS, CLOSES, CUTS, EVERY = 1, 3, 4, 5
"""Of so many tables of each role, those at which the first round is void, or the last, and those
at which the shoe is over with the last."""
ALTERED, EVERY_ALTERED = EVERY, 3
"""Of so many tables at which a player draws, one is of this kind and none of the others."""
BY_HAND, EVERY_BY_HAND = 4, 9
"""Of so many tables of each role, the one dealt by hand: all of the above come there too."""


def dealt_by_hand(seed: int) -> bool:
    return seed // len(ROLES) % EVERY_BY_HAND == BY_HAND


class Crew:
    """Everybody but the adversary, through one episode."""

    def __init__(self, chosen: Setting) -> None:
        self._setting = chosen
        self.rounds = ROUNDS
        self._drawn = 0
        self._faces: dict[int, str] = {}
        """What the cards are that left the shoe, by their numbers, whatever they are called."""
        self._by_hand = dealt_by_hand(chosen.seed)
        self._not_so = 0
        """The round in which the manager has found a card that is called by another's name."""
        self._asked_for: tuple[int, int] = (0, 0)
        self._kind = chosen.seed // len(ROLES) % EVERY
        nth = chosen.seed // len(ROLES) // len(LAYOUTS)
        if chosen.method == "C" and nth % EVERY_ALTERED == 0:
            self._kind = ALTERED
        self._said = False
        """What makes this table's first round another than most."""

    def fork(self) -> "Crew":
        other = copy(self)
        other._faces = dict(self._faces)
        return other

    def next(self, table: Table) -> Line | None:
        """None: nothing is left to do for honest people."""
        return self._of_manual_mode(table) or self._of_the_round(table)

    def _of_the_round(self, table: Table) -> Line | None:
        if has_holds(table):
            return self._made_void(table) or _option(table)
        if table.phase in (Phase.READY, Phase.CHANGING_SHOE):
            return _at_the_shoe(table) or self._between_rounds(table)
        if table.phase is Phase.BETTING:
            return self._wager(table)
        if table.phase in ENDING:
            return DEALER.says(ENDING[table.phase])
        if table.phase in DEALT_IN and table.round is not None:
            return self._at_some_tables(table, table.round) or self._deal(table, table.round)
        return None

    def _of_manual_mode(self, table: Table) -> Line | None:
        """What is asked of people where they do what a shoe would do."""
        if table.request is not None:
            return self._looked_at(table)
        if table.devices.by_hand is None:
            return None
        if table.count_check is not None and not table.history.rounds and not table.latches:
            return DEALER.says("count", cards=0)
        case = table.case
        if case is not None and case.id == "by_hand" and isinstance(case.awaits, AwaitsCard):
            return DEALER.says("enter_card", n=case.n, card=self._faces.get(case.n or 0))
        wrong = self._misnamed(table) if self._not_so == table.history.rounds else None
        if wrong is None or wrong.n not in self._faces or has_holds(table):
            return None  # nothing is wrong, or a card was counted that is none
        why = "it is called by another's name"
        return DEALER.says("correct", n=wrong.n, card=self._faces[wrong.n], reason=why)

    def _looked_at(self, table: Table) -> Line | None:
        """The second person looks at the cards; asked for anything else they say nothing."""
        request = table.request
        assert request is not None
        if table.count_check is not None or table.case is not None:
            return None
        what = request.subject
        if isinstance(what, ConfirmCards):
            if self._misnamed(table) is None:
                return MANAGER.says("approve")
            self._not_so = table.history.rounds
            return MANAGER.says("refuse")
        own = request.by == DEALER.who
        if isinstance(what, CorrectCard):
            if what.card != self._faces.get(what.n):
                return MANAGER.says("refuse") if table.phase is Phase.SETTLING else None
            return MANAGER.says("approve") if own else None
        return MANAGER.says("approve") if own and isinstance(what, DealByHand) else None

    def _misnamed(self, table: Table) -> Drawn | None:
        """A card on a hand that is not what it is called."""
        lying = [d for d in table.round.cards if d.hand is not None] if table.round else []
        return next((d for d in lying if d.exposed and self._faces.get(d.n) != d.card), None)

    def _at_some_tables(self, table: Table, round_: Round) -> Line | None:
        if self._kind == ALTERED and len(round_.cards) == 2:
            return self._order_altered(table)
        if self._kind == CUTS and table.history.rounds == self.rounds and not self._said:
            self._said = True
            by_hand = table.devices.by_hand is not None
            return DEALER.says("cut_card") if by_hand else {"from": "shoe", "event": "cut_card"}
        if table.history.rounds > 1 or table.phase is not Phase.DEALING:
            return None
        if self._kind == CLOSES and not table.day.is_closing and not self._said:
            self._said = True
            return MANAGER.says("close_table")
        if self._kind == VOIDS and len(round_.cards) == 2 and not self._said:
            self._said = True
            return DEALER.says("report", what="wrong_count")
        return None

    def _order_altered(self, table: Table) -> Line | None:
        """In the last round of a shoe that a player draws from."""
        if self._said or table.history.rounds < self.rounds or table.devices.by_hand is not None:
            return None
        self._said = True
        return DEALER.says("report", what=MOVED, facts={"reconstructable": False})

    def _made_void(self, table: Table) -> Line | None:
        case = table.case
        if case is None or not self._said or table.latches:
            return None
        ours = self._kind == VOIDS and table.history.rounds == 1 and case.id == "wrong_count"
        ours |= self._kind == ALTERED and table.history.rounds == self.rounds and case.id == MOVED
        if not ours:
            return None
        return MANAGER.says("approve") if isinstance(case.awaits, AwaitsApproval) else None

    def _between_rounds(self, table: Table) -> Line | None:
        if table.history.rounds >= self.rounds or table.phase is not Phase.READY:
            return None
        if self._by_hand and not table.history.rounds and table.devices.by_hand is None:
            self._by_hand = False
            return DEALER.says("deal_by_hand", reason="the shoe is broken")
        if table.play.method == "C" and table.play.drawer is None:
            return MANAGER.says("method", method="C", drawer=DRAWER)
        return DEALER.says("open_betting")

    def _wager(self, table: Table) -> Line:
        """Every stake of the plan once a round, then the call."""
        number, placed = self._asked_for
        placed = placed if number == table.history.rounds else 0
        if placed < len(self._setting.stakes):
            self._asked_for = (table.history.rounds, placed + 1)
            stake = self._setting.stakes[placed]
            person = Person(stake.player, "player")
            given = {"position": stake.position, "wager": stake.wager, "amount": stake.amount}
            return person.says("place", **given, id=f"{stake.player}{placed}")
        return DEALER.says("close_betting")

    def _deal(self, table: Table, round_: Round) -> Line | None:
        """The card that is due, or the hand that is turned: a third waits for all before it."""
        hidden = [d.hand for d in round_.cards if d.hand is not None and not d.exposed]
        lying = sum(d.hand is not None for d in round_.cards)
        if lying >= 4 and hidden:
            first = round_.handling.first if round_.handling.first in hidden else hidden[0]
            return DEALER.says("expose", hand=first.value)
        face = self._next_face()
        if face is None:
            return None
        if table.devices.by_hand is None:
            return {"from": "shoe", "event": "card", "card": face}
        return DEALER.says("deal_card", **({} if round_.face_down else {"card": face}))

    def _next_face(self) -> str | None:
        cards = self._setting.cards
        return cards[self._drawn] if self._drawn < len(cards) else None

    def draws(self, line: Line) -> str | None:
        """What the card is that leaves the shoe where this line is taken, whatever it calls it."""
        if line.get("do") == "deal_card":
            return self._next_face()
        return line.get("card") if line.get("event") == "card" else None

    def drew(self, face: str, table: Table) -> None:
        self._drawn += 1
        if table.shoe is not None:
            self._faces[table.shoe.drawn] = face


def _at_the_shoe(table: Table) -> Line | None:
    """A shoe that plays by itself goes on with a void round until somebody ends it there."""
    round_, left = table.round, table.devices.left_at_shoe
    if (
        round_ is None
        or not round_.over
        or round_.void_by is None
        or table.devices.by_hand is not None
    ):
        return None
    if left is None:
        return {"from": "shoe", "event": "still_plays"}
    if not left.to_be_ended:
        return None
    return DEALER.says("shoe_ended") if left.by_hand else {"from": "shoe", "event": "round_ended"}


def _option(table: Table) -> Line | None:
    """The accomplice takes back whatever may be taken back; everybody else plays on."""
    awaits = table.case.awaits if table.case is not None else None
    if not isinstance(awaits, AwaitsOption) or table.count_check is not None:
        return None
    for player in awaits.offer.open_to:
        if player not in awaits.offer.answers:
            choice = "withdraw" if player == ACCOMPLICE else "play"
            return Person(player, "player").says("option", choice=choice)
    return None
