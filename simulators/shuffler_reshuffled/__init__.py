"""ReShuffled, an open-hardware shuffler: `make` returns one. The driver's PROTOCOL.md has its
facts."""

from collections.abc import Mapping
from random import Random
from typing import Final

from simulators.kit.contract import Given
from simulators.kit.settings import Choice, settled
from simulators.shuffler_reshuffled.device import Machine
from simulators.shuffler_reshuffled.interface import ReShuffled

SETTINGS: Final[Mapping[str, Choice]] = {
    "crc_covers": Choice("data", "what the checksum is made of", choices=("data", "data_and_hash")),
    "end": Choice("lf", "what ends a frame", choices=("lf", "semicolon")),
    "padding": Choice(False, "print a checksum's leading zeros; the board does not"),
    "check_crc": Choice(False, "leave a request with a wrong checksum unanswered"),
    "check_characters": Choice(False, "raise fault 4; the board means to and does not"),
    "answer": Choice(
        "at_once", "when a request that moves cards is answered", choices=("at_once", "when_done")
    ),
    "chatter": Choice(True, "print faults as text outside any frame, as the board does"),
    "echo": Choice(False, "print every request back, as an early firmware does"),
    "card_s": Choice(0.25, "seconds a card takes through the machine"),
}


def make(settings: Given, seed: int) -> ReShuffled:
    chosen = settled("shuffler_reshuffled", SETTINGS, settings)
    return ReShuffled(Machine(Random(seed), float(chosen["card_s"])), chosen)
