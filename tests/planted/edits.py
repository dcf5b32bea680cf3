"""A fault is a list of edits of the product's source text."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]


class StaleEdit(Exception):
    """The product no longer has the text that an edit replaces."""


@dataclass(frozen=True)
class Edit:
    """Replaces one occurrence of `old` in `file`."""

    file: str
    old: str
    new: str
    line: int | None = None
    """Where `old` begins, from 1. Needed only where the text occurs more than once; the nearest
    occurrence counts, so that lines above it may come and go."""

    def edited(self, text: str) -> str:
        """The text of the file with the fault in it."""
        places = list(self._places(text))
        if not places or (len(places) > 1 and self.line is None):
            raise StaleEdit(f"{self.file}: {len(places)} occurrences of {self.old!r}")
        at = min(places, key=lambda place: abs(text.count("\n", 0, place) + 1 - (self.line or 0)))
        return text[:at] + self.new + text[at + len(self.old) :]

    def _places(self, text: str) -> Iterator[int]:
        at = text.find(self.old)
        while at >= 0:
            yield at
            at = text.find(self.old, at + 1)


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong with the product, in one or several places."""

    name: str
    edits: tuple[Edit, ...]

    def texts(self, root: Path = ROOT) -> dict[str, str]:
        """Each file that it changes, as it is with the fault in it."""
        texts: dict[str, str] = {}
        for edit in self.edits:
            text = texts.get(edit.file) or (root / edit.file).read_text("utf-8")
            texts[edit.file] = edit.edited(text)
        return texts

    @contextmanager
    def planted(self, root: Path) -> Iterator[None]:
        """The fault is in the tree at `root` while the context lasts."""
        sound = {file: (root / file).read_text("utf-8") for file in self.texts(root)}
        for file, text in self.texts(root).items():
            _write(root / file, text)
        try:
            yield
        finally:
            for file, text in sound.items():
                _write(root / file, text)


def _write(path: Path, text: str) -> None:
    """Byte code is chosen by time and size, which an edit within a second may leave as they are."""
    for compiled in path.parent.glob(f"__pycache__/{path.stem}.*.pyc"):
        compiled.unlink()
    path.write_text(text, encoding="utf-8")
