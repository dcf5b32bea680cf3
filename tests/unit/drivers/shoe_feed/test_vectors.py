"""Every vector however it is cut: what is told, and what the program is answered."""

from collections.abc import Iterable
from typing import Any
from zlib import crc32

import pytest

from drivers.commands import Lock
from drivers.contract import Driver
from drivers.errors import UnsupportedCommand
from drivers.events import CardRead, Event, EventsLost
from drivers.registry import find
from drivers.shoe_feed.codec import LINE_LONGEST
from drivers.testing.cuts import cuts, flips
from drivers.testing.vectors import vectors_of
from support.devices.device_says import made, said
from support.rows import each_row

NAME = "shoe_feed"
VECTORS = vectors_of("shoe_feed")
HELLO = "HELLO 1 cam-1 1 0"


def line(text: str) -> bytes:
    return b"%s*%08X\n" % (text.encode(), crc32(text.encode()))


def lived(
    driver: Driver, pieces: Iterable[bytes], at: float = 1.0
) -> tuple[list[Event], list[str]]:
    """All that is told and answered, and in the silence after it."""
    events: list[Event] = []
    sent = b""
    for piece in pieces:
        step = driver.feed(piece, at)
        events += step.events
        sent += step.send
    while (due := driver.deadline()) is not None:
        step = driver.tick(due)
        events += step.events
        sent += step.send
    answers = sent.decode().splitlines()
    assert all(line(each.partition("*")[0]).decode() == each + "\n" for each in answers)
    return events, [each.partition("*")[0] for each in answers]


@each_row("vector", VECTORS)
def test_vector_however_it_is_cut(vector: dict[str, Any]) -> None:
    for pieces in cuts(bytes.fromhex(vector["hex"])):
        events, answers = lived(made(NAME, vector.get("settings")), pieces)
        assert said(events) == vector["says"]
        assert answers == vector["sends"]


def test_an_acknowledgement_is_in_the_step_of_its_event() -> None:
    """What a step sends leaves when its events are on disk: never before, never without them."""
    driver = made(NAME)
    driver.feed(line(HELLO), 1.0)
    step = driver.feed(line("1 CARD 9H 1"), 1.0)
    assert said(list(step.events)) == ["card 9H"]
    assert step.send == line("ACK 1")


def test_no_flipped_bit_makes_another_card_and_the_line_is_asked_for_again() -> None:
    whole = line("1 CARD 9H 0.993")
    for bad in flips(whole):
        driver = made(NAME)
        driver.feed(line(HELLO), 1.0)
        events, _ = lived(driver, [bad, b"\n", whole])
        assert [event.card.code for event in events if isinstance(event, CardRead)] == ["9H"]


def test_a_lost_link_after_any_byte_costs_nothing_where_the_program_sends_again() -> None:
    cards = ("9H", "9H", "KD")
    events = [line(f"{n} CARD {card} 1") for n, card in enumerate(cards, 1)]
    stream = line(HELLO) + b"".join(events)
    for cut in range(len(stream) + 1):
        driver = made(NAME)
        told, _ = lived(driver, [stream[:cut]])
        assert driver.hello(5.0).events == ()
        for known in range(stream[:cut].count(b"\n")):  # so many acknowledgements came through
            again = line(f"HELLO 1 cam-1 {known + 1} 3") + b"".join(events[known:])
            after, _ = lived(driver, [again], at=6.0)
            told = [*told, *after]
        read = [event.card.code for event in told if isinstance(event, CardRead)]
        assert read == list(cards) or (not stream[:cut].count(b"\n") and not read)
        assert not [event for event in told if isinstance(event, EventsLost)]


def test_an_old_connections_line_is_not_taken_before_the_new_one_said_hello() -> None:
    driver = made(NAME)
    lived(driver, [line(HELLO), line("1 CARD 9H 1")])
    driver.hello(5.0)
    step = driver.feed(line("2 CARD 8S 1"), 6.0)
    assert (step.events, step.send) == ((), line("WHO"))
    events, answers = lived(driver, [line("HELLO 1 cam-1 2 2"), line("2 CARD 8S 1")], at=6.1)
    assert said(events) == ["card 8S"]
    assert answers == ["WELCOME 1 2", "ACK 2"]


def test_many_damaged_lines_are_asked_for_once_in_a_while() -> None:
    driver = made(NAME, {"again_s": 0.5})
    driver.feed(line(HELLO), 1.0)
    sent = b"".join(driver.feed(b"garbage\n", 1.0).send for _ in range(100))
    assert sent == line("AGAIN 1")
    assert driver.feed(b"garbage\n", 1.5).send == line("AGAIN 1")


def test_a_line_without_end_is_not_kept() -> None:
    driver = made(NAME)
    for _ in range(20):
        assert driver.feed(b"x" * LINE_LONGEST, 1.0).events == ()
    events, answers = lived(driver, [b"\n" + line(HELLO) + line("1 CARD 9H 1")])
    assert said(events) == ["damaged", "card 9H"]
    assert answers[-1] == "ACK 1"


def test_another_version_holds_the_table_until_the_right_one_speaks() -> None:
    driver = made(NAME)
    assert said(list(driver.feed(line("HELLO 2"), 1.0).events)) == ["error 10001"]
    assert driver.feed(line("HELLO 2"), 2.0).events == ()
    assert said(list(driver.feed(line(HELLO), 3.0).events)) == ["error_cleared 10001"]


def test_no_face_is_in_what_is_said_of_a_line() -> None:
    events, _ = lived(made(NAME), [line(HELLO) + line("1 CARD 9D 1") + b"2 CARD 8S 1*0\n"])
    assert "9D" not in repr(events)
    assert "8S" not in repr(events)


def test_it_takes_no_command() -> None:
    assert find(NAME).sheet.commands == ()
    with pytest.raises(UnsupportedCommand, match="Lock"):
        made(NAME).ask(Lock(), 1.0)
