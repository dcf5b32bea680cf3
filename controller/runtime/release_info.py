"""Which release this is, and what it decides by: its own code, and the configuration.

Two programs that share a version but not their code are two releases, and so is one program under
another configuration: what one of them decided the other does not decide again.
"""

import hashlib
import os
from collections.abc import Iterator
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


def release_digest(rules: Rules) -> Release:
    chosen = repr((rules.house, rules.rounding, rules.ladder)).encode()
    decides = hashlib.sha256(_code() + chosen).hexdigest()[:_LETTERS]
    return Release(version("sabot"), decides, rules.book.id)


@cache
def _code() -> bytes:
    """A digest of the code that decides, read once."""
    found = hashlib.sha256()
    home = os.path.join(_HOME, "")
    # Names as text: paths as objects take twice as long, and a table waits for this at its start.
    for file in sorted(_files(home), key=lambda file: file.split(os.sep)):
        found.update(file.removeprefix(home).encode() + b"\0")
        with open(file, "rb", buffering=0) as code:
            found.update(hashlib.sha256(code.read()).digest())
    return found.digest()


def _files(home: str) -> Iterator[str]:
    for each in DECIDES:
        for folder, _, names in os.walk(home + each):
            yield from (os.path.join(folder, name) for name in names if name.endswith(".py"))
