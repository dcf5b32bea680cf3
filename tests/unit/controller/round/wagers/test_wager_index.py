"""What is kept of all wagers, held against a plain look at each of them, over random lives."""

import random
from collections import Counter
from itertools import count
from typing import Any

import pytest
from msgspec.structs import replace

from controller.engine.session import Session
from controller.engine.step import TableMachine
from controller.journal.memory import MemoryJournal
from controller.journal.records import Entry, Record, canonical
from controller.messages.codes import Code
from controller.round.wagers.wager_index import WagerIndex, wager_area, wager_index
from controller.table.commands.message import Message, new_message
from controller.table.commands.registry import Payload
from controller.table.state import PlacedWager, Round, Table
from support.rows import each_row
from support.table.bench import Bench, sealer_of

MOST = 3
"""Wagers an area takes, by the book."""
IDS = ("w1", "w2", "w3", "w7", "w12", "w01", "x", "9", "w٣")
KINDS = ("player", "banker")
PLAYERS = ("ann", "bob")
STEPS = 250

Wagers = tuple[PlacedWager, ...]


class DiskIsFull(Exception):
    """The journal does not take the record."""


class Life(MemoryJournal):
    """A table that is wagered at, whose journal fails now and then."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.chance = random.Random(seed)
        bench = Bench().bet()
        self.session = Session(TableMachine(bench.rules, sealer_of(), bench.table), self)
        self.earlier: list[Table] = [bench.table]
        self.fails = False
        self.refused: Counter[str] = Counter()

    def append(self, *entries: Entry) -> list[Record]:
        if self.fails:
            raise DiskIsFull
        return super().append(*entries)

    @property
    def round(self) -> Round:
        assert self.session.machine.table.round is not None
        return self.session.machine.table.round

    def say(self, said: Message[Payload]) -> None:
        """Accepted or refused as a plain look at all wagers would have it, and not otherwise."""
        before = self.round.wagers
        expected = plainly(before, said)
        self.fails = self.chance.random() < 0.1
        if self.fails:
            with pytest.raises(DiskIsFull):
                self.session.handle(said)
            assert self.round.wagers is before
            return
        answer = self.session.handle(said)
        if isinstance(expected, Code):
            assert answer.why is not None
            assert answer.why.code == expected.value
            self.refused[answer.why.code] += 1
        else:
            assert answer.accepted, answer.why
            assert amounts(self.round.wagers) == amounts(expected)

    def give_back(self) -> None:
        """As a ruling does it, which makes a round of its own."""
        wagers = tuple(
            replace(each, returned_by="5.18.3") if self.chance.random() < 0.3 else each
            for each in self.round.wagers
        )
        after = replace(self.session.machine.table, round=replace(self.round, wagers=wagers))
        self.session.machine.load_state(after)

    def go_back(self) -> None:
        """To a table from which another life has been led already."""
        self.session.machine.load_state(self.chance.choice(self.earlier[-20:]))

    def any_word(self) -> Message[Payload]:
        who, wager_id = self.chance.choice(PLAYERS), self.chance.choice(IDS)
        match self.chance.randrange(5):
            case 4:
                known = self._known(wager_id)
                return new_message("player", "decrease", who=who, id=known, amount=100)
            case 0:
                return new_message("player", "withdraw", who=who, id=self._known(wager_id))
            case 1:
                return new_message("player", "raise", who=who, id=self._known(wager_id), amount=100)
            case _:
                given: dict[str, Any] = {"wager": self.chance.choice(KINDS), "amount": 100}
                given["position"] = self.chance.randint(1, 2)
                if self.chance.random() < 0.4:
                    given["id"] = wager_id
                return new_message("player", "place", who=who, **given)

    def _known(self, otherwise: str) -> str:
        wagers = self.round.wagers
        known = bool(wagers) and self.chance.random() < 0.8
        return self.chance.choice(wagers).id if known else otherwise


def plainly(wagers: Wagers, said: Message[Any]) -> Wagers | Code:
    """What the wagers come to, or why not, by looking at every one of them."""
    if said.type == "place":
        return _placed(wagers, said)
    meant = [each for each in wagers if each.id == said.payload.id]
    if not meant:
        return Code.NO_SUCH_WAGER
    if meant[0].player != said.who:
        return Code.NOT_YOUR_WAGER
    return Code.WAGER_WENT_BACK if meant[0].returned_by is not None else _moved(wagers, meant, said)


def _moved(wagers: Wagers, meant: list[PlacedWager], said: Message[Any]) -> Wagers | Code:
    if said.type == "withdraw":
        return tuple(each for each in wagers if each is not meant[0])
    was, more = meant[0], said.payload.amount
    less = said.type == "decrease"
    if less and more >= was.amount:
        return Code.DECREASE_TO_NOTHING
    changed = replace(was, amount=was.amount - more if less else was.amount + more)
    return tuple(changed if each is was else each for each in wagers)


def amounts(wagers: Wagers) -> Wagers:
    """Without since when they lie there, which `test_methods.py` looks at."""
    return tuple(replace(each, since=0, lower=()) for each in wagers)


def _placed(wagers: Wagers, said: Message[Any]) -> Wagers | Code:
    word, taken = said.payload, {each.id for each in wagers}
    name = word.id or next(n for each in count(1) if (n := f"w{each}") not in taken)
    if name in taken:
        return Code.WAGER_LIES_THERE
    placed = PlacedWager(name, said.who or "", word.position, word.wager, word.amount)
    live = [each for each in wagers if each.returned_by is None]
    full = sum(wager_area(each) == wager_area(placed) for each in live) >= MOST
    return Code.AREA_IS_FULL if full else (*wagers, placed)


def agrees(index: WagerIndex, wagers: Wagers) -> None:
    ids = [each.id for each in wagers]
    assert [index.place(each) for each in ids] == list(range(len(ids)))
    for other in {*IDS, *(f"w{n}" for n in range(1, 30))} - set(ids):
        assert other not in index
        assert index.place(other) is None
    lying = Counter(wager_area(each) for each in wagers if each.returned_by is None)
    for position in (1, 2):
        for kind in KINDS:
            assert index.wager_count((position, kind)) == lying[position, kind]
    assert index.free_id() == next(n for each in count(1) if (n := f"w{each}") not in ids)


@each_row("seed", range(12))
def test_a_random_life_agrees_with_a_plain_look_at_all_wagers(seed: int) -> None:
    life = Life(seed)
    for _ in range(STEPS):
        match life.chance.randrange(20):
            case 0:
                life.give_back()
            case 1:
                life.go_back()
            case _:
                life.say(life.any_word())
        if life.chance.random() < 0.7:  # so that not every index was asked before it is handed on
            agrees(wager_index(life.round), life.round.wagers)
        life.earlier.append(life.session.machine.table)
    codes = (Code.WAGER_LIES_THERE, Code.AREA_IS_FULL, Code.NO_SUCH_WAGER, Code.NOT_YOUR_WAGER)
    assert all(life.refused[each.value] for each in codes), "every kind of refusal was met"


def test_what_is_kept_beside_a_round_is_neither_recorded_nor_compared() -> None:
    bench = Bench().bet(("ann", "player", 100), ("bob", "banker", 200))
    asked, fresh = bench.round, replace(bench.round)
    wager_index(asked)
    assert asked.__dict__
    assert not fresh.__dict__
    assert asked == fresh
    assert canonical(asked) == canonical(fresh)


def test_two_lives_from_one_round_do_not_share_what_is_kept() -> None:
    bench = Bench().bet(("ann", "player", 100))
    start = bench.table
    machine = TableMachine(bench.rules, sealer_of(), start)
    for kind in ("banker", "tie"):
        machine.load_state(start)
        placed, _ = machine.decide(
            new_message("player", "place", who="ann", wager=kind, amount=100, position=1)
        )
        assert placed.table.round is not None
        assert [each.id for each in placed.table.round.wagers] == ["w1", "w2"]
        agrees(wager_index(placed.table.round), placed.table.round.wagers)
