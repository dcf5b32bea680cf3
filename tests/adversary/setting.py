"""A table as an episode finds it, from one seed: book, method, people, cards and wagers."""

from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any, Final

import msgspec

from controller.engine.step import Answer, TableMachine
from controller.game.money.rounding import Rounding
from controller.journal.bodies import JsonLine
from controller.journal.records import Entry
from controller.journal.seal import Sealer
from controller.rulebooks import rulebook
from controller.table.commands.message import message_from_line
from controller.table.phases import Phase
from controller.table.rules import HouseRules, Rules
from controller.table.state import Table
from support.clauses.from_the_documents import BOOKS, DECK

Line = dict[str, Any]
"""A message as JSON, as the table's own lines are."""

Cell = tuple[str, str, str]
"""Role, word and phase."""
HELD: Final = "held"
"""Stands for the phase of a word that is said while something is open."""

RWS: Final = "rws-commission-baccarat-4"
ROLES: Final = (
    "player",
    "dealer",
    "pit_supervisor",
    "pit_manager",
    "assistant_casino_manager",
    "shift_manager",
)
"""Each is played alone; the last is called as the book calls it."""
RANKS: Final = {
    "player": 0,
    "dealer": 1,
    "pit_supervisor": 2,
    "pit_manager": 3,
    "assistant_casino_manager": 4,
    "gaming_shift_manager": 5,
    "table_game_shift_manager": 5,
    "shift_manager": 5,
}
"""The ladder of reading 4."""

WITH_METHODS: Final = ("mbs-baccarat-8", "mbs-dragon-tiger-baccarat")
LAYOUTS: Final = tuple(
    (book, method, face)
    for book in BOOKS
    for method, face in (
        (("A", "down"), ("B", "up"), ("B", "down"), ("C", "down"))
        if book in WITH_METHODS
        else (("", "up"), ("", "down"))
    )
)
LIMITS: Final = ("none", "tight", "exact")
"""No limits; a minimum, a maximum and a differential; no limits and payments that must be whole."""
DIFFERENTIAL: Final = 20_000
TIGHT: Final = {"minimum": 500, "maximum": 100_000, "differential": DIFFERENTIAL}

ACCOMPLICE: Final = "ann"
DRAWER: Final = "bob"
OTHERS: Final = ("cem",)
AGAIN: Final = 0.3
"""How often a second stake lies where the first does."""
ROUNDS: Final = 2
CARDS_KEPT: Final = 26
"""More than the rounds of an episode take; the faces left over are what an adversary may name."""


@dataclass(frozen=True)
class Person:
    who: str
    role: str

    @property
    def source(self) -> str:
        return "player" if self.role == "player" else "staff"

    @property
    def played_as(self) -> str:
        """As `ROLES` calls it."""
        return self.role if self.role in ROLES else "shift_manager"

    def says(self, word: str, **given: Any) -> Line:
        line: Line = {"from": self.source, "who": self.who, "do": word}
        if self.source == "staff":
            line["role"] = self.role
        return {**line, "with": given} if given else line


@dataclass(frozen=True)
class Stake:
    player: str
    position: int
    wager: str
    amount: int


@dataclass(frozen=True)
class Setting:
    seed: int
    book: str
    method: str
    face: str
    limits: str
    people: tuple[Person, ...]
    """One adversary, or two who work together."""
    cards: tuple[str, ...]
    """In drawn order; no face comes twice, so that a face that is told is that card's."""
    spare: tuple[str, ...]
    stakes: tuple[Stake, ...]
    """What everybody else, and a player adversary, wagers in every round."""


def setting(seed: int, pair: bool = False) -> Setting:
    rng = Random(seed)
    book, method, face = LAYOUTS[seed // len(ROLES) % len(LAYOUTS)]
    limits = rng.choice(LIMITS if book != RWS else LIMITS[:2])
    cards = rng.sample(DECK, len(DECK))
    people = _people(rng, seed, book, pair)
    playing = [person.who for person in people if person.role == "player"]
    return Setting(
        seed,
        book,
        method,
        face,
        limits,
        people,
        tuple(cards[:CARDS_KEPT]),
        tuple(cards[CARDS_KEPT:]),
        tuple(_stakes(rng, book, (ACCOMPLICE, DRAWER, *OTHERS, *playing))),
    )


def _people(rng: Random, seed: int, book: str, pair: bool) -> tuple[Person, ...]:
    first = _person("eve", ROLES[seed % len(ROLES)], book)
    if not pair:
        return (first,)
    return (first, _person("mallory", rng.choice(ROLES), book))


def _person(who: str, role: str, book: str) -> Person:
    if role == "shift_manager":
        role = "table_game_shift_manager" if book == RWS else "gaming_shift_manager"
    return Person(who, role)


def _stakes(rng: Random, book: str, players: tuple[str, ...]) -> list[Stake]:
    """Multiples of 1,000: every pay table divides them, and no limit is broken."""
    kinds = sorted({wager.id for wager in rulebook(book).wagers})
    found = []
    for position, player in enumerate(players, start=1):
        main = rng.choice(("player", "banker"))
        found.append(Stake(player, position, main, 1000 * rng.randint(1, 3)))
        if rng.random() < 0.7:
            other = main if rng.random() < AGAIN else rng.choice(kinds)
            found.append(Stake(player, position, other, 1000))
    return found


# --- tables -------------------------------------------------------------------------------------

DEALER: Final = Person("dan", "dealer")
VERIFIER: Final = Person("vera", "pit_supervisor")


class MemoryTable:
    """The real machine with its records kept for one step; a table stands anew in no time."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.entries: tuple[Entry, ...] = ()
        self.setup: list[Line] = []
        sealer = Sealer(bytes(32), Random(1).randbytes)
        self.machine = TableMachine(rules, sealer)
        self.ready = self._opened()

    def take(self, line: Line) -> Answer:
        """The step that the line asks for."""
        answer, self.entries = self.machine.decide(heard(line))
        self.machine.load_state(answer.table)
        return answer

    def _opened(self) -> Table:
        """Open, with a shoe that somebody else than the loader vouches for."""
        self.expect(_top(self.rules.book.id).says("open_table"))
        load = {"deck_set": "blue", "verified_by": VERIFIER.who, "cut": True}
        self.expect(DEALER.says("load_shoe", **load))
        if self.machine.table.phase is not Phase.READY:
            self.expect(VERIFIER.says("approve"))
        assert self.machine.table.phase is Phase.READY
        return self.machine.table

    def expect(self, line: Line) -> None:
        answer = self.take(line)
        assert answer.accepted, (line, answer.why)
        self.setup.append(line)


def heard(line: Line) -> Any:
    return message_from_line(msgspec.convert(line, JsonLine))


def _top(book: str) -> Person:
    return _person("gus", "shift_manager", book)


@cache
def table_for(book: str, method: str, face: str, limits: str) -> MemoryTable:
    given: dict[str, Any] = {"rulebook": book, "burn": "none", "deal_face": face, "hlga": True}
    given |= {"method": method} | (TIGHT if limits == "tight" else {})
    rounding = Rounding.EXACT if limits == "exact" else Rounding.HALF_UP
    return MemoryTable(Rules(rulebook(book), msgspec.convert(given, HouseRules), rounding))


def table_of(chosen: Setting) -> MemoryTable:
    return table_for(chosen.book, chosen.method, chosen.face, chosen.limits)
