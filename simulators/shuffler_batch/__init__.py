"""A multi-deck batch shuffler that verifies decks: `make` returns one. The driver's PROTOCOL.md
describes its protocol."""

from collections.abc import Mapping
from random import Random
from typing import Final

from simulators.kit.contract import Given
from simulators.kit.settings import Choice, settled
from simulators.shuffler_batch.device import Machine, Times
from simulators.shuffler_batch.interface import BatchShuffler

SETTINGS: Final[Mapping[str, Choice]] = {
    "decks": Choice(8, "decks of a pack when it is started at the machine"),
    "card_s": Choice(0.4, "seconds a card takes through the machine"),
    "motors": Choice(1.0, "seconds for a second of its other motions; 0.1 is ten times as fast"),
    "reads": Choice("faces", "what it can verify", choices=("faces", "count")),
    "tells_order": Choice(
        False, "a machine that should not be: it tells the order after every shuffle"
    ),
}


def make(settings: Given, seed: int) -> BatchShuffler:
    chosen = settled("shuffler_batch", SETTINGS, settings)
    times = Times.paced(float(chosen["card_s"]), float(chosen["motors"]))
    machine = Machine(Random(seed), times, int(chosen["decks"]), chosen["reads"] == "faces")
    machine.tells_order = bool(chosen["tells_order"])
    return BatchShuffler(machine)
