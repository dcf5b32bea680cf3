"""The robot dealer at a table in memory: whole shoes under every method, rightly and wrongly.

The robot holds the table to its own table of play, and what was played is replayed afterwards.
"""

import json
from collections import Counter
from random import Random
from typing import Any

import msgspec
import pytest

from controller.engine.replay import replay
from controller.engine.session import open_session
from controller.journal.memory import MemoryJournal
from controller.journal.seal import Sealer
from controller.rulebooks import rulebook
from controller.table.rules import HouseRules, Rules
from controller.terminal.json_lines import JsonLines
from controller.views.structs.encoding import plain
from simulators.dealer.links import Line, Stuck
from simulators.dealer.mistakes import KINDS, by_chance, by_script
from simulators.dealer.oracle import Disagreement
from simulators.dealer.paper import PaperShoe
from simulators.dealer.plan import Plan, Tally
from simulators.dealer.robot import Robot


class InMemory:
    """A table that the robot reaches through the product's own lines."""

    def __init__(self, book: str, house: dict[str, Any]) -> None:
        self._rules = Rules(
            rulebook(book), msgspec.convert({"rulebook": book, **house}, HouseRules)
        )
        self._journal = MemoryJournal()
        self._sealer = Sealer(bytes(32), Random(1).randbytes)
        self._session = open_session(self._rules, self._journal, self._sealer)
        self._lines = JsonLines(self._session)
        self._at = 0

    def say(self, line: Line) -> list[Line]:
        self._at += 1
        return [plain(self._lines.answer(json.dumps({"at": self._at, **line}).encode()))]

    def check_replay(self) -> None:
        again = replay(self._rules, self._journal.records(), self._sealer)
        assert again == self._session.machine.table

    def wait(self) -> Line:
        raise AssertionError("a shoe of paper says everything itself")


def played(
    seed: int,
    way: tuple[str, str, dict[str, Any]],
    wrong: int,
    rounds: int,
    shoes: int | None = None,
) -> Tally:
    """So many rounds at a table of its own, of which so many in a hundred go wrong."""
    book, method, house = way
    table = InMemory(book, house)
    random, shoe = Random(seed), PaperShoe(table, seed)
    robot = Robot(shoe, shoe, random, Plan(method))
    tally = robot.play(by_chance(random, wrong), rounds, shoes)
    table.check_replay()
    return tally


WAYS: list[tuple[str, str, dict[str, Any]]] = [
    ("mbs-baccarat-8", "", {}),
    ("mbs-baccarat-8", "A", {}),
    ("mbs-baccarat-8", "B", {"deal_face": "down", "burn": "none"}),
    ("mbs-baccarat-8", "C", {"hlga": True}),
    ("mbs-dragon-tiger-baccarat", "A", {}),
    ("rws-commission-baccarat-4", "", {"deal_face": "down"}),
    ("mbs-sands-super-baccarat", "", {}),
    ("mbs-baccarat-tournament-5", "", {"track_wagers": False}),
]


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_a_whole_shoe_and_the_beginning_of_the_next(way: tuple[str, str, dict[str, Any]]) -> None:
    tally = played(1, way, 0, 90)
    assert tally.rounds == 90
    assert tally.shoes == 2
    assert tally.outcomes.total() == 90
    assert set(tally.outcomes) == {"player", "banker", "tie"}
    assert not tally.void
    assert not tally.mistakes
    assert not tally.unread


@pytest.mark.parametrize("way", WAYS, ids=str)
@pytest.mark.parametrize("seed", range(2))
def test_rounds_that_go_wrong_come_to_an_end(
    seed: int, way: tuple[str, str, dict[str, Any]]
) -> None:
    tally = played(seed, way, 60, 20)
    assert tally.rounds == 20 == tally.outcomes.total() + tally.void
    assert not tally.unread
    assert tally.mistakes


@pytest.mark.second_tier
@pytest.mark.parametrize("seed", range(60))
def test_many_rounds_that_go_wrong(seed: int) -> None:
    assert played(seed, WAYS[seed % len(WAYS)], 50, 150).rounds == 150


@pytest.mark.parametrize("kind", KINDS)
def test_each_mistake_by_script_and_then_right_rounds(kind: str) -> None:
    shoe = PaperShoe(InMemory("mbs-baccarat-8", {}), 5)
    tally = Robot(shoe, shoe, Random(5)).play(by_script(f"right\n{kind} 2\nright\nright"), 100)
    assert tally.rounds == 4
    assert tally.mistakes == Counter({kind: 1})


def test_one_shoe_and_no_more() -> None:
    tally = played(2, WAYS[0], 0, 1000, shoes=1)
    assert tally.shoes == 1
    assert 60 < tally.rounds < 90


def test_the_same_seed_plays_the_same_shoe() -> None:
    def story(seed: int) -> list[Line]:
        told: list[Line] = []
        shoe = PaperShoe(InMemory("mbs-baccarat-8", {}), seed)
        random = Random(seed)
        Robot(shoe, shoe, random, reported=told.append).play(by_chance(random, 30), 15)
        return told

    assert story(3) == story(3) != story(4)


class Liar(InMemory):
    """A table that thinks little of third cards, or of money."""

    def __init__(self, lie: str) -> None:
        super().__init__("mbs-baccarat-8", {})
        self._lie = lie

    def say(self, line: Line) -> list[Line]:
        (answer,) = super().say(line)
        if self._lie == "hands" and answer["hands"]["player"]:
            answer["hands"]["player"][0] = "2C"
        if self._lie == "winner" and answer["prompt"]["say_code"] == "say_player_wins":
            answer["prompt"]["say_code"] = "say_banker_wins"
        if self._lie == "money":
            answer["settlements"] = [{**paid, "result": "push"} for paid in answer["settlements"]]
        if self._lie == "done" and answer["state"] in ("players_third", "bankers_third"):
            answer["state"] = "outcome"
        if self._lie == "more" and answer["state"] == "outcome":
            answer["state"] = "players_third"
        return [answer]


@pytest.mark.parametrize("lie", ["hands", "winner", "money", "done", "more"])
def test_a_table_that_is_wrong_is_told_so(lie: str) -> None:
    shoe = PaperShoe(Liar(lie), 1)
    random = Random(1)
    with pytest.raises(Disagreement):
        Robot(shoe, shoe, random).play(by_chance(random, 0), 30)


def test_a_table_that_refuses_everything_leaves_the_robot_stuck() -> None:
    class Refuser(InMemory):
        def say(self, line: Line) -> list[Line]:
            (answer,) = super().say(line)
            return [{**answer, "accepted": False, "reason": "no", "code": "not_now"}]

    shoe = PaperShoe(Refuser("mbs-baccarat-8", {}), 1)
    with pytest.raises(Stuck):
        Robot(shoe, shoe, Random(1)).play(by_chance(Random(1), 0), 5)
