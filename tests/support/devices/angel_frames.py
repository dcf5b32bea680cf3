"""Angel Eye frames written down from its protocol a second time, for tests only."""

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from operator import xor

from drivers.contract import Driver
from drivers.events import BadFrame, CardRead, Event, EventsLost
from drivers.registry import find

SUITS = {"D": 0x90, "C": 0xA0, "S": 0xB0, "H": 0xC0}
RANKS = "A23456789TJQK"
PLACES = {"P": 0x80, "B": 0x90, "burn": 0xA0, "first": 0xC0, "count": 0xD0}
COPY_S = 0.05
EVENT_S = 2.0


def frame(seq: str, data: bytes) -> bytes:
    covered = seq.encode() + data + b"\x03"
    return b"\x05" + covered + f"{reduce(xor, covered):02X}".encode()


def face(card: str | None) -> int:
    return 0x80 if card is None else SUITS[card[1]] + RANKS.index(card[0]) + 1


def drawn(what: str, index: int, card: str | None, letter: bytes = b"D") -> bytes:
    return letter + bytes((PLACES[what] | index, face(card)))


def numbered(datas: Iterable[bytes], numbers: str = "123456789", first: int = 0) -> list[bytes]:
    """Frames with running numbers, one for each event."""
    return [frame(numbers[(first + n) % len(numbers)], data) for n, data in enumerate(datas)]


ROUND = [
    drawn("P", 1, "2C"),
    drawn("B", 1, "3H"),
    drawn("P", 2, "3D"),
    drawn("B", 2, "KS"),
    drawn("P", 3, "4C"),
    drawn("B", 3, "6S"),
    b"G\xa0",
    b"P",
]
"""A tie at nine with six cards, and stand-by."""
ROUND_CARDS = ["2C", "3H", "3D", "KS", "4C", "6S"]


def shoe(settings: Mapping[str, object] | None = None) -> Driver:
    """A driver whose port has just opened."""
    driver = find("shoe_angel_eye").with_settings(settings)
    assert driver.hello(0.0).events == ()
    return driver


class Bench:
    """A driver with a clock: what it said, in order."""

    def __init__(self, settings: Mapping[str, object] | None = None) -> None:
        self.driver = shoe(settings)
        self.at = 0.0
        self.events: list[Event] = []

    def hear(self, data: bytes, after: float = 0.0) -> list[Event]:
        """Bytes come `after` so many seconds; time-outs on the way happen at their time."""
        events = self.wait(after)
        return [*events, *self._kept(list(self.driver.feed(data, self.at).events))]

    def wait(self, seconds: float) -> list[Event]:
        until, events = self.at + seconds, list[Event]()
        while (due := self.driver.deadline()) is not None and due <= until:
            events += self.driver.tick(due).events
        self.at = until
        return self._kept(events)

    def say(self, whole: bytes, copies: int = 3) -> list[Event]:
        """One event as the shoe sends it, some time after the last."""
        events = self.hear(whole, EVENT_S)
        for _ in range(copies - 1):
            events += self.hear(whole, COPY_S)
        return events

    def reconnect(self, after: float) -> list[Event]:
        events = self.wait(after)
        return [*events, *self._kept(list(self.driver.hello(self.at).events))]

    def _kept(self, events: list[Event]) -> list[Event]:
        self.events += events
        return events


def cards(events: Iterable[Event]) -> list[str]:
    return [event.card.code for event in events if isinstance(event, CardRead)]


def doubts(events: Iterable[Event]) -> list[Event]:
    """What makes the table ask for the count."""
    return [
        event
        for event in events
        if isinstance(event, EventsLost) or (isinstance(event, BadFrame) and event.may_be_card)
    ]


def is_part_of(some: list[str], whole: list[str]) -> bool:
    """In the same order, each at most once."""
    rest: Iterator[str] = iter(whole)
    return all(each in rest for each in some)
