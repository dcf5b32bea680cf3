"""Which release this is, and what it decides by: its own code, and the configuration.

Two programs that share a version but not their code are two releases, and so is one program under
another configuration: what one of them decided the other does not decide again.
"""

import hashlib
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Final

from controller.engine.release import Release
from controller.table.rules import Rules

DECIDES: Final = ("controller", "drivers")
"""All of the product: a word means what the drivers say it means, too."""

_HOME: Final = Path(__file__).parents[2]
_LETTERS: Final = 32


def this_release(rules: Rules) -> Release:
    chosen = repr((rules.house, rules.rounding, rules.ladder)).encode()
    decides = hashlib.sha256(_code() + chosen).hexdigest()[:_LETTERS]
    return Release(version("sabot"), decides, rules.book.id)


@cache
def _code() -> bytes:
    """A digest of the code that decides, read once."""
    found = hashlib.sha256()
    for file in sorted(file for each in DECIDES for file in (_HOME / each).rglob("*.py")):
        found.update(str(file.relative_to(_HOME)).encode() + b"\0")
        found.update(hashlib.sha256(file.read_bytes()).digest())
    return found.digest()
