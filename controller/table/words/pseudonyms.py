"""Players under made-up names of their own, put in the place of theirs before a word is recorded.

The same player always has the same pseudonym at one table, and nobody without the table's key can
tell whose it is, or make it from a name. What already is one stays as it is: pages show pseudonyms,
and people choose among them. What people write in their own words is not looked at.
"""

import base64
import hashlib
import hmac
import re
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from msgspec import UNSET
from msgspec.structs import replace

from controller.journal.bodies import Given
from controller.table.words.day import ChooseMethodWord
from controller.table.words.message import Malformed, Message
from controller.table.words.names import folded
from controller.table.words.people import (
    AcceptCardsWord,
    ChooseOptionWord,
    PlaceWord,
    RefuseCardsWord,
    ReportWord,
)
from controller.table.words.vocabulary import NOT_A_PLAYER, Word

Disguise: TypeAlias = Callable[[Message[Word]], Message[Word]]

_PSEUDONYM: Final = re.compile(r"P-[A-Z2-7]{8}")
PLAYER_FIELDS: Final[Mapping[type[Word], str]] = {
    PlaceWord: "player",
    AcceptCardsWord: "player",
    RefuseCardsWord: "player",
    ChooseOptionWord: "player",
    ChooseMethodWord: "drawer",
    ReportWord: "to",
}
"""The field by which a word names a player."""
_FIELD_NAMES: Final = frozenset(PLAYER_FIELDS.values())


def pseudonym(key: bytes, name: str) -> str:
    """However its letters are written, a name has one (reading 31)."""
    if _PSEUDONYM.fullmatch(name) or not name or name.strip().casefold() in NOT_A_PLAYER:
        return name
    said = folded(name.strip()).encode()
    made = hmac.digest(key, b"sabot player 1\0" + said, hashlib.sha256)
    return f"P-{base64.b32encode(made[:5]).decode()}"


def disguise_by(key: bytes) -> Disguise:
    """Every message, with pseudonyms in the place of players' names."""

    def disguised(said: Message[Word]) -> Message[Word]:
        word = _disguised_word(key, said.word)
        if said.source == "player" and said.who:
            said = replace(said, who=pseudonym(key, said.who))
        return said if word is said.word else replace(said, word=word)

    return disguised


def _disguised_word(key: bytes, word: Word) -> Word:
    if isinstance(word, Malformed):
        return replace(word, fields=_disguised_fields(key, word.fields))
    field = PLAYER_FIELDS.get(type(word))
    name = None if field is None else getattr(word, field)
    if field is None or name is None or name is UNSET:
        return word
    return replace(word, **{field: pseudonym(key, name)})


def _disguised_fields(key: bytes, fields: Given) -> Given:
    """What was refused is recorded as it came, but for names."""
    return {
        field: pseudonym(key, value) if field in _FIELD_NAMES and isinstance(value, str) else value
        for field, value in fields.items()
    }
