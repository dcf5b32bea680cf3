"""Catalogues: the texts of one language by code, and the display names of parameter values.

A catalogue is a JSON file in `languages/`. A text has its parameters in braces, each with its kind.
Where a number decides the grammar there are two forms, `{"by": "cards", "one": ..., "other": ...}`.
`names` maps ids to display names: roles, irregularities, wagers. English is the fallback of every
other catalogue; no code outside this file inspects a text.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final, TypeAlias

import msgspec

from controller.messages.codes import ParamKind
from controller.messages.sentence import Param, Sentence

Text: TypeAlias = str | Mapping[str, str]

ENGLISH: Final = "en"
SHIPPED: Final = (ENGLISH, "zh-Hans")
FOLDER: Final = Path(str(resources.files("controller.messages"))) / "languages"
"""One file for each language, named by its tag; the pages load the same files."""

_GAP: Final = re.compile(r"\{(\w+):(\w+)\*?\}")
"""`{n:number}`, `{players:name*}`: the parameter, its kind, and a star if it may be a list."""


@dataclass(frozen=True)
class Currency:
    """The format of amounts given in minor units."""

    code: str = ""
    minor_units: int = 2

    def written(self, amount: int) -> str:
        sign, digits = (
            ("-" if amount < 0 else ""),
            str(abs(amount)).rjust(self.minor_units + 1, "0"),
        )
        whole = digits[: len(digits) - self.minor_units]
        cents = digits[len(digits) - self.minor_units :]
        grouped = f"{int(whole):,}"
        # Whole amounts are written without cents, as chips are.
        tail = f".{cents}" if cents.strip("0") else ""
        return f"{self.code} {sign}{grouped}{tail}".strip()


@dataclass(frozen=True)
class Catalogue:
    """One language, for one table's money."""

    sentences: Mapping[str, Text]
    names: Mapping[str, Mapping[str, str]]
    currency: Currency = field(default_factory=Currency)

    def text(self, sentence_: Sentence) -> str:
        """Render the message; a code without a text is shown as it is."""
        text = self.sentences.get(sentence_.code)
        if text is None:
            return " ".join(
                [sentence_.code.replace("_", " "), *map(str, sentence_.params.values())]
            )
        if not isinstance(text, str):
            text = text["one" if sentence_.params.get(text["by"]) == 1 else "other"]
        found = _GAP.sub(
            lambda gap: self._written(ParamKind(gap[2]), sentence_.params.get(gap[1])), text
        )
        first = _GAP.match(text)
        return _capital(found) if first and ParamKind(first[2]) in _CAPITAL else found

    def name(self, kind: ParamKind, each: str) -> str:
        """The display name of an id."""
        return self.names.get(kind.value, {}).get(each) or each.replace("_", " ")

    def _written(self, kind: ParamKind, value: Param) -> str:
        if isinstance(value, list):
            return ", ".join(self._one(kind, each) for each in value)
        return self._one(kind, value)

    def _one(self, kind: ParamKind, value: str | int | None) -> str:
        if value is None:
            return self.names["nothing"].get(kind.value, self.names["nothing"]["any"])
        if kind is ParamKind.MONEY:
            return self.currency.written(int(value))
        if kind is ParamKind.FACE:
            return face(str(value))
        return self.name(kind, str(value)) if kind in _NAMED else str(value)


_NAMED: Final = frozenset(ParamKind) - {
    ParamKind.NUMBER,
    ParamKind.CARD,
    ParamKind.FACE,
    ParamKind.NAME,
    ParamKind.CLAUSE,
    ParamKind.ID,
    ParamKind.SAYS,
    ParamKind.MONEY,
}
_CAPITAL: Final = _NAMED - {ParamKind.WAGER}
"""Names that get a capital at the beginning of a sentence; a wager is shown by its id."""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


_SIGNS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def face(code: str) -> str:
    """A card in ledger notation: 9♥, 10♠."""
    rank, suit = code[:-1], code[-1:]
    return f"{'10' if rank == 'T' else rank}{_SIGNS.get(suit, suit)}"


class LanguageFile(msgspec.Struct, frozen=True):
    """The part of a language file that the table uses; the pages read the other parts."""

    sentences: dict[str, str | dict[str, str]]
    names: dict[str, dict[str, str]]
    name: str | None = None
    """The language's own name for itself."""


@cache
def _file(language: str) -> LanguageFile:
    return msgspec.json.decode((FOLDER / f"{language}.json").read_bytes(), type=LanguageFile)


def languages() -> dict[str, str]:
    """Map each available language tag to the language's own name; a new file adds one."""
    tags = sorted(file.stem for file in FOLDER.glob("*.json"))
    return {tag: _file(tag).name or tag for tag in tags}


@cache
def catalogue(language: str = ENGLISH, currency: Currency | None = None) -> Catalogue:
    """Load a shipped language; missing texts are in English."""
    english, own = _file(ENGLISH), _file(language)
    names = {kind: {**known, **own.names.get(kind, {})} for kind, known in english.names.items()}
    return Catalogue({**english.sentences, **own.sentences}, names, currency or Currency())


def english(sentence_: Sentence) -> str:
    """The English text, for logs, JSON lines and readers without another language."""
    return catalogue().text(sentence_)


def text_params(text: Text) -> dict[str, str]:
    """The parameters of a text in all its forms, with their kinds."""
    forms = (text,) if isinstance(text, str) else tuple(t for k, t in text.items() if k != "by")
    return {gap: kind for form in forms for gap, kind in _GAP.findall(form)}
