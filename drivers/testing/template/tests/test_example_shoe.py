"""Tests of this device alone: each vector with every cut, every flipped bit, and random lives."""

from collections.abc import Iterable

import pytest
from example_shoe_emulator.interface import line_of

from drivers.events import CardRead, Event
from drivers.testing.cuts import flips, same_however_cut
from drivers.testing.fuzz import run
from drivers.testing.lives import LONG, born, cards
from drivers.testing.vectors import vectors_of

VECTORS = vectors_of("example_shoe")


def told(pieces: Iterable[bytes]) -> list[Event]:
    life = born("example_shoe")
    for piece in pieces:
        life.hear(piece)
    life.wait(LONG)
    return life.events


@pytest.mark.parametrize("vector", VECTORS, ids=lambda each: each["meaning"])
def test_a_vector_is_the_same_however_it_is_cut(vector: dict[str, str]) -> None:
    same_however_cut(bytes.fromhex(vector["hex"]), told)


def test_no_flipped_bit_makes_another_card() -> None:
    """The share that the data sheet publishes under `checked`."""
    for struck in flips(line_of("CARD 9H")):
        read = [event for event in told([struck]) if isinstance(event, CardRead)]
        assert cards(read) in ([], ["9H"])


def test_the_emulator_says_what_the_vectors_say() -> None:
    known = {bytes.fromhex(each["hex"]) for each in VECTORS}
    assert {line_of("CARD 9H"), line_of("UNREAD"), line_of("CUT")} <= known


def test_random_lives() -> None:
    run("example_shoe", examples=50, seed_=1)
