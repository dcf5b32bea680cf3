"""The four walks as CONTRIBUTING tells them: chains of functions, one a line."""

import re
from dataclasses import dataclass
from typing import Final

from house.source import ROOT

PAGE: Final = ROOT / "CONTRIBUTING.md"
WALKS: Final = {
    "card": "A card, from wire to screen",
    "click": "A click",
    "void": "A void",
    "restart": "A restart",
}
"""Each walk and its heading."""


@dataclass(frozen=True)
class Told:
    """One walk: the words before it, and its steps, each a file and a function."""

    says: str
    lines: list[str]

    @property
    def steps(self) -> list[tuple[str, str]]:
        return re.findall(r"^(\S+): (\S+)", "\n".join(self.lines), re.MULTILINE)

    @property
    def files(self) -> set[str]:
        return {file for file, _ in self.steps}


def told(walk: str) -> Told:
    """`LookupError` where the page has no such walk."""
    page = PAGE.read_text("utf-8")
    heading = re.escape(WALKS[walk])
    found = re.search(rf"^### {heading}\n(.*?)```\n(.*?)```", page, re.DOTALL | re.MULTILINE)
    if found is None:
        raise LookupError(f"{PAGE.name} has no walk under {WALKS[walk]!r}")
    return Told(" ".join(found[1].split()), found[2].splitlines())
