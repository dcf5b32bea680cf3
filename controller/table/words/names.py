"""Which names are one person's: those that people cannot tell apart when they read them.

A second person is known by another name, and letters of other alphabets look like ours. A name is
reduced to what it looks like, once in small letters and once in capitals: a Greek eta is an n here
and an H there. Only letters that look alike in most typefaces count; digits are left alone, since
houses number their staff.
"""

from functools import lru_cache
from typing import Final
from unicodedata import normalize

_SMALL: Final = str.maketrans(
    "авгеѕіїјӏкмнорстухһԁԛԝүѵё" + "αγεηιϊκνορτυχωϲϳ" + "\u0251\u0261\u0131",
    "abresiïjlkmhopctyxhdqwyvë" + "ayeniïkvoptuxwcj" + "agi",
)
_CAPITAL: Final = str.maketrans(
    "АВЕЅІЇЈӀКМНОРСТУХԀԚԜҮЁ" + "ΑΒΕΖΗΙΪΚΜΝΟΡΤΥΧΫϹͿ",
    "ABESIÏJIKMHOPCTYXDQWYË" + "ABEZHIÏKMNOPTYXŸCJ",
)


def same_name(one: str, other: str) -> bool:
    """Whether two names look like one: in capitals or not, in another width or alphabet."""
    return any(a == b for a, b in zip(looks(one), looks(other), strict=True))


@lru_cache(maxsize=500)
def looks(name: str) -> tuple[str, str]:
    """What a name looks like in small letters, and in capitals."""
    plain = normalize("NFKC", name)
    small = plain.casefold().translate(_SMALL)
    return normalize("NFC", small), normalize("NFC", plain.upper().translate(_CAPITAL))
