"""The emulated program and the driver, nothing between them but bytes, cut after every one."""

from itertools import pairwise
from typing import NamedTuple

import pytest

from drivers.contract import Driver
from drivers.events import CardRead, Event, EventsLost, ReadFailed
from drivers.registry import find
from drivers.testing.vectors import vectors_of
from simulators.kit.contract import Emulator, Refused
from simulators.registry import make
from support.devices.device_says import said

CARDS = ("9S", "KD", "9S", "TC")
MAX_TURNS = 40
STEP_S = 0.3


class Cut(NamedTuple):
    """The link is gone after so many bytes in one direction; the rest of that turn is lost."""

    to_table: int = 1 << 30
    to_program: int = 1 << 30


class Link:
    """A driver and a program; `run` until everything is acknowledged."""

    def __init__(self, cut: Cut = Cut(), program: Emulator | None = None) -> None:  # noqa: B008
        self.program = program or make("shoe_feed")
        self.driver: Driver = find("shoe_feed").with_settings()
        self.events: list[Event] = []
        self._left = [cut.to_table, cut.to_program]
        self._at = 0.0
        self._up()

    def _up(self) -> None:
        self.events += self.driver.hello(self._at).events
        self.program.plugged()

    def _through(self, way: int, data: bytes) -> tuple[bytes, bool]:
        passed, lost = data[: self._left[way]], len(data) > self._left[way]
        self._left[way] = 1 << 30 if lost else self._left[way] - len(data)
        return passed, lost

    def turn(self) -> None:
        self._at += STEP_S
        data, lost = self._through(0, self.program.step(STEP_S))
        step = self.driver.feed(data, self._at)
        self.events += step.events
        answer, late = self._through(1, step.send)
        self.program.hear(answer)
        if lost or late:
            self._up()
        due = self.driver.deadline()
        if due is not None and due <= self._at:
            step = self.driver.tick(self._at)
            self.events += step.events
            self.program.hear(step.send)

    def run(self) -> list[Event]:
        for _ in range(MAX_TURNS):
            self.turn()
            if not self.program.shown()["not_acknowledged"] and self.program.shown()["welcomed"]:
                return self.events
        raise AssertionError("it was never acknowledged")


def drawn(link: Link) -> list[str]:
    for card in CARDS:
        link.program.words["draw"].do(card=card)
        link.run()
    return [event.card.code for event in link.events if isinstance(event, CardRead)]


def test_cut_after_every_byte_in_both_directions_nothing_is_doubled_and_nothing_lost() -> None:
    for cut in (*(Cut(to_table=n) for n in range(140)), *(Cut(to_program=n) for n in range(110))):
        link = Link(cut)
        assert drawn(link) == list(CARDS), cut
        assert not [event for event in link.events if isinstance(event, EventsLost)], cut


def test_what_a_hand_does_is_told() -> None:
    link = Link()
    for word, given in (
        ("unsure", {"confidence": "0.4"}),
        ("unreadable", {}),
        ("foreign", {}),
        ("cutting_card", {}),
        ("lost", {}),
        ("error", {"number": 3, "means": "service"}),
        ("clear", {"number": 3}),
    ):
        link.program.words[word].do(**given)
    assert said(link.run()) == [
        *("read_failed", "read_failed", "error 6", "read_failed", "cut_card"),
        *("events_lost", "error 3", "error_cleared 3"),
    ]


@pytest.mark.parametrize("word", ["restart", "forget"])
def test_a_program_that_has_lost_something_says_so(word: str) -> None:
    link = Link()
    assert drawn(link) == list(CARDS)
    link.program.words["draw"].do(card="2H")
    link.program.step(0.0)  # on its way, and lost
    link.program.words[word].do()
    link.program.words["draw"].do(card="3H")
    events = link.run()
    assert said(events[-2:]) == ["events_lost", "card 3H"]
    assert not any(isinstance(event, ReadFailed) for event in events)


def test_what_a_table_that_started_anew_may_have_is_counted_not_durable() -> None:
    """The answer to it comes through at the second time only: it is the same answer."""
    link = Link()
    assert drawn(link) == list(CARDS)
    link.program.words["draw"].do(card="2H")
    link.program.step(STEP_S)  # on its way, and the table is killed
    link.driver, link.events = find("shoe_feed").with_settings(), []
    link.program.plugged()
    link.driver.feed(link.program.step(STEP_S), 100.0)  # and the answer is lost
    link.program.plugged()
    link.program.words["draw"].do(card="3H")
    assert said(link.run()) == ["card 3H"]
    assert link.program.shown()["counted_by_people"] == 1


def test_its_hello_is_the_vectors() -> None:
    program = make("shoe_feed", {"session": "cam-1"})
    wire = bytes.fromhex(vectors_of("shoe_feed")[5]["hex"])
    assert program.step(0.0) == wire.partition(b"\n")[0] + b"\n"


def test_what_cannot_be_is_refused() -> None:
    words = make("shoe_feed").words
    for word, given in (("unsure", {"confidence": "2"}), ("error", {"means": "weather"})):
        with pytest.raises(Refused):
            words[word].do(**given)
    numbers = [int(line.split()[0]) for line in sent(3)]
    assert all(after == before + 1 for before, after in pairwise(numbers))


def sent(cards: int) -> list[bytes]:
    link = Link()
    link.run()
    for _ in range(cards):
        link.program.words["draw"].do()
    return link.program.step(0.1).splitlines()
