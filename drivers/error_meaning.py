"""The meanings of device errors at a table, independent of the maker's numbers."""

from collections.abc import Mapping
from enum import Enum
from typing import Final


class ErrorMeaning(Enum):
    """The meaning of an error. A table decides by it; the maker's number and words are shown."""

    # at a shoe
    UNREADABLE = "unreadable"
    """A card cannot be read. The card itself is reported as `ReadFailed`."""
    EXCESS = "excess"
    """A card too many was drawn. The card itself is reported as `ExcessCard`."""
    SEVERAL_AT_ONCE = "several_at_once"
    """Cards went out or back together, so their order is in doubt."""
    DOES_NOT_BELONG = "does_not_belong"
    """A card of another set. The card itself is reported as `ReadFailed`."""

    # at a shuffler
    JAM = "jam"
    """Cards are stuck: a person takes them out."""
    LOADING = "loading"
    """Cards are missing, left over or put in wrongly: a person puts them in or takes them."""
    WRONG_PACK = "wrong_pack"
    """The pack is not the one it should be and leaves play."""
    CONTENT_UNKNOWN = "content_unknown"
    """The content is unknown until it is counted again."""
    OPEN = "open"
    """A lid or a door is open."""

    # at either
    NOTICE = "notice"
    """For information; it has no effect."""
    SERVICE = "service"
    """The machine itself has failed: it is restarted, or a technician comes."""
    OTHER = "other"
    """The meaning is not documented: the table is held until somebody has looked."""


SHOE_NUMBERS: Final[Mapping[int, ErrorMeaning]] = {
    1: ErrorMeaning.UNREADABLE,
    2: ErrorMeaning.EXCESS,
    3: ErrorMeaning.NOTICE,
    4: ErrorMeaning.SEVERAL_AT_ONCE,
    5: ErrorMeaning.SEVERAL_AT_ONCE,
    6: ErrorMeaning.DOES_NOT_BELONG,
    7: ErrorMeaning.NOTICE,
}
"""The Angel Eye's own numbers. Before errors had meanings every shoe used these, so JSON lines and
driver packages may contain only the number."""


def meaning_of(code: int | None, means: str | None = None) -> ErrorMeaning:
    """Return an error's meaning from its word, or from its number if there is no word.

    Raises `ValueError` for a word that is no meaning.
    """
    if means is not None:
        return ErrorMeaning(means)
    return ErrorMeaning.OTHER if code is None else SHOE_NUMBERS.get(code, ErrorMeaning.OTHER)
