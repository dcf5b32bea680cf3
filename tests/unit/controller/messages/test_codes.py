"""Codes: each is one id, its gaps have kinds, and somebody says it."""

import re
from pathlib import Path

from controller.messages.codes import Code, ParamKind

ROOT = Path(__file__).parents[4]
SAID_BY_PEOPLE = {ParamKind.SAYS}
"""The one kind that may hold a sentence: a maker's own words, or those of an older record."""


def test_a_code_is_an_id_and_so_are_its_gaps() -> None:
    for code in Code:
        assert code.value == code.name.lower()
        assert re.fullmatch(r"[a-z][a-z0-9_]*", code.value), code
        assert all(re.fullmatch(r"[a-z]+", gap) for gap in code.params), code
        assert all(isinstance(kind, ParamKind) for kind in code.params.values()), code


def test_gaps_belong_to_one_code_each() -> None:
    """An enum makes aliases of equal values: two codes would share their gaps."""
    assert len(Code.__members__) == len(list(Code))


def test_a_gap_that_holds_a_sentence_is_called_says() -> None:
    for code in Code:
        for gap, kind in code.params.items():
            assert (kind in SAID_BY_PEOPLE) == (gap == "says"), code


def test_every_code_is_said_somewhere() -> None:
    source = "\n".join(
        path.read_text("utf-8")
        for path in (ROOT / "controller").rglob("*.py")
        if path.name != "codes.py"
    )
    said = set(re.findall(r"\bCode\.([A-Z0-9_]+)", source))
    assert {code.name for code in Code} <= said
