"""The forms that one card takes from the wire to the snapshot, seen on a table that runs."""

import os
import tempfile
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import FrameType
from typing import Final

from bench.devices import LIMIT_S, Frames, after, staff, table
from drivers.cards import Card
from metrics.source import PACKAGES, ROOT

SHOE: Final = "shoe_angel_eye"
CODE: Final = "7D"
_PRODUCT: Final = tuple(f"{ROOT / package}/" for package in PACKAGES)


class CardForms:
    """A profile function that collects the types of arguments and results that hold the card."""

    def __init__(self, wire: bytes) -> None:
        self.first_seen: dict[str, str] = {}
        """Each type, and the first function that has the card in it."""
        self.is_on = threading.Event()
        self._wire = wire

    def __call__(self, frame: FrameType, event: str, result: object) -> None:
        code = frame.f_code
        if not self.is_on.is_set() or not code.co_filename.startswith(_PRODUCT):
            return
        for value in [result] if event == "return" else [*frame.f_locals.values()]:
            if type(value) not in (tuple, list) and self._holds_card(value):
                where = f"{Path(code.co_filename).relative_to(ROOT)}: {code.co_qualname}"
                self.first_seen.setdefault(type(value).__name__, where)

    def _holds_card(self, value: object) -> bool:
        return self._is_card(value) or any(map(self._is_card, _parts(value)))

    def _is_card(self, value: object) -> bool:
        if isinstance(value, Card):
            return value.code == CODE
        if isinstance(value, bytes):
            return len(value) > len(CODE) and value in self._wire
        return value == CODE


def _parts(value: object) -> Iterable[object]:
    names = getattr(value, "__struct_fields__", getattr(value, "__dataclass_fields__", ()))
    if names and not isinstance(value, type):
        return [getattr(value, name, None) for name in names]
    if isinstance(value, Mapping):
        return value.values()
    return value if isinstance(value, tuple) else ()


def card_forms(_: object = None) -> list[str]:
    """Each type that holds the card, in the order in which they appear."""
    wire = Frames(SHOE).of(CODE, "P", 1)
    forms = CardForms(wire)
    threading.setprofile(forms)
    try:
        with tempfile.TemporaryDirectory() as folder, table(Path(folder), SHOE) as (loop, shoe, _):
            loop.ask(staff("open_betting")).result(LIMIT_S)
            step = loop.ask(staff("close_betting")).result(LIMIT_S)
            forms.is_on.set()
            os.write(shoe, wire)
            after(loop, step["seq"])
            forms.is_on.clear()
    finally:
        threading.setprofile(None)
    return [f"{name}: {where}" for name, where in forms.first_seen.items()]
