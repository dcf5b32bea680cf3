"""Reference pages, written from sources and schemas."""

from pathlib import Path
from typing import Any

import pytest

from controller.console.manual.reference import CONTRACT, driver_contract, json_lines

SOURCE = '''"""A module."""

class Public(Base):
    """What it is."""

    size: int = 3
    """How much
    of it."""
    bare = 1

    def feed(self, data: bytes) -> None:
        """Takes bytes."""

    def _hidden(self) -> None:
        """Nobody reads this."""

class _Private:
    """Nor this."""
'''


def test_contract_has_public_classes_with_fields_and_methods(tmp_path: Path) -> None:
    for name in CONTRACT:
        (tmp_path / f"{name}.py").write_text(SOURCE)
    page = driver_contract(tmp_path)
    assert "### Public (Base)\n\nWhat it is.\n" in page
    assert "* `size: int = 3`: How much of it.\n* `bare = 1`\n" in page
    assert "* `feed(data: bytes) -> None`: Takes bytes.\n" in page
    assert "Nobody" not in page
    assert "Nor this" not in page


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({"type": "integer"}, "integer"),
        ({"type": ["integer", "null"], "description": "how many"}, "integer or null: how many"),
        ({"const": "a"}, "`a`"),
        ({"enum": ["a", "b"]}, "`a` or `b`"),
        ({"anyOf": [{"type": "null"}, {"$ref": "#/$defs/Side"}]}, "null or [Side](#side)"),
        ({"type": "array", "items": {"type": "string"}}, "list of string"),
        ({"type": "array", "prefixItems": [{"type": "string"}], "items": False}, "[string]"),
        ({}, "any value"),
    ],
)
def test_type_is_one_line(schema: dict[str, Any], text: str) -> None:
    line = {
        "title": "say",
        "description": "somebody speaks",
        "properties": {
            "from": {"enum": ["staff"]},
            "do": {"const": "say"},
            "with": {"$ref": "#/$defs/Say"},
        },
    }
    say = {"properties": {"value": schema}, "required": ["value"]}
    side = {"enum": ["player", "banker"]}
    page = json_lines({"oneOf": [line], "$defs": {"Say": say, "Side": side}})
    assert "### say\n\nSomebody speaks. From staff.\n" in page
    assert f"| `value` | {text} | required |" in page
    assert "### Side\n\n`player` or `banker`\n" in page
