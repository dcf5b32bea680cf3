"""`sabot` with every call of the product written down, in every thread.

    python -m house.traced FILE ARGUMENTS...

runs `sabot ARGUMENTS...` and leaves FILE with the functions and, for each thread, its calls and
returns with their times. Time is the system's monotonic clock, so that whoever watches from another
process can say which calls belong to what it saw.
"""

import json
import sys
import threading
import time
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final

from house.source import ROOT

PRODUCT: Final = tuple(f"{ROOT / package}/" for package in ("controller", "drivers"))
WITHIN: Final = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})
"""Frames of their own in some Pythons and not in others: part of the function they stand in."""


class Tracer:
    """Set as the profile of every thread; costs what it costs, and nothing is timed with it."""

    def __init__(self) -> None:
        self.functions: list[tuple[str, str]] = []
        """File and function; a call names one by its place here."""
        self.threads: dict[int, list[tuple[int, int]]] = {}
        """For each thread, in order: when, and which function was called; -1 is a return."""
        self._known: dict[CodeType, int | None] = {}

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        if event not in ("call", "return"):
            return
        number = self._number(frame.f_code)
        if number is not None:
            events = self.threads.setdefault(threading.get_ident(), [])
            events.append((time.monotonic_ns(), number if event == "call" else -1))

    def _number(self, code: CodeType) -> int | None:
        try:
            return self._known[code]
        except KeyError:
            ours = code.co_filename.startswith(PRODUCT) and code.co_name not in WITHIN
            self._known[code] = len(self.functions) if ours else None
            if ours:
                file = str(Path(code.co_filename).relative_to(ROOT))
                self.functions.append((file, code.co_qualname))
            return self._known[code]

    def write(self, path: Path) -> None:
        found = {"functions": self.functions, "threads": list(self.threads.values())}
        path.write_text(json.dumps(found), "utf-8")


def main(path: Path, arguments: list[str]) -> None:
    tracer = Tracer()
    sys.argv = ["sabot", *arguments]
    threading.setprofile(tracer)
    sys.setprofile(tracer)
    try:
        from controller.cli import main as sabot

        sabot()
    finally:
        sys.setprofile(None)
        tracer.write(path)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
