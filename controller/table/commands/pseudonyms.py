"""Pseudonyms of players, which replace their names before a command is recorded.

The same player always has the same pseudonym at one table, and without the table's key it can be
neither traced to a name nor made from one. A pseudonym is left as it is: pages show pseudonyms, and
people choose among them. Free text that people write is not searched.
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
from controller.table.commands.day import ChooseMethodCommand
from controller.table.commands.message import MalformedPayload, Message
from controller.table.commands.names import folded
from controller.table.commands.people import (
    AcceptCardsCommand,
    ChooseOptionCommand,
    PlaceCommand,
    RefuseCardsCommand,
    ReportCommand,
)
from controller.table.commands.registry import NOT_A_PLAYER, Payload

Disguise: TypeAlias = Callable[[Message[Payload]], Message[Payload]]

_PSEUDONYM: Final = re.compile(r"P-[A-Z2-7]{8}")
PLAYER_FIELDS: Final[Mapping[type[Payload], str]] = {
    PlaceCommand: "player",
    AcceptCardsCommand: "player",
    RefuseCardsCommand: "player",
    ChooseOptionCommand: "player",
    ChooseMethodCommand: "drawer",
    ReportCommand: "to",
}
"""The field by which a command names a player."""
_FIELD_NAMES: Final = frozenset(PLAYER_FIELDS.values())


def pseudonym(key: bytes, name: str) -> str:
    """The pseudonym of a name, the same for all its spellings (reading 31)."""
    if _PSEUDONYM.fullmatch(name) or not name or name.strip().casefold() in NOT_A_PLAYER:
        return name
    data = folded(name.strip()).encode()
    made = hmac.digest(key, b"sabot player 1\0" + data, hashlib.sha256)
    return f"P-{base64.b32encode(made[:5]).decode()}"


def disguise_with_key(key: bytes) -> Disguise:
    """A function that returns a message with pseudonyms in place of players' names."""

    def disguised(message: Message[Payload]) -> Message[Payload]:
        payload = _disguised_word(key, message.payload)
        if message.source == "player" and message.who:
            message = replace(message, who=pseudonym(key, message.who))
        return message if payload is message.payload else replace(message, payload=payload)

    return disguised


def _disguised_word(key: bytes, payload: Payload) -> Payload:
    if isinstance(payload, MalformedPayload):
        return replace(payload, fields=_disguised_fields(key, payload.fields))
    field = PLAYER_FIELDS.get(type(payload))
    name = None if field is None else getattr(payload, field)
    if field is None or name is None or name is UNSET:
        return payload
    return replace(payload, **{field: pseudonym(key, name)})


def _disguised_fields(key: bytes, fields: Given) -> Given:
    """The fields of a refused message, recorded as they came except for names."""
    return {
        field: pseudonym(key, value) if field in _FIELD_NAMES and isinstance(value, str) else value
        for field, value in fields.items()
    }
