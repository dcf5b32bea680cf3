"""A device that says it is at rest changes nothing with time: the program may sleep until somebody
does something."""

from random import Random

from simulators import registry
from simulators.kit.contract import Refused, Resting
from simulators.wire.unit import Unit
from support.rows import each_row

NAMES = sorted(registry.DEVICES)
LIVES, WORDS, LONG_S = 6, 40, 3600.0


def made(name: str, seed: int) -> Unit:
    unit = Unit(registry.make(name, {}, seed), seed)
    unit.step(LONG_S)
    return unit


def something(unit: Unit, by: Random) -> None:
    """Whatever a hand may do without being told more, or some bytes."""
    word = by.choice(sorted(unit.words))
    try:
        unit.do(word)
    except Refused:
        unit.hear(by.randbytes(5) + b"\n")
    unit.step(by.choice((0.0, 0.01, 0.3)))


@each_row("name", NAMES)
def test_time_alone_changes_nothing_of_a_device_at_rest(name: str) -> None:
    rested = 0
    for seed in range(LIVES):
        by, unit = Random(seed), made(name, seed)
        for _ in range(WORDS):
            something(unit, by)
            if unit.at_rest:
                rested += 1
                before = unit.shown()
                assert unit.step(LONG_S) == b""
                assert unit.shown() == before
    assert rested


@each_row("name", NAMES)
def test_ours_say_when_they_are_at_rest(name: str) -> None:
    assert isinstance(registry.make(name, {}, 1), Resting)


def test_bytes_under_way_are_no_rest() -> None:
    unit = made("shoe_bee_tek", 1)
    rests = [unit.at_rest]
    unit.do("delay", seconds=2)
    rests.append(unit.at_rest)
    unit.step(2.0)
    rests.append(unit.at_rest)
    unit.do("draw")
    rests.append(unit.at_rest)
    assert unit.step(0.0)
    rests.append(unit.at_rest)
    assert rests == [True, False, True, False, True]


def test_a_device_that_hangs_rests_whatever_it_had_to_say() -> None:
    unit = made("shoe_bee_tek", 1)
    unit.do("draw")
    unit.do("hang")
    assert unit.at_rest
    unit.do("resume")
    assert not unit.at_rest


def test_a_shoe_that_shows_its_result_does_not_rest_before_it_stands_by() -> None:
    unit = Unit(registry.make("shoe_angel_eye", {"burn": False, "result_s": 30}, 1), 1)
    unit.step(LONG_S)
    for card in ("9S", "2S", "KS", "5S"):
        unit.do("draw", card=card)
    unit.step(20.0)
    assert not unit.at_rest
    assert unit.step(20.0)
    unit.step(1.0)
    assert unit.at_rest
