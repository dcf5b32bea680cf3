"""The robot at its seat, before a table that says what a test wrote down."""

from random import Random
from typing import Any

from simulators.dealer.links import Line
from simulators.dealer.plan import Plan
from simulators.dealer.seat import Seat

LOST = {"state": "halted", "asks": [], "offers": [], "prompt": {"code": "prompt_link_lost"}}
COUNT = {**LOST, "asks": [{"do": "count", "ask": "count"}], "prompt": {"code": "prompt_count"}}


class WrittenTable:
    """Refuses everything, and stands after each word as the test says."""

    def __init__(self, *after: Line) -> None:
        self._after = list(after)
        self.waits = 0

    def say(self, line: Line) -> list[Line]:
        del line
        stands = self._after.pop(0) if len(self._after) > 1 else self._after[0]
        return [{**stands, "accepted": False, "reason": "no"}]

    def wait(self) -> Line:
        self.waits += 1
        return COUNT


class NoShoe:
    def do(self, word: str, **given: object) -> Any:
        raise AssertionError(word, given)

    def look(self) -> dict[str, Any]:
        raise AssertionError


def seated(table: WrittenTable) -> Seat:
    seat = Seat(table, NoShoe(), Random(1), Plan(), lambda _seconds: None)
    seat.now = LOST
    return seat


def test_what_is_asked_while_it_tries_is_answered_next_and_not_waited_for() -> None:
    """A shoe came back between two of its words: nothing more would ever have come."""
    table = WrittenTable(LOST, COUNT)
    seat = seated(table)
    seat.answer()
    assert table.waits == 0
    assert seat.now["asks"]


def test_where_nothing_helps_a_device_is_waited_for() -> None:
    table = WrittenTable(LOST)
    seated(table).answer()
    assert table.waits == 1
