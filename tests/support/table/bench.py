"""A table on a test's bench: the real machine and a journal in memory."""

import random
from typing import Any, Self

import msgspec

from controller.engine.hold_list import state_name
from controller.engine.release import NAMELESS, Release, state_of_table
from controller.engine.session import Session, open_session
from controller.engine.step import Answer
from controller.game.money.rounding import Rounding
from controller.journal.memory import MemoryJournal
from controller.journal.records import CHECKPOINT, RECORD_FORMAT
from controller.journal.seal import Sealer
from controller.messages.sentence import Sentence
from controller.rulebooks import rulebook
from controller.table.commands.message import Message, new_message
from controller.table.commands.registry import Payload
from controller.table.rules import HouseRules, Rules
from controller.table.state import Round, Table
from support.table.step_replay import StepReplay

ROLES = {
    "pia": "pit_supervisor",
    "paul": "pit_supervisor",
    "max": "pit_manager",
    "ada": "assistant_casino_manager",
    "gus": "gaming_shift_manager",
}
"""Everybody else is a dealer."""

NATURAL = ("9H", "2C", "KD", "6S")
"""Player 9, Banker 8: nobody draws."""
BOTH_DRAW = ("2H", "KC", "3D", "5S")
"""Player 5, Banker 5: the Player draws first."""
BANKER_DRAWS = ("6H", "KC", "KD", "5S")
"""Player 6 stands, Banker 5 draws."""


def rules_of(book: str = "mbs-baccarat-8", **house: Any) -> Rules:
    """The book with a house of its own; nothing is burned unless it says so."""
    given = {"rulebook": book, "burn": "none", **house}
    return Rules(rulebook(book), msgspec.convert(given, HouseRules), Rounding.HALF_UP)


def sealer_of(seed: int = 1) -> Sealer:
    return Sealer(bytes(32), random.Random(seed).randbytes)


class Bench:
    """One table. `say` and the like expect their word to be taken, `refused` expects it not to."""

    def __init__(
        self, book: str = "mbs-baccarat-8", start: Table | None = None, **house: Any
    ) -> None:
        """`start`: where its journal begins, for what would take a whole shoe to come to."""
        self.rules = rules_of(book, **house)
        self.journal = MemoryJournal()
        if start is not None:
            self.journal.append(
                state_of_table(CHECKPOINT, RECORD_FORMAT, NAMELESS, self.rules.house, start)
            )
        self.sealer = sealer_of()
        self.session: Session = open_session(self.rules, self.journal, self.sealer)
        self.at = 0.0

    # --- what is said ------------------------------------------------------------------------

    def say(self, verb: str, who: str = "dan", **fields: Any) -> Answer:
        """A member of staff says it."""
        return taken(self.hear(_staff(verb, who, fields)))

    def refused(self, verb: str, who: str = "dan", **fields: Any) -> Answer:
        """A member of staff says it and it is not taken."""
        return self.not_taken(_staff(verb, who, fields))

    def player(self, verb: str, who: str, **fields: Any) -> Answer:
        return taken(self.hear(new_message("player", verb, who=who, **fields)))

    def device(self, verb: str, by: str = "shoe", **fields: Any) -> Answer:
        """A device says it, or the machine the table runs on (`system`)."""
        return taken(self.hear(new_message(by, verb, **fields)))

    def card(self, *codes: str) -> Answer:
        """Cards leave the shoe; `??` is one it could not read."""
        for code in codes:
            said = new_message("shoe", "read_failed") if code == "??" else _card(code)
            answer = taken(self.hear(said))
        return answer

    def hear(self, said: Message[Payload]) -> Answer:
        """The step's answer, whatever it is."""
        self.at += 1
        return self.session.handle(said if said.at else msgspec.structs.replace(said, at=self.at))

    def not_taken(self, said: Message[Payload]) -> Answer:
        before = self.table
        answer = self.hear(said)
        assert not answer.accepted, f"{said.type} is taken"
        assert self.table is before, "what is refused changes nothing"
        return answer

    def restart(self) -> None:
        """The process is gone and comes back with the journal it left."""
        self.at += 1
        self.session = open_session(self.rules, self.journal, self.sealer, self.at)

    # --- where a test begins -----------------------------------------------------------------

    def open(self, **shoe: Any) -> Self:
        """Open, with a shoe on the table."""
        self.say("open_table", "pia")
        return self.load(**shoe)

    def load(self, **shoe: Any) -> Self:
        """Another shoe, and whoever is named vouches for it."""
        given = {"deck_set": "blue", "verified_by": "pia", "cut": True, **shoe}
        self.say("load_shoe", **given)
        if given["verified_by"] != "shuffler":
            self.say("approve", given["verified_by"])
        return self

    def bet(self, *wagers: tuple[str, str, int]) -> Self:
        """Open and betting; each wager is a player, what it is on, and the amount."""
        if self.table.shoe is None:
            self.open()
        self.say("open_betting")
        for place, (player, on, amount) in enumerate(wagers, start=1):
            self.player("place", player, wager=on, amount=amount, position=place)
        return self

    def deal(self, *cards: str, wagers: tuple[tuple[str, str, int], ...] = ()) -> Self:
        """Bets are closed, and these cards are out."""
        self.bet(*wagers)
        self.say("close_betting")
        if cards:
            self.card(*cards)
        return self

    def settle(self) -> Answer:
        self.say("announce")
        return self.say("settle")

    # --- what is known -----------------------------------------------------------------------

    @property
    def table(self) -> Table:
        return self.session.machine.table

    @property
    def round(self) -> Round:
        assert self.table.round is not None
        return self.table.round

    @property
    def state(self) -> str:
        return state_name(self.table)

    @property
    def phase(self) -> str:
        return self.table.phase.value

    @property
    def notices(self) -> list[str]:
        """The codes of what is shown to people."""
        return [each.code for each in self.table.notices]

    def bodies(self) -> list[bytes]:
        return [record.body for record in self.journal.records()]

    def hand(self, side: str) -> list[str | None]:
        return [d.card for d in self.round.cards if d.hand is not None and d.hand.value == side]


class ReplayedBench(Bench):
    """A table whose journal is replayed after every step."""

    def __init__(self, book: str = "mbs-baccarat-8", **house: Any) -> None:
        super().__init__(book, **house)
        self.taken_over(NAMELESS)

    def taken_over(self, release: Release) -> None:
        """Another release runs the table now: it is the one that decides again in replay."""
        self._replay = StepReplay(self.rules, self.journal, self.sealer, release)

    def hear(self, said: Message[Payload]) -> Answer:
        answer = super().hear(said)
        self._replay.check(self.table)
        return answer


def nearly_empty(left: int, book: str = "mbs-baccarat-8", **house: Any) -> Bench:
    """Ready to bet, with so many cards left in a shoe of eight decks."""
    ready = Bench(book, **house).open().table
    assert ready.shoe is not None
    spent = msgspec.structs.replace(ready.shoe, drawn=8 * 52 - left)
    return Bench(book, start=msgspec.structs.replace(ready, shoe=spent), **house)


def taken_unread() -> Bench:
    """A player leaves with a card that nobody has read."""
    bench = Bench(deal_face="down").deal("2H", "KC", "3D", "??")
    bench.say("report", what="cards_taken", hand="banker")
    bench.say("answer", value=False)
    return bench


def differential() -> Bench:
    """Betting is open, and there is too much on one side."""
    bench = Bench(differential=500).bet(("ann", "player", 1000))
    bench.say("report", what="differential")
    return bench


def _staff(verb: str, who: str, fields: dict[str, Any]) -> Message[Payload]:
    return new_message("staff", verb, who=who, role=ROLES.get(who, "dealer"), **fields)


def _card(code: str) -> Message[Payload]:
    return new_message("shoe", "card", card=code)


def taken(answer: Answer) -> Answer:
    assert answer.accepted, answer.why
    return answer


def why(answer: Answer) -> Sentence:
    """Why a step was refused."""
    assert answer.why is not None
    return answer.why


def code(answer: Answer) -> str:
    return why(answer).code
