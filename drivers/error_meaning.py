"""What an error of a device means at a table, whatever number its maker gave it."""

from collections.abc import Mapping
from enum import Enum
from typing import Final


class ErrorMeaning(Enum):
    """What an error is about. A table decides by this; the maker's number and words are shown."""

    # at a shoe
    UNREADABLE = "unreadable"
    """A card cannot be read. The card itself is told as `ReadFailed`."""
    EXCESS = "excess"
    """A card too many was drawn. The card itself is told as `ExcessCard`."""
    SEVERAL_AT_ONCE = "several_at_once"
    """Cards went out or back together, so their order is in doubt."""
    DOES_NOT_BELONG = "does_not_belong"
    """A card of another set. The card itself is told as `ReadFailed`."""

    # at a shuffler
    JAM = "jam"
    """Cards are stuck: a person takes them out."""
    LOADING = "loading"
    """Cards are missing, left over or put in wrongly: a person puts them in or takes them."""
    WRONG_PACK = "wrong_pack"
    """The pack is not the one it should be and leaves play."""
    CONTENT_UNKNOWN = "content_unknown"
    """What is inside is not known until it was counted again."""
    OPEN = "open"
    """A lid or a door is open."""

    # at either
    NOTICE = "notice"
    """To know; nothing follows by itself."""
    SERVICE = "service"
    """The machine itself has failed: it is restarted, or a technician comes."""
    OTHER = "other"
    """Nobody has written down what it means: the table is held until somebody has looked."""


SHOE_NUMBERS: Final[Mapping[int, ErrorMeaning]] = {
    1: ErrorMeaning.UNREADABLE,
    2: ErrorMeaning.EXCESS,
    3: ErrorMeaning.NOTICE,
    4: ErrorMeaning.SEVERAL_AT_ONCE,
    5: ErrorMeaning.SEVERAL_AT_ONCE,
    6: ErrorMeaning.DOES_NOT_BELONG,
    7: ErrorMeaning.NOTICE,
}
"""The Angel Eye's own numbers. Before an error said what it means every shoe used these, so JSON
lines and driver packages may tell no more than the number."""


def meaning_of(code: int | None, means: str | None = None) -> ErrorMeaning:
    """What an error means by its own word, or by its number where it says no more.

    Raises `ValueError` for a word that is no meaning."""
    if means is not None:
        return ErrorMeaning(means)
    return ErrorMeaning.OTHER if code is None else SHOE_NUMBERS.get(code, ErrorMeaning.OTHER)
