"""The floor pages' types are those of what the floor encodes."""

from enum import Enum
from typing import Annotated

import msgspec
import pytest

from support.floor.page_types import FILE, page_types
from support.typescript import AmbiguousName, declarations


class Suit(Enum):
    SPADES = "S"
    HEARTS = "H"


class Sample(msgspec.Struct, tag_field="type", tag="sample"):
    """A struct."""

    plain: int
    empty: list[str | None] = []
    suits: dict[Suit, float] = {}
    pair: tuple[int, str] = (1, "a")
    unset: "Sample | msgspec.UnsetType" = msgspec.UNSET
    """It may be left out."""
    renamed: bytes = msgspec.field(name="with", default=b"")
    passed: Annotated[object, msgspec.Meta(extra={"typescript": "Other"})] = None


def test_the_written_types_are_fresh() -> None:
    fresh = page_types() == FILE.read_text("utf-8")
    assert fresh, "run make generate ONLY=page-types"


def test_a_struct_becomes_an_interface_of_what_is_encoded() -> None:
    assert declarations([list[Sample]]) == (
        "/** A struct. */\n"
        "export interface Sample {\n"
        '  type: "sample";\n'
        "  plain: number;\n"
        "  empty: (string | null)[];\n"
        "  suits: Partial<Record<Suit, number>>;\n"
        "  pair: [number, string];\n"
        "  /** It may be left out. */\n"
        "  unset?: Sample;\n"
        "  with: string;\n"
        "  passed: Other;\n"
        "}\n\n"
        'export type Suit =\n  "S" | "H";\n'
    )


def test_two_structs_of_one_name_are_refused() -> None:
    other = msgspec.defstruct("Sample", [("plain", int)])
    with pytest.raises(AmbiguousName):
        declarations([Sample, other])
