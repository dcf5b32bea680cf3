"""The sentences of each hold: what happened, and what to do now. Rows are data, one a kind."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from controller.messages.codes import Code
from controller.messages.sentence import ParamValue, Sentence, sentence
from controller.table.holds import Hold, HoldReason
from drivers.error_meaning import ErrorMeaning

SHOE: Final = "shoe"


@dataclass(frozen=True)
class HoldText:
    """The sentences of one kind of hold; a gap `device` or `by` is who put it on."""

    text: Code
    remedy: Code


TEXTS: Final[Mapping[HoldReason, HoldText]] = {
    HoldReason.LID_OPEN: HoldText(Code.HELD_LID_OPEN, Code.REMEDY_CLOSE_LID),
    HoldReason.LID_WAS_OPEN: HoldText(Code.HELD_LID_WAS_OPEN, Code.REMEDY_LOOK_INSIDE),
    HoldReason.LINK_LOST: HoldText(Code.HELD_LINK_LOST, Code.REMEDY_RECONNECT),
    HoldReason.LINK_WAS_LOST: HoldText(Code.HELD_LINK_WAS_LOST, Code.REMEDY_COMPARE_CARDS),
    HoldReason.DEVICE_ERROR: HoldText(Code.HELD_DEVICE_ERROR, Code.REMEDY_LOOK_AT_DEVICE),
    HoldReason.DEVICE_HAD_ERROR: HoldText(Code.HELD_DEVICE_HAD_ERROR, Code.REMEDY_COMPARE_CARDS),
    HoldReason.DRIVER_FAILED: HoldText(Code.HELD_DRIVER_FAILED, Code.REMEDY_DRIVER_FAILED),
    HoldReason.MUST_CLEAR: HoldText(Code.HELD_MUST_CLEAR, Code.REMEDY_CLEAR_AT_DEVICE),
    HoldReason.DEVICE_DISAGREES: HoldText(Code.HELD_RESULT_DIFFERS, Code.REMEDY_CARDS_DECIDE),
    HoldReason.PLACE_DISAGREES: HoldText(Code.HELD_PLACE_DIFFERS, Code.REMEDY_PLACES_DECIDE),
    HoldReason.EXCESS_DISCARDED: HoldText(Code.HELD_EXCESS_DISCARDED, Code.REMEDY_EXCESS_DISCARDED),
    HoldReason.CARD_DISAGREES: HoldText(Code.HELD_CARD_DIFFERS, Code.REMEDY_CARDS_DECIDE),
    HoldReason.JOURNAL_LOSS: HoldText(Code.HELD_JOURNAL_LOSS, Code.REMEDY_JOURNAL_LOSS),
    HoldReason.SELF_TEST_FAILED: HoldText(Code.HELD_SELF_TEST, Code.REMEDY_SELF_TEST),
    HoldReason.SELF_TEST_HAD_FAILED: HoldText(
        Code.HELD_SELF_TEST_WAS_BAD, Code.REMEDY_SELF_TEST_IS_GOOD
    ),
    HoldReason.PAUSED: HoldText(Code.HELD_PAUSED, Code.REMEDY_PAUSED),
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
    {HoldReason.DEVICE_DISAGREES, HoldReason.PLACE_DISAGREES, HoldReason.CARD_DISAGREES}
)
"""The hold itself has what the shoe has and what the table has."""


def hold_text(hold: Hold) -> HoldText:
    """The sentences by the meaning of its error, where it has a known one."""
    return TEXTS[hold.kind] if hold.meaning is None else ERRORS[hold.meaning]


def hold_sentence(hold: Hold) -> Sentence:
    if hold.kind in IN_ITS_OWN_WORDS and hold.text is not None:
        return hold.text
    return filled_sentence(hold_text(hold).text, hold)


def detail(hold: Hold) -> Sentence | None:
    """The maker's own number and text."""
    return None if hold.kind in IN_ITS_OWN_WORDS else hold.text


def filled_sentence(code: Code, hold: Hold) -> Sentence:
    params: dict[str, ParamValue] = {"device": hold.by or SHOE, "by": hold.by or None}
    return sentence(code, **{name: params[name] for name in code.params})
