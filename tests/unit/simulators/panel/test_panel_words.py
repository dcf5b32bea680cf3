"""The bench page's Chinese: every sentence with which the demo's shoe refuses has one."""

import ast
from collections.abc import Iterator
from pathlib import Path

SIMULATORS = Path(__file__).parents[4] / "simulators"
OF_THE_SHOE = ("kit", "wire", "shoe_angel_eye")
NOT_OF_THE_SHOE = {"nothing has been scanned yet"}
"""Of the shoes with labels."""
REFUSE = {"Refused", "NotNow", "Busy"}


def sentences() -> Iterator[str]:
    """What stands in the code as a refusal; one that is only handed on has no sentence there."""
    for folder in OF_THE_SHOE:
        for path in (SIMULATORS / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") in REFUSE:
                    yield from _constants(node.args[0])


def _constants(sentence: ast.expr) -> Iterator[str]:
    assert not isinstance(sentence, ast.JoinedStr), f"{ast.unparse(sentence)}: give gaps by name"
    if isinstance(sentence, ast.Constant):
        yield str(sentence.value).replace("!r}", "}").replace(":g}", "}")


def test_every_refusal_of_the_demos_shoe_has_chinese_words() -> None:
    found = set(sentences()) - NOT_OF_THE_SHOE
    assert len(found) > 20
    words = (SIMULATORS / "panel" / "words.js").read_text()
    assert {each for each in found if f'"{each}":' not in words} == set()
