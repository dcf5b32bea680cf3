"""The representations of one card from the wire to the snapshot, seen on a table that runs.

A representation is a type that has the card itself, as a `Card` or as text, in a field or as an
item; the first is the device's bytes. Three kinds of types are not counted:

* `Card`, the value that representations have;
* a container, which has the card only inside another representation or inside the bytes: what the
  inbox takes, a driver's frame, the message around a command;
* the structs of `controller.journal.bodies`: they are the record, which is encoded once.
"""

import os
import tempfile
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import FrameType
from typing import Final

from bench.devices import LIMIT_S, Frames, after, staff, table
from controller.journal import bodies
from metrics.source import PACKAGES, ROOT

SHOE: Final = "shoe_angel_eye"
CODE: Final = "7D"
RECORD: Final = bodies.__name__
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
            if self._represents_card(value) and type(value).__module__ != RECORD:
                where = f"{Path(code.co_filename).relative_to(ROOT)}: {code.co_qualname}"
                self.first_seen.setdefault(type(value).__name__, where)

    def _represents_card(self, value: object) -> bool:
        if isinstance(value, bytes):
            return len(value) > len(CODE) and value in self._wire
        if type(value) is str:
            return value == CODE
        return any(isinstance(part, str) and part == CODE for part in _parts(value))


def _parts(value: object) -> Iterable[object]:
    names = getattr(value, "__struct_fields__", getattr(value, "__dataclass_fields__", ()))
    if names and not isinstance(value, type):
        return [getattr(value, name, None) for name in names]
    if isinstance(value, Mapping):
        return value.values()
    return value if isinstance(value, tuple) and type(value) is not tuple else ()


def card_forms(_: object = None) -> list[str]:
    """Each representation of the card, in the order in which they appear."""
    wire = Frames(SHOE).of(CODE, "P", 1)
    forms = CardForms(wire)
    threading.setprofile(forms)
    try:
        with tempfile.TemporaryDirectory() as folder, table(Path(folder), SHOE) as (loop, shoe, _):
            loop.ask(staff("open_betting")).result(LIMIT_S)
            step = loop.ask(staff("close_betting")).result(LIMIT_S)
            forms.is_on.set()
            os.write(shoe, wire)
            after(loop, step.seq)
            forms.is_on.clear()
    finally:
        threading.setprofile(None)
    return [f"{name}: {where}" for name, where in forms.first_seen.items()]
