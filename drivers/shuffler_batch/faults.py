"""Fault numbers of the batch shuffler in words, with what to do; PROTOCOL.md has the same list."""

from collections.abc import Mapping
from typing import Final

LID_OPEN: Final = 18
CONTENT_UNKNOWN: Final = 19
WRONG_PACK: Final = 20
OVERRAN: Final = 90
"""The driver's own: a motion that did not end in its time."""

FAULTS: Final[Mapping[int, str]] = {
    1: "the infeed is empty: put the cards in",
    2: "a card sticks at the infeed: take it out",
    3: "a card sticks at the exit: take it out",
    4: "a compartment is unexpectedly empty: empty the machine and count again",
    5: "the machine is full and cards are left in the tray: empty it",
    6: "there are no cards in the machine: load a pack",
    7: "there are not enough cards for this deal",
    8: "the cards are inserted wrongly: take them out and put them in again",
    9: "the pack was not taken out: take it",
    10: "homing failed: switch the machine off and on, or call a technician",
    11: "the elevator did not reach its place: call a technician",
    12: "alignment is lost: home the machine",
    13: "a card could not be loaded: look at the infeed",
    14: "a card could not be put out: look at the exit",
    15: "a motor driver has failed: call a technician",
    16: "the random generator has failed: take the machine out of use",
    17: "the memory has failed: take the machine out of use",
    LID_OPEN: "the lid is open: close it, then count the pack again",
    CONTENT_UNKNOWN: "what is inside is not known after a power cut or an open lid: count it again",
    WRONG_PACK: "the pack is not right: empty the machine and take the pack out of play",
    21: "a motor is overloaded: look for a stuck card",
    22: "the machine is too hot: let it cool down",
    OVERRAN: "the machine has not ended what it was asked to do in time: look at it",
}


def says(code: int) -> str:
    return FAULTS.get(code, f"fault {code}, which this driver does not know: see the machine")
