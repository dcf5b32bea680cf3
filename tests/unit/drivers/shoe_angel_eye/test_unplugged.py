"""The cable comes out after every byte of a round: no card twice, none lost in silence."""

from support.devices.angel_frames import (
    ROUND,
    ROUND_CARDS,
    Bench,
    cards,
    doubts,
    is_part_of,
    numbered,
)
from support.rows import each_row

FRAMES = numbered([b"P", *ROUND, *ROUND], first=4)
TRUTH = [*ROUND_CARDS, *ROUND_CARDS]
COPIES = [whole for whole in FRAMES[:9] for _ in range(3)]
LENGTH = sum(map(len, COPIES))


def _until(bench: Bench, end: int) -> int:
    """The stream up to a byte; gives the number of the copy the cut is in."""
    for number, whole in enumerate(COPIES):
        piece = whole[:end]
        end -= len(piece)
        bench.hear(piece, 0.05 if number % 3 else 2.0)
        if end <= 0:
            return number
    return len(COPIES)


@each_row("away", [0.2, 2.5, 60.0])
def test_bytes_kept_for_us_lose_and_double_nothing(away: float) -> None:
    stream = b"".join(COPIES)
    for cut in range(1, LENGTH):
        bench = Bench()
        _until(bench, cut)
        bench.reconnect(away)
        bench.hear(stream[cut:])
        for whole in FRAMES[9:]:
            bench.say(whole)
        assert cards(bench.events) == TRUTH


@each_row("lost_events", [0, 1, 2, 5])
@each_row("away", [0.2, 2.5, 60.0])
def test_bytes_that_are_gone_are_told(away: float, lost_events: int) -> None:
    for cut in range(1, LENGTH):
        bench = Bench()
        event = _until(bench, cut) // 3
        bench.reconnect(away)
        for whole in FRAMES[event + 1 + lost_events :]:
            bench.say(whole)
        bench.wait(30.0)
        assert is_part_of(cards(bench.events), TRUTH)
        assert cards(bench.events) == TRUTH or doubts(bench.events)


def test_an_event_that_came_through_once_before_the_cut_is_no_doubt() -> None:
    bench = Bench()
    for whole in FRAMES[:3]:
        bench.say(whole)
    bench.hear(FRAMES[3] + FRAMES[3][:5], 2.0)
    bench.reconnect(10.0)
    for whole in FRAMES[4:]:
        bench.say(whole)
    assert cards(bench.events) == TRUTH
    assert doubts(bench.events) == []
