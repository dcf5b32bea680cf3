"""Fault numbers of the batch shuffler: their meanings and remedies, as in PROTOCOL.md."""

from collections.abc import Mapping
from typing import Final

from drivers.error_meaning import ErrorMeaning
from drivers.events import FaultClass, ShufflerFault

LID_OPEN: Final = 18
CONTENT_UNKNOWN: Final = 19
WRONG_PACK: Final = 20
OVERRAN: Final = 90
"""The driver's own: a motion that did not end in its time."""

FAULTS: Final[Mapping[int, tuple[ErrorMeaning, str]]] = {
    1: (ErrorMeaning.LOADING, "the infeed is empty: put the cards in"),
    2: (ErrorMeaning.JAM, "a card sticks at the infeed: take it out"),
    3: (ErrorMeaning.JAM, "a card sticks at the exit: take it out"),
    4: (
        ErrorMeaning.CONTENT_UNKNOWN,
        "a compartment is unexpectedly empty: empty the machine and count again",
    ),
    5: (ErrorMeaning.LOADING, "the machine is full and cards are left in the tray: empty it"),
    6: (ErrorMeaning.LOADING, "there are no cards in the machine: load a pack"),
    7: (ErrorMeaning.LOADING, "there are not enough cards for this deal"),
    8: (
        ErrorMeaning.LOADING,
        "the cards are inserted wrongly: take them out and put them in again",
    ),
    9: (ErrorMeaning.LOADING, "the pack was not taken out: take it"),
    10: (
        ErrorMeaning.SERVICE,
        "homing failed: switch the machine off and on, or call a technician",
    ),
    11: (ErrorMeaning.SERVICE, "the elevator did not reach its place: call a technician"),
    12: (ErrorMeaning.SERVICE, "alignment is lost: home the machine"),
    13: (ErrorMeaning.JAM, "a card could not be loaded: look at the infeed"),
    14: (ErrorMeaning.JAM, "a card could not be put out: look at the exit"),
    15: (ErrorMeaning.SERVICE, "a motor driver has failed: call a technician"),
    16: (ErrorMeaning.SERVICE, "the random generator has failed: take the machine out of use"),
    17: (ErrorMeaning.SERVICE, "the memory has failed: take the machine out of use"),
    LID_OPEN: (ErrorMeaning.OPEN, "the lid is open: close it, then count the pack again"),
    CONTENT_UNKNOWN: (
        ErrorMeaning.CONTENT_UNKNOWN,
        "what is inside is not known after a power cut or an open lid: count it again",
    ),
    WRONG_PACK: (
        ErrorMeaning.WRONG_PACK,
        "the pack is not right: empty the machine and take the pack out of play",
    ),
    21: (ErrorMeaning.JAM, "a motor is overloaded: look for a stuck card"),
    22: (ErrorMeaning.SERVICE, "the machine is too hot: let it cool down"),
    OVERRAN: (
        ErrorMeaning.SERVICE,
        "the machine has not ended what it was asked to do in time: look at it",
    ),
}


def event(code: int, kind: FaultClass) -> ShufflerFault:
    """Return the event of a fault; a number that is not in the list is reported as unexplained."""
    unknown = f"fault {code}, which this driver does not know: see the machine"
    means, text = FAULTS.get(code, (ErrorMeaning.OTHER, unknown))
    return ShufflerFault(code, text, kind, means)
