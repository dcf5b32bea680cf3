"""The robot at a demo's console: real programs, words by HTTP, cards by the wire, no browser."""

import json
import re
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from simulators.console_robot.player import STAKES, WRONG_ROUNDS
from simulators.console_robot.staff import Staff
from simulators.console_robot.table import web_table
from simulators.dealer.links import BackDoor, Stuck
from simulators.dealer.mistakes import by_script
from simulators.dealer.plan import Plan
from simulators.dealer.robot import Robot
from simulators.panel import panel
from support.console.demo_program import running_demo
from support.console.plain_screens import LIMIT_S, Screen
from support.console.table_in_hand import console
from support.feeds import open_feed


@pytest.fixture
def demo() -> Iterator[tuple[str, str]]:
    """The console's address and the shoe's; where nobody has dealt yet, in any order of tests."""
    with running_demo() as told:
        url, shoe, _ = re.findall(r"http://127\.0\.0\.1:\d+(?=\s)", told)
        yield url, shoe


def until(shoe: str, **wanted: Any) -> dict[str, Any]:
    """Wait until the robot shows this."""
    for tries in count():
        seen: dict[str, Any] = panel.ask(shoe, "/robot")
        if all(seen[name] == value for name, value in wanted.items()):
            return seen
        assert tries < LIMIT_S * 20, (wanted, seen)
        time.sleep(0.05)
    raise AssertionError


def test_robot_deals_at_a_press_until_a_person_speaks(demo: tuple[str, str]) -> None:
    url, shoe = demo
    with open_feed(f"{url.replace('http', 'ws')}/feed/public") as feed:
        panel.ask(shoe, "/robot/fast", {})
        seen: set[str] = set()
        results: list[str] = []
        while len(results) < 2:
            message = json.loads(feed.recv(timeout=LIMIT_S))
            if message["type"] != "beat":
                seen.add(message["view"]["state"])
                results = message["view"]["results"]
    assert {"betting", "dealing", "settling"} <= seen
    anna = Screen(url)
    anna.sign_in("anna", "1111")
    anna.say("place", player="seat 9", wager="tie", amount=2500, position=9)
    until(shoe, playing=None, why="taken_over")
    rounds = anna.ask("/api/rounds")["rounds"]
    assert {each["dealer"] for each in rounds} == {"robot"}
    assert all(each["void"] is None for each in rounds)


def test_robot_goes_on_with_the_round_that_lies_there_until_a_hand_is_on_the_shoe(
    demo: tuple[str, str],
) -> None:
    _, shoe = demo
    panel.ask(shoe, "/robot/normal", {})
    until(shoe, playing="normal")
    with pytest.raises(panel.DoorError, match="does not hang"):  # a touch that changes nothing
        panel.do(shoe, "resume")
    until(shoe, playing=None, why="taken_over")


@pytest.mark.second_tier
def test_every_mistake_it_makes_is_noticed_and_led_out_of(demo: tuple[str, str]) -> None:
    url, shoe = demo
    screen = Screen(url)
    screen.sign_in("eve", "5555")
    with web_table(url, stopped=lambda: False) as table:
        plan = Plan(verified_by="ben", joins=True, stakes=STAKES)
        robot = Robot(table, BackDoor(shoe), Random(1), plan)
        played = robot.play(by_script(WRONG_ROUNDS), 100)
    assert set(played.mistakes) == {
        *("two", "unreadable", "extra", "cable", "wrong_order", "foreign", "early"),
    }
    rounds = screen.ask("/api/rounds")["rounds"]
    assert any(each["void"] for each in rounds)
    ruled = [ruling for each in rounds for ruling in each["rulings"]]
    noticed = {ruling["id"] for ruling in ruled}
    assert {"unreadable", "foreign_card"} <= noticed
    assert "ben" in {ruling["decided_by"] for ruling in ruled}, "a supervisor, signed in as such"


@pytest.mark.second_tier
def test_second_persons_word_is_left_to_the_pit_and_the_robot_deals_on(
    demo: tuple[str, str],
) -> None:
    """Two at once: the robot says that nobody knows the order, and a pit manager has time to
    approve the void; the robot plays on."""
    url, shoe = demo
    carla = Screen(url)
    carla.sign_in("carla", "3333")
    panel.ask(shoe, "/robot/floor", {})
    asked = waits(carla, lambda view: bool(view["asks"]) and view["asks"][0]["do"] == "approve")
    key = {"key": "approved-1", "secret": "3333", "seen": asked["seq"]}
    answer = carla.ask("/api/commands/approve", key)
    assert answer["accepted"]
    waits(carla, lambda view: view["state"] != "halted" and view["round"] != asked["round"])
    assert until(shoe, playing="floor")
    decided = carla.ask("/api/rounds")["rounds"][-1]["rulings"]
    assert "carla" in {ruling["decided_by"] for ruling in decided}


@pytest.mark.second_tier  # between two methods it may wait for a minute
def test_method_that_the_pit_chooses_is_dealt_by_the_robot(demo: tuple[str, str]) -> None:
    """From its floor or at the table: whoever steers does not sit down. Each way it goes on."""
    url, shoe = demo
    panel.ask(shoe, "/robot/fast", {})
    dora = Screen(url)
    dora.sign_in("dora", "4444")
    for method in ("A", "C"):
        accepted = False
        while not accepted:  # the robot may have been quicker
            waits(dora, lambda view: "method" in view["can"])
            accepted = dora.say("method", method=method).get("accepted", False)
        for tries in count():
            if [each["method"] for each in dora.ask("/api/rounds")["rounds"]][-1:] == [method]:
                break
            assert tries < LIMIT_S * 20, method
            assert until(shoe, playing="fast")
            time.sleep(0.05)


def waits(screen: Screen, good: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The pit's view once it is so, with the number of its record."""
    for tries in count():
        found = screen.ask("/api/table?audience=pit")
        if good(found["view"]):
            return {**found["view"], "seq": found["seq"]}
        assert tries < LIMIT_S * 20, found["view"]["prompt"]
        time.sleep(0.05)
    raise AssertionError


def test_robot_stops_at_a_press(demo: tuple[str, str]) -> None:
    _, shoe = demo
    panel.ask(shoe, "/robot/mistakes", {})
    panel.ask(shoe, "/robot/stop", {})
    until(shoe, playing=None, why="stopped")


def test_robot_does_not_sit_down_at_a_live_table(tmp_path: Path) -> None:
    with (
        console(tmp_path, demo=False) as live,
        pytest.raises(Stuck, match="no demo"),
    ):
        Staff(live.url)
