"""The readings we chose where a document is unclear, contradicts itself or is silent.

They are in `readings.toml`; each lists the clauses it touches, our decision and its reason.
"""

from importlib.resources import files
from typing import Final

import msgspec


class Reading(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    number: int
    name: str
    clauses: dict[str, tuple[str, ...]]
    """The clauses it touches, by book; an empty tuple where the book has no clause for it."""
    text: str = msgspec.field(name="says")
    why: str


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    reading: tuple[Reading, ...]


READINGS: Final = msgspec.toml.decode(
    files("controller.rulebooks").joinpath("readings.toml").read_bytes(), type=_File
).reading


def readings_of(book_id: str) -> tuple[Reading, ...]:
    return tuple(reading for reading in READINGS if book_id in reading.clauses)
