"""The feed's numbers: a line that comes again is one event, another line under an old number is
none that may go by in silence."""

import pytest

from drivers.contract import Driver
from drivers.events import BadFrame, CardRead, EventsLost
from drivers.registry import find
from drivers.shoe_feed.codec import MAX_NUMBER, written
from drivers.shoe_feed.driver import REMEMBERED
from support.rows import each_row


def greeted(sent: int = 0) -> Driver:
    driver = find("shoe_feed").with_settings({})
    driver.hello(0.0)
    driver.feed(written(f"HELLO 1 a {sent + 1} {sent}"), 0.0)
    return driver


def card(number: int, face: str = "9H") -> bytes:
    return written(f"{number} CARD {face} 1")


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_the_same_line_again_is_one_card(end: bytes) -> None:
    driver = greeted()
    driver.feed(card(1), 1.0)
    again = driver.feed(card(1).replace(b"\n", end), 2.0)
    assert (again.events, again.send) == ((), written("ACK 1"))


@each_row(
    "sent, told, comes",
    [
        (0, 3, card(2, "KS")),
        (MAX_NUMBER - 1, 1, card(1)),
        (0, REMEMBERED + 1, card(1)),
    ],
)
def test_another_line_under_an_old_number_is_doubt_and_not_acknowledged(
    sent: int, told: int, comes: bytes
) -> None:
    driver = greeted(sent)
    for number in range(sent + 1, sent + told + 1):
        assert [type(each) for each in driver.feed(card(number), 1.0).events] == [CardRead]
    step = driver.feed(comes, 2.0)
    assert [type(each) for each in step.events] == [BadFrame]
    assert isinstance(step.events[0], BadFrame)
    assert step.events[0].may_be_card
    assert step.send == written("WHO")
    said = driver.feed(written("HELLO 1 b 1 0"), 3.0)
    assert [type(each) for each in said.events] == [EventsLost]
    assert [type(each) for each in driver.feed(card(1), 4.0).events] == [CardRead]


def test_what_was_sent_before_the_table_started_is_in_the_count_of_the_start() -> None:
    driver = find("shoe_feed").with_settings({})
    driver.hello(0.0)
    step = driver.feed(written("HELLO 1 a 2 3"), 0.0)
    assert (step.events, step.send) == ((), written("COUNTED 1 4"))


def test_what_was_sent_before_a_link_that_was_lost_asks_for_the_count() -> None:
    """The link that comes back asks for none, and the dealer may have counted since the start."""
    driver = find("shoe_feed").with_settings({})
    driver.hello(0.0)
    driver.hello(1.0)
    step = driver.feed(written("HELLO 1 a 2 3"), 1.0)
    assert [type(each) for each in step.events] == [EventsLost]
    assert step.send == written("COUNTED 1 4")
