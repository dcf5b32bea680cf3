"""What is said of each latch: what happened, and what to do now. Rows are data, one a kind."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from controller.sentences.codes import Code
from controller.sentences.sentence import GapValue, Sentence, sentence
from controller.table.holds import Latch, LatchKind
from drivers.error_meaning import ErrorMeaning

SHOE: Final = "shoe"


@dataclass(frozen=True)
class HoldText:
    """The sentences of one kind of hold; a gap `device` or `by` is whoever put it on."""

    says: Code
    remedy: Code


LATCHES: Final[Mapping[LatchKind, HoldText]] = {
    LatchKind.LID_OPEN: HoldText(Code.HELD_LID_OPEN, Code.REMEDY_CLOSE_LID),
    LatchKind.LID_WAS_OPEN: HoldText(Code.HELD_LID_WAS_OPEN, Code.REMEDY_LOOK_INSIDE),
    LatchKind.LINK_LOST: HoldText(Code.HELD_LINK_LOST, Code.REMEDY_RECONNECT),
    LatchKind.LINK_WAS_LOST: HoldText(Code.HELD_LINK_WAS_LOST, Code.REMEDY_COMPARE_CARDS),
    LatchKind.DEVICE_ERROR: HoldText(Code.HELD_DEVICE_ERROR, Code.REMEDY_LOOK_AT_DEVICE),
    LatchKind.DEVICE_HAD_ERROR: HoldText(Code.HELD_DEVICE_HAD_ERROR, Code.REMEDY_COMPARE_CARDS),
    LatchKind.DRIVER_FAILED: HoldText(Code.HELD_DRIVER_FAILED, Code.REMEDY_DRIVER_FAILED),
    LatchKind.MUST_CLEAR: HoldText(Code.HELD_MUST_CLEAR, Code.REMEDY_CLEAR_AT_DEVICE),
    LatchKind.DEVICE_DISAGREES: HoldText(Code.HELD_RESULT_DIFFERS, Code.REMEDY_CARDS_DECIDE),
    LatchKind.PLACE_DISAGREES: HoldText(Code.HELD_PLACE_DIFFERS, Code.REMEDY_PLACES_DECIDE),
    LatchKind.EXCESS_DISCARDED: HoldText(Code.HELD_EXCESS_DISCARDED, Code.REMEDY_EXCESS_DISCARDED),
    LatchKind.CARD_DISAGREES: HoldText(Code.HELD_CARD_DIFFERS, Code.REMEDY_CARDS_DECIDE),
    LatchKind.JOURNAL_LOSS: HoldText(Code.HELD_JOURNAL_LOSS, Code.REMEDY_JOURNAL_LOSS),
    LatchKind.SELF_TEST_FAILED: HoldText(Code.HELD_SELF_TEST, Code.REMEDY_SELF_TEST),
    LatchKind.SELF_TEST_HAD_FAILED: HoldText(
        Code.HELD_SELF_TEST_WAS_BAD, Code.REMEDY_SELF_TEST_IS_GOOD
    ),
    LatchKind.PAUSED: HoldText(Code.HELD_PAUSED, Code.REMEDY_PAUSED),
}

ERRORS: Final[Mapping[ErrorMeaning, HoldText]] = {
    ErrorMeaning.UNREADABLE: HoldText(Code.HELD_UNREADABLE, Code.REMEDY_UNREADABLE),
    ErrorMeaning.EXCESS: HoldText(Code.HELD_EXCESS, Code.REMEDY_EXCESS),
    ErrorMeaning.SEVERAL_AT_ONCE: HoldText(Code.HELD_SEVERAL, Code.REMEDY_SEVERAL),
    ErrorMeaning.DOES_NOT_BELONG: HoldText(Code.HELD_FOREIGN, Code.REMEDY_FOREIGN),
    ErrorMeaning.JAM: HoldText(Code.HELD_JAM, Code.REMEDY_JAM),
    ErrorMeaning.LOADING: HoldText(Code.HELD_LOADING, Code.REMEDY_LOADING),
    ErrorMeaning.WRONG_PACK: HoldText(Code.HELD_WRONG_PACK, Code.REMEDY_WRONG_PACK),
    ErrorMeaning.CONTENT_UNKNOWN: HoldText(Code.HELD_CONTENT_UNKNOWN, Code.REMEDY_CONTENT_UNKNOWN),
    ErrorMeaning.OPEN: HoldText(Code.HELD_LID_OPEN, Code.REMEDY_CLOSE_LID),
    ErrorMeaning.NOTICE: HoldText(Code.HELD_NOTICE, Code.REMEDY_CLEAR_AT_DEVICE),
    ErrorMeaning.SERVICE: HoldText(Code.HELD_SERVICE, Code.REMEDY_SERVICE),
    ErrorMeaning.OTHER: HoldText(Code.HELD_DEVICE_ERROR, Code.REMEDY_LOOK_AT_DEVICE),
}

IN_ITS_OWN_WORDS: Final = frozenset(
    {LatchKind.DEVICE_DISAGREES, LatchKind.PLACE_DISAGREES, LatchKind.CARD_DISAGREES}
)
"""The latch itself says what the shoe has and what the table has."""


def text_of(latch: Latch) -> HoldText:
    """By what its error means, where it is one and that is known."""
    return LATCHES[latch.kind] if latch.means is None else ERRORS[latch.means]


def happened(latch: Latch) -> Sentence:
    if latch.kind in IN_ITS_OWN_WORDS and latch.says is not None:
        return latch.says
    return filled(text_of(latch).says, latch)


def detail(latch: Latch) -> Sentence | None:
    """What the maker calls it."""
    return None if latch.kind in IN_ITS_OWN_WORDS else latch.says


def filled(code: Code, latch: Latch) -> Sentence:
    gaps: dict[str, GapValue] = {"device": latch.by or SHOE, "by": latch.by or None}
    return sentence(code, **{name: gaps[name] for name in code.gaps})
