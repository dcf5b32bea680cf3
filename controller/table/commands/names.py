"""Names that count as one person's: those that people cannot tell apart when they read them.

A second person is recognised by another name, and letters of other alphabets look like ours. A name
is reduced to what it looks like, once in small letters and once in capitals: a Greek eta is an n
here and an H there. Only letters that look alike in most typefaces count; digits are left alone,
since houses number their staff.
"""

from collections.abc import Iterable
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


def is_same_name(one: str, other: str) -> bool:
    """Whether two names look like one: in capitals or not, in another width or alphabet."""
    return any(a == b for a, b in zip(normalized_name(one), normalized_name(other), strict=True))


@lru_cache(maxsize=500)
def normalized_name(name: str) -> tuple[str, str]:
    """What a name looks like in small letters, and in capitals."""
    plain = normalize("NFKC", name)
    small = plain.casefold().translate(_SMALL)
    return normalize("NFC", small), normalize("NFC", plain.upper().translate(_CAPITAL))


def folded(name: str) -> str:
    """One form for all ways to write a name, where a key can be made of one form only: every letter
    is taken for what it looks like in its own case."""
    plain = normalize("NFKC", name).translate(_CAPITAL).translate(_SMALL)
    return normalize("NFC", plain.casefold())


class Spellings:
    """Finds a name that looks like one that was given before."""

    __slots__ = ("_capital", "_small")

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._small: dict[str, str] = {}
        self._capital: dict[str, str] = {}
        for name in names:
            self.add(name)

    def add(self, name: str) -> None:
        """Enter a name; one that looks the same and came before it stays."""
        small, capital = normalized_name(name.strip())
        self._small.setdefault(small, name)
        self._capital.setdefault(capital, name)

    def find(self, name: str) -> str | None:
        """The name as it was first given; None where none looks like it."""
        small, capital = normalized_name(name.strip())
        return self._small.get(small) or self._capital.get(capital)
