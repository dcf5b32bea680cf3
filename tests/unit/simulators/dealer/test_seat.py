"""The robot at its seat, before a table that says what a test wrote down."""

from random import Random
from typing import Any

import pytest

from simulators.dealer.links import Line, TableSilent
from simulators.dealer.plan import Plan
from simulators.dealer.seat import Seat

LOST = {"state": "halted", "asks": [], "offers": [], "prompt": {"code": "prompt_link_lost"}}
COUNT = {**LOST, "asks": [{"do": "count", "ask": "count"}], "prompt": {"code": "prompt_count"}}


class WrittenTable:
    """Refuses everything, and stands after each word as the test says. Unasked it sends `comes`,
    and then nothing."""

    def __init__(self, *after: Line, comes: tuple[Line, ...] = (COUNT,)) -> None:
        self._after = list(after)
        self._comes = list(comes)
        self.waits = 0

    def say(self, line: Line) -> list[Line]:
        del line
        stands = self._after.pop(0) if len(self._after) > 1 else self._after[0]
        return [{**stands, "accepted": False, "reason": "no"}]

    def wait(self) -> Line:
        self.waits += 1
        if not self._comes:
            raise TableSilent("the table has said nothing")
        return self._comes.pop(0)


class WrittenShoe:
    """Shows one state after the other, the last for ever; takes every button."""

    def __init__(self, *shows: dict[str, Any]) -> None:
        self.shows = list(shows)
        self.pressed: list[object] = []

    def do(self, word: str, **given: object) -> Any:
        assert word == "press"
        self.pressed.append(given["button"])

    def look(self) -> dict[str, Any]:
        return self.shows.pop(0) if len(self.shows) > 1 else self.shows[0]


def seated(table: WrittenTable, *shows: dict[str, Any]) -> Seat:
    shoe = WrittenShoe(*shows or ({},))
    seat = Seat(table, shoe, Random(1), Plan(), lambda _seconds: None)
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


def test_an_error_that_holds_the_table_is_cleared_at_the_shoe_and_not_waited_for() -> None:
    """Nobody's word ends it, and nothing more would ever have come."""
    table = WrittenTable(LOST, comes=())
    seat = seated(table, {}, {"error": 3}, {"error": None})
    seat.answer()
    assert isinstance(seat.shoe, WrittenShoe)
    assert seat.shoe.pressed == ["clear"]


@pytest.mark.parametrize("comes", ["gave_up", "error", "started", "link_lost"])
def test_forced_exit_ends_with_whatever_the_shoe_makes_of_it(comes: str) -> None:
    """Its round may have ended between the look at it and the press."""
    table = WrittenTable(LOST, comes=({**LOST, "what": comes},))
    seat = seated(table, {"phase": "dealing"}, {"phase": "stand-by"})
    assert seat.tend_shoe(between_rounds=True)
    assert seat.now["what"] == comes


def test_a_count_waits_until_the_shoe_has_sent_every_card() -> None:
    """A card that was counted and reported afterwards was one more to the table."""
    shows: list[dict[str, Any]] = [{"events_waiting": 2}, {"events_waiting": 1}, {}]
    table = WrittenTable(COUNT, LOST)
    seat = seated(table, *shows)
    seat.now = COUNT
    said: list[int] = []
    say = table.say

    def heard(line: Line) -> list[Line]:
        assert isinstance(seat.shoe, WrittenShoe)
        said.append(len(seat.shoe.shows))
        return say(line)

    table.say = heard  # type: ignore[method-assign]
    seat.answer()
    assert said[0] == 1, "nothing waited at the shoe any more"


def test_after_a_card_that_was_lost_on_the_line_the_dealer_goes_on() -> None:
    """The next event's number shows the loss; without one nothing would ever have come."""
    seat = seated(WrittenTable(LOST, comes=()))
    seat.came("9H")
    assert seat.muddled
    assert seat.known.cards == ["9H"], "and it is counted when the table asks"
    table = WrittenTable(LOST, comes=({**LOST, "what": "card"}, COUNT))
    seated(table).came("2C")
    assert table.waits == 1, "the loss is not waited for again"
