"""Identifies this release, and what decides its steps: its code and the configuration.

Two programs with the same version but different code are two releases, and so is one program under
another configuration. Neither decides the steps of the other again.
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
"""The whole product, because drivers define the meaning of device events."""

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
    # Names are text: `Path` objects take twice as long, and a table waits for this at its start.
    for file in sorted(_files(home), key=lambda file: file.split(os.sep)):
        found.update(file.removeprefix(home).encode() + b"\0")
        with open(file, "rb", buffering=0) as code:
            found.update(hashlib.sha256(code.read()).digest())
    return found.digest()


def _files(home: str) -> Iterator[str]:
    for each in DECIDES:
        for folder, _, names in os.walk(home + each):
            yield from (os.path.join(folder, name) for name in names if name.endswith(".py"))
